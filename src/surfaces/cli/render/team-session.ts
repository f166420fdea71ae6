import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { day, printText } from './memory-words.js';

export interface Session {
  readonly number: number;
  readonly focus: string;
  readonly context: string;
  readonly status: 'open' | 'ended';
  readonly started_by: string;
  readonly started_at: string;
}

/** One session, as it is asked for or as it was just begun or changed. */
export const render: Renderer<Session | { session: Session | null }> = (answer, screen) => {
  const session = 'session' in answer ? answer.session : answer;
  if (session === null) {
    screen.line('The team is working on nothing in particular. Say on what: `troupe session start FOCUS`.');
    return;
  }
  const { colour } = screen;
  const facts = `session ${session.number}, since ${day(session.started_at)}, begun by ${inert(session.started_by)}`;
  screen.line(
    `${colour.bold(inert(session.focus))}  ${colour.dim(session.status === 'open' ? facts : `${facts}, ended`)}`,
  );
  printText(session.context, screen);
};

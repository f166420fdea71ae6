import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { day, printText } from './memory-words.js';

/** One session, as it is asked for or as it was just begun or changed. */
export const render: Renderer<'teamsession.show' | 'teamsession.start' | 'teamsession.change'> = (answer, screen) => {
  const session = answer.session === undefined ? answer : answer.session;
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

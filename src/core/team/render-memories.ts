import { timestamp } from '#kernel/clock.js';
import type { Memory, WorkSession } from './memory.js';
import { recordMark } from './record-mark.js';
import { shut } from './render-decisions.js';
import { oneLine } from './team-file.js';

/** What now.md says before anything was begun; a cast begins with it. */
export const NO_SESSION = '# Now\n\nWhat the team is working on at present. Nothing has been started yet.\n';

/** `identity/now.md`: the open session with the id it has everywhere, else that there is none. */
export function renderNow(session: WorkSession | undefined, id: string | undefined): string {
  if (session === undefined) return NO_SESSION;
  const { number, focus, context, started_by, started_at } = session;
  const facts = [
    `- **Focus:** ${focus}`,
    `- **Since:** ${timestamp(started_at).slice(0, 10)}`,
    `- **Begun by:** ${oneLine(started_by)}`,
    `- **Session:** ${number}`,
  ];
  const text = ['# Now', 'What the team is working on at present.', facts.join('\n'), shut(context)]
    .join('\n\n')
    .trimEnd();
  return id === undefined ? `${text}\n` : `${text}\n\n${recordMark('session', id, text)}\n`;
}

/** `patterns.md`: what turned out to work, and for whom. */
export function renderPatterns(memories: readonly Memory[]): string {
  return [
    '# Patterns\n\nWhat members found to work here, newest last.\n',
    ...memories.map((memory) => sectionOf(memory)),
  ].join('\n');
}

function sectionOf(memory: Memory): string {
  return `## ${memory.number}. ${memory.agent}\n\n- **Importance:** ${memory.importance}\n- **Since:** ${dayOf(memory)}\n\n${shut(memory.content)}\n`;
}

export const dayOf = ({ created_at }: Memory): string => timestamp(created_at).slice(0, 10);

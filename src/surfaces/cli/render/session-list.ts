import type { Session } from '#core/coordinator/sessions.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

const WORDS = { 'in-progress': 'at work', open: 'stopped', done: 'archived' } as const;

export const render: Renderer<'session.list'> = ({ coordinators }, screen) => {
  printTable(screen, coordinators, [
    { title: 'ID', text: ({ id }) => String(id), right: true },
    { title: 'NAME', text: ({ name }) => inert(name) },
    { title: 'STATE', text: stateOf },
    { title: 'AGENTS', text: (session) => String(session.max_agents ?? ''), right: true },
    { title: 'BY', text: ({ executor, model }) => inert([executor, model].filter(Boolean).join(' ')) },
    { title: 'TASKS', text: scopeOf, flexible: true },
  ]);
  if (coordinators.length === 1) {
    screen.aside('Everything is in one session. Make another: `troupe service create-coordinator NAME --tag TAG`.');
  }
};

export function stateOf({ paused, status }: Session): string {
  return paused && status === 'in-progress' ? 'paused' : WORDS[status];
}

function scopeOf({ id, scope }: Session): string {
  if (id === 0) return 'the rest';
  const said = [...scope.tags.map((tag) => `tag ${tag}`), ...scope.roots.map((root) => `after ${root}`)];
  return said.length === 0 ? 'none' : inert(said.join(', '));
}

import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';
import { day } from './memory-words.js';

export const render: Renderer<'teamsession.list'> = ({ sessions }, screen) => {
  if (sessions.length === 0) {
    screen.line('The team has had no session yet. Begin one with `troupe session start FOCUS`.');
    return;
  }
  printTable(screen, sessions, [
    { title: '#', text: ({ number }) => String(number), right: true },
    { title: 'FROM', text: ({ started_at }) => day(started_at) },
    { title: 'TO', text: ({ ended_at }) => (ended_at === undefined ? 'now' : day(ended_at)) },
    { title: 'BY', text: ({ started_by }) => inert(started_by) },
    { title: 'FOCUS', text: ({ focus }) => inert(focus), flexible: true },
  ]);
};

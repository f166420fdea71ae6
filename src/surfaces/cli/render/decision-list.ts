import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';
import { day } from './memory-words.js';

export const render: Renderer<'decision.list'> = ({ decisions }, screen) => {
  if (decisions.length === 0) {
    screen.line('Nothing was decided yet. Write something down with `troupe decision add TITLE`.');
    return;
  }
  const { colour } = screen;
  printTable(screen, decisions, [
    { title: '#', text: ({ number }) => String(number), right: true },
    {
      title: 'STATUS',
      text: ({ status, superseded_by: next }) => (next === undefined ? status : `${status} by ${next}`),
      paint: (text, { status }) => (status === 'active' ? colour.green(text) : colour.dim(text)),
    },
    { title: 'TYPE', text: ({ type }) => type },
    { title: 'SINCE', text: ({ created_at }) => day(created_at) },
    { title: 'TITLE', text: ({ title }) => inert(title), flexible: true },
  ]);
  screen.aside('Whole texts: `troupe decision list --json`.');
};

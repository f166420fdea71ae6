import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';
import { day, firstLine } from './memory-words.js';

export const render: Renderer<'memory.list'> = ({ memories }, screen) => {
  if (memories.length === 0) {
    screen.line('Nothing is remembered yet. Add something with `troupe memory add NAME TEXT`.');
    return;
  }
  printTable(screen, memories, [
    { title: '#', text: ({ number }) => String(number), right: true },
    { title: 'MEMBER', text: ({ agent }) => inert(agent), paint: (text) => screen.colour.bold(text) },
    { title: 'TYPE', text: ({ type }) => type },
    { title: 'WEIGHT', text: ({ importance }) => importance },
    { title: 'SINCE', text: ({ created_at }) => day(created_at) },
    { title: 'WHAT', text: ({ content }) => firstLine(content), flexible: true },
  ]);
  screen.aside('Whole texts: `troupe memory list --json`.');
};

import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';

/** A row for each time the graph was kept. */
export function render(output: AnswerOf<'runs.list'>, screen: Screen): void {
  if (output.runs.length === 0) {
    screen.line('No runs yet. `troupe replay` keeps one each time it opens tasks again.');
    return;
  }
  printTable(screen, output.runs, [
    { title: 'RUN', text: (run) => inert(run.id) },
    { title: 'WHEN', text: (run) => inert(run.timestamp.slice(0, 16).replace('T', ' ')) },
    { title: 'OPENED', text: (run) => String(run.reset_tasks.length), right: true },
    { title: 'LEFT', text: (run) => String(run.preserved_tasks.length), right: true },
    { title: 'MODEL', text: (run) => inert(run.model ?? '') },
    { title: 'ASKED FOR', text: (run) => inert(sayFilter(run.filter)), flexible: true },
  ]);
}

/** The filter in the flags it was given with. */
export function sayFilter(filter: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(filter).map(([name, value]) => {
    if (name === 'restore') return `before restoring ${value}`;
    const flag = `--${name.replaceAll('_', '-')}`;
    return value === true ? flag : `${flag} ${Array.isArray(value) ? value.join(',') : value}`;
  });
  return flags.join(' ');
}

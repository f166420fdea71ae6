import { inert } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { numberText, someIds } from './analysis-words.js';

const BAR = 14;

/** What is required against what there is; too much is said in words too. */
export function render({ resources, unknown }: AnswerOf<'analysis.resources'>, screen: Screen): void {
  const { colour } = screen;
  if (resources.length === 0 && unknown.length === 0) {
    screen.line('No resources. Add one with `troupe resource add budget --available 500 --unit usd`.');
    return;
  }
  if (resources.length > 0)
    printTable(screen, resources, [
      { title: 'RESOURCE', text: (row) => inert(row.name ?? row.id) },
      { title: 'REQUIRED', text: (row) => numberText(row.required), right: true },
      { title: 'AVAILABLE', text: (row) => (row.available === null ? '–' : numberText(row.available)), right: true },
      { title: 'UNIT', text: (row) => inert(row.unit ?? '') },
      {
        title: ' '.repeat(BAR),
        text: (row) => bar(row.required, row.available ?? 0, BAR, screen),
        paint: (text, row) => (row.over ? colour.red(text) : text),
      },
      { title: '', text: (row) => (row.over ? `${numberText(row.required - (row.available ?? 0))} too much` : '') },
      { title: 'TASKS', text: (row) => someIds(row.tasks, 4), flexible: true },
    ]);
  for (const { id, tasks } of unknown) {
    screen.line(`${inert(id)} is required by ${someIds(tasks, 4)} and unknown: \`troupe resource add ${inert(id)}\`.`);
  }
}

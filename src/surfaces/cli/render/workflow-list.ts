import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { beginsText } from './workflow-begins.js';

export function render({ workflows }: AnswerOf<'workflow.list'>, screen: Screen): void {
  const { colour } = screen;
  printTable(screen, workflows, [
    { title: 'ID', text: (row) => inert(row.id) },
    { title: 'FROM', text: (row) => row.source },
    { title: 'HERE', text: (row) => (row.default ? 'default' : row.allowed ? 'allowed' : 'no') },
    {
      title: 'WHAT IT DOES',
      text: (row) =>
        inert(row.problem ?? (row.trusted ? row.description : `(commands not trusted) ${row.description}`)),
      paint: (text, row) => (row.problem === undefined ? text : colour.red(text)),
      flexible: true,
    },
  ]);
  for (const { id, begins } of workflows) if (begins) screen.line(`${inert(id)} ${beginsText(begins)}`);
  screen.aside(
    `See one with ${colour.cyan('troupe workflow show ID')}, try it with ${colour.cyan('troupe workflow run ID --dry-run')}`,
  );
}

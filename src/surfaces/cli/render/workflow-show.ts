import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { beginsText } from './workflow-begins.js';

export function render(shown: AnswerOf<'workflow.show'>, screen: Screen): void {
  const { colour } = screen;
  screen.line(colour.bold(inert(shown.name)));
  screen.line(inert(shown.description));
  screen.line(colour.dim(`${inert(shown.file)}, begins: ${inert(shown.trigger)}`));
  if (shown.begins) screen.line(beginsText(shown.begins));
  screen.line();
  printTable(screen, shown.nodes, [
    { title: 'STEP', text: (node) => inert(node.id) },
    { title: 'KIND', text: (node) => node.type },
    { title: 'FOR', text: (node) => inert(node.archetypes[0] ?? '') },
    { title: 'AFTER', text: (node) => inert(node.after.join(' ')) },
    { title: 'WHAT', text: (node) => inert(node.label), flexible: true },
  ]);
  screen.line();
  for (const { from, to, max } of shown.loops)
    screen.line(`${inert(from.join(', '))} may send back to ${inert(to)}, ${max} times at most`);
  for (const { name, description } of shown.inputs) screen.line(`--input ${inert(name)}=…  ${inert(description)}`);
  if (!shown.trusted && shown.commands.length > 0) {
    screen.line(colour.yellow('Its commands do not run here before somebody agrees to them:'));
    for (const { node, run } of shown.commands) screen.line(`  ${inert(node)}: ${inert(run)}`);
  }
  for (const warning of shown.warnings) screen.aside(colour.yellow(inert(warning)));
}

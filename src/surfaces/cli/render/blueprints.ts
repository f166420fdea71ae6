import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { printTable } from '../table.js';

interface Blueprint {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly roster: readonly string[];
  readonly workflows: readonly string[];
  readonly review_policy: string;
  readonly sandbox_profile: string;
}

export function render(output: { blueprints: readonly Blueprint[] } | Blueprint, screen: Screen): void {
  const { colour } = screen;
  if ('blueprints' in output) {
    printTable(screen, output.blueprints, [
      { title: 'ID', text: (row) => inert(row.id) },
      { title: 'TEAM', text: (row) => String(row.roster.length), right: true },
      { title: 'WHAT IT IS FOR', text: (row) => inert(row.description), flexible: true },
    ]);
    return;
  }
  screen.line(colour.bold(inert(output.name)));
  screen.line(inert(output.description));
  screen.line();
  screen.line(`Team       ${inert(output.roster.join(', '))}`);
  screen.line(`Workflows  ${inert(output.workflows.join(', '))}`);
  screen.line(`Review     ${inert(output.review_policy)}`);
  screen.line(`Sandbox    ${inert(output.sandbox_profile)}`);
}

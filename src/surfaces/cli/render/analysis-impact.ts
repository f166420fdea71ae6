import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import {
  firstRows,
  hoursColumn,
  hoursText,
  idColumn,
  markedStatus,
  statusColumn,
  titleColumn,
} from './analysis-words.js';

const ROWS = 20;
const CHAINS = 5;
const CHAIN_IDS = 8;

/** What is at risk in one line, then who it is, then on which ways. */
export function render(
  { task, direct_dependents, transitive_dependents, dependency_chains, impact_summary }: AnswerOf<'analysis.impact'>,
  screen: Screen,
): void {
  const { colour } = screen;
  screen.line(`${markedStatus(task.status, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`);
  if (transitive_dependents.length === 0) {
    screen.line('  Nothing comes after it: a delay here delays nothing else.');
    return;
  }
  const { total_tasks_affected: affected, total_hours_at_risk: hours } = impact_summary;
  const risk = hours > 0 ? `, ${hoursText(hours)} at risk` : '';
  screen.line(`  ${plural(affected, 'unfinished task')} after it${risk}; ${direct_dependents.length} directly`);
  screen.line();
  const direct = new Set(direct_dependents.map((row) => row.id));
  const rows = [...direct_dependents, ...transitive_dependents.filter((row) => !direct.has(row.id))];
  const { shown, more } = firstRows(rows, ROWS);
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    { title: 'HOW', text: (row) => (direct.has(row.id) ? 'directly' : 'later') },
    ...hoursColumn(rows),
    titleColumn(),
  ]);
  if (more) screen.line(colour.dim(`  ${more}`));
  const chains = dependency_chains.filter((chain) => chain.length > 2);
  if (chains.length === 0) return;
  screen.line();
  screen.line(colour.bold('Ways'));
  const arrow = screen.unicode ? ' → ' : ' -> ';
  for (const chain of chains.slice(0, CHAINS)) {
    const ids = chain.slice(0, CHAIN_IDS).map((id) => inert(id));
    const rest = chain.length > CHAIN_IDS ? `${arrow}${chain.length - CHAIN_IDS} more` : '';
    screen.line(`  ${ids.join(arrow)}${rest}`);
  }
  if (chains.length > CHAINS) screen.line(colour.dim(`  and ${chains.length - CHAINS} more ways`));
}

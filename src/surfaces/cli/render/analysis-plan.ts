import { plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, hoursText, idColumn, numberText, someIds, titleColumn } from './analysis-words.js';

const ROWS = 30;

/** What fits, in an order in which it can be done, and what does not. */
export function render(plan: AnswerOf<'analysis.plan'>, screen: Screen): void {
  const { colour } = screen;
  if (plan.selected.length === 0) {
    screen.line(
      plan.left_out.length > 0
        ? `Nothing fits. The next would be ${someIds(
            plan.left_out.map((row) => row.id),
            3,
          )}.`
        : 'Nothing can be done now. See what holds it up with `troupe status`.',
    );
    return;
  }
  const { shown, more } = firstRows(plan.selected, ROWS);
  printTable(screen, shown, [
    idColumn(),
    { title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true },
    { title: 'COST', text: (row) => (row.cost === null ? '–' : numberText(row.cost)), right: true },
    titleColumn(),
  ]);
  if (more) screen.line(colour.dim(`  ${more}`));
  screen.line();
  const left = [
    ...(plan.remaining_hours === null ? [] : [`${hoursText(plan.remaining_hours)} left over`]),
    ...(plan.remaining_budget === null ? [] : [`${numberText(plan.remaining_budget)} of the budget left over`]),
  ];
  const sum = `${plural(plan.selected.length, 'task')}, ${hoursText(plan.total_hours)}, cost ${numberText(plan.total_cost)}`;
  screen.line([sum, ...left].join('; '));
  if (plan.left_out.length > 0) screen.line(colour.dim(`does not fit: ${someIds(plan.left_out.map((row) => row.id))}`));
  if (plan.missing_estimates.length > 0)
    screen.line(colour.dim(`counted as nothing, as they say neither: ${someIds(plan.missing_estimates)}`));
}

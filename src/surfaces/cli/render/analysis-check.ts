import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

const ROWS = 50;

/** Errors first, a line each with what helps; then what was looked at. */
export function render(
  { problems, errors, warnings, node_count, structural_cycles: cycles }: AnswerOf<'graph.check'>,
  screen: Screen,
): void {
  const { colour } = screen;
  for (const { severity, code, task_id, hint } of problems.slice(0, ROWS)) {
    const head = `${severity}[${code}]`;
    const where = task_id === null ? '' : ` ${colour.bold(inert(task_id))}`;
    screen.line(`${severity === 'error' ? colour.red(head) : colour.yellow(head)}${where}`);
    screen.line(`  ${inert(hint)}`);
  }
  if (problems.length > ROWS)
    screen.line(colour.dim(`and ${problems.length - ROWS} more; \`troupe check --json\` has them all`));
  if (problems.length > 0) screen.line();
  const looked = `${plural(node_count, 'node')}, ${plural(cycles.length, 'cycle')}`;
  if (problems.length === 0)
    screen.line(`${colour.green(screen.unicode ? '●' : 'ok')} Nothing to put right (${looked}).`);
  else screen.line(`${plural(errors, 'error')}, ${plural(warnings, 'warning')} (${looked})`);
}

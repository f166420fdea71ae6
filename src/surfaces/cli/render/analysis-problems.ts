import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { AnswerOf, Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

type Row = AnswerOf<'analysis.problems'>['problems'][number];

const SERIOUS = new Set(['service', 'client', 'executor', 'budget', 'failed', 'stalled']);
/** Where a line has less room, the commands come below what they help with. */
const COMMAND_BESIDE = 110;

/** A row a problem, with the command that helps. */
export const render: Renderer<'analysis.problems'> = ({ at, problems, total, warnings }, screen) => {
  const { colour } = screen;
  for (const warning of warnings) screen.aside(inert(warning));
  if (problems.length === 0) {
    screen.line('Nothing needs you. `troupe status` shows what is running and what comes next.');
    return;
  }
  const beside = screen.width >= COMMAND_BESIDE;
  printTable(screen, problems, [
    {
      title: 'WHAT',
      text: (row) => inert(row.kind),
      paint: (text, row) => (SERIOUS.has(row.kind) ? colour.red(text) : colour.yellow(text)),
    },
    { title: 'TASK', text: (row) => inert(row.task ?? '') },
    { title: 'WHY', text: (row) => inert(row.text), flexible: true },
    { title: 'SINCE', text: (row) => ago(row.since, at), right: true },
    ...(beside ? [{ title: 'WHAT HELPS', text: (row: Row) => inert(row.command) }] : []),
  ]);
  if (total > problems.length) screen.line(colour.dim(`and ${total - problems.length} more`));
  if (beside) return;
  screen.line();
  screen.line('What helps:');
  for (const command of new Set(problems.map((row) => row.command))) screen.line(`  ${inert(command)}`);
};

function ago(since: string | null, at: string): string {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? '' : formatDuration(Math.max(0, Date.parse(at) - start));
}

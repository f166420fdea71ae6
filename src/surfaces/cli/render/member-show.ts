import { oneLine } from '#core/team/team-file.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns } from './casting-columns.js';

export const render: Renderer<'member.show'> = (shown, screen) => {
  const { member } = shown;
  const says = [shown.leads ? 'leads the team' : '', member.builtIn ? 'built in' : ''].filter((word) => word !== '');
  screen.line(screen.colour.bold([inert(member.name), inert(member.roleTitle), ...says].join(', ')));
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['status', member.status === 'Active' ? 'on the team' : 'has left'],
    ['id', member.memberId],
    ['model', member.defaultModel],
    ['since', shown.created_at?.slice(0, 10)],
    ['until', shown.retired_at?.slice(0, 10)],
    ['was called', shown.previous_name],
    ['is called now', shown.succeeded_by],
    ['charter', member.charterPath],
  ];
  printColumns(
    rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, value]])),
    screen,
    (cell, column) => (column === 0 ? screen.colour.dim(cell) : cell),
  );
  screen.line();
  screen.line(
    shown.charter === null
      ? 'There is no charter; `troupe squad render` writes one.'
      : inert(shown.charter, true).trimEnd(),
  );
  const { learnings, decisions, older } = shown.remembers;
  const lessons = learnings.map((row) => `${row.created_at.slice(0, 10)} ${oneLine(row.content)}`);
  const titles = decisions.map((row) => `${row.number}. ${inert(row.title)}`);
  list('Has learned', lessons, older.learnings);
  list('Decisions of the team', titles, older.decisions);

  function list(title: string, rows: readonly string[], missing: number): void {
    if (rows.length === 0) return;
    screen.line();
    screen.line(screen.colour.bold(title));
    if (missing > 0) screen.line(screen.colour.dim(`  ${missing} older`));
    for (const row of rows) screen.line(`  ${row}`);
  }
};

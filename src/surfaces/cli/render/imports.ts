import { toneOf } from '#core/graph/status-look.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { paintState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';

type Answer = AnswerOf<'task.import'>;

/** Prints what an import added or would add, what it leaves out, and what the person does next. */
function renderImport(output: Answer, screen: Screen): void {
  const { tasks, left, broken, changed, warnings, dry_run: dryRun } = output;
  if (tasks.length > 0) {
    printTable(screen, tasks, [
      { title: 'ID', text: (task) => inert(task.id) },
      {
        title: 'STATUS',
        text: (task) => stateMark(task.status, screen, task.paused ? `${task.status}, paused` : task.status),
        paint: (text, task) => paintState(text, toneOf(task.status, undefined), screen),
      },
      { title: 'TITLE', text: (task) => inert(task.title), flexible: true },
      { title: 'AFTER', text: (task) => shortList(task.after) },
    ]);
  }
  printOthers(
    screen,
    'Left out',
    left,
    ({ key, title, why }) =>
      `${[key, title]
        .map((text) => inert(text))
        .join(' ')
        .trim()}: ${inert(why)}`,
  );
  printOthers(screen, 'Cannot be read', broken, ({ place, why }) => `${inert(place)}: ${inert(why)}`);
  printOthers(screen, 'Imported before, and different now', changed, ({ id, key, differs }) => {
    const from = id === key ? '' : ` (${inert(key)})`;
    return `${inert(id)}${from}: ${differs.map((one) => inert(one)).join(', ')}`;
  });
  for (const warning of warnings) screen.aside(screen.colour.yellow(inert(warning)));
  screen.line(screen.colour.dim(`${summary(output)} ${next(output, dryRun)}`.trim()));
}

const NAMED = 3;

function shortList(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).map((id) => inert(id));
  return ids.length > NAMED ? `${named.join(', ')} and ${ids.length - NAMED} more` : named.join(', ');
}

const SHOWN = 50;

function printOthers<Row>(screen: Screen, title: string, rows: readonly Row[], text: (row: Row) => string): void {
  if (rows.length === 0) return;
  screen.line(screen.colour.bold(`${title} (${rows.length}):`));
  for (const row of rows.slice(0, SHOWN)) screen.line(`  ${text(row)}`);
  if (rows.length > SHOWN) screen.line(`  and ${rows.length - SHOWN} more; --json lists all`);
}

function summary({ tracker, file, tasks, present, dry_run: dryRun }: Answer): string {
  const from = `${tracker}, ${inert(file)}`;
  const known = present === 0 ? '' : ` ${plural(present, 'record')} imported before, unchanged.`;
  const verb = dryRun ? 'would be imported' : 'imported';
  return `${tasks.length === 0 ? 'No new task' : plural(tasks.length, 'task')} ${verb} from ${from}.${known}`;
}

function next({ tasks, broken }: Answer, dryRun: boolean): string {
  if (dryRun && broken.length > 0) return 'Run with --skip-broken to import the others.';
  if (dryRun) return 'Nothing was changed: run without --dry-run to do it.';
  const commands = tasks.filter(({ command }) => command).length;
  const held = new Set(tasks.filter((task) => task.paused).map(({ id }) => id));
  const paused = tasks.find((task) => task.paused && !task.after.some((id) => held.has(id)));
  return [
    paused === undefined ? '' : `Unfinished tasks are paused: \`troupe resume ${inert(paused.id)}\` starts one.`,
    commands === 0
      ? ''
      : `${plural(commands, 'command')} of them ${commands === 1 ? 'waits' : 'wait'} for \`troupe trust\`.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

export const renderers = { 'task.import': renderImport } satisfies Partial<Renderers>;

import { toneOf } from '#core/graph/status-look.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { paintState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';

type Answer = AnswerOf<'task.import'>;

type Imported = Pick<Answer, 'tasks' | 'left' | 'broken' | 'changed' | 'warnings' | 'present' | 'dry_run'>;

function printImported({ tasks, left, broken, changed, warnings }: Imported, screen: Screen): void {
  if (tasks.length > 0) {
    printTable(screen, tasks, [
      ['id'],
      {
        title: 'STATUS',
        text: (task) => stateMark(task.status, screen, task.paused ? `${task.status}, paused` : task.status),
        paint: (text, task) => paintState(text, toneOf(task.status, undefined), screen),
      },
      ['title…'],
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

function summary({ tasks, present, dry_run: dryRun }: Imported, from: string): string {
  const known = present === 0 ? '' : ` ${plural(present, 'record')} imported before, unchanged.`;
  const verb = dryRun ? 'would be imported' : 'imported';
  return `${tasks.length === 0 ? 'No new task' : plural(tasks.length, 'task')} ${verb} from ${from}.${known}`;
}

function next({ tasks, broken, dry_run: dryRun }: Imported): string {
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

export const renderers = {
  /** Prints what an import added or would add, what it leaves out, and what the person does next. */
  'task.import': (output, screen) => {
    printImported(output, screen);
    screen.line(
      screen.colour.dim(`${summary(output, `${output.tracker}, ${inert(output.file)}`)} ${next(output)}`.trim()),
    );
  } /** Prints the same for an exchange of issues, then what was told there. */,
  'issues.sync': (output, screen) => {
    const { colour } = screen;
    printImported(output, screen);
    for (const { task, number, url, state, checks, reopened } of output.pulls) {
      const words = [state, checks === 'none' ? '' : `checks ${checks}`, reopened ? 'the task is open again' : ''];
      screen.line(
        `${inert(task)}: #${number} ${words.filter((word) => word !== '').join(', ')}  ${colour.dim(inert(url))}`,
      );
    }
    if (output.told.length > 0) {
      const issues = new Set(output.told.map(({ issue }) => issue)).size;
      screen.line(
        colour.dim(`Told ${plural(issues, 'issue')} the status${output.more ? '; the rest follows next time' : ''}.`),
      );
    }
    for (const id of output.gone) screen.aside(colour.yellow(`The issue of ${inert(id)} no longer exists.`));
    screen.line(
      colour.dim(
        `${summary(output, `${output.forge}, ${inert(output.repository)}`)} ${next({ ...output, broken: [] })}`.trim(),
      ),
    );
  },
} satisfies Partial<Renderers>;

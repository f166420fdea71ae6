/**
 * How each operation's answer is printed for people.
 * @packageDocumentation
 */
import { flipCheckOf } from '#core/graph/flip-check.js';
import { isLastWords } from '#core/graph/last-words.js';
import type { ShownState } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { type AtWork, atWork } from '#surfaces/cli/at-work.js';
import { evidenceRows } from '#surfaces/cli/evidence-rows.js';
import type { AnswerOf, Around, EitherOf, Renderer, Screen } from '#surfaces/cli/screen.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';

/** Where it lies and who reads it. */
export const renderGraphCompact: Renderer<'graph.compact'> = ({ file, bytes, tasks, narrative, warnings }, screen) => {
  for (const warning of warnings) screen.aside(inert(warning));
  const words = narrative ? ', with an account by a model' : '';
  screen.line(`Wrote ${inert(file)}: ${plural(tasks, 'task')} in ${plural(bytes, 'byte')}${words}.`);
  screen.line(screen.colour.dim('Prompts of the scopes graph and full bring it along.'));
};

/** `log` and `artifact`: a line each. */
export function renderGraphLines(
  { log, artifacts, operations }: AnswerOf<'task.log' | 'task.artifact'>,
  screen: Screen,
): void {
  for (const entry of log ?? []) {
    const time = screen.colour.dim(inert(entry.timestamp.slice(0, 19).replace('T', ' ')));
    screen.line(`${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  if (operations && operations.length > 0) {
    screen.line();
    printTable(screen, operations, [
      { title: 'SEQ', text: ({ seq }) => String(seq), right: true },
      { title: 'TIME', text: ({ timestamp }) => inert(timestamp.slice(0, 19).replace('T', ' ')) },
      { title: 'OPERATION', text: ({ op }) => inert(op) },
      { title: 'BY', text: ({ actor }) => inert(actor ?? ''), flexible: true },
    ]);
  }
  for (const artifact of artifacts ?? []) screen.line(inert(artifact));
  if (log?.length === 0) screen.line('Nothing is logged yet.');
  if (artifacts?.length === 0) screen.line('No artifacts yet.');
}

type Answer = AnswerOf<'task.list' | 'task.ready'>;
type Row = EitherOf<AnswerOf<'task.list' | 'task.ready'>['tasks'][number]>;

/** `list` and `ready`: a row a task. */
export function renderGraphList(output: Answer, screen: Screen): void {
  const { total } = output;
  const tasks: readonly Row[] = output.tasks;
  if (tasks.length === 0) {
    screen.line(
      total === undefined
        ? 'Nothing is ready. See what it waits for with `troupe status`.'
        : total === 0
          ? 'No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.'
          : `None of the ${total} tasks match.`,
    );
    return;
  }
  const stateOf = (row: Row) => shownState(row.status ?? 'open', row.ready ?? row.status === undefined);
  const wordOf = (row: Row) => (row.status === 'in-progress' ? (row.live ? 'running' : 'claimed') : undefined);
  const anyone = tasks.some((row) => row.member ?? row.assigned);
  printTable(screen, tasks, [
    { title: 'ID', text: (row) => inert(row.id) },
    {
      title: 'STATUS',
      text: (row) => stateMark(stateOf(row), screen, wordOf(row)),
      paint: (text, row) => paintState(text, stateOf(row), screen),
    },
    ...(anyone ? [{ title: 'WHO', text: (row: Row) => inert(row.member ?? row.assigned ?? '') }] : []),
    { title: 'TITLE', text: (row) => inert(row.title), flexible: true },
  ]);
}

/** What a move set off elsewhere, in the words of a person who wonders. */
const CONSEQUENCES: Readonly<Record<string, (id: string) => string>> = {
  cycle_iterate: (id) => `the cycle of ${id} goes round again`,
  cycle_restart: (id) => `the cycle of ${id} begins its pass again, because a member failed`,
  cycle_end: (id) => `the cycle of ${id} is over`,
  wake: (id) => `${id} goes on: what it waited for is there`,
};

/** What a command did to one task, in one line; warnings go beside it. */
export function renderGraphMoved(
  output: AnswerOf<
    | 'task.add'
    | 'task.edit'
    | 'task.claim'
    | 'task.unclaim'
    | 'task.done'
    | 'task.fail'
    | 'task.abandon'
    | 'task.retry'
    | 'task.approve'
    | 'task.reject'
    | 'task.block'
    | 'task.reopen'
    | 'task.pause'
    | 'task.resume'
    | 'task.publish'
    | 'task.wait'
    | 'task.reclaim'
    | 'task.reschedule'
    | 'task.add-dep'
    | 'task.rm-dep'
    | 'task.exec'
  >,
  screen: Screen,
): void {
  const state = shownState(output.status ?? 'open', false);
  const what = output.title === undefined ? '' : `  ${inert(output.title)}`;
  const word = output.fence === undefined ? undefined : 'claimed'; // by a person: nothing runs
  const same = output.changed === false ? screen.colour.dim('  (it was so already)') : '';
  screen.line(`${paintState(stateMark(state, screen, word), state, screen)}  ${inert(output.id)}${what}${same}`);
  for (const { op, task_id } of output.events ?? []) {
    const said = task_id === undefined || task_id === output.id ? undefined : CONSEQUENCES[op]?.(task_id);
    const own = op.startsWith('cycle_') && task_id === output.id ? CONSEQUENCES[op]?.(output.id) : said;
    if (own) screen.line(screen.colour.dim(`↺  ${inert(own)}`));
  }
  if (output.output) screen.line(inert(output.output.trimEnd(), true));
  if (output.note) screen.aside(screen.colour.dim(inert(output.note)));
  for (const warning of output.warnings ?? []) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
}

type Shown = AnswerOf<'task.show'>;

const PLAIN = ['member', 'assigned', 'exec', 'timeout', 'created_at', 'started_at', 'completed_at', 'failure_reason'];
const LISTS = ['tags', 'skills', 'inputs', 'deliverables', 'artifacts'];
const LABEL_WIDTH = 'deliverables'.length;

/** `show`: first where it stands and why, then what it is, then what happened. */
export async function renderGraphShow(shown: Shown, screen: Screen, around: Around): Promise<void> {
  const { task, ready, live, reasons, after, before, last_words: words } = shown;
  const { colour } = screen;
  const state = shownState(task.status, ready);
  const asked = state === 'in-progress' || (state === 'ready' && task['exec'] !== undefined);
  const served = asked && (await around.serviceAnswers());
  const work = live === undefined ? undefined : atWork(textOf(task['assigned']), live, served);
  screen.line(
    `${paintState(stateMark(state, screen, work?.word), state, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`,
  );
  const step = task.status === 'open' && !ready ? reasons.join('; ') : nextStep(shown, state, served, work);
  if (step !== '') screen.line(`  ${inert(step)}`);
  const took = elapsed(task);
  const row = (label: string, value: string) =>
    screen.line(`  ${colour.dim(label.padEnd(LABEL_WIDTH))}  ${inert(value)}`);
  for (const field of PLAIN) if (typeof task[field] === 'string') row(label(field), task[field]);
  if (took) row('took', took);
  for (const field of LISTS) {
    const values = task[field];
    if (Array.isArray(values)) row(label(field), values.join(', '));
  }
  for (const [name, value] of evidenceRows(task['evidence'])) row(name, value);
  const doubt = doubtOf(task);
  if (doubt) row('in doubt', doubt);
  if (after.length > 0) row('after', after.map((other) => `${other.id} (${other.status})`).join(', '));
  if (before.length > 0) row('before', before.map((other) => `${other.id} (${other.status})`).join(', '));
  if (typeof task['description'] === 'string') {
    screen.line();
    for (const line of inert(task['description'], true).split('\n')) screen.line(`  ${line}`);
  }
  const log = Array.isArray(task['log'])
    ? (task['log'] as { timestamp: string; actor?: string; message: string }[])
    : [];
  if (log.length > 0) screen.line();
  for (const entry of log.filter((one) => !isLastWords(one)).slice(-10)) {
    screen.line(
      `  ${colour.dim(inert(entry.timestamp.slice(0, 19).replace('T', ' ')))}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`,
    );
  }
  if (words === undefined) return;
  screen.line();
  screen.line(`  ${colour.dim('last words of its run')}`);
  for (const line of inert(words, true).split('\n')) screen.line(`    ${line}`);
}

/** What makes a ready task begin, or what is known of a claimed one; empty when nothing needs saying. */
function nextStep({ task, done_by }: Shown, state: ShownState, served: boolean, work: AtWork | undefined): string {
  if (work) return work.note;
  if (state !== 'ready') return '';
  if (done_by === 'person') return `a person takes it: \`troupe claim ${task.id}\``;
  return served ? '' : 'no service is up to run it: `troupe service start`';
}

const LOOKED = {
  low: 'nobody has looked into it yet',
  asked: 'it is being looked into',
  confirmed: 'confirmed',
  rejected: 'rejected',
} as const;

/** That its output shows badly what it was for, and what came of looking into that. */
function doubtOf(task: Shown['task']): string | undefined {
  const check = flipCheckOf(task);
  if (check?.attempt !== (task['fence'] ?? 0)) return undefined; // that was other work
  return `flip score ${check.score.toFixed(2)}: ${LOOKED[check.state]}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function label(field: string): string {
  return field.replace('_at', '').replace('failure_reason', 'reason').replaceAll('_', ' ');
}

function elapsed(task: Readonly<Record<string, unknown>>): string | undefined {
  const start = Date.parse(String(task['started_at']));
  const end = Date.parse(String(task['completed_at']));
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : formatDuration(end - start);
}

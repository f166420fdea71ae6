import { takeCommand } from '#core/graph/asks-person.js';
import { type ShownState, STATUS_LOOK, toneOf, wordOf } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { AnswerOf, Renderers } from '#surfaces/cli/screen.js';
import { type AtWork, atWork, paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';

type Shown = AnswerOf<'task.show'>;

const PLAIN = ['member', 'assigned', 'agent', 'executor', 'model', 'exec', 'verify', 'verify_cmd', 'timeout'];
const TIMES = ['created_at', 'started_at', 'completed_at'];
const LISTS = ['tags', 'skills', 'needs', 'inputs', 'deliverables', 'artifacts'];
const AGENT_CHARACTERS = 8;
/** Rarely set fields. `task-settings.ts`, which prints them, is loaded only if one of them is set. */
const RARE = [
  ...['estimate', 'requires', 'provider', 'exec_mode', 'context_scope', 'visibility', 'require_commit', 'in'],
  ...['max_retries', 'max_rejections', 'cycle_config', 'superseded_by'],
];
const LABEL_WIDTH = 'deliverables'.length;

/** Next step of a ready task, the note on a task in progress, or the first reason of `why` for others. */
function nextStep(
  { task, done_by, why = '' }: Shown,
  state: ShownState,
  served: boolean,
  work: AtWork | undefined,
): string {
  if (work) return work.note;
  if (state !== 'ready') return why;
  if (done_by === 'person') return `for a person: \`${takeCommand(task.id, textOf(task['conversation']))}\``;
  return served ? '' : 'no service is running: `troupe service start`';
}

/** Name of the agent with the first characters of its id, or the latter alone. */
function agentOf({ task, agent_name: name }: Shown): string | undefined {
  const id = textOf(task['agent'])?.slice(0, AGENT_CHARACTERS);
  return name === undefined ? id : `${name} (${id})`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Lists tasks, each with the word for its status. */
function named(tasks: readonly { readonly id: string; readonly status: string }[]): string {
  const word = (status: string) => (status === 'missing' ? status : STATUS_LOOK[shownState(status, false)].word);
  return tasks.map(({ id, status }) => `${id} (${word(status)})`).join(', ');
}

const LABELS: Readonly<Record<string, string>> = { verify: 'criterion', verify_cmd: 'check' };

function label(field: string): string {
  return LABELS[field] ?? field.replace('_at', '').replaceAll('_', ' ');
}

function elapsed(task: Readonly<Record<string, unknown>>): string | undefined {
  const start = Date.parse(String(task['started_at']));
  const end = Date.parse(String(task['completed_at']));
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : formatDuration(end - start);
}

export const renderers = {
  /** Prints the state and the next step of a task, then its fields, then its log. */
  'task.show': async (answer, screen, around) => {
    const { task, ready, live, check, reasons, after, before, last_words: words } = answer;
    const { colour } = screen;
    const state = shownState(task.status, ready);
    const serviceMatters = state === 'in-progress' || (state === 'ready' && answer.done_by !== 'person');
    const served = serviceMatters && (await around.serviceAnswers());
    const work = live === undefined ? undefined : atWork(textOf(task['assigned']), live, served);
    screen.line(
      `${paintState(stateMark(state, screen, work?.word ?? wordOf(state, undefined, check)), toneOf(state, check), screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`,
    );
    const step = task.status === 'open' && !ready ? reasons.join('; ') : nextStep(answer, state, served, work);
    if (step !== '') screen.line(`  ${inert(step)}`);
    const took = elapsed(task);
    const row = (label: string, value: string) =>
      screen.line(`  ${colour.dim(label.padEnd(LABEL_WIDTH))}  ${inert(value)}`);
    for (const field of PLAIN) {
      const value = field === 'agent' ? agentOf(answer) : task[field];
      if (typeof value === 'string') row(label(field), value);
      if (field === 'assigned' && answer.worker !== undefined) row('worker', answer.worker);
    }
    for (const field of TIMES) if (typeof task[field] === 'string') row(label(field), ago(task[field]));
    if (typeof task['failure_reason'] === 'string') row('reason', task['failure_reason']);
    if (took) row('duration', took);
    for (const field of LISTS) {
      const values = task[field];
      if (Array.isArray(values)) row(label(field), values.join(', '));
    }
    if (RARE.some((field) => field in task)) {
      const { rareRows } = await import('./task-settings.js');
      for (const [name, value] of rareRows(answer)) row(name, value);
    }
    if ((task['evidence'] ?? task['flip_check'] ?? answer.changes) !== undefined) {
      const { evidenceRows } = await import('./evidence.js');
      for (const [name, value] of evidenceRows(answer)) row(name, value);
    }
    if (answer.parts !== undefined || task['epic'] !== undefined) {
      const { epicRows } = await import('./task-settings.js');
      for (const [name, value] of epicRows(answer, named)) row(name, value);
    }
    const others = after.filter(({ id }) => answer.parts?.some((part) => part.id === id) !== true);
    if (others.length > 0) row('depends on', named(others));
    if (before.length > 0) row('dependents', named(before));
    if (typeof task['description'] === 'string') {
      screen.line();
      for (const line of inert(task['description'], true).split('\n')) screen.line(`  ${line}`);
    }
    if (task['log'] === undefined && words === undefined) return;
    const { printLog } = await import('./evidence.js');
    printLog(answer, screen);
  },
} satisfies Partial<Renderers>;

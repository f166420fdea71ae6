import { flipCheckOf } from '#core/graph/flip-check.js';
import { isLastWords } from '#core/graph/last-words.js';
import type { ShownState } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { isJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import type { AnswerOf, Around, Renderers, Screen } from '#surfaces/cli/screen.js';
import { type AtWork, atWork, paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';

type Shown = AnswerOf<'task.show'>;

const PLAIN = ['member', 'assigned', 'exec', 'timeout', 'created_at', 'started_at', 'completed_at', 'failure_reason'];
const LISTS = ['tags', 'skills', 'inputs', 'deliverables', 'artifacts'];
const LABEL_WIDTH = 'deliverables'.length;

/** `show`: first where it stands and why, then what it is, then what happened. */
export async function renderTask(answer: Shown, screen: Screen, around: Around): Promise<void> {
  const { task, ready, live, reasons, after, before, last_words: words } = answer;
  const { colour } = screen;
  const state = shownState(task.status, ready);
  const serviceMatters = state === 'in-progress' || (state === 'ready' && answer.done_by !== 'person');
  const served = serviceMatters && (await around.serviceAnswers());
  const work = live === undefined ? undefined : atWork(textOf(task['assigned']), live, served);
  screen.line(
    `${paintState(stateMark(state, screen, work?.word), state, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`,
  );
  const step = task.status === 'open' && !ready ? reasons.join('; ') : nextStep(answer, state, served, work);
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

export const renderers = {
  'task.show': renderTask,
} satisfies Partial<Renderers>;

const HASH_CHARACTERS = 12;
const ARTIFACTS_SHOWN = 20;

/** What shows that a task was done, as lines of a label and a text. */
function evidenceRows(evidence: unknown): [string, string][] {
  if (!isJsonObject(evidence)) return [];
  const { verify_cmd: command, exit, ms, commit, clean, artifacts } = evidence;
  const rows: [string, string][] = [];
  if (typeof command === 'string') {
    const took = typeof ms === 'number' ? ` after ${formatDuration(ms)}` : '';
    rows.push(['checked', `${command}: ended with ${String(exit ?? 'nothing')}${took}`]);
  }
  if (typeof commit === 'string') {
    rows.push(['commit', `${commit.slice(0, HASH_CHARACTERS)}${clean === false ? ', not all was committed' : ''}`]);
  }
  const listed = Array.isArray(artifacts) ? artifacts.filter(isJsonObject) : [];
  for (const { path, sha256 } of listed.slice(0, ARTIFACTS_SHOWN)) {
    const hash = typeof sha256 === 'string' ? `sha256 ${sha256.slice(0, HASH_CHARACTERS)}…` : 'no such file';
    rows.push(['artifact', `${String(path)}  ${hash}`]);
  }
  return rows;
}

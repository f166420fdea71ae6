import { flipCheckOf } from '#core/graph/flip-check.js';
import { isLastWords } from '#core/graph/last-words.js';
import { formatDuration } from '#kernel/duration.js';
import { isJsonObject } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';

type Shown = AnswerOf<'task.show'>;

const LOOKED = {
  low: 'not verified yet',
  asked: 'verification is running',
  confirmed: 'confirmed',
  rejected: 'rejected',
} as const;

/** A low flip score of the present attempt and the result of its verification. */
function doubtOf(task: Shown['task']): string | undefined {
  const check = flipCheckOf(task);
  if (check?.attempt !== (task['fence'] ?? 0)) return undefined; // the score of an earlier attempt
  return `flip score ${check.score.toFixed(2)}: ${LOOKED[check.state]}`;
}

const HASH_CHARACTERS = 12;
const ARTIFACTS_SHOWN = 20;

/** Rows for a reviewer, as label and text: changes, evidence that the task is done, evidence against it. */
export function evidenceRows({ task, changes }: Shown): [string, string][] {
  const rows: [string, string][] = [];
  if (changes !== undefined) {
    const { branch, files, added, removed } = changes;
    rows.push(['branch', branch]);
    rows.push(['changes', `${plural(files, 'file')}, +${added} -${removed}: \`troupe worktree show ${task.id}\``]);
  }
  rows.push(...checkRows(task['evidence']));
  const doubt = doubtOf(task);
  return doubt === undefined ? rows : [...rows, ['in doubt', doubt]];
}

function checkRows(evidence: unknown): [string, string][] {
  if (!isJsonObject(evidence)) return [];
  const { verify_cmd: command, exit, unchecked, ms, commit, clean, artifacts } = evidence;
  const rows: [string, string][] = [];
  if (typeof command === 'string') {
    const took = typeof ms === 'number' ? ` after ${formatDuration(ms)}` : '';
    const end =
      typeof unchecked === 'string' ? unchecked.replace('-', ' ') : `exited with ${String(exit ?? 'nothing')}`;
    rows.push([typeof unchecked === 'string' ? 'unchecked' : 'checked', `${command}: ${end}${took}`]);
  }
  if (typeof commit === 'string') {
    rows.push([
      'commit',
      `${commit.slice(0, HASH_CHARACTERS)}${clean === false ? ', not everything was committed' : ''}`,
    ]);
  }
  const listed = Array.isArray(artifacts) ? artifacts.filter(isJsonObject) : [];
  for (const { path, sha256 } of listed.slice(0, ARTIFACTS_SHOWN)) {
    const hash = typeof sha256 === 'string' ? `sha256 ${sha256.slice(0, HASH_CHARACTERS)}…` : 'no such file';
    rows.push(['artifact', `${String(path)}  ${hash}`]);
  }
  return rows;
}

/** Prints the latest log entries and the last words of the run. */
export function printLog({ task, last_words: words }: Shown, screen: Screen): void {
  const { colour } = screen;
  const log = Array.isArray(task['log'])
    ? (task['log'] as { timestamp: string; actor?: string; message: string }[])
    : [];
  if (log.length > 0) screen.line();
  for (const entry of log.filter((one) => !isLastWords(one)).slice(-10)) {
    screen.line(`  ${colour.dim(ago(entry.timestamp))}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  if (words === undefined) return;
  screen.line();
  screen.line(`  ${colour.dim('last words of its run')}`);
  for (const line of inert(words, true).split('\n')) screen.line(`    ${line}`);
}

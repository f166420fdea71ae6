import { isMeta } from '#core/graph/meta.js';
import { isTask, STATUSES, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { cutBytes, oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { byId, compareText } from '#kernel/order.js';
import { plural } from '#kernel/text.js';
import { storedMoment, textsOf } from './brief.js';

/** Words with which people and agents record decisions in a log. */
const DECIDED = /\b(decided|decision|chose|chosen|agreed|instead of|because|rejected|approved|superseded|will not)\b/i;
/** Routine messages by Troupe itself, which give no reasons. */
const ROUTINE = /^(Done|Claimed|Released|Submitted for review|Re-activated|Opened again|Started|Added)\b/;

/**
 * One-page summary of a graph for a newcomer: progress, decisions, patterns. Computed without a model, so the same
 * graph and time give the same page. Examines each task once. Texts of tasks are reduced to one line each.
 */
export function graphSummary(view: GraphView, now: number): string {
  const tasks: Task[] = [];
  for (const node of view.nodes()) if (isTask(node) && !isMeta(view, node)) tasks.push(node);
  tasks.sort(byId);
  const parts = [
    `# Where this project stands`,
    `As of ${timestamp(now)}, event ${view.seq}. Written by \`troupe compact\`; edits by hand are overwritten.`,
    ...section('Status', statusLines(tasks)),
    ...section('Decisions', decisionLines(tasks)),
    ...section('Patterns', patternLines(view, tasks)),
    ...section('Results', resultLines(tasks)),
  ];
  return `${cutBytes(parts.join('\n\n'), TEAM_LIMITS.summaryBytes)}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

function statusLines(tasks: readonly Task[]): string[] {
  if (tasks.length === 0) return ['- There are no tasks yet.'];
  const count = (status: Status) => tasks.filter((task) => task.status === status).length;
  const counts = STATUSES.flatMap((status) => (count(status) === 0 ? [] : [`${count(status)} ${status}`]));
  const of = (status: Status, say: (task: Task) => string) =>
    firstOf(
      tasks.filter((task) => task.status === status).sort((left, right) => lastTime(right) - lastTime(left)),
      (task) => `- ${status}: ${named(task)}${say(task)}`,
    );
  return [
    `- ${plural(tasks.length, 'task')}: ${counts.join(', ')}.`,
    ...of('in-progress', (task) => (task.assigned === undefined ? '' : ` (held by ${line(task.assigned)})`)),
    ...of('failed', (task) => `: ${line(task.failure_reason ?? 'no reason was given')}`),
    ...of('pending-validation', () => ' needs review'),
    ...of('blocked', () => ' was blocked by a person'),
    ...of('waiting', () => ' is waiting'),
  ];
}

interface DatedLine {
  readonly at: number;
  readonly text: string;
}

/** Decisions, latest first: verdicts of reviewers, and log messages that give reasons. */
function decisionLines(tasks: readonly Task[]): string[] {
  const settled: DatedLine[] = [];
  for (const task of tasks) {
    for (const entry of Array.isArray(task.log) ? task.log : []) {
      if (typeof entry.message !== 'string') continue;
      const isVerdict = /^(Approved|Rejected|Abandoned|Failed)\b.*:/.test(entry.message);
      if (!isVerdict && (ROUTINE.test(entry.message) || !DECIDED.test(entry.message))) continue;
      const who = entry.actor === undefined ? '' : `, ${line(entry.actor)}`;
      settled.push({ at: storedMoment(entry.timestamp) ?? 0, text: `- ${id(task)}${who}: ${line(entry.message)}` });
    }
    if (task.superseded_by?.length)
      settled.push({
        at: lastTime(task),
        text: `- ${id(task)} was replaced by ${textsOf(task.superseded_by).map(line).join(', ')}`,
      });
  }
  settled.sort((left, right) => right.at - left.at || compareText(left.text, right.text));
  return firstOf(settled, ({ text }) => text);
}

/** Structural patterns of the graph, and kinds of work with their results. */
function patternLines(view: GraphView, tasks: readonly Task[]): string[] {
  const wide = tasks
    .map((task) => ({ task, after: view.dependents(task.id).length, before: task.after?.length ?? 0 }))
    .filter(({ after, before }) => after > 2 || before > 2)
    .sort((left, right) => right.after + right.before - left.after - left.before || byId(left.task, right.task));
  const chains = tasks.filter((task) => task.after?.length === 1 && view.dependents(task.id).length === 1).length;
  const cycles = view.mayIterate()
    ? [...view.cycles()].filter(({ configured, header }) => configured && !header.startsWith('.'))
    : [];
  return [
    ...(chains > 2 ? [`- Pipeline: ${plural(chains, 'task')} with one before and one after.`] : []),
    ...firstOf(wide, ({ task, after, before }) =>
      before > 2
        ? `- Gather: ${id(task)} joins ${before}${after > 2 ? ` and opens ${after}` : ''}.`
        : `- Scatter: ${after} tasks start after ${id(task)}.`,
    ),
    ...firstOf(cycles, ({ header, members }) => {
      const task = view.task(header);
      const passes = `${task?.loop_iteration ?? 0} of ${task?.cycle_config?.max_iterations ?? '?'}`;
      return `- Cycle: ${plural(members.length, 'task')} around ${line(header)}, pass ${passes}.`;
    }),
    ...kindLines(tasks),
  ];
}

function kindLines(tasks: readonly Task[]): string[] {
  const kinds = new Map<string, { all: number; done: number; failed: number }>();
  for (const task of tasks) {
    for (const tag of new Set([...textsOf(task.tags), ...textsOf(task.skills)])) {
      const kind = kinds.get(tag) ?? { all: 0, done: 0, failed: 0 };
      kind.all++;
      if (task.status === 'done') kind.done++;
      if (task.status === 'failed' || Number(task.retry_count) > 0 || Number(task.rejection_count) > 0) kind.failed++;
      kinds.set(tag, kind);
    }
  }
  const rows = [...kinds]
    .filter(([, { all }]) => all > 1)
    .sort(([left, a], [right, b]) => b.all - a.all || compareText(left, right));
  return firstOf(rows, ([tag, { all, done, failed }]) => {
    const went = failed === 0 ? '' : `, ${failed} needed another attempt or failed`;
    return `- Kind ${line(tag)}: ${plural(all, 'task')}, ${done} done${went}.`;
  });
}

function resultLines(tasks: readonly Task[]): string[] {
  const productive = tasks
    .filter((task) => task.status === 'done' && textsOf(task.artifacts).length > 0)
    .sort((left, right) => lastTime(right) - lastTime(left) || byId(left, right));
  return firstOf(productive, (task) => `- ${named(task)}: ${textsOf(task.artifacts).slice(0, 5).map(line).join(', ')}`);
}

/** The first rows, and the number of remaining ones. */
function firstOf<Row>(rows: readonly Row[], say: (row: Row) => string): string[] {
  const first = rows.slice(0, TEAM_LIMITS.summaryRows).map(say);
  const more = rows.length - first.length;
  return more > 0 ? [...first, `- and ${more} more`] : first;
}

function lastTime(task: Task): number {
  return storedMoment(task.completed_at) ?? storedMoment(task.started_at) ?? storedMoment(task.created_at) ?? 0;
}

function named(task: Task): string {
  return task.title === task.id ? id(task) : `${id(task)} (${line(task.title)})`;
}

const id = (task: Task): string => line(task.id);
const line = (text: unknown): string => oneLine(String(text), TEAM_LIMITS.summaryLineBytes);

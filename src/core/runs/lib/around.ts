import { deliverableOf } from '#core/graph/deliverable.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { isTask, isTerminal, type Status, type Task } from '#core/graph/task.js';
import { cutBytes, oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { byId } from '#kernel/order.js';
import type { Section } from './section.js';
import { lastLines, listLines, name, type PromptContext, safe } from './section.js';

/** Terminal predecessors: status, results, last message, and the reason of a failure. */
export function predecessors(section: Section, prompt: PromptContext): void {
  const over = tasksOf(prompt, prompt.task.after ?? []).filter((before) => isTerminal(before.status));
  if (over.length === 0) return;
  section.say(prompt.words('predecessors'));
  const first = over.slice(0, TEAM_LIMITS.promptListRows);
  for (const [index, before] of first.entries()) {
    section.block(
      `predecessor ${index + 1} of ${over.length}`,
      handoverOf(prompt, before),
      TEAM_LIMITS.promptFileBytes / 2,
    );
  }
  if (first.length < over.length) section.say(`[cut: ${over.length - first.length} more are not shown]`);
}

/** Text about a finished task for its dependents. */
export function handoverOf(prompt: PromptContext, before: Task): string {
  const failed = before.status === 'failed';
  const lines = lastLines(before.log, TEAM_LIMITS.promptLogLines);
  const words = lastWordsOf(before);
  const reason = before.failure_reason ?? (failed ? 'none was given' : undefined);
  const notes = failed ? (prompt.facts.evaluations?.get(before.id) ?? []) : [];
  return [
    `id: ${name(before.id)}`,
    `title: ${name(before.title)}`,
    `status: ${before.status}`,
    ...(reason === undefined ? [] : [`reason: ${oneLine(safe(reason), TEAM_LIMITS.promptReasonBytes)}`]),
    ...notes
      .slice(0, TEAM_LIMITS.promptListRows)
      .map((note) => `evaluation: ${oneLine(safe(note), TEAM_LIMITS.promptLogLineBytes)}`),
    ...listLines('artifacts', before.artifacts),
    ...acceptedLines(before),
    ...(lines.length > 0 ? ['last lines of its log:', ...lines] : []),
    ...(words === undefined ? [] : ['last words of its run:', cutBytes(safe(words), TEAM_LIMITS.promptReasonBytes)]),
  ].join('\n');
}

/** The deliverable that its team accepted; nothing that is pending or was sent back. */
function acceptedLines(before: Task): string[] {
  const deliverable = before.status === 'done' ? deliverableOf(before) : undefined;
  return deliverable
    ? [`accepted deliverable: artifact ${name(deliverable.artifact)}, ${name(deliverable.title)}`]
    : [];
}

/** Tasks that use the results of this one. */
export function consumers(section: Section, prompt: PromptContext): void {
  const after = tasksOf(prompt, [...prompt.view.dependents(prompt.task.id)].sort());
  if (after.length === 0) return;
  section.say(prompt.words('consumers'));
  const lines = after.map((task) => {
    const uses = (task.inputs ?? []).slice(0, TEAM_LIMITS.promptListRows).map(name).join(', ');
    return `- ${row(task)}${uses === '' ? '' : ` (uses: ${oneLine(uses, TEAM_LIMITS.promptNameBytes)})`}`;
  });
  section.list('consumers', lines, TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptFileBytes / 4);
}

/** Direct predecessors and dependents, with their statuses. */
export function neighbours(section: Section, prompt: PromptContext): void {
  const before = [...(prompt.task.after ?? [])].sort();
  const after = [...prompt.view.dependents(prompt.task.id)].sort();
  if (before.length + after.length === 0) return;
  section.say(prompt.words('neighbours'));
  const lines = (ids: readonly string[]) =>
    ids.map((id) => {
      const task = prompt.view.task(id);
      return task ? `- ${row(task)}` : `- ${name(id)}: missing`;
    });
  section.list('before this task', lines(before), TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptReasonBytes);
  section.list('after this task', lines(after), TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptReasonBytes);
}

/** Tasks that can still change first, terminal ones last. */
const ORDER: readonly Status[] = [
  ...(['in-progress', 'open', 'waiting', 'pending-validation'] as const),
  ...(['blocked', 'failed', 'done', 'abandoned'] as const),
];

/** Number of tasks by status, and as many of the tasks as fit. Scans the whole graph once. */
export function wholeGraph(section: Section, prompt: PromptContext): void {
  const byStatus = new Map<Status, Task[]>(ORDER.map((status) => [status, []]));
  let total = 0;
  for (const node of prompt.view.nodes()) {
    if (!isTask(node)) continue;
    total++;
    byStatus.get(node.status)?.push(node);
  }
  section.say(prompt.words('graph'));
  const counts = [...byStatus]
    .filter(([, tasks]) => tasks.length > 0)
    .map(([status, tasks]) => `${tasks.length} ${status}`);
  section.say(`${total} ${total === 1 ? 'task' : 'tasks'}: ${counts.join(', ')}.`);
  const first: Task[] = [];
  for (const status of ORDER) {
    const room = TEAM_LIMITS.promptGraphLines - first.length;
    if (room > 0) first.push(...(byStatus.get(status) ?? []).sort(byId).slice(0, room));
  }
  const lines = first.map((task) => {
    const after = (task.after ?? []).slice(0, TEAM_LIMITS.promptListRows).map(name).join(', ');
    return `- ${row(task)}${after === '' ? '' : `, after ${oneLine(after, TEAM_LIMITS.promptNameBytes)}`}`;
  });
  section.block('graph', lines.join('\n'), TEAM_LIMITS.promptGraphBytes);
  if (first.length < total) section.say(`[cut: ${total - first.length} more tasks are not shown]`);
}

function row(task: Task): string {
  return `${name(task.id)} (${task.status}): ${name(task.title)}`;
}

function tasksOf(prompt: PromptContext, ids: readonly string[]): Task[] {
  return ids.flatMap((id) => prompt.view.task(id) ?? []);
}

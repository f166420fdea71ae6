import * as z from 'zod/mini';
import { iterationsOf } from '#core/graph/cycle-decision.js';
import type { Cycle } from '#core/graph/cycles.js';
import type { Entry } from '#core/graph/event.js';
import { misfits } from '#core/graph/file-schemas.js';
import { sortedById } from '#core/graph/line.js';
import { againCommand } from '#core/graph/take-again.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { isJsonObject } from '#kernel/json.js';
import { compareText } from '#kernel/order.js';
import { didYouMean, shellWord } from '#kernel/text.js';
import { isUnfinished, textsOf } from './brief.js';
import { ids, list, nullableText } from './shapes.js';

const BEFORE = taskField('before', anything);
const LOOPS_TO = taskField('loops_to', anything);

/** A finding for a person; `hint` describes it and the remedy. */
export const complaintShape = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  /** Null if it concerns no single task. */
  task_id: nullableText,
  ids,
  hint: z.string(),
});
export type Complaint = z.infer<typeof complaintShape>;

export const checkReportShape = z.object({
  ok: z.boolean(),
  errors: z.number(),
  warnings: z.number(),
  node_count: z.number(),
  problems: list(complaintShape),
  structural_cycles: list(z.object({ header: z.string(), members: ids, reducible: z.boolean() })),
});
export type CheckReport = z.infer<typeof checkReportShape>;

/** A check over all tasks, which are sorted by id. */
type Check = (view: GraphView, tasks: readonly Task[]) => readonly Complaint[];

/** All checks, in the order in which they run. */
const CHECKS: readonly Check[] = [
  checkCycles,
  danglingEdges,
  each(beforeDrift),
  each(staleAssigned),
  each(deadSuccess),
  each(loopsTo),
  each(badFields),
];

function each(check: (view: GraphView, task: Task) => readonly Complaint[]): Check {
  return (view, tasks) => tasks.flatMap((task) => check(view, task));
}

/**
 * Checks a graph. Errors are things that can never work, warnings things that may be unintended. `readings` are
 * findings from reading the files and the log.
 */
export function checkGraph(view: GraphView, readings: readonly Complaint[]): CheckReport {
  const tasks = sortedById(view.nodes()).filter(isTask);
  const cycles = [...view.cycles()].sort((left, right) => compareText(left.header, right.header));
  const problems = [...readings, ...CHECKS.flatMap((check) => check(view, tasks))];
  const errors = problems.filter((problem) => problem.severity === 'error');
  const warnings = problems.filter((problem) => problem.severity === 'warning');
  return {
    ok: errors.length === 0,
    errors: errors.length,
    warnings: warnings.length,
    node_count: view.size,
    problems: [...errors, ...warnings],
    structural_cycles: cycles.map(({ header, members, reducible }) => ({ header, members: [...members], reducible })),
  };
}

/** Maximum number of suggestions, because each compares all ids. */
const SUGGESTIONS_MOST = 20;

function danglingEdges(view: GraphView, tasks: readonly Task[]): readonly Complaint[] {
  let suggested = 0;
  const complaint = (task: Task, id: string): Complaint => {
    const near = suggested++ < SUGGESTIONS_MOST ? didYouMean(id, idsOf(view)) : undefined;
    const remove = `troupe edit ${shellWord(task.id)} --remove-after ${shellWord(id)}`;
    const hint = near
      ? `There is no ${id}, so it blocks nothing; if you meant ${near}: \`${remove} --add-after ${near}\`.`
      : `There is no ${id}, so it blocks nothing; \`${remove}\` removes the dependency.`;
    return warning('dangling', task.id, [id], hint);
  };
  // Edges into another project are not checked here. A predecessor of a finished task may have been removed meanwhile.
  // An archived predecessor keeps its last status.
  const away = (task: Task, id: string) =>
    view.departed(id) !== undefined || (isTerminal(task.status) && view.wasUsed(id));
  const dangling = (task: Task, id: string) => view.task(id) === undefined && !id.includes(':') && !away(task, id);
  const missing = (task: Task) => [...new Set(task.after)].filter((id) => dangling(task, id));
  return tasks.flatMap((task) => missing(task).map((id) => complaint(task, id)));
}

function* idsOf(view: GraphView): Iterable<string> {
  for (const node of view.nodes()) yield node.id;
}

/** `before` is never evaluated: an entry only there is no edge. */
function beforeDrift(view: GraphView, task: Task): readonly Complaint[] {
  const drifted = textsOf(BEFORE.of(task)).filter((id) => !view.task(id)?.after?.includes(task.id));
  if (drifted.length === 0) return [];
  const [first = ''] = drifted;
  const hint = `Only \`after\` adds a dependency; to make ${first} depend on ${task.id}: \`troupe edit ${shellWord(first)} --add-after ${shellWord(task.id)}\`.`;
  return [warning('before_drift', task.id, drifted, hint)];
}

/** Known fields with an invalid value, after a hand edit or a write by another tool. */
function badFields(_: GraphView, task: Task): readonly Complaint[] {
  const fieldProblems = misfits(task);
  if (fieldProblems.length === 0) return [];
  const fields = [...new Set(fieldProblems.map(({ field }) => field))];
  const hint = `${fields.join(', ')} do not match \`troupe schema task\` (${fieldProblems[0]?.problem ?? ''}); fix the line in graph.jsonl.`;
  return [warning('bad_field', task.id, fields, hint)];
}

function staleAssigned(_: GraphView, task: Task): readonly Complaint[] {
  if (task.status !== 'open' || task.assigned === undefined) return [];
  const hint = `It is open and still names ${task.assigned} as its holder; \`troupe unclaim ${shellWord(task.id)}\` clears that.`;
  return [warning('stale_assigned', task.id, [task.assigned], hint)];
}

/** Success edges that cannot be satisfied, because the predecessor failed or was abandoned. */
function deadSuccess(view: GraphView, task: Task): readonly Complaint[] {
  if (isTerminal(task.status)) return [];
  return [...new Set(task.after_success)].flatMap((id) => {
    const before = view.task(id);
    const status = before?.status;
    if (!before || (status !== 'failed' && status !== 'abandoned')) return [];
    const way =
      status === 'failed'
        ? `retry it with \`${againCommand(view, before)}\``
        : `continue without it with \`troupe edit ${shellWord(task.id)} --remove-after ${shellWord(id)}\``;
    return [warning('dead_success_edge', task.id, [id], `It needs ${id} to succeed, but that is ${status}; ${way}.`)];
  });
}

/** `loops_to` of an older format: it is kept, but has no effect. */
function loopsTo(view: GraphView, task: Task): readonly Complaint[] {
  const loops: unknown = LOOPS_TO.of(task);
  if (!Array.isArray(loops)) return [];
  return loops.flatMap((loop: unknown) => {
    if (typeof loop !== 'object' || loop === null) return [];
    const { target, max_iterations } = loop as { target?: unknown; max_iterations?: unknown };
    if (typeof target !== 'string') return [];
    const targetTask = view.task(target);
    if (targetTask?.after?.includes(task.id) && targetTask.cycle_config !== undefined) return [];
    const most = typeof max_iterations === 'number' && max_iterations >= 1 ? Math.floor(max_iterations) : 3;
    const hint = `\`loops_to\` adds no dependency; \`troupe edit ${shellWord(target)} --add-after ${shellWord(task.id)} --max-iterations ${most}\` makes the cycle.`;
    return [warning('loops_to', task.id, [target], hint)];
  });
}

/** Findings from reading the files: unreadable lines are errors. */
export function fromReading(
  problems: readonly { severity: 'warning' | 'error'; code: string; text: string; file?: string; line?: number }[],
): readonly Complaint[] {
  return problems.map(({ severity, code, text, file, line }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
    return (severity === 'error' ? complaint : warning)(code, null, [], `${place}${text}`);
  });
}

/** Kinds of disagreement between the graph and its log. */
const DRIFTS = {
  'only-first': 'the log knows nothing of it',
  'only-second': 'only the log knows it',
  fields: 'other fields than the log says',
} as const;

/** Findings of a comparison with the whole log. `from`: `seq` of its first entry. */
export function fromLog({
  from,
  differences,
}: {
  readonly from: number;
  readonly differences: readonly {
    readonly id: string;
    readonly kind: keyof typeof DRIFTS;
    readonly fields: readonly string[];
  }[];
}): readonly Complaint[] {
  const cut = `The log begins at ${from}: what came before is compared with nothing.`;
  return [
    ...(from > 1 ? [warning('log_incomplete', null, [], cut)] : []),
    ...differences.map(({ id, kind, fields }) => {
      const which = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
      const hint = `${DRIFTS[kind]}${which}. \`troupe rebuild\` shows the graph as the log makes it.`;
      return complaint('log_drift', id, [], hint);
    }),
  ];
}

/** An unfinished cycle without a config can never start; one without a bound never iterates. */
function checkCycles(view: GraphView): readonly Complaint[] {
  const cycles = [...view.cycles()].sort((left, right) => compareText(left.header, right.header));
  return cycles.flatMap((cycle) => [...deadlock(view, cycle), ...unbounded(cycle), ...manyConfigs(cycle)]);
}

/** Whether a cycle blocks its members for ever: without a config, and unfinished. */
export function isDeadlock(view: GraphView, { configured, members }: Cycle): boolean {
  if (configured) return false;
  return members.some((id) => {
    const task = view.task(id);
    return task !== undefined && isUnfinished(task);
  });
}

function deadlock(view: GraphView, cycle: Cycle): readonly Complaint[] {
  if (!isDeadlock(view, cycle)) return [];
  const { header, members } = cycle;
  const hint =
    members.length === 1
      ? `It depends on itself and can never start; \`troupe edit ${shellWord(header)} --remove-after ${shellWord(header)}\`.`
      : `${members.length} tasks depend on one another and none can start; \`troupe edit ${shellWord(header)} --max-iterations 3\` makes it a cycle, or remove a dependency.`;
  return [complaint('deadlock', header, members, hint)];
}

function unbounded({ config, header, members }: Cycle): readonly Complaint[] {
  if (config === undefined || iterationsOf(config.max_iterations) > 0) return [];
  const hint = `Its \`max_iterations\` is not a number of 1 or more, so it runs only once; \`troupe edit ${shellWord(header)} --max-iterations 3\`.`;
  return [complaint('unbounded', header, members, hint)];
}

function manyConfigs({ carriers, header }: Cycle): readonly Complaint[] {
  if (carriers.length < 2) return [];
  const others = carriers.filter((id) => id !== header);
  const hint = `Several members have a cycle_config; that of ${header} applies. \`troupe edit ${shellWord(others[0] ?? '')} --clear cycle_config\` removes another.`;
  return [warning('many_configs', header, carriers, hint)];
}

/** Values dropped by a merge of two branches, as long as the task is unchanged since. */
export function checkMerge(view: GraphView, entry: Entry): readonly Complaint[] {
  const dropped = entry.op === 'merge' ? entry.detail?.['lost'] : undefined;
  if (!Array.isArray(dropped)) return [];
  const fieldsOf = new Map<string, Set<string>>();
  for (const item of dropped) {
    if (!isJsonObject(item)) continue;
    const { id, field } = item;
    if (typeof id !== 'string' || typeof field !== 'string') continue;
    fieldsOf.set(id, (fieldsOf.get(id) ?? new Set()).add(field));
  }
  return [...fieldsOf].flatMap(([id, fields]) => {
    const task = view.task(id);
    if (!task || (task.rev ?? 0) > entry.seq) return [];
    const names = [...fields].sort();
    const hint = `Two branches changed its ${names.join(', ')}; the later value applies, the other is in its log: \`troupe log ${shellWord(id)}\`.`;
    return [warning('merge', id, names, hint)];
  });
}

export function complaint(code: string, task: string | null, ids: readonly string[], hint: string): Complaint {
  return { code, severity: 'error', task_id: task, ids: [...ids], hint };
}

function warning(code: string, task: string | null, ids: readonly string[], hint: string): Complaint {
  return { code, severity: 'warning', task_id: task, ids: [...ids], hint };
}

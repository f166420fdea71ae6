import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { FORMATIONS, type FormationKind, placeOf } from '#core/playbooks/formation.js';
import { type FormationRecord, formationRecords, formationTasks, recordOf } from '#core/playbooks/record.js';
import { TroupeError } from '#kernel/errors.js';
import { compareText } from '#kernel/order.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { workflowMark, workflowOutcome } from './outcome.js';

export const RUN_KINDS = ['workflow', 'function', 'formation'] as const;

/** One run of a playbook: the tasks that it became, in order of work. */
export interface PlaybookRun {
  readonly run: string;
  /** Id of the workflow or function; `crew`, `panel` or `sweep`. */
  readonly playbook: string;
  readonly kind: (typeof RUN_KINDS)[number];
  /** Time of its start or proposal; empty if unknown. */
  readonly at: string;
  readonly tasks: readonly Task[];
  /** Line-up and progress of a crew, a panel or a sweep; null for any other playbook. */
  readonly record: FormationRecord | null;
}

/** Playbook whose step a task is. */
export function playbookOf(task: Task): string | undefined {
  const lane = placeOf(task.tags)?.lane;
  const kinds = Object.keys(FORMATIONS) as FormationKind[];
  return workflowMark(task)?.id ?? (lane && kinds.find((kind) => FORMATIONS[kind].lane === lane));
}

/** All runs in order of their start. Scans the graph once. */
export function playbookRuns(view: GraphView): PlaybookRun[] {
  const formations = formationRecords(view).map((record) => formationRun(view, record));
  return [...markedRuns(view), ...formations].sort(
    (left, right) => compareText(left.at, right.at) || left.run.localeCompare(right.run, 'en', { numeric: true }),
  );
}

/** The run with this name. Errors: `not_found`, with the closest name. */
export function playbookRunNamed(view: GraphView, name: string): PlaybookRun {
  const record = recordOf(view, name);
  if (record !== undefined) return formationRun(view, record);
  const runs = playbookRuns(view);
  const found = runs.find(({ run }) => run === name);
  if (found) return found;
  const near = didYouMean(
    name.slice(0, NAME_CHARACTERS),
    runs.map(({ run }) => run),
  );
  throw new TroupeError('not_found', {
    what: `There is no run ${JSON.stringify(cut(inert(name), NAME_CHARACTERS))} of a playbook.`,
    hint: near ? `Did you mean ${near}?` : 'Run `troupe playbook status` to see them.',
  });
}

const NAME_CHARACTERS = 60;

export const formationRun = (view: GraphView, record: FormationRecord): PlaybookRun => ({
  run: record.run,
  playbook: record.formation,
  kind: 'formation',
  at: record.at,
  tasks: formationTasks(view, record),
  record,
});

/** Names that runs of workflows and functions have. Scans the graph once. */
export function usedRunNames(view: GraphView): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of view.nodes()) {
    const run = isTask(node) ? workflowMark(node)?.run : undefined;
    if (run !== undefined) names.add(run);
  }
  return names;
}

/** Runs of workflows and functions, by the marks of their tasks. */
function markedRuns(view: GraphView): PlaybookRun[] {
  const runs = new Map<string, { run: string; playbook: string; kind: 'workflow' | 'function'; tasks: Task[] }>();
  for (const node of view.nodes()) {
    const mark = isTask(node) ? workflowMark(node) : undefined;
    if (!isTask(node) || !mark) continue;
    const run = runs.get(mark.run) ?? { run: mark.run, playbook: mark.id, kind: mark.kind ?? 'workflow', tasks: [] };
    run.tasks.push(node);
    runs.set(mark.run, run);
  }
  const startOf = (tasks: readonly Task[]) =>
    tasks.map((task) => task.created_at ?? '').reduce((a, b) => (a < b ? a : b));
  return [...runs.values()].map((run) => ({
    ...run,
    at: startOf(run.tasks),
    tasks: inOrderOfWork(view, run.tasks),
    record: null,
  }));
}

/** Topological order of tasks, with the order of the first iteration in a cycle; ties are resolved by id. */
function inOrderOfWork(view: GraphView, tasks: readonly Task[]): Task[] {
  const byId = new Map([...tasks].sort((left, right) => compareText(left.id, right.id)).map((task) => [task.id, task]));
  const ordered = new Set<Task>();
  const visit = (task: Task, path: ReadonlySet<Task>): void => {
    if (ordered.has(task) || path.has(task)) return;
    const inside = new Set(
      view.cyclesOf(task.id).flatMap(({ header, members }) => (header === task.id ? members : [])),
    );
    for (const id of task.after ?? []) {
      const before = byId.get(id);
      if (before !== undefined && !inside.has(id)) visit(before, new Set([...path, task]));
    }
    ordered.add(task);
  };
  for (const task of byId.values()) visit(task, new Set());
  return [...ordered];
}

/** Result of a run: `running`, or the reason that it ended or can no longer succeed. */
export function runOutcome(view: GraphView, { tasks, record }: PlaybookRun): string {
  return record === null ? workflowOutcome(view, tasks) : (record.outcome ?? record.state);
}

/** Whether all steps of the run have ended. */
export function isRunOver({ tasks, record }: PlaybookRun): boolean {
  return record === null ? tasks.every(({ status }) => isTerminal(status)) : record.state === 'ended';
}

/** Name of a step within its run. */
export const stepName = (task: Task, run: string): string => workflowMark(task)?.node ?? task.id.slice(run.length + 1);

import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { type FormationGate, gatePatch } from '#core/graph/formation-gate.js';
import { abandonTask, doneTask, reopenTask } from '#core/graph/moves.js';
import { pauseTask, resumeTask } from '#core/graph/pause.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphDraft, GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { cutBytes } from '#kernel/fence.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { type Compiled, type NewTask, placeOf } from './formation.js';
import { type FormationRecord, formationTasks, recordEvent, stepId } from './record.js';

/** Time and name of the person; runs do none of this. */
export interface PersonMark {
  readonly now: number;
  readonly actor: string;
}

const optionsOf = ({ now, actor }: PersonMark, reason?: string) => ({ now, by: { name: actor }, reason });

/** Combines several changes into one plan: each sees the effects of those before it. */
export class PlanBuilder {
  readonly events: EventDraft[] = [];
  readonly graph: GraphDraft;

  constructor(view: GraphView) {
    this.graph = view.fork();
  }

  do(move: (graph: GraphView) => readonly EventDraft[]): void {
    for (const event of move(this.graph)) {
      this.events.push(event);
      this.graph.apply({ ...event, seq: this.graph.seq, id: '', timestamp: '' });
    }
  }

  /** The plan without consequential events, which the commit adds. */
  plan<Result>(result: Result): Plan<Result> {
    return { events: this.events, result };
  }
}

/** Adds the tasks of a run, paused, and its record, in one transaction. Nothing runs before its line-up is accepted. */
export function addProposedRun(
  view: GraphView,
  record: FormationRecord,
  { tasks }: Compiled,
  by: PersonMark,
): Plan<FormationRecord> {
  const proposed = { ...record, tasks: tasks.map(({ id }) => id) };
  const added = addAll(view, record.run, tasks, by);
  return {
    events: [...added, recordEvent(view, proposed, 'formation_propose', by)],
    result: proposed,
  };
}

function addAll(view: GraphView, run: string, tasks: readonly NewTask[], by: PersonMark): EventDraft[] {
  const coming = new Set(tasks.map(({ id }) => id));
  const context = { now: by.now, actor: by.actor, unknown: 'refuse' as const, coming };
  const held = { paused: true, no_place: true, formation_gate: { run, command: 'start' as const } };
  return tasks.flatMap((task) => addTask(view, { ...task, ...held }, context).events);
}

/** Errors: `wrong_status` unless the line-up still awaits acceptance. */
export function checkProposed({ run, state }: FormationRecord): void {
  if (state === 'proposed') return;
  throw new TroupeError('wrong_status', {
    what: state === 'running' ? `${run} has already started.` : `${run} has ended.`,
    hint: `Run \`troupe playbook status ${run}\` to see its state.`,
  });
}

/** Occupant of a seat: an agent by id, or a member of the team by name. */
interface Occupied {
  readonly agent?: string;
  readonly member?: string;
}

/** Accepts the line-up: all tasks of the run are unpaused. */
export function acceptLineUp(
  view: GraphView,
  record: FormationRecord,
  occupants: ReadonlyMap<string, Occupied>,
  by: PersonMark,
): Plan<FormationRecord> {
  checkProposed(record);
  const { run } = record;
  const moves = new PlanBuilder(view);
  moves.do((graph) => gated(graph, record.tasks, run, null, by));
  for (const id of record.tasks) {
    const occupied = occupants.get(placeOf(view.task(id)?.tags)?.seat ?? '');
    if (occupied) moves.do((graph) => editTask(graph, id, occupied, { by: { name: by.actor } }).events);
  }
  for (const id of record.tasks)
    if (view.task(id)?.paused === true)
      moves.do((graph) => resumeTask(graph, id, { ...optionsOf(by, 'the line-up is accepted'), only: true }).events);
  const running: FormationRecord = { ...record, state: 'running' };
  moves.do((graph) => gated(graph, releaseSteps(run), run, 'go', by));
  moves.do((graph) => [recordEvent(graph, running, 'formation_start', by)]);
  return moves.plan(running);
}

/**
 * Replaces the line-up before it is accepted: remaining tasks are edited, others are removed, new ones added. Nothing
 * runs yet.
 */
export function relineUp(
  view: GraphView,
  before: FormationRecord,
  record: FormationRecord,
  { tasks }: Compiled,
  by: PersonMark,
): Plan<FormationRecord> {
  checkProposed(before);
  const moves = new PlanBuilder(view);
  const next = new Set(tasks.map(({ id }) => id));
  const all = new Set([...before.tasks, ...next]);
  moves.do((graph) => gated(graph, all, before.run, null, by));
  for (const id of before.tasks)
    if (!next.has(id) && view.task(id) !== undefined)
      moves.do((graph) => abandonTask(graph, id, optionsOf(by, 'not in the line-up')).events);
  const fresh = tasks.filter(({ id }) => !view.wasUsed(id));
  moves.do((graph) => addAll(graph, before.run, fresh, by));
  for (const task of tasks) {
    if (fresh.includes(task)) continue;
    if (moves.graph.task(task.id)?.status === 'abandoned') {
      moves.do((graph) => reopenTask(graph, task.id, optionsOf(by, 'in the line-up again')).events);
      moves.do((graph) => pauseTask(graph, task.id, optionsOf(by)).events);
    }
    moves.do((graph) => updateToCompiled(graph, task, by));
  }
  const changed = { ...record, tasks: tasks.map(({ id }) => id) };
  moves.do((graph) => gated(graph, all, before.run, 'start', by));
  moves.do((graph) => [recordEvent(graph, changed, 'formation_edit', by)]);
  return moves.plan(changed);
}

/**
 * Restricts tasks of a run to a command of its formation; with null, lifts the restriction for later events of the same
 * plan.
 */
function gated(
  view: GraphView,
  ids: Iterable<string>,
  run: string,
  command: FormationGate['command'] | null,
  { actor }: PersonMark,
): EventDraft[] {
  const patch = gatePatch(view, ids, command === null ? null : { run, command });
  return patch.length === 0 ? [] : [{ op: 'formation_gate', actor, detail: { run, command }, patch }];
}

/** Approval and release steps. */
const releaseSteps = (run: string) => [stepId(run, 'go'), stepId(run, 'release')];

/** Edits an existing task to match its compiled version: its texts, model and dependencies. */
function updateToCompiled(view: GraphView, task: NewTask, { actor }: PersonMark): readonly EventDraft[] {
  const present = taskOf(view, task.id);
  const success = task.after_success ?? [];
  const after = [...(task.after ?? []), ...success];
  const gone = (present.after ?? []).filter((id) => !after.includes(id));
  const tags = task.tags ?? [];
  const clear = (['model', 'cycle_config'] as const).filter(
    (field) => present[field] !== undefined && (field === 'model' ? task.model : task.max_iterations) === undefined,
  );
  return editTask(
    view,
    task.id,
    {
      title: task.title,
      description: task.description,
      model: task.model,
      add_after: after,
      add_after_success: success,
      remove_after: gone,
      add_tags: tags,
      remove_tags: (present.tags ?? []).filter((tag) => /^(?:seat|phase):/.test(tag) && !tags.includes(tag)),
      max_iterations: task.max_iterations,
      cycle_guard: task.cycle_guard,
      no_restart_on_failure: task.no_restart_on_failure,
      no_converge: task.no_converge,
      clear,
    },
    { by: { name: actor } },
  ).events;
}

/** Event that ends a run with its outcome. */
export function endEvent(view: GraphView, record: FormationRecord, outcome: string, by: PersonMark): EventDraft {
  const ended: FormationRecord = { ...record, state: 'ended', outcome };
  return recordEvent(view, ended, 'formation_end', { ...by, detail: { outcome } });
}

/** Record with additional log lines, each on one line and truncated. */
export function withNotes(record: FormationRecord, notes: readonly string[]): FormationRecord {
  const lines = notes.map((note) => cutBytes(note.replace(/\s+/g, ' ').trim(), FORMATION_LIMITS.noteBytes));
  return { ...record, notes: [...record.notes, ...lines] };
}

/** Approves the release: it runs exactly these bytes. */
export function approveRelease(
  view: GraphView,
  record: FormationRecord,
  commands: string,
  by: PersonMark,
): Plan<FormationRecord> {
  const moves = new PlanBuilder(view);
  const noted = withNotes(record, [`gate-events: ${by.actor} said go`]);
  const release = { exec: commands === '' ? NO_OP_COMMAND : commands };
  moves.do((graph) => gated(graph, releaseSteps(record.run), record.run, null, by));
  moves.do((graph) => editTask(graph, stepId(record.run, 'release'), release, { by: { name: by.actor } }).events);
  moves.do((graph) => doneTask(graph, stepId(record.run, 'go'), optionsOf(by, 'a person said go')).events);
  moves.do((graph) => gated(graph, [stepId(record.run, 'go')], record.run, 'go', by));
  moves.do((graph) => [recordEvent(graph, noted, 'formation_go', by)]);
  return moves.plan(noted);
}

/** Command of a release that runs nothing. */
const NO_OP_COMMAND = ':';

/** Outcome of a run: `shipped`, `blocked-at-<step>`, or `abandoned`; `done` for a panel or sweep. */
export function formationOutcome(view: GraphView, record: FormationRecord): string {
  const tasks = formationTasks(view, record);
  const failed = tasks.find(({ status }) => status === 'failed');
  if (failed) return `blocked-at-${failed.id.slice(record.run.length + 1)}`;
  if (tasks.some(({ status }) => status === 'abandoned')) return 'abandoned';
  return record.formation === 'crew' ? 'shipped' : 'done';
}

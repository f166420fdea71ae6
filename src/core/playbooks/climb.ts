import { addTask } from '#core/graph/add.js';
import { newSessionField } from '#core/graph/attempts.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { wake } from '#core/graph/wait.js';
import { cutBytes } from '#kernel/fence.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { inert } from '#kernel/text.js';
import { isPhase } from './crew.js';
import { formationTag, type NewTask } from './formation.js';
import { handoffFiles } from './handoffs.js';
import { escalationLine, type RungDecision } from './ladder.js';
import {
  activeRuns,
  type FormationRecord,
  NO_STUMBLE,
  recordEvent,
  recordOf,
  type SeatRecord,
  type StumbleReport,
  stepId,
} from './record.js';
import { PlanBuilder, withNotes } from './run-moves.js';

const COORDINATOR = 'coordinator';

/** Occupant who takes over a phase: an agent by id, a member by name, or neither. */
export interface ReliefOccupant {
  readonly agent?: string;
  readonly member?: string;
}

/** A rung, and the new occupant after a change of roles. */
export interface RungHelp {
  readonly climb: RungDecision;
  readonly relief: ReliefOccupant;
}

/** A phase that needs the ladder. */
export interface StuckPhase {
  readonly record: FormationRecord;
  readonly phase: string;
  readonly task: Task;
  readonly report: StumbleReport | undefined;
}

/** Stuck phases of active runs for which no person was asked yet, each seat once. */
export function* stuckPhases(view: GraphView): Iterable<StuckPhase> {
  for (const run of activeRuns(view)) {
    const record = recordOf(view, run);
    if (record?.state !== 'running' || record.formation !== 'crew') continue;
    for (const { name, phase = name } of record.seats) {
      const task = view.task(stepId(run, phase));
      const stumble = record.stumbles[phase] ?? NO_STUMBLE;
      if (!task) continue;
      if (task.status === 'waiting' && stumble.report !== undefined)
        yield { record, phase, task, report: stumble.report };
      else if (task.status === 'failed' && !stumble.rungs.includes('user') && isFinallyFailed(view, task, phase))
        yield { record, phase, task, report: undefined };
    }
  }
}

/** Whether a failed phase stays failed: qa runs again while its cycle continues. */
function isFinallyFailed(view: GraphView, task: Task, phase: string): boolean {
  if (phase !== 'qa') return true;
  const around = view.cyclesOf(task.id).filter((cycle) => cycle.configured);
  return around.every((cycle) => view.task(cycle.header)?.cycle_ended !== undefined);
}

/** Rung for a phase that failed without a report. */
export function rungOfFailed({ failure_reason: reason }: Task): RungDecision {
  return { rung: 'user', why: `it failed: ${reason ?? 'no reason was given'}` };
}

/**
 * Takes a rung. If a person was already asked during this stumble, the same step is reopened, which is not another
 * rung.
 */
export function takeRung(view: GraphView, stuck: StuckPhase, help: RungHelp, now: number): Plan<RungDecision> {
  const { record, phase, report } = stuck;
  const { climb: next } = help;
  const seat = record.seats.find((one) => (one.phase ?? one.name) === phase) ?? { name: phase };
  const { rungs, passed } = record.stumbles[phase] ?? NO_STUMBLE;
  const isAgain = rungs.includes(next.rung);
  const answered =
    report?.sha256 === undefined ? {} : { answered: { sha256: report.sha256, rung: next.rung, why: next.why } };
  const noted: FormationRecord = {
    ...(isAgain ? record : withNotes(record, [escalationLine(phase, seat.name, next)])),
    stumbles: { ...record.stumbles, [phase]: { rungs: isAgain ? rungs : [...rungs, next.rung], passed, ...answered } },
  };
  const moves = new PlanBuilder(view);
  const changed = applyRung(moves, { ...stuck, record: noted }, { seat, isAgain, ...help }, now);
  const detail = { phase, rung: next.rung, why: next.why };
  moves.do((graph) => [recordEvent(graph, changed, 'formation_rung', { actor: COORDINATOR, detail })]);
  return moves.plan(next);
}

interface TakenRung extends RungHelp {
  /** The stuck seat. */
  readonly seat: SeatRecord;
  readonly isAgain: boolean;
}

/** Applies a rung to the tasks; returns the updated record. */
function applyRung(moves: PlanBuilder, stuck: StuckPhase, taken: TakenRung, now: number): FormationRecord {
  const { record, phase, task } = stuck;
  const { seat, climb: next } = taken;
  switch (next.rung) {
    case 'clarify': {
      append(moves, task.id, `It asked for what is there. Read: ${next.context.join(', ')}.`);
      resumeWaiting(moves, task, next, now);
      return record;
    }
    case 're-tier': {
      edit(moves, task.id, { model: next.tier });
      resumeWaiting(moves, task, next, now);
      return withSeat(record, phase, { ...seat, tier: next.tier });
    }
    case 're-role':
      return replaceOccupant(moves, stuck, { ...taken, climb: next }, now);
    case 're-plan':
      return replan(moves, stuck, next, now);
    case 'user':
      return askPerson(moves, stuck, taken, now);
  }
}

/** Gives the phase to another role, with its own model, agent and session; the files stay. */
function replaceOccupant(
  moves: PlanBuilder,
  { record, phase, task, report }: StuckPhase,
  { seat, climb: next, relief }: TakenRung & { readonly climb: RungDecision & { readonly rung: 're-role' } },
  now: number,
): FormationRecord {
  const { owner, seat: fresh } = next;
  const { tier } = fresh;
  const own = { ...relief, ...(tier === undefined ? {} : { model: tier }) };
  const clear = ['model', 'agent', 'member'].filter((field) => !(field in own));
  edit(moves, task.id, { add_tags: [`seat:${owner}`], remove_tags: [`seat:${seat.name}`], clear, ...own });
  const set = newSessionField(task);
  if (Object.keys(set).length > 0)
    moves.do(() => [{ op: 'edit', task_id: task.id, actor: COORDINATOR, patch: [{ id: task.id, set }] }]);
  append(moves, task.id, `${owner} takes over from ${seat.name}, who was stuck: ${quoted(report)}`);
  resumeWaiting(moves, task, next, now);
  return withSeat(record, phase, fresh);
}

/** Returns to the architect: handoffs of later phases become invalid, and their tasks are reopened. */
function replan(
  moves: PlanBuilder,
  { record, phase, task, report }: StuckPhase,
  next: RungDecision,
  now: number,
): FormationRecord {
  const phases = record.seats.map((one) => one.phase ?? one.name);
  const from = phases.indexOf('architect');
  const later = phases.slice(from + 1);
  append(
    moves,
    stepId(record.run, 'architect'),
    `Plan again: ${phase} says that the contract is wrong. ${quoted(report)}`,
  );
  for (const one of [...later].reverse()) reopen(moves, stepId(record.run, one), next, now);
  for (const step of record.tasks) if (/-(?:check|brief)-/.test(step)) reopen(moves, step, next, now);
  reopen(moves, stepId(record.run, 'architect'), next, now);
  resumeWaiting(moves, task, next, now);
  const files = later.flatMap(handoffFiles);
  const stale = files.flatMap((file) => record.handoffs[file] ?? []);
  const handoffs = Object.fromEntries(Object.entries(record.handoffs).filter(([file]) => !files.includes(file)));
  return { ...record, handoffs, stale: [...new Set([...record.stale, ...stale])] };
}

/** Adds a step for a person, one for each stumble; the stuck task waits for it. */
function askPerson(
  moves: PlanBuilder,
  stuck: StuckPhase,
  { climb: next, isAgain }: TakenRung,
  now: number,
): FormationRecord {
  const { record, phase, task } = stuck;
  const first = stepId(record.run, `decide-${phase}`);
  const steps = record.tasks.filter((id) => id.startsWith(first) && /^(?:-\d+)?$/.test(id.slice(first.length)));
  const before = isAgain ? steps.findLast((id) => moves.graph.task(id) !== undefined) : undefined;
  const id = before ?? `${first}${steps.length === 0 ? '' : `-${steps.length + 1}`}`;
  const words = personQuestion(stuck, next, id);
  if (before === undefined) {
    const decide: NewTask = {
      id,
      title: `Decide: the ${phase} of ${record.run} is stuck`,
      description: words,
      human: true,
      tags: [formationTag(record.run)],
      no_place: true,
    };
    moves.do((graph) => addTask(graph, decide, { now, actor: COORDINATOR }).events);
  } else {
    const again = { now, by: { name: COORDINATOR }, reason: `${phase} is stuck again` };
    if (moves.graph.task(before)?.status !== 'open') moves.do((graph) => reopenTask(graph, before, again).events);
    append(moves, before, `It is stuck again. ${words}`);
  }
  if (task.status === 'waiting' && task.wait_condition !== undefined) {
    const { wait_condition: wait } = task;
    const conditions = [...wait.conditions, { type: 'task-status', task_id: id, status: 'done' }];
    moves.do(() => [
      {
        op: 'wait_progress',
        task_id: task.id,
        actor: COORDINATOR,
        patch: [{ id: task.id, set: { wait_condition: { ...wait, conditions } } }],
      },
    ]);
  }
  return before === undefined ? { ...record, tasks: [...record.tasks, id] } : record;
}

/** Question for the person, with the commands that answer it. */
function personQuestion({ record, task, report }: StuckPhase, { why }: RungDecision, id: string): string {
  return [
    `Why a person is asked: ${inert(why)}`,
    ...(report === undefined
      ? [`Fix it and run \`troupe retry ${task.id}\`, or end the run: \`troupe playbook stop ${record.run}\`.`]
      : [
          quoted(report),
          `\`troupe playbook steer ${record.run} "…"\` tells it what it should know; \`troupe done ${id}\` continues.`,
        ]),
  ].join('\n\n');
}

/** Short text of the report for people and prompts; its untrusted content is made inert. */
function quoted(report: StumbleReport | undefined): string {
  if (report === undefined) return '';
  const { tried, why, needs, escalation } = report;
  const part = (title: string, text: string) => `${title}: ${inert(cutBytes(text, FORMATION_LIMITS.noteBytes))}`;
  return [part('Tried', tried), part('Why stuck', why), part('Needs', needs), part('Suggested', escalation)].join('\n');
}

/** Record with another role in the seat of a phase. */
export function withSeat(record: FormationRecord, phase: string, seat: SeatRecord): FormationRecord {
  const seats = record.seats.map((one) => ((one.phase ?? one.name) === phase ? { ...seat, phase } : one));
  return { ...record, seats };
}

function edit(moves: PlanBuilder, id: string, change: Parameters<typeof editTask>[2]): void {
  if (moves.graph.task(id)) moves.do((graph) => editTask(graph, id, change, { by: { name: COORDINATOR } }).events);
}

function append(moves: PlanBuilder, id: string, text: string): void {
  const description = moves.graph.task(id)?.description ?? '';
  edit(moves, id, { description: cutBytes(`${description}\n\n${text}`, FORMATION_LIMITS.descriptionBytes) });
}

/** Reopens a waiting task for the next attempt. */
function resumeWaiting(moves: PlanBuilder, { id }: Task, { why }: RungDecision, now: number): void {
  const task = moves.graph.task(id);
  if (task?.status === 'waiting') moves.do((): EventDraft[] => [wake(task, why, { now, by: { name: COORDINATOR } })]);
}

/** Reopens an ended task; a waiting or open one stays unchanged. */
function reopen(moves: PlanBuilder, id: string, { why }: RungDecision, now: number): void {
  const status = moves.graph.task(id)?.status;
  if (status !== 'done' && status !== 'failed') return;
  moves.do((graph) => reopenTask(graph, id, { now, by: { name: COORDINATOR }, reason: why }).events);
}

/** Names of files handed over for an obsolete plan, to be archived. */
export function staleFiles(record: FormationRecord): readonly string[] {
  const phases = record.seats.map((one) => one.phase ?? one.name);
  return phases.filter((phase) => !isPhase(phase) || phase !== 'architect').flatMap(handoffFiles);
}

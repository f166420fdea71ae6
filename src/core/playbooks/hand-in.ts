import { setAsideAllWork } from '#core/graph/attempts.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { waitTask } from '#core/graph/wait.js';
import { lessonText } from '#core/roles/lesson.js';
import { timestamp } from '#kernel/clock.js';
import { placeOf } from './formation.js';
import { handoffFiles } from './handoffs.js';
import {
  activeRuns,
  type FormationRecord,
  NO_STUMBLE,
  recordEvent,
  recordOf,
  type StumbleReport,
  stepId,
} from './record.js';
import { withNotes } from './run-moves.js';

/** Handoff of an attempt at a phase, read from the run's folder after the attempt ended well. */
export interface HandIn {
  /** Complete report of a stuck role. */
  readonly report?: StumbleReport;
  /** Hashes of the files handed over, by name. */
  readonly handoffs: Readonly<Record<string, string>>;
  /** Commands of the release, from the deployer. */
  readonly staged?: string;
  /** Hash of the current CHANGES.md, by the hash of the current QA.md. */
  readonly judged?: Readonly<Record<string, string>>;
  /** Lesson for the next holder of the seat. */
  readonly lesson?: string;
  /** Number of criteria that pass in the current QA.md, for an attempt at qa. */
  readonly passed?: number;
}

/**
 * Phase of a task and the record of its run; undefined for other tasks. The record decides, because anyone can put the
 * tags of a phase on a task.
 */
export function phaseOf(view: GraphView, task: Task): { record: FormationRecord; phase: string } | undefined {
  const place = placeOf(task.tags);
  const record = place === undefined ? undefined : recordOf(view, place.run);
  if (record?.formation !== 'crew' || !record.tasks.includes(task.id)) return undefined;
  const seat = record.seats.find(({ name, phase = name }) => stepId(record.run, phase) === task.id);
  return seat && { record, phase: seat.phase ?? seat.name };
}

/** Records a passed phase: pins its handoff and ends its stumble. `at`: its end. */
export function passPhase(
  view: GraphView,
  task: Task,
  at: string,
  { handoffs, staged, judged, lesson }: HandIn,
): EventDraft[] {
  const of = phaseOf(view, task);
  if (!of) return [];
  const { record, phase } = of;
  const found = Object.keys(handoffs).length > 0;
  const stumbles = Object.fromEntries(Object.entries(record.stumbles).filter(([of]) => !endsStumble(of, phase)));
  const next: FormationRecord = {
    ...withNotes(record, [`gate-events: ${phase} passed`]),
    stumbles,
    // Work that was merged elsewhere stays pinned if no files are found.
    handoffs: { ...emptyPins(phase), ...record.handoffs, ...(found ? { ...emptyPins(phase), ...handoffs } : {}) },
    passed: { ...record.passed, [phase]: at },
    judged: { ...record.judged, ...judged },
    ...(lesson === undefined ? {} : { kept: { ...record.kept, [lessonKey(phase)]: lessonText(lesson) } }),
    ...(staged === undefined ? {} : { staged }),
  };
  return [recordEvent(view, next, 'formation_phase', { actor: 'coordinator', detail: { phase } })];
}

/** Key of a phase's lesson in the record, until it is written to its row: one for each seat, the latest. */
export const lessonKey = (phase: string): string => `lesson-${phase}`;

/** An empty handoff is recorded too; otherwise it would be searched for again and again. */
const emptyPins = (phase: string) => Object.fromEntries(handoffFiles(phase).map((file) => [file, '']));

/** Done phases of active crews without a recorded handoff, or with one of an earlier completion. */
export function* unrecordedPhases(view: GraphView): Iterable<Task> {
  for (const run of activeRuns(view)) {
    const record = recordOf(view, run);
    if (record?.state !== 'running' || record.formation !== 'crew') continue;
    for (const { name, phase = name } of record.seats) {
      const task = view.task(stepId(run, phase));
      if (task?.status !== 'done') continue;
      const passed = record.passed?.[phase];
      const isOther = passed !== undefined && passed !== task.completed_at;
      if (isOther || handoffFiles(phase).some((file) => record.handoffs[file] === undefined)) yield task;
    }
  }
}

/** dev counts as passed only once qa has: until then its attempts are counted. */
function endsStumble(stumbled: string, passed: string): boolean {
  return stumbled === passed ? passed !== 'dev' : stumbled === 'dev' && passed === 'qa';
}

/**
 * Records an attempt that did not pass the gate: its verdicts, the number of passed criteria, and a note for the log.
 */
export function failPhase(view: GraphView, task: Task, { judged, passed: count }: HandIn): EventDraft[] {
  const of = phaseOf(view, task);
  if (!of) return [];
  const { record, phase } = of;
  // The counts of qa measure the progress of dev.
  const about = phase === 'qa' ? 'dev' : phase;
  const stumble = record.stumbles[about] ?? NO_STUMBLE;
  const passed = count === undefined ? stumble.passed : [...stumble.passed, count];
  const next: FormationRecord = {
    ...withNotes(record, [`gate-events: ${phase} did not pass`]),
    stumbles: { ...record.stumbles, [about]: { ...stumble, passed } },
    judged: { ...record.judged, ...judged },
  };
  const event = recordEvent(view, next, 'formation_phase', { actor: 'coordinator', detail: { phase, failed: true } });
  // The next attempt at qa starts from the work as it is then, not from the files of its previous attempt.
  const patch = phase === 'qa' ? [{ id: task.id, set: setAsideAllWork(task) }] : [];
  return [{ ...event, patch: [...event.patch, ...patch] }];
}

/**
 * Records that a role is stuck: its attempt ends and its task waits for a message or the ladder, without a claim and
 * without using up a retry.
 */
export function blockPhase(
  view: GraphView,
  task: Task,
  handIn: HandIn & { readonly report: StumbleReport },
  by: { readonly now: number; readonly by: Mover; readonly detail: Readonly<Record<string, unknown>> },
): Plan<undefined> {
  const wait = {
    mode: 'any' as const,
    since: timestamp(by.now),
    by: by.by.name,
    conditions: [{ type: 'message' as const }],
  };
  const waits = waitTask(view, task.id, wait, { ...by, reason: 'blocked handoff' }).events;
  const leave: EventDraft = {
    op: 'park',
    task_id: task.id,
    actor: by.by.name,
    detail: by.detail,
    patch: [{ id: task.id, unset: ['assigned', 'started_at'] }],
  };
  const of = phaseOf(view, task);
  if (!of) return { events: [...waits, leave], result: undefined };
  const { record, phase } = of;
  const stumble = { ...(record.stumbles[phase] ?? NO_STUMBLE), report: handIn.report };
  const next = {
    ...withNotes(record, [`gate-events: ${phase} is stuck`]),
    stumbles: { ...record.stumbles, [phase]: stumble },
  };
  const noted = recordEvent(view, next, 'formation_blocked', { actor: 'coordinator', detail: { phase } });
  return { events: [...waits, leave, noted], result: undefined };
}

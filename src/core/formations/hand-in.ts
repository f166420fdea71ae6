import { afresh } from '#core/graph/attempts.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { waitTask } from '#core/graph/wait.js';
import { lessonText } from '#core/lanes/lesson.js';
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

/** What an attempt at a phase left in the folder of its run, looked at once it ended well. */
export interface HandIn {
  /** It says that it is stuck, completely. */
  readonly report?: StumbleReport;
  /** The hashes of the files it handed over, by name. */
  readonly handoffs: Readonly<Record<string, string>>;
  /** Of a deployer: what the release runs. */
  readonly staged?: string;
  /** By the hash of the QA.md there is: that of the CHANGES.md. */
  readonly judged?: Readonly<Record<string, string>>;
  /** What it would tell the next who takes its seat. */
  readonly lesson?: string;
  /** Criteria that the QA.md there is lets pass, of an attempt at qa. */
  readonly passed?: number;
}

/**
 * The phase of a crew that a task is, and the run's record; undefined of every other task. The record says which task does which
 * phase: a tag is only a word, and anybody may give a task of theirs the tags of a phase.
 */
export function phaseOf(view: GraphView, task: Task): { record: FormationRecord; phase: string } | undefined {
  const place = placeOf(task.tags);
  const record = place === undefined ? undefined : recordOf(view, place.run);
  if (record?.formation !== 'crew' || !record.tasks.includes(task.id)) return undefined;
  const seat = record.seats.find(({ name, phase = name }) => stepId(record.run, phase) === task.id);
  return seat && { record, phase: seat.phase ?? seat.name };
}

/** A phase was passed at `at`, its end: what it handed over is pinned, and its stumble is over. */
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
  const stumbles = Object.fromEntries(Object.entries(record.stumbles).filter(([of]) => !isSettled(of, phase)));
  const next: FormationRecord = {
    ...withNotes(record, [`gate-events: ${phase} passed`]),
    stumbles,
    // Where nothing is found, work that was merged elsewhere stays pinned.
    handoffs: { ...nothingOf(phase), ...record.handoffs, ...(found ? { ...nothingOf(phase), ...handoffs } : {}) },
    passed: { ...record.passed, [phase]: at },
    judged: { ...record.judged, ...judged },
    ...(lesson === undefined ? {} : { kept: { ...record.kept, [lessonKey(phase)]: lessonText(lesson) } }),
    ...(staged === undefined ? {} : { staged }),
  };
  return [recordEvent(view, next, 'formation_phase', { actor: 'coordinator', detail: { phase } })];
}

/** Under this a run remembers the lesson of a phase until its rows are told: one a seat, the latest. */
export const lessonKey = (phase: string): string => `lesson-${phase}`;

/** That nothing was handed over is remembered too: else it would be looked for again and again. */
const nothingOf = (phase: string) => Object.fromEntries(handoffFiles(phase).map((file) => [file, '']));

/** The tasks of phases of which no handoff is remembered, or one of an earlier end, of the crews under way. */
export function* unseenPhases(view: GraphView): Iterable<Task> {
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

/** dev has passed once qa has: until then its attempts are counted on. */
function isSettled(stumbled: string, passed: string): boolean {
  return stumbled === passed ? passed !== 'dev' : stumbled === 'dev' && passed === 'qa';
}

/** An attempt did not pass the gate: what it judged and how many criteria passed is remembered, and the log says so. */
export function failPhase(view: GraphView, task: Task, { judged, passed: count }: HandIn): EventDraft[] {
  const of = phaseOf(view, task);
  if (!of) return [];
  const { record, phase } = of;
  // What qa counts says how dev gets on.
  const about = phase === 'qa' ? 'dev' : phase;
  const stumble = record.stumbles[about] ?? NO_STUMBLE;
  const passed = count === undefined ? stumble.passed : [...stumble.passed, count];
  const next: FormationRecord = {
    ...withNotes(record, [`gate-events: ${phase} did not pass`]),
    stumbles: { ...record.stumbles, [about]: { ...stumble, passed } },
    judged: { ...record.judged, ...judged },
  };
  const event = recordEvent(view, next, 'formation_phase', { actor: 'coordinator', detail: { phase, failed: true } });
  // Who judges again looks at the work of then, not at the files of its last attempt.
  const patch = phase === 'qa' ? [{ id: task.id, set: afresh(task) }] : [];
  return [{ ...event, patch: [...event.patch, ...patch] }];
}

/**
 * A role says that it is stuck: its attempt is over and its task waits, under no claim and with no try used up, for a message or for
 * the ladder.
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

import * as z from 'zod/mini';
import type { EventDraft } from '#core/graph/event.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { didYouMean } from '#kernel/text.js';
import { checkedRunId, type FormationKind, isRunId, placeOf } from './formation.js';
import { RUNGS } from './rungs.js';

const text = z.string();
const list = z.readonly(z.array(text));

/** A seat in a run's record, with the fields of its row that the ladder needs. */
const seatShape = z.object({
  name: text,
  /** Its phase in a crew; equal to its name unless another role took it over. */
  phase: z.optional(text),
  core: z.optional(text),
  /** For people, and for the row of a new seat; prompts read it from the role files. */
  charter: z.optional(text),
  tier: z.optional(text),
  tools: z.optional(text),
  owns: z.optional(text),
  minted: z.optional(z.boolean()),
});
export type SeatRecord = z.infer<typeof seatShape>;

const reportShape = z.object({
  tried: text,
  why: text,
  needs: text,
  escalation: text,
  diagnosis: z.optional(z.enum(['capability', 'ownership', 'contract', 'context', 'decision'])),
  /** Requested files that exist. */
  context: list,
  /** Hash of the BLOCKED file; absent in older records. */
  sha256: z.optional(text),
});
/** Report of a stuck role. Untrusted text. */
export type StumbleReport = z.infer<typeof reportShape>;

/** Since the phase last passed: rungs taken, and number of passed criteria for each attempt. */
const stumbleShape = z.object({
  rungs: z.readonly(z.array(z.enum(RUNGS))),
  passed: z.readonly(z.array(z.number())),
  /** Report of the last attempt, not answered yet. */
  report: z.optional(reportShape),
  /** Answer to the previous report: hash of its file, rung, and reason. */
  answered: z.optional(z.object({ sha256: text, rung: z.enum(RUNGS), why: text })),
});
export type Stumble = z.infer<typeof stumbleShape>;
export const NO_STUMBLE: Stumble = { rungs: [], passed: [] };

const recordShape = z.object({
  kind: z.literal('formation'),
  formation: z.enum(['crew', 'panel', 'sweep'] satisfies FormationKind[]),
  run: text,
  goal: text,
  state: z.enum(['proposed', 'running', 'ended']),
  at: text,
  seats: z.readonly(z.array(seatShape)),
  tasks: list,
  /** Options of the command: mode, category, style, number of rounds. */
  options: z.record(text, text),
  /** Results of code steps for later steps. */
  kept: z.record(text, text),
  /** Default line-up, for comparison with the final one. */
  defaults: list,
  stumbles: z.record(text, stumbleShape),
  /** Lines for the log of the lane, each with a key: `escalation: …`, `steering: …`. */
  notes: list,
  /** SHA-256 of accepted handoffs by file: pinned until the phase hands them over again. */
  handoffs: z.record(text, text),
  /** Time of the completion that is pinned, by phase; absent in older records. */
  passed: z.optional(z.record(text, text)),
  /** Hash of the CHANGES.md at the handoff of a QA.md, by the hash of that QA.md. */
  judged: z.record(text, text),
  /** Hashes of handoffs for an obsolete plan: these files count as missing. */
  stale: list,
  /** Commands of the release, from the deployer. */
  staged: z.optional(text),
  outcome: z.optional(text),
});
/** State of a formation run, stored in a node of the graph beside its tasks. */
export type FormationRecord = Omit<z.infer<typeof recordShape>, 'kind'>;

/** Ids with a leading full stop are reserved for the program. */
const nodeOf = (run: string) => `.formation-${run}`;
/** Index of runs, which avoids a pass over the whole graph. */
const INDEX = '.formations';
const indexShape = z.object({ kind: z.literal('formations'), active: list, all: list });

/** Record of a run; undefined if it is missing or invalid. */
export function recordOf(view: GraphView, run: string): FormationRecord | undefined {
  const parsed = z.safeParse(recordShape, view.node(nodeOf(run)));
  if (!parsed.success) return undefined;
  const { kind, ...record } = parsed.data;
  return record;
}

/** Record of a run. Errors: `not_found`, with the closest name. */
export function checkedRecord(view: GraphView, run: string): FormationRecord {
  const record = isRunId(run) ? recordOf(view, run) : undefined;
  if (record) return record;
  const near = didYouMean(run.slice(0, FORMATION_LIMITS.runCharacters), indexOf(view).all);
  throw new TroupeError('not_found', {
    what: `There is no formation ${JSON.stringify(run.slice(0, FORMATION_LIMITS.runCharacters))}.`,
    hint: near ? `Did you mean ${near}?` : 'Run `troupe playbook status` to see those there are.',
  });
}

/** Runs that are proposed or running, in order of creation. */
export function activeRuns(view: GraphView): readonly string[] {
  return indexOf(view).active;
}

/** Records of the newest runs, including ended ones, the newest last. */
export function formationRecords(view: GraphView): FormationRecord[] {
  return indexOf(view).all.flatMap((run) => recordOf(view, run) ?? []);
}

function indexOf(view: GraphView): { readonly active: readonly string[]; readonly all: readonly string[] } {
  const parsed = z.safeParse(indexShape, view.node(INDEX));
  return parsed.success ? parsed.data : { active: [], all: [] };
}

/** Event that writes a new or changed record and updates the index. */
export function recordEvent(
  view: GraphView,
  record: FormationRecord,
  op: string,
  by: { readonly actor: string; readonly detail?: Readonly<Record<string, unknown>> },
): EventDraft {
  const run = checkedRunId(record.run);
  const { active, all } = indexOf(view);
  const others = active.filter((name) => name !== run);
  const next = {
    active: record.state === 'ended' ? others : active.includes(run) ? active : [...active, run],
    all: all.includes(run) ? all : [...all, run].slice(-FORMATION_LIMITS.runsKept),
  };
  const node = { kind: 'formation', id: nodeOf(run), ...record, notes: record.notes.slice(-FORMATION_LIMITS.notes) };
  return {
    op,
    actor: by.actor,
    detail: { run, ...by.detail },
    patch: [
      { id: node.id, put: node },
      { id: INDEX, put: { kind: 'formations', id: INDEX, ...next } },
    ],
  };
}

/** Id of the task of a phase or another step of the run. */
export function stepId(run: string, step: string): string {
  return `${run}-${step}`;
}

/** Whether a task runs the commands of a release; a person has approved exactly these. */
export function isRelease(view: GraphView, { id, tags }: Task): boolean {
  const run = placeOf(tags)?.run;
  if (run === undefined || id !== stepId(run, 'release')) return false;
  return recordOf(view, run)?.tasks.includes(id) === true;
}

/** Tasks of a run, in order, without those no longer in the graph. */
export function formationTasks(view: GraphView, { tasks }: FormationRecord): Task[] {
  return tasks.flatMap((id) => view.task(id) ?? []);
}

/** Whether all its tasks have ended. Tasks no longer in the graph count as ended. */
export function isFormationOver(view: GraphView, record: FormationRecord): boolean {
  return formationTasks(view, record).every(({ status }) => isTerminal(status));
}

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

/** A seat as the run remembers it, with what the ladder has to know of its row. */
const seatShape = z.object({
  name: text,
  /** What it does in a crew; the same as its name where no other role took it over. */
  phase: z.optional(text),
  core: z.optional(text),
  /** For people and for the row of a new seat; prompts take it from the role files. */
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
  /** Files that it says it needs and that are there. */
  context: list,
  /** Of the file that says so; not in reports of before that was written down. */
  sha256: z.optional(text),
});
/** What a role that is stuck said of it. Foreign text. */
export type StumbleReport = z.infer<typeof reportShape>;

/** Since a phase was last passed: the steps that were taken, and how many criteria passed at each attempt. */
const stumbleShape = z.object({
  rungs: z.readonly(z.array(z.enum(RUNGS))),
  passed: z.readonly(z.array(z.number())),
  /** Said by the last attempt, and not answered yet. */
  report: z.optional(reportShape),
  /** The answer to the report before: by the hash of its file the rung, and why. */
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
  /** Mode, category, style, number of rounds: what the words of the command said. */
  options: z.record(text, text),
  /** What a step of code left for those after it. */
  kept: z.record(text, text),
  /** The default line-up, for what was cut from it and added to it. */
  defaults: list,
  stumbles: z.record(text, stumbleShape),
  /** For the log of the lane, each a line beginning with its key: `escalation: …`, `steering: …`. */
  notes: list,
  /** The SHA-256 of what phases handed over and was accepted, by file: pinned until the phase hands it over again. */
  handoffs: z.record(text, text),
  /** When each phase last ended with what is pinned; not in records of before that was written down. */
  passed: z.optional(z.record(text, text)),
  /** By the hash of a QA.md: that of the CHANGES.md there was when it was handed over. */
  judged: z.record(text, text),
  /** Hashes of what was handed over for a plan that is no more: it counts as not there. */
  stale: list,
  /** The commands of the release, as the deployer handed them over. */
  staged: z.optional(text),
  outcome: z.optional(text),
});
/** What the graph remembers of a run of a formation, in a node beside its tasks. */
export type FormationRecord = Omit<z.infer<typeof recordShape>, 'kind'>;

/** Nobody but the program gives ids that begin with a full stop. */
const nodeOf = (run: string) => `.formation-${run}`;
/** Names the runs that are not over, so that nobody has to walk the graph for them. */
const INDEX = '.formations';
const indexShape = z.object({ kind: z.literal('formations'), active: list, all: list });

/** The record of a run; undefined where there is none, or none that can be read. */
export function recordOf(view: GraphView, run: string): FormationRecord | undefined {
  const parsed = z.safeParse(recordShape, view.node(nodeOf(run)));
  if (!parsed.success) return undefined;
  const { kind, ...record } = parsed.data;
  return record;
}

/** `not_found`, with the one most likely meant. */
export function checkedRecord(view: GraphView, run: string): FormationRecord {
  const record = isRunId(run) ? recordOf(view, run) : undefined;
  if (record) return record;
  const near = didYouMean(run.slice(0, FORMATION_LIMITS.runCharacters), allRuns(view));
  throw new TroupeError('not_found', {
    what: `There is no formation ${JSON.stringify(run.slice(0, FORMATION_LIMITS.runCharacters))}.`,
    hint: near ? `Did you mean ${near}?` : 'Run `troupe formation show` to see those there are.',
  });
}

/** The runs that are proposed or under way, in the order they were made. */
export function activeRuns(view: GraphView): readonly string[] {
  return indexOf(view).active;
}

/** The newest runs, also those that are over, the newest last. */
export function allRuns(view: GraphView): readonly string[] {
  return indexOf(view).all;
}

function indexOf(view: GraphView): { readonly active: readonly string[]; readonly all: readonly string[] } {
  const parsed = z.safeParse(indexShape, view.node(INDEX));
  return parsed.success ? parsed.data : { active: [], all: [] };
}

/** The event that writes a record, new or changed, and keeps the index with it. */
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

/** The task of a phase, or of another step of the run. */
export function stepId(run: string, step: string): string {
  return `${run}-${step}`;
}

/** Whether a task runs the commands of a release: a person has read and approved exactly these. */
export function isRelease(view: GraphView, { id, tags }: Task): boolean {
  const run = placeOf(tags)?.run;
  if (run === undefined || id !== stepId(run, 'release')) return false;
  return recordOf(view, run)?.tasks.includes(id) === true;
}

/** Has every task of it ended? What left the graph is over. */
export function isFormationOver(view: GraphView, record: FormationRecord): boolean {
  return record.tasks.every((id) => {
    const task = view.task(id);
    return task === undefined || isTerminal(task.status);
  });
}

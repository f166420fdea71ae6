import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { artifactTask, checkClaim } from '#core/graph/moves.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { plural } from '#kernel/text.js';
import { type CodeStep, codeTask } from './code-step.js';
import { type NewTask, runFolder } from './formation.js';
import type { MergedEntry, MergedSweep, ThinSlice } from './merge-entries.js';
import type { StepCall } from './panel-steps.js';
import { type FormationRecord, recordEvent, stepId } from './record.js';
import { logEntry } from './run-log.js';
import { scoutTask, verifyTask } from './sweep.js';
import { type Partition, partitionOf, readPartition, type Slice, USUAL_SCHEMA } from './sweep-schema.js';
import { checkedPercent, type EntryJudgement, sampleOf, type Verification } from './verification.js';

/** Results of a merge for later steps, besides the files. */
export interface MergeFacts {
  /** SHA-256 of findings.yaml as written. */
  readonly findings: string;
  /** SHA-256 of the version about to replace it. After a crash, a file with either hash is valid. */
  readonly next: string;
  readonly sample: readonly string[];
  readonly gaps: readonly ThinSlice[];
  readonly duplicates: Readonly<Record<string, number>>;
  readonly rejected: number;
  /** Ids that were requested for slices checked in full, by slice. */
  readonly inFull: Readonly<Record<string, readonly string[]>>;
}

const NOTHING: MergeFacts = { findings: '', next: '', sample: [], gaps: [], duplicates: {}, rejected: 0, inFull: {} };

/** Merge results of a run, stored in the graph, where no scout can change them. */
export function mergeFacts({ kept }: FormationRecord): MergeFacts {
  const facts = kept['merge'];
  return facts === undefined ? NOTHING : { ...NOTHING, ...(JSON.parse(facts) as MergeFacts) };
}

function withFacts(record: FormationRecord, facts: MergeFacts): FormationRecord {
  return { ...record, kept: { ...record.kept, merge: JSON.stringify(facts) } };
}

/** Division of a sweep, from its record. */
export function partitionIn({ kept, seats }: FormationRecord): Partition {
  const partition = kept['partition'];
  if (partition !== undefined) return readPartition(JSON.parse(partition), 'the partition');
  const slices: Slice[] = seats.map(({ name }) => ({ name, owns: [name], question: undefined }));
  return partitionOf(slices, USUAL_SCHEMA);
}

/** Division in the form stored in the record. */
export function partitionText({ schema, slices }: Partition): string {
  return JSON.stringify({ schema, slices });
}

/** Sample of a run, from the remaining entries. */
export function sampleIn(record: FormationRecord, entries: readonly MergedEntry[]): readonly string[] {
  const percent = Number(record.options['sample'] ?? SWEEP_LIMITS.samplePercent);
  return sampleOf(entries, record.run, checkedPercent(percent));
}

interface Merge {
  readonly step: Extract<CodeStep, 'merge' | 'merge-again'>;
  readonly merged: MergedSweep;
  readonly findings: string;
  readonly tiers: readonly string[];
}

/**
 * Records the result of a merge and registers its files. A slice that is thin for the first time is searched once more,
 * and the findings wait for that; if it stays thin, it is reported as a gap. Errors: `sweep_empty` if there are no
 * entries and no second search.
 */
export function settleMerge(
  view: GraphView,
  record: FormationRecord,
  { step, merged, findings, tiers }: Merge,
  { now, by }: StepCall,
): Plan<{ readonly added: readonly string[] }> {
  checkClaim(view, by);
  const { run } = record;
  const again = step === 'merge' ? merged.thin : [];
  if (merged.entries.length === 0 && again.length === 0) throw new TroupeError('sweep_empty');
  const tasks = again.length === 0 ? [] : secondLook(record, again, tiers);
  const fresh = tasks.filter(({ id }) => !record.tasks.includes(id));
  const facts: MergeFacts = {
    findings,
    next: findings,
    sample: sampleIn(record, merged.entries),
    inFull: {},
    gaps: again.length === 0 ? merged.thin : [],
    duplicates: Object.fromEntries(merged.duplicates),
    rejected: merged.rejected.length,
  };
  const kept = withFacts({ ...record, tasks: [...new Set([...record.tasks, ...fresh.map(({ id }) => id)])] }, facts);
  const folder = runFolder('sweep', run);
  const files = [`${folder}/findings.yaml`, `${folder}/rejected.yaml`];
  const waits =
    fresh.length === 0 ? [] : waitFor(view, stepId(run, 'synthesis'), [stepId(run, 'merge-again')], by.name);
  return {
    events: [
      ...addAll(view, fresh, { now, actor: by.name }),
      ...waits,
      ...artifactTask(view, stepId(run, step), files, { now, by }).events,
      recordEvent(view, kept, 'formation_merge', {
        actor: by.name,
        detail: {
          entries: merged.entries.length,
          rejected: merged.rejected.length,
          thin: merged.thin.map(({ slice }) => slice),
        },
      }),
    ],
    result: { added: fresh.map(({ id }) => id) },
  };
}

/** Second scouts for the thin slices, and a second merge. */
function secondLook(record: FormationRecord, thin: readonly ThinSlice[], tiers: readonly string[]): NewTask[] {
  const { run, goal } = record;
  const partition = partitionIn(record);
  const scouts = thin.flatMap(({ slice: name, cause }) => {
    const slice = partition.slices.find((one) => one.name === name);
    const tier = record.seats.find((seat) => seat.name === name)?.tier ?? tiers[0];
    return slice === undefined ? [] : [scoutTask(goal, { run, slice, partition, tier, again: cause })];
  });
  const merge = codeTask(run, 'merge-again', {
    title: `Merge the second look of ${run}`,
    description: 'As the first merge, with what the second look brought. A slice that is still thin is a gap.',
    after: scouts.map(({ id }) => id),
  });
  return [...scouts, merge];
}

/** Removes refuted entries. The slice of a refuted entry is checked in full, and the report waits for that. */
export function settleVerification(
  view: GraphView,
  record: FormationRecord,
  { verification, findings, tiers }: { verification: Verification; findings: string; tiers: readonly string[] },
  { now, by }: StepCall,
): Plan<{ readonly added: readonly string[] }> {
  checkClaim(view, by);
  const { run, goal } = record;
  const tasks = [...verification.inFull.keys()]
    .map((slice) => ({ ...verifyTask(goal, run, { slice, tier: tiers.at(-1) }), after: [stepId(run, 'settle')] }))
    .filter(({ id }) => !record.tasks.includes(id));
  const ids = tasks.map(({ id }) => id);
  const inFull = Object.fromEntries(verification.inFull);
  const kept = withFacts(
    { ...record, tasks: [...new Set([...record.tasks, ...ids])] },
    { ...mergeFacts(record), next: findings, inFull: { ...mergeFacts(record).inFull, ...inFull } },
  );
  return {
    events: [
      ...addAll(view, tasks, { now, actor: by.name }),
      ...waitFor(view, stepId(run, 'log'), ids, by.name),
      recordEvent(view, kept, 'formation_verify', {
        actor: by.name,
        detail: { refuted: verification.refuted.map(({ id }) => id), in_full: Object.keys(inFull) },
      }),
    ],
    result: { added: ids },
  };
}

/** Records the hash of the findings about to be written: after a crash, the old file is still recognised as valid. */
export function nextFindings(view: GraphView, record: FormationRecord, next: string, actor: string): Plan<undefined> {
  const facts = mergeFacts(record);
  const kept = withFacts(record, { ...facts, findings: facts.next, next });
  return { events: [recordEvent(view, kept, 'formation_findings', { actor })], result: undefined };
}

function addAll(view: GraphView, tasks: readonly NewTask[], by: { now: number; actor: string }): EventDraft[] {
  const coming = new Set(tasks.map(({ id }) => id));
  return tasks.flatMap((task) => addTask(view, task, { ...by, unknown: 'refuse', coming }).events);
}

function waitFor(view: GraphView, id: string, before: readonly string[], name: string): readonly EventDraft[] {
  if (before.length === 0) return [];
  return editTask(view, id, { add_after: before, add_after_success: before }, { by: { name }, unknown: 'warn' }).events;
}

interface SweepEnd {
  readonly date: string;
  readonly entries: readonly MergedEntry[];
  /** All entries, including those removed later. */
  readonly judgements: readonly EntryJudgement[];
  /** Slice and source of refuted entries. */
  readonly refuted: readonly { readonly slice: string; readonly source: string }[];
}

/** Log entry of a sweep. */
export function sweepLogEntry(record: FormationRecord, { date, entries, judgements, refuted }: SweepEnd): string {
  const { schema, slices } = partitionIn(record);
  const { gaps, duplicates, rejected } = mergeFacts(record);
  const count = (list: readonly { readonly slice: string }[], slice: string) =>
    list.filter((one) => one.slice === slice).length;
  const verdicts = (word: string) => judgements.filter(({ verdict }) => verdict === word).length;
  const steering = record.notes.filter((note) => note.startsWith('steering:'));
  return logEntry(`${record.run}  ${date}`, {
    question: record.goal,
    corpus: `${entries.length} entries of ${plural(new Set(entries.map(({ source }) => siteOf(source))).size, 'site')}, ${rejected} rejected`,
    roster: record.seats.map(({ name }) => name).join(', '),
    partition: slices.map(({ name, owns }) => `${name}: ${owns.join(', ')}`),
    schema: `${schema.root}: ${schema.required.join(', ')}`,
    'per-role': slices.map(({ name }) => `${name} ${count(entries, name)} left, ${count(refuted, name)} refuted`),
    verifier: `skeptic: ${judgements.length} checked, ${verdicts('HOLDS')} hold, ${verdicts('HOLDS-WITH-CUTS')} with cuts, ${verdicts('REFUTED')} refuted`,
    thin: gaps.map(({ slice, kind, cause }) => `${slice} ${kind} (${cause})`),
    'dedup-hotspots': Object.entries(duplicates).map(([slice, number]) => `${slice} ${number}`),
    'source-trust': [...new Set(refuted.map(({ source }) => siteOf(source)))].map((site) => `refuted: ${site}`),
    steering,
    outcome: gaps.length === 0 ? 'complete' : `complete but for ${gaps.map(({ slice }) => slice).join(', ')}`,
    graduated: 'none',
  });
}

function siteOf(source: string): string {
  return /^https?:\/\/([^/\s?#]{1,200})/i.exec(source)?.[1]?.toLowerCase() ?? source.slice(0, 80);
}

import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATIONS, type FormationKind, runFolder } from './formation.js';
import { type FormationRecord, formationRecords, stepId } from './record.js';

/** Stages of a chain in their fixed order: discover, decide, deliver. */
const STAGES = ['research', 'panel', 'crew'] as const;
export type ChainStageName = (typeof STAGES)[number];

/** Validates stages: some of them, in order, each at most once. Errors: `bad_input`. */
export function checkedStages(words: readonly string[]): readonly [ChainStageName, ...ChainStageName[]] {
  const places = words.map((word) => (STAGES as readonly string[]).indexOf(word.trim()));
  const inOrder = places.every((place, index) => place > (places[index - 1] ?? -1));
  const [first, ...rest] = places.flatMap((place) => STAGES[place] ?? []);
  if (first !== undefined && inOrder) return [first, ...rest];
  throw new TroupeError('bad_input', {
    what: `A chain is made of ${STAGES.join(', ')}, in this order, each at most once.`,
    hint: 'For example `--stages research,panel`.',
  });
}

/** File that a stage passes to the next, with its hash at that time. */
export interface StageInput {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly sha256: string;
}

/** The input as named in the goal of the next stage. */
export const inputText = ({ file, sha256 }: StageInput): string => `${file} (SHA-256 ${sha256})`;

const [INPUT, INPUT_HASH] = ['input', 'input-sha256'];

/** The input for the run's record; empty for a run without a previous stage. */
export function keptInput(input: StageInput | undefined): Readonly<Record<string, string>> {
  return input === undefined ? {} : { [INPUT]: input.file, [INPUT_HASH]: input.sha256 };
}

export function stageInput({ kept }: FormationRecord): StageInput | undefined {
  const { [INPUT]: file, [INPUT_HASH]: sha256 } = kept;
  return file === undefined || sha256 === undefined ? undefined : { file, sha256 };
}

/** State of a chain, from the run of its current stage. */
export interface ChainState {
  /** Stages that follow. */
  readonly next: readonly string[];
  /** Failure that prevents the next stage from ever being proposed. */
  readonly stopped?: string;
}

/** Undefined for a run without following stages. */
export function chainState(view: GraphView, { run, options }: FormationRecord): ChainState | undefined {
  const next = options['stages']?.split(',');
  if (next === undefined) return undefined;
  const failed = failedBefore(view, stepId(run, 'next'), new Set());
  if (failed === undefined) return { next };
  const why = failed.failure_reason ?? failed.log?.at(-1)?.message ?? 'no reason was given';
  return { next, stopped: `${failed.id} ${failed.status}: ${why}` };
}

/** A stage of a chain, and its run once proposed. */
export interface ChainStage {
  readonly stage: ChainStageName;
  readonly run: string | undefined;
  readonly state: FormationRecord['state'] | undefined;
}

/**
 * All stages of the chain of a run, in order; empty for a run outside a chain. A run's predecessor is found by its
 * file, which the goal names.
 */
export function chainStages(view: GraphView, record: FormationRecord): ChainStage[] {
  const records = formationRecords(view);
  const follows = (later: FormationRecord, earlier: FormationRecord) =>
    later.run !== earlier.run && later.goal.includes(`${runFolder(earlier.formation, earlier.run)}/`);
  const line = [record];
  for (let first = record; line.length < STAGES.length; ) {
    const before = records.find((one) => one.options['stages'] !== undefined && follows(first, one));
    if (!before || line.includes(before)) break;
    line.unshift(before);
    first = before;
  }
  for (let last = record; line.length < STAGES.length && last.options['stages'] !== undefined; ) {
    const after = records.find((one) => follows(one, last));
    if (!after || line.includes(after)) break;
    line.push(after);
    last = after;
  }
  const open = (line.at(-1)?.options['stages'] ?? '').split(',');
  const coming = STAGES.filter((stage) => open.includes(stage));
  if (line.length + coming.length < 2) return [];
  return [
    ...line.map(({ formation, run, state }) => ({ stage: stageOf(formation), run, state })),
    ...coming.map((stage) => ({ stage, run: undefined, state: undefined })),
  ];
}

const stageOf = (formation: FormationKind): ChainStageName => FORMATIONS[formation].lane;

/**
 * The first failed or abandoned task among the predecessors that have to succeed, transitively. Predecessors that may
 * fail are not followed.
 */
function failedBefore(view: GraphView, id: string, seen: Set<string>): Task | undefined {
  for (const before of view.task(id)?.after_success ?? []) {
    if (seen.has(before)) continue;
    seen.add(before);
    const task = view.task(before);
    if (task?.status === 'failed' || task?.status === 'abandoned') return task;
    const earlier = failedBefore(view, before, seen);
    if (earlier) return earlier;
  }
  return undefined;
}

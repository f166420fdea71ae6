import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATIONS, type FormationKind, runFolder } from './formation.js';
import { allRuns, type FormationRecord, recordOf, stepId } from './record.js';

/** The stages of a chain, in the only order there is: discover, decide, deliver. */
const STAGES = ['research', 'panel', 'crew'] as const;
export type ChainStageName = (typeof STAGES)[number];

/** Some of the stages, in their order. `bad_input` for anything else. */
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

/** What a stage hands on to the next, as it was then. */
export interface StageInput {
  /** From the top of the repository. */
  readonly file: string;
  readonly sha256: string;
}

/** As the goal of the next stage names it. */
export const inputText = ({ file, sha256 }: StageInput): string => `${file} (SHA-256 ${sha256})`;

const [INPUT, INPUT_HASH] = ['input', 'input-sha256'];

/** As a run remembers what it began with; nothing of one that no stage came before. */
export function keptInput(input: StageInput | undefined): Readonly<Record<string, string>> {
  return input === undefined ? {} : { [INPUT]: input.file, [INPUT_HASH]: input.sha256 };
}

export function stageInput({ kept }: FormationRecord): StageInput | undefined {
  const { [INPUT]: file, [INPUT_HASH]: sha256 } = kept;
  return file === undefined || sha256 === undefined ? undefined : { file, sha256 };
}

/** How a chain stands, seen from the run that is its present stage. */
export interface ChainState {
  /** The stages after it. */
  readonly next: readonly string[];
  /** What keeps the next stage from ever being proposed. */
  readonly stopped?: string;
}

/** Undefined for a run that nothing comes after. */
export function chainState(view: GraphView, { run, options }: FormationRecord): ChainState | undefined {
  const next = options['stages']?.split(',');
  if (next === undefined) return undefined;
  const failed = failedBefore(view, stepId(run, 'next'), new Set());
  if (failed === undefined) return { next };
  const why = failed.failure_reason ?? failed.log?.at(-1)?.message ?? 'no reason was given';
  return { next, stopped: `${failed.id} ${failed.status}: ${why}` };
}

/** A stage of a chain, with its run where that was proposed. */
export interface ChainStage {
  readonly stage: ChainStageName;
  readonly run: string | undefined;
  readonly state: FormationRecord['state'] | undefined;
}

/**
 * All stages of the chain that a run is one of, in their order; empty for a run by itself. A run is told by the file of the one
 * before it, which its goal names.
 */
export function chainStages(view: GraphView, record: FormationRecord): ChainStage[] {
  const records = [...allRuns(view)].flatMap((run) => recordOf(view, run) ?? []);
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

/** What had to succeed and has not, among all that comes before. What may fail without harm is followed no further. */
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

// Selects the finished tasks on which a change is tested, and evaluates the scores.
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef, Role, Tradeoff } from '#core/agency/entities.js';
import { scoresOfPrograms } from '#core/agency/scores.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { compareText } from '#kernel/order.js';
import { randomFrom } from '#kernel/random.js';
import type { ReplayPair } from './replay-record.js';

/** A finished task of a role or trade-off, with the partner it was done with. */
export interface HeldOutTask {
  readonly task_id: string;
  readonly partner_id: string;
}

/**
 * Finished, scored tasks for testing a change of this entity, none done by a person, selected by a hash of run and
 * task. At most every second task: the others are the basis of the proposal.
 */
export function heldOut(
  agency: Agency,
  view: GraphView,
  entity: Role | Tradeoff,
  { seed, count, people }: { readonly seed: string; readonly count: number; readonly people: ReadonlySet<string> },
): HeldOutTask[] {
  const references = new Map<string, EvaluationRef>();
  for (const reference of scoresOfPrograms(agency, entity, people)) {
    const status = view.task(reference.task_id)?.status;
    if (status === 'done' || status === 'failed') references.set(reference.task_id, reference);
  }
  return [...references.values()]
    .map((reference) => ({ reference, hash: sha256(`${seed} ${reference.task_id}`) }))
    .sort((left, right) => compareText(left.hash, right.hash))
    .slice(0, Math.min(count, Math.floor(references.size / 2)))
    .map(({ reference }) => ({ task_id: reference.task_id, partner_id: reference.context_id }));
}

const MIN_REPLAY_PAIRS = 3;
/** Maximum decrease of a single task's score for an adopted change. */
const MAX_SCORE_DROP = 0.2;
const TAIL = 0.025;
/** Scores have four decimal places: smaller differences are rounding errors. */
const TOLERANCE = 1e-9;

export interface ReplayVerdict {
  readonly gain: number | null;
  /** 95 percent bootstrap interval of the mean difference. */
  readonly interval: [number, number] | null;
  readonly adopted: boolean;
  readonly reason: string;
}

/**
 * Adopts a change if its mean score is no lower, no task fell by more than 0.2, and the interval of the mean difference
 * includes nothing worse. Everything else is left to a person. Deterministic.
 */
export function verdictOf(pairs: readonly ReplayPair[], seed: string): ReplayVerdict {
  if (pairs.length < MIN_REPLAY_PAIRS) {
    const reason = `${pairs.length} tasks could be compared: ${MIN_REPLAY_PAIRS} are needed.`;
    return { gain: null, interval: null, adopted: false, reason };
  }
  const differences = pairs.map(({ parent, child }) => child - parent);
  const gain = meanOf(differences);
  const interval = intervalOf(differences, seed);
  const fallen = pairs.filter(({ parent, child }) => parent - child > MAX_SCORE_DROP + TOLERANCE);
  const reason =
    gain < -TOLERANCE
      ? `It is worse by ${(-gain).toFixed(2)} on ${pairs.length} tasks.`
      : fallen.length > 0
        ? `It fell by more than ${MAX_SCORE_DROP} on ${fallen.map(({ task_id }) => task_id).join(', ')}.`
        : interval[0] < -TOLERANCE
          ? `It may be worse: the difference is between ${interval[0].toFixed(2)} and ${interval[1].toFixed(2)}.`
          : '';
  return { gain, interval, adopted: reason === '', reason };
}

/** Bootstrap interval of the mean. */
function intervalOf(differences: readonly number[], seed: string): [number, number] {
  const random = randomFrom(Number.parseInt(sha256(seed).slice(0, 8), 16));
  const means = Array.from({ length: AGENCY_LIMITS.replayResamples }, () =>
    meanOf(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((left, right) => left - right);
  const at = (share: number) => means[Math.floor(share * means.length)] ?? 0;
  return [at(TAIL), at(1 - TAIL)];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

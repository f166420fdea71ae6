import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { byId } from '#kernel/order.js';
import { randomFrom } from '#kernel/random.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

export const ENTRY_VERDICTS = ['HOLDS', 'REFUTED', 'HOLDS-WITH-CUTS'] as const;
export type EntryVerdict = (typeof ENTRY_VERDICTS)[number];

/** The verifier's verdict on one entry. */
export interface EntryJudgement {
  readonly id: string;
  readonly verdict: EntryVerdict;
  readonly why: string;
}

/** Fields of an entry that the sampling needs. */
export interface Sampled {
  readonly id: string;
  readonly slice: string;
}

/**
 * Ids of the sampled entries: a percentage, at least five, and at least one of every slice with entries. Determined by
 * the name of the run alone: the selection cannot be influenced and is repeatable.
 */
export function sampleOf(entries: readonly Sampled[], run: string, percent: number): readonly string[] {
  const next = randomFrom(Number.parseInt(sha256(run).slice(0, 8), 16));
  const order = shuffled([...entries].sort(byId), next);
  const slices = new Set<string>();
  const firsts = order.filter(({ slice }) => !slices.has(slice) && slices.add(slice));
  const count = Math.max(SWEEP_LIMITS.sampleLeast, Math.ceil((entries.length * percent) / 100), firsts.length);
  const rest = order.filter((entry) => !firsts.includes(entry));
  return [...firsts, ...rest].slice(0, count).map(({ id }) => id);
}

function shuffled<Value>(values: readonly Value[], next: () => number): Value[] {
  const order = [...values];
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(next() * (last + 1));
    const [high, low] = [order[last], order[at]];
    if (high !== undefined && low !== undefined) [order[last], order[at]] = [low, high];
  }
  return order;
}

/** Validates the percentage of the sample. Errors: `bad_input` outside 10 to 20. */
export function checkedPercent(percent: number): number {
  const { samplePercentLeast: least, samplePercentMost: most } = SWEEP_LIMITS;
  if (Number.isInteger(percent) && percent >= least && percent <= most) return percent;
  throw new TroupeError('bad_input', { what: `The sample must be ${least} to ${most} percent.` });
}

/**
 * Parses the verifier's verdicts, exactly one for each requested entry, with one of three words and a reason. Errors:
 * `unverified` if an entry has none or two: then nothing counts as verified.
 */
export function readJudgements(data: unknown, requested: readonly string[]): readonly EntryJudgement[] {
  const list = isJsonObject(data) ? data['verdicts'] : undefined;
  if (!Array.isArray(list) || list.length > SWEEP_LIMITS.verdicts) throw unverified('it has no list `verdicts`');
  const judgements = new Map<string, EntryJudgement>();
  for (const value of list) {
    const { id, verdict: word, why } = isJsonObject(value) ? value : {};
    const verdict = ENTRY_VERDICTS.find((one) => one === word);
    if (typeof id !== 'string' || verdict === undefined)
      throw unverified(`a verdict is an id and one of ${ENTRY_VERDICTS.join(', ')}`);
    if (!requested.includes(id)) continue; // not requested
    if (judgements.has(id)) throw unverified(`${id} has two verdicts`);
    judgements.set(id, { id, verdict, why: typeof why === 'string' ? shown(why) : '' });
  }
  const open = requested.filter((id) => !judgements.has(id));
  if (open.length > 0)
    throw unverified(`${open.length} of ${requested.length} entries without a verdict: ${cut(open.join(', '), 200)}`);
  return requested.flatMap((id) => judgements.get(id) ?? []);
}

function unverified(why: string): TroupeError {
  return new TroupeError('unverified', { what: `The verdicts cannot be used: ${why}.` });
}

function shown(text: string): string {
  return cut(inert(redact(text)).trim(), SWEEP_LIMITS.valueCharacters);
}

/** Consequences of the verdicts. */
export interface Verification {
  /** Ids without the refuted ones. */
  readonly entries: readonly string[];
  readonly refuted: readonly EntryJudgement[];
  readonly cut: readonly EntryJudgement[];
  /** Slices with a refuted entry, with their entries not verified yet. */
  readonly inFull: ReadonlyMap<string, readonly string[]>;
}

/** One refuted entry makes its whole slice doubtful: the rest of it is verified too. */
export function settleVerdicts(entries: readonly Sampled[], judgements: readonly EntryJudgement[]): Verification {
  const verdicts = new Map(judgements.map((judgement) => [judgement.id, judgement]));
  const refuted = judgements.filter(({ verdict }) => verdict === 'REFUTED');
  const left = entries.filter(({ id }) => verdicts.get(id)?.verdict !== 'REFUTED');
  const doubtful = new Set(
    entries.filter(({ id }) => verdicts.get(id)?.verdict === 'REFUTED').map(({ slice }) => slice),
  );
  const inFull = [...doubtful].flatMap((slice) => {
    const open = left.filter((entry) => entry.slice === slice && !verdicts.has(entry.id)).map(({ id }) => id);
    return open.length === 0 ? [] : [[slice, open] as const];
  });
  return {
    entries: left.map(({ id }) => id),
    refuted,
    cut: judgements.filter(({ verdict }) => verdict === 'HOLDS-WITH-CUTS'),
    inFull: new Map(inFull),
  };
}

// Stored report of an evolution: proposals, their outcomes, and decisions left to a person.
import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';
import type { Json } from '#kernel/json.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { type MadeEntity, OPERATION_STATUSES, type OperationOutcome, type OperationStatus } from './evolve.js';
import { type ReplayRecord, replaySchema } from './replay-record.js';
import { STRATEGIES, type Strategy } from './strategy.js';

/** A person's decision on an operation that waited for one. */
export interface Decided {
  readonly by: string;
  readonly at: string;
}

/** One operation in the report of its run. */
export interface OperationReport extends Omit<OperationOutcome, 'code'> {
  /** Code of the error that rejected it; absent in older reports. */
  readonly code?: string | undefined;
  readonly decided?: Decided | undefined;
}

export interface EvolutionReport {
  readonly id: string;
  readonly started_at: string;
  readonly started_by: string;
  readonly strategy: Strategy;
  readonly budget: number | null;
  /** Model that proposed it; null for a file provided by a person. */
  readonly model: string | null;
  readonly prompt_sha256: string | null;
  /** Raw answer. */
  readonly answer: string;
  /** Reason why the answer could not be parsed. */
  readonly failure: string | null;
  readonly summary: string;
  readonly operations: readonly OperationReport[];
  /** Replays made before adoption. */
  readonly replays: readonly ReplayRecord[];
  readonly cost_usd: number | null;
  readonly rolled_back: Decided | null;
}

const text = z.string();
const entity: z.ZodMiniType<MadeEntity> = z.object({
  kind: z.enum(['role', 'tradeoff', 'agent']),
  id: text,
  name: text,
});
const decided = z.object({ by: text, at: text });
const operation = z.object({
  index: z.number(),
  raw: z.unknown(),
  status: z.enum(OPERATION_STATUSES),
  reason: text,
  code: z.optional(text),
  rationale: text,
  target_ids: z.array(text),
  made: z.array(entity),
  retired: z.array(entity),
  decided: z.optional(decided),
});
const SCHEMA = z.object({
  id: text,
  started_at: text,
  started_by: text,
  strategy: z.enum(STRATEGIES),
  budget: z.nullable(z.number()),
  model: z.nullable(text),
  prompt_sha256: z.nullable(text),
  answer: text,
  failure: z.nullable(text),
  summary: text,
  operations: z.array(operation).check(z.maxLength(AGENCY_LIMITS.evolutionOperations)),
  replays: z.array(replaySchema),
  cost_usd: z.nullable(z.number()),
  rolled_back: z.nullable(decided),
});

/** Parses a stored report; undefined if it is invalid. */
export function reportOf(id: string, value: unknown): EvolutionReport | undefined {
  const { data } = SCHEMA.safeParse(value);
  if (data === undefined || data.id !== id) return undefined;
  return { ...data, operations: data.operations.map((one) => ({ ...one, raw: one.raw as Json })) };
}

export function reportText(report: EvolutionReport): string {
  return recordText({ ...report });
}

/** Unused run id, such as `run-20260301-100000`; the second of the same second ends in `-2`. */
export function runId(now: number, isTaken: (id: string) => boolean): string {
  const [day = '', time = ''] = new Date(now).toISOString().split('T');
  const base = `run-${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!isTaken(id)) return id;
  }
}

/** Number of operations by status, without statuses that do not occur. */
export function countsOf(
  operations: readonly { readonly status: OperationStatus }[],
): Partial<Record<OperationStatus, number>> {
  const counts: Partial<Record<OperationStatus, number>> = {};
  for (const { status } of operations) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

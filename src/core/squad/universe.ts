import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { OfProject, Universe } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import { POLICY_JSON } from './squad-paths.js';

/** `.squad/casting/policy.json`, which only people write. Unknown fields are ignored. */
export const policySchema = z.looseObject({
  allowlistUniverses: z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(200)),
  /** Kept for other readers of the file; an exhausted pool is detected when names are assigned. */
  universeCapacity: z.optional(z.record(z.string(), z.number())),
  defaultNaming: z.optional(z.string()),
});
export type CastingPolicy = z.infer<typeof policySchema>;

/**
 * Parses the project's casting policy; undefined without a file. Errors: `policy_invalid` for a malformed or empty one.
 */
export function parsePolicy(text: string | undefined): CastingPolicy | undefined {
  if (text === undefined) return undefined;
  const value = parseJsonObject(text);
  if (value === undefined) throw new TroupeError('policy_invalid', { what: `${POLICY_JSON} is not a JSON object.` });
  const parsed = policySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new TroupeError('policy_invalid', {
      what: `${POLICY_JSON}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not understood'}`,
    });
  }
  if (parsed.data.allowlistUniverses.length === 0) throw new TroupeError('policy_invalid');
  return parsed.data;
}

/** Not a pool: members are named after their archetype. */
export const DESCRIPTIVE = 'descriptive';

export interface UniverseRequest {
  /** Undefined if the project has no policy file: every shipped pool is then allowed. */
  readonly policy: CastingPolicy | undefined;
  readonly pools: readonly OfProject<Universe>[];
  /** Universes used before, oldest first. */
  readonly history: readonly string[];
  /** Distributes new projects over the allowed universes; the empty string is a valid seed. */
  readonly seed?: string | undefined;
  readonly override?: string | undefined;
}

interface UniverseChoice {
  readonly universe: string;
  /** Allowed universes without a pool. */
  readonly withoutPool: readonly string[];
}

/**
 * Chooses the universe of the names. Deterministic in its arguments; signals of the project have no influence. Errors:
 * `policy_invalid` for an empty allowlist, `universe_invalid` for an override that is not allowed.
 */
export function chooseUniverse(request: UniverseRequest): UniverseChoice {
  const { allowed, withoutPool } = allowedUniverses(request.policy, request.pools);
  if (request.override !== undefined)
    return { universe: overrideUniverse(request.override, request.policy, request.pools), withoutPool: [] };
  if (request.policy?.defaultNaming === DESCRIPTIVE) return { universe: DESCRIPTIVE, withoutPool: [] };
  const first = allowed[0];
  if (first === undefined) throw new TroupeError('policy_invalid');
  if (request.history.length === 0 && request.seed !== undefined) {
    return { universe: allowed[seedNumber(request.seed) % allowed.length] ?? first, withoutPool };
  }
  const used = new Set(request.history.map((name) => name.toLowerCase()));
  return { universe: allowed.find((name) => !used.has(name.toLowerCase())) ?? first, withoutPool };
}

/**
 * Returns the allowed universes in order. Universes without a pool are skipped if another has one: a typo in the policy
 * must not name a whole team `member-1` to `member-5`.
 */
export function allowedUniverses(
  policy: CastingPolicy | undefined,
  pools: readonly OfProject<Universe>[],
): { allowed: readonly string[]; withoutPool: readonly string[] } {
  if (!policy) return { allowed: shippedNames(pools), withoutPool: [] };
  const withPool = policy.allowlistUniverses.filter((name) => poolOf(name, pools));
  if (withPool.length === 0) return { allowed: policy.allowlistUniverses, withoutPool: policy.allowlistUniverses };
  return { allowed: withPool, withoutPool: policy.allowlistUniverses.filter((name) => !withPool.includes(name)) };
}

/** Returns the shipped pools: a pool of the project is allowed only if the policy lists it. */
function shippedNames(pools: readonly OfProject<Universe>[]): string[] {
  return pools.filter((pool) => pool.source === undefined).map((pool) => pool.name);
}

/** Returns the pool of a universe, compared without case. */
export function poolOf(universe: string, pools: readonly Universe[]): Universe | undefined {
  return pools.find((pool) => pool.name.toLowerCase() === universe.toLowerCase());
}

function overrideUniverse(
  override: string,
  policy: CastingPolicy | undefined,
  pools: readonly OfProject<Universe>[],
): string {
  const lowerCase = override.trim().toLowerCase();
  if (lowerCase === DESCRIPTIVE) return DESCRIPTIVE;
  const allowed = policy ? policy.allowlistUniverses : shippedNames(pools);
  const spelled = allowed.find((name) => name.toLowerCase() === lowerCase);
  if (spelled !== undefined) return spelled;
  throw new TroupeError('universe_invalid', {
    what: `The universe ${JSON.stringify(cut(inert(override), 80))} is not allowed here.`,
    hint: `Allowed: ${cut(allowed.map((name) => inert(name)).join(', '), 400)}.`,
    details: { allowed },
  });
}

/** Returns the absolute value of the first four bytes of SHA-256, read as a little-endian int32. */
function seedNumber(seed: string): number {
  return Math.abs(createHash('sha256').update(seed, 'utf8').digest().readInt32LE(0));
}

import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { POLICY_JSON } from './squad-paths.js';

/** `.squad/casting/policy.json`: written by people only. Fields this version does not know are left alone. */
export const policySchema = z.looseObject({
  allowlistUniverses: z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(200)),
  /** Kept for those who read it; a full pool shows at the names, not here. */
  universeCapacity: z.optional(z.record(z.string(), z.number())),
  defaultNaming: z.optional(z.string()),
});
export type CastingPolicy = z.infer<typeof policySchema>;

/** The project's casting policy, or undefined without a file. A broken or empty one is `policy_invalid`. */
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

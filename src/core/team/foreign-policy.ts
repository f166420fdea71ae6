import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type Json, parseJsonObject } from '#kernel/json.js';
import { ForeignFields } from './foreign-fields.js';
import { type CastingPolicy, parsePolicy } from './policy.js';

/** A policy file of ours or of another tool. */
export interface AnyPolicy {
  readonly style: 'camel' | 'snake' | 'wildcard';
  /** Undefined when every shipped pool is allowed. */
  readonly policy: CastingPolicy | undefined;
  /** What the file says beside that, as fields of ours; written by a migration. */
  readonly kept: Readonly<Record<string, Json>>;
}

/** Errors: `policy_invalid`. */
export function policyFrom(text: string, file: string): AnyPolicy {
  const value = parseJsonObject(text);
  if (value === undefined) throw new TroupeError('policy_invalid', { what: `${file} is not a JSON object.` });
  const foreign = Object.keys(value).some((key) => /_|^universe_/.test(key));
  if ('allowlistUniverses' in value || !foreign) return { style: 'camel', policy: parsePolicy(text), kept: {} };
  const fields = new ForeignFields(value);
  const wildcard = 'universe_allowlist' in value;
  const listed = fields.any('allowlist_universes', 'universe_allowlist');
  const allowed = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : undefined;
  if (allowed?.length === 0) throw new TroupeError('policy_invalid', { what: `${file} allows no universe.` });
  const version = fields.any('casting_policy_version', 'version');
  const capacity = fields.any('universe_capacity', 'universeCapacity');
  const naming = fields.text('default_naming', 'defaultNaming');
  const kept: Record<string, Json> = {
    ...(version === undefined ? {} : { version }),
    ...(isJsonObject(capacity) ? { universeCapacity: capacity } : {}),
    ...(naming === undefined ? {} : { defaultNaming: naming }),
    ...fields.rest(),
  };
  const everything = allowed === undefined || allowed.includes('*');
  const policy = everything
    ? undefined
    : parsePolicy(
        JSON.stringify({ allowlistUniverses: allowed, ...(naming === undefined ? {} : { defaultNaming: naming }) }),
      );
  return { style: wildcard ? 'wildcard' : 'snake', policy, kept };
}

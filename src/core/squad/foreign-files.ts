import { createHash } from 'node:crypto';
import { folderSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '#kernel/json.js';
import type { UnparsedLine } from './file-change.js';
import { eventSchema, type RegistryEvent } from './registry.js';
import { charterPath } from './squad-paths.js';
import { type CastSnapshot, snapshotSchema } from './team-history.js';
import { type CastingPolicy, parsePolicy } from './universe.js';

/** Key style of an entry: other tools use snake case, this program camel case. */
export type KeyStyle = 'camel' | 'snake';

/**
 * Reads the fields of an entry from another tool's file under any of their spellings; fields that are not read remain
 * in `rest`.
 */
class ForeignFields {
  private readonly remaining: Map<string, Json>;
  readonly style: KeyStyle;

  constructor(entry: JsonObject) {
    this.remaining = new Map(Object.entries(entry));
    this.style = Object.keys(entry).some((key) => key.includes('_')) ? 'snake' : 'camel';
  }

  /** Takes the first of these fields that is a non-blank string. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.remaining.get(name);
      if (typeof value !== 'string' || value.trim() === '') continue;
      this.remaining.delete(name);
      return value;
    }
    return undefined;
  }

  any(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = this.remaining.get(name);
      if (value === undefined) continue;
      this.remaining.delete(name);
      return value;
    }
    return undefined;
  }

  /** Returns the fields that were not taken, under `x`; an empty object if all were taken. */
  rest(): { x?: JsonObject } {
    return this.remaining.size === 0 ? {} : { x: Object.fromEntries(this.remaining) };
  }
}

/**
 * Returns a deterministic id: reading the same foreign entry anywhere yields the same one. A missing part counts as
 * empty.
 */
export function derivedId(...parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(parts.join('\0'), 'utf8').digest('hex').slice(0, 32);
}

/** A registry read from a JSON file, ours or another tool's, converted to our events. */
interface JsonRegistry {
  readonly style: KeyStyle;
  readonly events: readonly RegistryEvent[];
  readonly badLines: readonly UnparsedLine[];
  /** Slug → original key, where the two differ: some tools key members by role. */
  readonly keys: ReadonlyMap<string, string>;
}

const RETIRED_STATUS = /^(?:retired|inactive|alumni|archived|former|removed)$/i;

/**
 * Parses the members of a registry file. Keys are slugs or roles, fields use either spelling; a member without a status
 * is active. `roles` maps lower-case member names to the roles in team.md. Returns undefined if the text is no registry
 * file.
 */
export function registryFromJson(
  text: string,
  file: string,
  roles: ReadonlyMap<string, string>,
): JsonRegistry | undefined {
  const agents = parseJsonObject(text)?.['agents'];
  if (!isJsonObject(agents)) return undefined;
  const events: RegistryEvent[] = [];
  const badLines: UnparsedLine[] = [];
  const keys = new Map<string, string>();
  let style: KeyStyle = 'camel';
  for (const [key, value] of Object.entries(agents)) {
    const entry = entryOf(value);
    const fields = entry && new ForeignFields(entry);
    const event = fields && eventOf(key, fields, roles);
    if (event === undefined) {
      badLines.push({ file, line: lineOf(text, key) });
      continue;
    }
    // Our own status values are capitalised; a file with `active` was written by another tool.
    if (fields?.style === 'snake' || !isOwnStatus(entry?.['status'])) style = 'snake';
    const { persistentName: slug = key } = event;
    if (slug !== key) keys.set(slug, key);
    events.push(event);
  }
  return { style, events, badLines, keys };
}

function entryOf(value: Json): JsonObject | undefined {
  if (typeof value === 'string') return { persistent_name: value };
  return isJsonObject(value) ? value : undefined;
}

function isOwnStatus(status: Json | undefined): boolean {
  return status === 'Active' || status === 'Retired';
}

function eventOf(key: string, fields: ForeignFields, roles: ReadonlyMap<string, string>): RegistryEvent | undefined {
  const own = fields.text('name');
  const persistent = fields.text('persistent_name', 'persistentName');
  const name = own ?? persistent ?? key;
  const slug = folderSlug(name);
  if (slug === undefined) return undefined;
  const createdAt = fields.text('created_at', 'createdAt');
  const status = fields.any('status');
  const role = fields.text('role', 'role_title', 'roleTitle') ?? roles.get(name.toLowerCase());
  const archetypeId = fields.text('archetype_id', 'archetypeId') ?? (slug === key ? undefined : folderSlug(key));
  const strange = typeof status === 'string' && !/^active$/i.test(status) && !RETIRED_STATUS.test(status);
  const rest = fields.any('x');
  const optional = {
    eventId: derivedId('registry', key, name, createdAt),
    rev: numberOr(fields.any('rev'), 1),
    at: fields.text('at') ?? createdAt,
    memberId: fields.text('member_id', 'memberId'),
    name,
    persistentName: slug,
    universe: fields.text('universe'),
    archetypeId,
    roleTitle: role ?? (slug === key ? undefined : key),
    agentId: fields.text('agent_id', 'agentId'),
    defaultModel: fields.text('default_model', 'defaultModel'),
    status: typeof status === 'string' && RETIRED_STATUS.test(status) ? 'Retired' : 'Active',
    createdAt,
    retiredAt: fields.text('retired_at', 'retiredAt'),
    charterPath: fields.text('charter_path', 'charterPath') ?? charterPath(slug),
    charterSha256: fields.text('charter_sha256', 'charterSha256'),
    previousName: fields.text('previous_name', 'previousName'),
    succeededBy: fields.text('succeeded_by', 'succeededBy'),
    builtIn: fields.any('built_in', 'builtIn') === true ? true : undefined,
  };
  const others = { ...(isJsonObject(rest) ? rest : {}), ...fields.rest().x, ...(strange ? { status } : {}) };
  const event = { ...optional, ...(Object.keys(others).length === 0 ? {} : { x: others }) };
  const parsed = eventSchema.safeParse(JSON.parse(JSON.stringify(event)));
  return parsed.success ? parsed.data : undefined;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : otherwise;
}

function lineOf(text: string, key: string): number {
  const at = text.indexOf(JSON.stringify(key));
  return text.slice(0, Math.max(at, 0)).split('\n').length;
}

/** A cast history read from a JSON file, ours or another tool's, converted to our snapshots. */
interface JsonHistory {
  readonly style: KeyStyle;
  readonly snapshots: readonly CastSnapshot[];
  readonly badLines: readonly UnparsedLine[];
}

/**
 * Parses the casts of a history file. A use of a universe without a matching cast becomes a snapshot without members,
 * which preserves the order in which universes were used. Returns undefined if the text is no history file.
 */
export function historyFromJson(text: string, file: string): JsonHistory | undefined {
  const value = parseJsonObject(text);
  if (value === undefined) return undefined;
  const casts = value['snapshots'] ?? value['assignment_cast_snapshots'] ?? value['assignmentCastSnapshots'];
  const uses = value['universe_usage_history'] ?? value['universeUsageHistory'];
  const badLines: UnparsedLine[] = [];
  const snapshots: CastSnapshot[] = [];
  let style: KeyStyle = Object.keys(value).some((key) => key.includes('_')) ? 'snake' : 'camel';
  for (const [key, entry] of entriesOf(casts)) {
    const fields = isJsonObject(entry) ? new ForeignFields(entry) : undefined;
    if (fields?.style === 'snake') style = 'snake';
    const snapshot = fields && snapshotOf(key, fields);
    if (snapshot) snapshots.push(snapshot);
    else badLines.push({ file, line: 1 });
  }
  const alone: CastSnapshot[] = [];
  for (const [index, entry] of entriesOf(uses)) {
    const fields = new ForeignFields(isJsonObject(entry) ? entry : { universe: entry });
    if (fields.style === 'snake') style = 'snake';
    const use = snapshotOfUse(index, fields);
    if (!use) badLines.push({ file, line: 1 });
    else if (!snapshots.some((cast) => coversUse(cast, use))) alone.push(use);
  }
  return { style, snapshots: [...alone, ...snapshots], badLines };
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.map((entry, index) => [String(index), entry] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function snapshotOf(key: string, fields: ForeignFields): CastSnapshot | undefined {
  const members = namesOf(fields.any('members', 'agents', 'agent_map', 'agentMap'));
  const draft = {
    snapshotId: fields.text('snapshotId', 'snapshot_id') ?? (/^\d+$/.test(key) ? derivedId('cast', key) : key),
    proposalId: fields.text('proposalId', 'proposal_id'),
    universe: fields.text('universe'),
    mode: fields.any('mode'),
    intent: fields.any('intent'),
    members,
    addedMembers: fields.any('addedMembers', 'added_members'),
    retiredMembers: fields.any('retiredMembers', 'retired_members'),
    leader: fields.text('leader'),
    createdAt: fields.text('createdAt', 'created_at') ?? '',
    by: fields.text('by'),
  };
  return parseSnapshot({ ...draft, ...fields.rest() });
}

function snapshotOfUse(index: string, fields: ForeignFields): CastSnapshot | undefined {
  const universe = fields.text('universe');
  const createdAt = fields.text('used_at', 'usedAt') ?? '';
  const snapshotId = derivedId('use', index, universe, createdAt);
  return parseSnapshot({ snapshotId, universe, members: [], createdAt, ...fields.rest() });
}

/** Parses a snapshot; drops optional fields of unknown form rather than the whole cast. */
function parseSnapshot(value: Readonly<Record<string, unknown>>): CastSnapshot | undefined {
  const whole = snapshotSchema.safeParse(JSON.parse(JSON.stringify(value)));
  if (whole.success) return whole.data;
  const { mode: _mode, intent: _intent, addedMembers: _added, retiredMembers: _retired, ...plain } = value;
  const parsed = snapshotSchema.safeParse(JSON.parse(JSON.stringify(plain)));
  return parsed.success ? parsed.data : undefined;
}

/** Reads names from a list of strings, a list of entries with names, or an object keyed by role. */
function namesOf(value: Json | undefined): string[] {
  return entriesOf(value).flatMap(([key, entry]) => {
    if (typeof entry === 'string') return entry;
    if (!isJsonObject(entry)) return [];
    const fields = new ForeignFields(entry);
    return fields.text('name', 'persistent_name', 'persistentName') ?? (/^\d+$/.test(key) ? [] : key);
  });
}

/** Whether a cast already covers this use: the same universe at the same time, or a use without a time. */
function coversUse(cast: CastSnapshot, use: CastSnapshot): boolean {
  if (cast.universe.toLowerCase() !== use.universe.toLowerCase()) return false;
  return use.createdAt === '' || Date.parse(cast.createdAt) === Date.parse(use.createdAt);
}

/** A policy file, ours or another tool's. */
export interface AnyPolicy {
  readonly style: 'camel' | 'snake' | 'wildcard';
  /** Undefined when every shipped pool is allowed. */
  readonly policy: CastingPolicy | undefined;
  /** Remaining fields of the file, converted to ours; a migration writes them. */
  readonly otherFields: Readonly<Record<string, Json>>;
}

/** Errors: `policy_invalid`. */
export function policyFrom(text: string, file: string): AnyPolicy {
  const value = parseJsonObject(text);
  if (value === undefined) throw new TroupeError('policy_invalid', { what: `${file} is not a JSON object.` });
  const foreign = Object.keys(value).some((key) => /_|^universe_/.test(key));
  if ('allowlistUniverses' in value || !foreign) return { style: 'camel', policy: parsePolicy(text), otherFields: {} };
  const fields = new ForeignFields(value);
  const wildcard = 'universe_allowlist' in value;
  const listed = fields.any('allowlist_universes', 'universe_allowlist');
  const allowed = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : undefined;
  if (allowed?.length === 0) throw new TroupeError('policy_invalid', { what: `${file} allows no universe.` });
  const version = fields.any('casting_policy_version', 'version');
  const capacity = fields.any('universe_capacity', 'universeCapacity');
  const naming = fields.text('default_naming', 'defaultNaming');
  const otherFields: Record<string, Json> = {
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
  return { style: wildcard ? 'wildcard' : 'snake', policy, otherFields };
}

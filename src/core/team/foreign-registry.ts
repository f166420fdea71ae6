import { slugOf } from '#core/catalog/member-slug.js';
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '#kernel/json.js';
import type { BadLine } from './event-lines.js';
import { derivedId, ForeignFields, type KeyStyle } from './foreign-fields.js';
import { eventSchema, type RegistryEvent } from './registry.js';
import { charterPath } from './squad-paths.js';

/** A registry that stands in a JSON file, of ours or of another tool, as events of ours. */
export interface JsonRegistry {
  readonly style: KeyStyle;
  readonly events: readonly RegistryEvent[];
  readonly badLines: readonly BadLine[];
  /** For each slug the key its member had, where that is another word: some tools file members by their role. */
  readonly keys: ReadonlyMap<string, string>;
}

const GONE = /^(?:retired|inactive|alumni|archived|former|removed)$/i;

/**
 * The members of a registry file. Keys are slugs or roles, fields in either spelling; one without a status is active.
 * `roles` knows the role of a member by its lower-case name, from team.md. Undefined when the text is no such file.
 */
export function registryFromJson(
  text: string,
  file: string,
  roles: ReadonlyMap<string, string>,
): JsonRegistry | undefined {
  const agents = parseJsonObject(text)?.['agents'];
  if (!isJsonObject(agents)) return undefined;
  const events: RegistryEvent[] = [];
  const badLines: BadLine[] = [];
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
    // Our own word for a status begins with a capital; a file that says `active` was not written by us.
    if (fields?.style === 'snake' || !isOwnStatus(entry?.['status'])) style = 'snake';
    const slug = slugOf(event.name) ?? '';
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
  const slug = slugOf(name);
  if (slug === undefined) return undefined;
  const createdAt = fields.text('created_at', 'createdAt');
  const status = fields.any('status');
  const role = fields.text('role', 'role_title', 'roleTitle') ?? roles.get(name.toLowerCase());
  const archetypeId = fields.text('archetype_id', 'archetypeId') ?? (slug === key ? undefined : slugOf(key));
  const strange = typeof status === 'string' && !/^active$/i.test(status) && !GONE.test(status);
  const rest = fields.any('x');
  const optional = {
    eventId: derivedId('registry', key, name, createdAt ?? ''),
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
    status: typeof status === 'string' && GONE.test(status) ? 'Retired' : 'Active',
    createdAt,
    retiredAt: fields.text('retired_at', 'retiredAt'),
    charterPath: fields.text('charter_path', 'charterPath') ?? charterPath(slug),
    charterSha256: fields.text('charter_sha256', 'charterSha256'),
    previousName: fields.text('previous_name', 'previousName'),
    succeededBy: fields.text('succeeded_by', 'succeededBy'),
    builtIn: fields.any('built_in', 'builtIn') === true ? true : undefined,
  };
  const left = { ...(isJsonObject(rest) ? rest : {}), ...fields.rest().x, ...(strange ? { status } : {}) };
  const event = { ...optional, ...(Object.keys(left).length === 0 ? {} : { x: left }) };
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

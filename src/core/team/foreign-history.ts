import { isJsonObject, type Json, parseJsonObject } from '#kernel/json.js';
import type { BadLine } from './event-lines.js';
import { derivedId, ForeignFields, type KeyStyle } from './foreign-fields.js';
import { type CastSnapshot, snapshotSchema } from './team-history.js';

/** A cast history that stands in a JSON file, of ours or of another tool, as snapshots of ours. */
export interface JsonHistory {
  readonly style: KeyStyle;
  readonly snapshots: readonly CastSnapshot[];
  readonly badLines: readonly BadLine[];
}

/**
 * The casts of a history file. A use of a universe that belongs to no cast becomes a snapshot without members, so that the
 * order in which universes were used stays what it was. Undefined when the text is no such file.
 */
export function historyFromJson(text: string, file: string): JsonHistory | undefined {
  const value = parseJsonObject(text);
  if (value === undefined) return undefined;
  const casts = value['snapshots'] ?? value['assignment_cast_snapshots'] ?? value['assignmentCastSnapshots'] ?? [];
  const uses = value['universe_usage_history'] ?? value['universeUsageHistory'] ?? [];
  const badLines: BadLine[] = [];
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
    const use = soleUse(index, fields);
    if (!use) badLines.push({ file, line: 1 });
    else if (!snapshots.some((cast) => coversUse(cast, use))) alone.push(use);
  }
  return { style, snapshots: [...alone, ...snapshots], badLines };
}

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.map((entry, index) => [String(index), entry] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function snapshotOf(key: string, fields: ForeignFields): CastSnapshot | undefined {
  const members = namesOf(fields.any('members', 'agents', 'agent_map', 'agentMap'));
  const wanted = {
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
  return checked({ ...wanted, ...fields.rest() });
}

function soleUse(index: string, fields: ForeignFields): CastSnapshot | undefined {
  const universe = fields.text('universe');
  const createdAt = fields.text('used_at', 'usedAt') ?? '';
  const snapshotId = derivedId('use', index, universe ?? '', createdAt);
  return checked({ snapshotId, universe, members: [], createdAt, ...fields.rest() });
}

/** Optional fields of a form we do not know are left out rather than losing the cast. */
function checked(value: Readonly<Record<string, unknown>>): CastSnapshot | undefined {
  const whole = snapshotSchema.safeParse(JSON.parse(JSON.stringify(value)));
  if (whole.success) return whole.data;
  const { mode: _mode, intent: _intent, addedMembers: _added, retiredMembers: _retired, ...plain } = value;
  const parsed = snapshotSchema.safeParse(JSON.parse(JSON.stringify(plain)));
  return parsed.success ? parsed.data : undefined;
}

/** A list of names, of entries with names, or names by role. */
function namesOf(value: Json | undefined): string[] {
  return entriesOf(value ?? []).flatMap(([key, entry]) => {
    if (typeof entry === 'string') return entry;
    if (!isJsonObject(entry)) return [];
    const fields = new ForeignFields(entry);
    return fields.text('name', 'persistent_name', 'persistentName') ?? (/^\d+$/.test(key) ? [] : key);
  });
}

/** Whether a cast tells of this use already: the same universe at the same time, or a list of names without times. */
function coversUse(cast: CastSnapshot, use: CastSnapshot): boolean {
  if (cast.universe.toLowerCase() !== use.universe.toLowerCase()) return false;
  return use.createdAt === '' || Date.parse(cast.createdAt) === Date.parse(use.createdAt);
}

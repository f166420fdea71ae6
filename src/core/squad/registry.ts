import * as z from 'zod/mini';
import { folderSlug } from '#core/catalog/member-slug.js';
import { numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { uuidOf } from '#kernel/uuid.js';
import { readEventLines, type UnparsedLine } from './file-change.js';
import { REGISTRY_EVENTS } from './squad-paths.js';

const text = z.string().check(z.maxLength(1_000));

/** One line of `registry.events.jsonl`: the full record of a member after a change. Unknown fields are ignored. */
export const eventSchema = z.object({
  eventId: z.optional(text),
  rev: z.optional(z.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))),
  at: z.optional(text),
  by: z.optional(text),
  memberId: z.optional(text),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  persistentName: z.optional(text),
  universe: z.optional(text),
  archetypeId: z.optional(text),
  roleTitle: z.optional(text),
  agentId: z.optional(text),
  defaultModel: z.optional(text),
  status: z.enum(['Active', 'Retired']),
  createdAt: z.optional(text),
  retiredAt: z.optional(text),
  charterPath: z.optional(text),
  charterSha256: z.optional(text),
  previousName: z.optional(text),
  succeededBy: z.optional(text),
  builtIn: z.optional(z.boolean()),
  /**
   * Ids of this member's earlier events, whose name clashed with another member's; this event renames the member, and
   * they are ignored.
   */
  settles: z.optional(z.array(text).check(z.maxLength(1_000))),
  /** Additional fields of another tool, kept unchanged. */
  x: z.optional(z.record(z.string(), z.unknown())),
});
export type RegistryEvent = z.infer<typeof eventSchema>;

/** Current record of a name: the event in force, with defaults filled in. */
export interface RegistryRecord extends RegistryEvent {
  readonly slug: string;
  readonly rev: number;
  readonly memberId: string;
}

export interface Registry {
  /** In the order in which the names first appeared. */
  readonly records: readonly RegistryRecord[];
  readonly badLines: readonly UnparsedLine[];
  /** Names with two first events: two branches assigned the same name to different members. */
  readonly clashes: readonly string[];
}

/**
 * Rebuilds the registry from its events: for each name (ignoring case) the event with the highest `rev`, then `at`,
 * then `eventId`. A line without `rev` gets the revision of the previous line of the same name plus one: files of other
 * tools rebuild in file order, and a union merge gives the same result in any order.
 */
export function rebuildRegistry(events: string | undefined): Registry {
  const { events: lines, badLines } = readEventLines(events, REGISTRY_EVENTS, 'eventId', parseEvent);
  const latest = new Map<string, RegistryRecord>();
  const previousRev = new Map<string, number>();
  const firsts = new Set<string>();
  const clashes: string[] = [];
  const settled: ReadonlySet<string | undefined> = new Set(lines.flatMap((event) => event.settles ?? []));
  for (const event of lines) {
    if (settled.has(event.eventId)) continue;
    const key = event.name.toLowerCase();
    const rev = event.rev ?? numberOf(previousRev, key) + 1;
    previousRev.set(key, rev);
    if (event.rev === 1 && event.eventId !== undefined) {
      if (firsts.has(key)) clashes.push(event.name);
      firsts.add(key);
    }
    const record = complete(event, rev);
    const existing = latest.get(key);
    if (record && (existing === undefined || isLater(record, existing))) latest.set(key, record);
  }
  return { records: [...latest.values()], badLines, clashes };
}

/** Returns the active members that are not built in: the team in the narrow sense. */
export function castMembers(registry: Pick<Registry, 'records'>): RegistryRecord[] {
  return registry.records.filter((record) => record.status === 'Active' && record.builtIn !== true);
}

/** Returns every name ever assigned, including former names. */
export function everyName(registry: Pick<Registry, 'records'>): string[] {
  return registry.records.flatMap((record) => [
    record.name,
    record.slug,
    ...(record.previousName === undefined ? [] : [record.previousName]),
  ]);
}

/** Returns the id of a member: a UUID derived from the slug it was first cast under. */
export function memberIdOf(slug: string): string {
  return uuidOf(slug);
}

/** Parses a line as an event; undefined if it is not one. */
export function parseEvent(value: unknown): RegistryEvent | undefined {
  const parsed = eventSchema.safeParse(value);
  return parsed.success && folderSlug(parsed.data.name) !== undefined ? parsed.data : undefined;
}

function complete(event: RegistryEvent, rev: number): RegistryRecord | undefined {
  const slug = folderSlug(event.name);
  return slug === undefined ? undefined : { ...event, slug, rev, memberId: event.memberId ?? memberIdOf(slug) };
}

function isLater(left: RegistryRecord, right: RegistryRecord): boolean {
  if (left.rev !== right.rev) return left.rev > right.rev;
  return left.at === right.at ? isAfter(left.eventId, right.eventId) : isAfter(left.at, right.at);
}

function isAfter(left = '', right = ''): boolean {
  return left > right;
}

/** Renders `registry.json` from the events, sorted by slug. */
export function renderRegistry(records: readonly RegistryRecord[]): string {
  const sorted = [...records].sort((left, right) => compareText(left.slug, right.slug));
  const agents = sorted.map(({ slug, eventId: _event, at: _at, by: _by, ...record }) => [slug, record]);
  return `${JSON.stringify({ agents: Object.fromEntries(agents) }, null, 2)}\n`;
}

/** Maps each former slug of a member to its current one, so memories follow a rename. */
export function currentSlugs(records: readonly RegistryRecord[]): ReadonlyMap<string, string> {
  const next = new Map<string, string>();
  for (const { slug, succeededBy } of records) {
    const successor = succeededBy === undefined ? undefined : folderSlug(succeededBy);
    if (successor !== undefined && successor !== slug) next.set(slug, successor);
  }
  const last = (slug: string): string => {
    const visited = new Set([slug]);
    let current = slug;
    for (let after = next.get(current); after !== undefined && !visited.has(after); after = next.get(current)) {
      visited.add(after);
      current = after;
    }
    return current;
  };
  return new Map([...next.keys()].map((slug) => [slug, last(slug)]));
}

/** Returns all slugs under which data of a member may be stored, the current one first. */
export function slugsOf(before: ReadonlyMap<string, string>, slug: string): readonly string[] {
  const present = before.get(slug) ?? slug;
  return [present, ...[...before].flatMap(([old, now]) => (now === present && old !== present ? [old] : []))];
}

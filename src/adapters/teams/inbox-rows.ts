import { perform, performCount, type RowOf, type Statements } from '#adapters/teams-database/statement.js';
import { known } from '#adapters/teams-database/words.js';
import { ENTRY_STATUSES, ENTRY_TYPES, type EntryStatus, type InboxEntry, type NewEntry } from '#core/squad/memory.js';
import {
  type Filed,
  filedAs,
  noEntry,
  refuseFull,
  refuseSettled,
  type Settlement,
  storedSlugs,
} from '#core/squad/memory-entries.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { LedgerMark } from '#ports/team-inbox.js';
import {
  ADD_ENTRY,
  ADD_MARK,
  ADD_WAITING_LINE,
  CHANGE_ENTRY,
  ENTRIES,
  ENTRIES_OF_STATUS,
  ENTRY,
  ENTRY_BY_SLUG,
  MARK,
  PENDING_COUNT,
  RELEASE_LINE,
  SETTLE_ENTRY,
  STORED_SLUG,
  WAITING_LINES,
} from './inbox-statements.js';

export function* file(entry: NewEntry): Statements<{ readonly entry: InboxEntry; readonly filed: Filed }> {
  const [existing] = (yield* perform(ENTRY_BY_SLUG, { agent: entry.agent, slug: entry.slug })).map(entryOf);
  const filed = filedAs(existing, entry);
  if (existing === undefined) return { entry: yield* addEntry(entry), filed };
  if (filed !== 'changed') return { entry: existing, filed };
  const { type, title, content, rationale } = entry;
  yield* perform(CHANGE_ENTRY, { number: existing.number, type, title, content, rationale });
  return { entry: { ...existing, type, title, content, rationale }, filed };
}

function* addEntry(entry: NewEntry): Statements<InboxEntry> {
  refuseFull(yield* performCount(PENDING_COUNT, {}), TEAM_LIMITS.entriesPending, 'pending entry');
  const stored_slug = yield* freeSlug(entry);
  const [added] = yield* perform(ADD_ENTRY, { ...entry, stored_slug });
  if (added === undefined) throw new Error('An entry was added without a number.');
  return { ...entry, number: added.number, stored_slug, status: 'pending' };
}

function* freeSlug(entry: NewEntry): Statements<string> {
  const slugs = storedSlugs(entry);
  for (;;) {
    const { value: slug } = slugs.next();
    if ((yield* perform(STORED_SLUG, { slug })).length === 0) return slug;
  }
}

/** Errors: `not_found`. */
export function* entryAt(number: number): Statements<InboxEntry> {
  const [entry] = (yield* perform(ENTRY, { number })).map(entryOf);
  if (entry === undefined) throw noEntry(number);
  return entry;
}

/** Latest entries, oldest first. */
export function* latestEntries(status: EntryStatus | undefined, limit: number): Statements<readonly InboxEntry[]> {
  const rows = status === undefined ? perform(ENTRIES, { limit }) : perform(ENTRIES_OF_STATUS, { status, limit });
  return (yield* rows).toReversed().map(entryOf);
}

export function* settleEntry(number: number, settlement: Settlement): Statements<InboxEntry> {
  const entry = yield* entryAt(number);
  refuseSettled(entry);
  const { status, by, at } = settlement;
  const reason = settlement.status === 'rejected' ? settlement.reason : undefined;
  yield* perform(SETTLE_ENTRY, { number, status, by, at, reason: reason ?? null });
  return { ...entry, status, settled_by: by, settled_at: at, ...(reason === undefined ? {} : { reason }) };
}

export function* storedMarks(marks: readonly LedgerMark[]): Statements<readonly LedgerMark[]> {
  const stored: LedgerMark[] = [];
  for (const { place, sha256 } of marks)
    if ((yield* perform(MARK, { place, sha256 })).length > 0) stored.push({ place, sha256 });
  return stored;
}

export function* writeMarks(marks: readonly LedgerMark[]): Statements<void> {
  for (const { place, sha256 } of marks) yield* perform(ADD_MARK, { place, sha256 });
}

export function* waitingLines(): Statements<readonly string[]> {
  return (yield* perform(WAITING_LINES, {})).map(({ line }) => line);
}

export function* writeWaitingLines(lines: readonly string[]): Statements<void> {
  for (const line of lines) yield* perform(ADD_WAITING_LINE, { line });
}

export function* releaseLines(lines: readonly string[]): Statements<void> {
  for (const line of lines) yield* perform(RELEASE_LINE, { line });
}

/** Parses a row. Errors: `data_corrupt` for unknown enumerated values. */
function entryOf(row: RowOf<typeof ENTRY>): InboxEntry {
  const { settled_by, settled_at, reason, ...entry } = row;
  return {
    ...entry,
    type: known(ENTRY_TYPES, row.type, 'inbox_entries', row.number, 'type'),
    status: known(ENTRY_STATUSES, row.status, 'inbox_entries', row.number, 'status'),
    ...(settled_by === null ? {} : { settled_by }),
    ...(settled_at === null ? {} : { settled_at }),
    ...(reason === null ? {} : { reason }),
  };
}

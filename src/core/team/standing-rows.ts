import { timestamp } from '#kernel/clock.js';
import type { Decision, Memory, WorkSession } from './memory.js';
import { contentHash, derivedRecordId, type RecordOf, type SharedRecord } from './shared-record.js';

/** A row of the data base, and what is known of it as a record that others have too. */
export interface Standing<Row> {
  readonly row: Row;
  /** Undefined until it was first looked at. */
  readonly id: string | undefined;
  readonly rev: number;
  /** What the record said when it was last looked at. */
  readonly sha256: string | undefined;
  /** Whether this state of it was seen in the shared file. */
  readonly shared: boolean;
}

/** Everything a team remembers, the inbox apart: that is one clone's own until a person settles it. */
export interface StandingRows {
  readonly memories: readonly Standing<Memory>[];
  readonly decisions: readonly Standing<Decision>[];
  readonly sessions: readonly Standing<WorkSession>[];
}

/** A row as a record, changed since it was last looked at or not. */
export interface OwnRecord {
  readonly record: SharedRecord;
  readonly source: string | undefined;
  readonly changed: boolean;
  readonly shared: boolean;
}

/** What follows from a charter is not shared: the charter is. */
export const isLocal = (source: string | undefined): boolean => source?.startsWith('charter:') === true;

/** Sources that mean the same in every clone. */
export const isCommon = (source: string | undefined): boolean => source?.startsWith('cast:') === true;

export const dayOf = (at: number): string => timestamp(at).slice(0, 10);

/** The rows as records, by id. */
export function ownRecords({ memories, decisions, sessions }: StandingRows): Map<string, OwnRecord> {
  const found = new Map<string, OwnRecord>();
  const all = [...memories, ...decisions, ...sessions];
  const taken = new Set(all.flatMap(({ id }) => id ?? []));
  const identify = <Row extends Decision | Memory | WorkSession>(
    rows: readonly Standing<Row>[],
    parts: (row: Row) => (string | number)[],
  ) =>
    rows.map((standing) => {
      const id = standing.id ?? derivedRecordId(parts(standing.row), (made) => taken.has(made));
      taken.add(id);
      return { ...standing, id };
    });
  const decided = identify(decisions, (row) => decisionParts(row));
  const ids = new Map(decided.map(({ row, id }) => [row.number, id]));
  for (const standing of decided) put(standing, decisionRecord(standing.row, standing, ids));
  for (const standing of identify(memories, (row) => memoryParts(row)))
    put(standing, memoryRecord(standing.row, standing));
  for (const standing of identify(sessions, (row) => sessionParts(row)))
    put(standing, sessionRecord(standing.row, standing));
  return found;

  function put({ row, sha256, shared }: Standing<{ readonly source?: string }>, record: SharedRecord): void {
    const changed = sha256 !== contentHash(record);
    const rev = changed ? record.rev + 1 : record.rev;
    found.set(record.id, { record: { ...record, rev }, source: row.source, changed, shared: shared && !changed });
  }
}

/** What makes up the id of a record that has none: as much as its file tells of it too. */
export function decisionParts({
  number,
  title,
  content,
  rationale,
  created_at,
}: Pick<Decision, 'number' | 'title' | 'content' | 'rationale' | 'created_at'>): (string | number)[] {
  return ['decision', number, title, content, rationale, dayOf(created_at)];
}
export function memoryParts({
  agent,
  type,
  content,
  created_at,
}: Pick<Memory, 'agent' | 'type' | 'content' | 'created_at'>): (string | number)[] {
  return ['memory', agent, type, content, dayOf(created_at)];
}
export function sessionParts({
  number,
  focus,
  started_at,
}: Pick<WorkSession, 'number' | 'focus' | 'started_at'>): (string | number)[] {
  return ['session', number, focus, dayOf(started_at)];
}

interface Known {
  readonly id: string;
  readonly rev: number;
}

function decisionRecord(row: Decision, { id, rev }: Known, ids: ReadonlyMap<number, string>): RecordOf<'decision'> {
  const next = row.superseded_by === undefined ? undefined : ids.get(row.superseded_by);
  const { number, type, title, content, rationale, agent, status, created_by, created_at } = row;
  return {
    ...{ kind: 'decision', id, rev, number, type, title, content, rationale, status },
    ...common(row.source, created_by, created_at),
    ...(agent === undefined ? {} : { agent }),
    ...(next === undefined ? {} : { supersededBy: next }),
  };
}

function memoryRecord(row: Memory, { id, rev }: Known): RecordOf<'memory'> {
  const { number, agent, type, importance, content, created_by, created_at } = row;
  return {
    ...{ kind: 'memory', id, rev, number, agent, type, importance, content },
    ...common(row.source, created_by, created_at),
  };
}

function sessionRecord(row: WorkSession, { id, rev }: Known): RecordOf<'session'> {
  const { number, focus, context, started_by, started_at, ended_at } = row;
  return {
    ...{ kind: 'session', id, rev, number, focus, context },
    ...common(row.source, started_by, started_at),
    ...(ended_at === undefined ? {} : { endedAt: timestamp(ended_at) }),
  };
}

function common(source: string | undefined, createdBy: string, at: number) {
  const shared = isCommon(source) && source !== undefined ? { source } : {};
  return { createdBy, createdAt: timestamp(at), ...shared };
}

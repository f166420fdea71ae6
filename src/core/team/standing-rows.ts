import { timestamp } from '#kernel/clock.js';
import { compareText } from '#kernel/order.js';
import type { Decision, Memory, WorkSession } from './memory.js';
import { contentHash, derivedRecordId, eventIdOf, type RecordOf, type SharedRecord } from './shared-record.js';

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
const isCommon = (source: string | undefined): boolean => source?.startsWith('cast:') === true;

const dayOf = (at: number): string => timestamp(at).slice(0, 10);

/** The rows as records, by id. */
export function ownRecords({ memories, decisions, sessions }: StandingRows): Map<string, OwnRecord> {
  const records = new Map<string, OwnRecord>();
  const all = [...memories, ...decisions, ...sessions];
  const usedIds = new Set(all.flatMap(({ id }) => id ?? []));
  const identify = <Row extends Decision | Memory | WorkSession>(
    rows: readonly Standing<Row>[],
    parts: (row: Row) => (string | number)[],
  ) =>
    rows.map((standing) => {
      const id = standing.id ?? derivedRecordId(parts(standing.row), (candidate) => usedIds.has(candidate));
      usedIds.add(id);
      return { ...standing, id };
    });
  const decided = identify(decisions, (row) => decisionParts(row));
  const ids = new Map(decided.map(({ row, id }) => [row.number, id]));
  for (const standing of decided) add(standing, decisionRecord(standing.row, standing, ids));
  for (const standing of identify(memories, (row) => memoryParts(row)))
    add(standing, memoryRecord(standing.row, standing));
  for (const standing of identify(sessions, (row) => sessionParts(row)))
    add(standing, sessionRecord(standing.row, standing));
  return records;

  function add({ row, sha256, shared }: Standing<{ readonly source?: string }>, record: SharedRecord): void {
    const changed = sha256 !== contentHash(record);
    const rev = changed ? record.rev + 1 : record.rev;
    records.set(record.id, { record: { ...record, rev }, source: row.source, changed, shared: shared && !changed });
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

interface RecordIdentity {
  readonly id: string;
  readonly rev: number;
}

function decisionRecord(
  row: Decision,
  { id, rev }: RecordIdentity,
  ids: ReadonlyMap<number, string>,
): RecordOf<'decision'> {
  const next = row.superseded_by === undefined ? undefined : ids.get(row.superseded_by);
  const { number, type, title, content, rationale, agent, status, created_by, created_at } = row;
  return {
    ...{ kind: 'decision', id, rev, number, type, title, content, rationale, status },
    ...common(row.source, created_by, created_at),
    ...(agent === undefined ? {} : { agent }),
    ...(next === undefined ? {} : { supersededBy: next }),
  };
}

function memoryRecord(row: Memory, { id, rev }: RecordIdentity): RecordOf<'memory'> {
  const { number, agent, type, importance, content, created_by, created_at } = row;
  return {
    ...{ kind: 'memory', id, rev, number, agent, type, importance, content },
    ...common(row.source, created_by, created_at),
  };
}

function sessionRecord(row: WorkSession, { id, rev }: RecordIdentity): RecordOf<'session'> {
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

/** A record that counts, and what the row of it here was made from. */
export interface State {
  readonly record: SharedRecord;
  readonly source: string | undefined;
}

type Kind = SharedRecord['kind'];

/** Records as rows of a data base, each with a number of its own. */
export function rowsOf(states: readonly State[], eventIds: ReadonlySet<string>): StandingRows {
  const decisions = numberStates(states, 'decision');
  const numbers = new Map(decisions.map(({ record, number }) => [record.id, number]));
  const sources = new Set<string>();
  return {
    decisions: decisions.map((one) => standing(one, decisionRow(one, numbers))),
    memories: numberStates(states, 'memory').map((one) => standing(one, memoryRow(one))),
    sessions: numberStates(states, 'session').map((one) => standing(one, sessionRow(one))),
  };

  function standing<Row extends object>({ record, source }: State, row: Row): Standing<Row & { source?: string }> {
    // Two rows may not have one source; of those that a merge brought together the first keeps it.
    const from = record.source ?? source;
    const own = from === undefined || sources.has(`${record.kind} ${from}`) ? {} : { source: from };
    if (from !== undefined) sources.add(`${record.kind} ${from}`);
    return {
      row: { ...row, ...own },
      id: record.id,
      rev: record.rev,
      sha256: contentHash(record),
      shared: eventIds.has(eventIdOf(record)),
    };
  }
}

interface NumberedState<K extends Kind> {
  readonly record: RecordOf<K>;
  readonly source: string | undefined;
  readonly number: number;
}

/** By number. Who came first keeps a number that two have; the others get new ones, in the same order in every clone. */
function numberStates<K extends Kind>(states: readonly State[], kind: K): NumberedState<K>[] {
  const all = states.flatMap(({ record, source }) =>
    record.kind === kind ? [{ record: record as RecordOf<K>, source }] : [],
  );
  all.sort(
    (left, right) => Number(isLocal(left.source)) - Number(isLocal(right.source)) || inOrder(left.record, right.record),
  );
  let last = Math.max(0, ...all.map(({ record }) => record.number));
  const numbers = new Set<number>();
  const rows = all.map(({ record, source }) => {
    const number = numbers.has(record.number) ? ++last : record.number;
    numbers.add(number);
    return { record, source, number };
  });
  return rows.sort((left, right) => left.number - right.number);
}

/** Who came first; of two at one time every clone takes the same one. */
export function inOrder(left: SharedRecord, right: SharedRecord): number {
  if (left.createdAt !== right.createdAt) return Date.parse(left.createdAt) - Date.parse(right.createdAt);
  return compareText(left.id, right.id);
}

function decisionRow({ record, number }: NumberedState<'decision'>, numbers: ReadonlyMap<string, number>): Decision {
  const { type, title, content, rationale, agent, status, supersededBy, createdBy, createdAt } = record;
  const next = supersededBy === undefined ? undefined : numbers.get(supersededBy);
  return {
    ...{ number, type, title, content, rationale },
    ...(agent === undefined ? {} : { agent }),
    status,
    ...(next === undefined ? {} : { superseded_by: next }),
    ...{ created_by: createdBy, created_at: Date.parse(createdAt) },
  };
}

function memoryRow({ record, number }: NumberedState<'memory'>): Memory {
  const { agent, type, importance, content, createdBy, createdAt } = record;
  return { number, agent, type, importance, content, created_by: createdBy, created_at: Date.parse(createdAt) };
}

function sessionRow({ record, number }: NumberedState<'session'>): WorkSession {
  const { focus, context, createdBy, createdAt, endedAt } = record;
  return {
    ...{ number, focus, context, started_by: createdBy, started_at: Date.parse(createdAt) },
    ...(endedAt === undefined ? {} : { ended_at: Date.parse(endedAt) }),
  };
}

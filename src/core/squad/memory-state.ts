import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { compareText } from '#kernel/order.js';
import type { Decision, Memory, WorkSession } from './memory.js';
import type { FileReadings, Reading } from './memory-readings.js';
import {
  contentHash,
  decisionParts,
  derivedRecordId,
  isLater,
  memoryParts,
  type RecordOf,
  readRecords,
  recordLine,
  recordSchema,
  type SharedRecord,
  sessionParts,
} from './shared-record.js';

/** Contents of the files that hold or show the memory of a team. */
export interface LedgerPicture {
  /** The records of `memory.events.jsonl`, by id. */
  readonly kept: ReadonlyMap<string, SharedRecord>;
  /** Lines still to be appended to it, because it could not be written when they were created. */
  readonly waiting: readonly string[];
  /** Records parsed from the files that people read and edit. */
  readonly files: readonly Pick<FileReadings, 'readings' | 'merged'>[];
}

/** A row as shown to people, with the id of its record. */
export interface Numbered<Row> {
  readonly id: string;
  readonly row: Row;
}

/** Rows ordered by number; each kind is numbered separately. */
export interface MemoryRows {
  readonly memories: readonly Numbered<Memory>[];
  readonly decisions: readonly Numbered<Decision>[];
  readonly sessions: readonly Numbered<WorkSession>[];
}

/** Returns the row with this id. Throws if it is missing. */
export function rowAt<Row>(rows: readonly Numbered<Row>[], id: string): Row {
  const found = rows.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no record ${id}`);
  return found.row;
}

/** The whole memory of a team, without the inbox: that belongs to one clone until a person settles its entries. */
export interface MemoryState extends MemoryRows {
  /** Keyed by id. */
  readonly records: ReadonlyMap<string, SharedRecord>;
  /** Lines missing from `memory.events.jsonl`. */
  readonly lines: readonly string[];
  /** Records read from `memory.events.jsonl`. */
  readonly written: ReadonlySet<SharedRecord>;
}

/**
 * Builds the memory from its files. `memory.events.jsonl` is the source; a manual edit in a file for people changes the
 * record, and a new part there adds one. The same files produce the same memory in every clone.
 */
export function readMemory(picture: LedgerPicture, now: number): MemoryState {
  const { kept } = picture;
  const records = new Map(kept);
  for (const record of readRecords(picture.waiting.join('\n')).values()) {
    const existing = records.get(record.id);
    if (existing === undefined || isLater(record, existing)) records.set(record.id, record);
  }
  for (const { readings, merged } of picture.files) takeIn(readings, merged, records, now);
  endSessions(records);
  return stateOf(records, new Set(kept.values()));
}

/**
 * Returns the memory with changed or new records. Errors: `bad_input` if a record does not fit its schema and could not
 * be read again.
 */
export function withRecords({ records, written }: MemoryState, changed: readonly SharedRecord[]): MemoryState {
  for (const record of changed) {
    if (recordSchema.safeParse(record).success) continue;
    throw new TroupeError('bad_input', { what: 'The text is longer than can be remembered.' });
  }
  return stateOf(new Map([...records, ...changed.map((record) => [record.id, record] as const)]), written);
}

function stateOf(records: ReadonlyMap<string, SharedRecord>, written: ReadonlySet<SharedRecord>): MemoryState {
  const all = [...records.values()];
  const lines = all.filter((record) => !written.has(record)).map((record) => recordLine(record));
  return { records, written, lines, ...rowsOf(all) };
}

/** If branches opened several sessions, keeps only the latest open; each earlier one ends when the next began. */
function endSessions(records: Map<string, SharedRecord>): void {
  const open = [...records.values()].filter(
    (record): record is RecordOf<'session'> => record.kind === 'session' && record.endedAt === undefined,
  );
  open.sort((left, right) => inOrder(left, right));
  for (const [index, record] of open.entries()) {
    const next = open[index + 1];
    if (next === undefined) return;
    records.set(record.id, { ...record, rev: record.rev + 1, endedAt: next.createdAt });
  }
}

function takeIn(readings: readonly Reading[], merged: boolean, records: Map<string, SharedRecord>, now: number): void {
  const ids = new Set(readings.flatMap(({ mark }) => mark?.id ?? []));
  for (const reading of readings) {
    const { mark } = reading;
    if (mark !== undefined) {
      const record = records.get(mark.id);
      if (record === undefined) add(records, reading, mark.id, now);
      else if (!mark.intact && !merged) edit(records, record, reading);
      continue;
    }
    const id = derivedRecordId(partsOf(reading), (candidate) => ids.has(candidate));
    ids.add(id);
    const record = records.get(id) ?? namesake(records, reading, ids);
    if (record === undefined) add(records, reading, id, now);
    else {
      ids.add(record.id);
      edit(records, record, reading);
    }
  }
}

/**
 * Finds the record of an unmarked section that a person edited after its import: the active decision with the same
 * title.
 */
function namesake(
  records: ReadonlyMap<string, SharedRecord>,
  reading: Reading,
  ids: ReadonlySet<string>,
): SharedRecord | undefined {
  if (reading.kind !== 'decision') return undefined;
  return [...records.values()].find(
    (record) =>
      record.kind === 'decision' && record.status === 'active' && record.title === reading.title && !ids.has(record.id),
  );
}

function add(records: Map<string, SharedRecord>, reading: Reading, id: string, now: number): void {
  // A file may still show a session that was ended elsewhere. It does not replace the session that is open here.
  const isOpen = (record: SharedRecord) => record.kind === 'session' && record.endedAt === undefined;
  if (reading.kind === 'session' && [...records.values()].some(isOpen)) return;
  records.set(id, recordOf(reading, id, records, now));
}

function edit(records: Map<string, SharedRecord>, record: SharedRecord, reading: Reading): void {
  const changed = editRecord(record, reading);
  if (contentHash(changed) === contentHash(record)) return;
  records.set(record.id, { ...changed, rev: record.rev + 1 });
}

function editRecord(record: SharedRecord, reading: Reading): SharedRecord {
  if (record.kind === 'decision' && reading.kind === 'decision') {
    const { title, content, rationale, type = record.type } = reading;
    return { ...record, title, content, rationale, type };
  }
  if (record.kind === 'memory' && reading.kind === 'memory')
    return { ...record, content: reading.content, importance: reading.importance ?? record.importance };
  if (record.kind === 'session' && reading.kind === 'session')
    return { ...record, focus: reading.focus, context: reading.context };
  return record;
}

/**
 * First state of a record found in a file. Its revision is 0, so that a record of the log, which has more fields, takes
 * precedence.
 */
function recordOf(reading: Reading, id: string, records: ReadonlyMap<string, SharedRecord>, now: number): SharedRecord {
  const free = () =>
    1 + Math.max(0, ...[...records.values()].map(({ kind, number }) => (kind === reading.kind ? number : 0)));
  const number = reading.kind === 'memory' ? free() : (reading.number ?? free());
  const base = { id, rev: 0, number, createdBy: 'file', createdAt: timestamp(reading.at ?? now) };
  if (reading.kind === 'decision') {
    const { type = 'process', title, content, rationale, agent } = reading;
    const by = agent === undefined ? {} : { agent };
    return { kind: 'decision', ...base, type, title, content, rationale, status: 'active', ...by };
  }
  if (reading.kind === 'session') {
    const { focus, context, by } = reading;
    return { kind: 'session', ...base, ...(by === undefined ? {} : { createdBy: by.slice(0, 100) }), focus, context };
  }
  const { agent, type, importance = 'medium', content } = reading;
  return { kind: 'memory', ...base, agent, type, importance, content };
}

/** Parts of the id of an unmarked record: equal to those of the record that the file was written from. */
function partsOf(reading: Reading): (string | number)[] {
  const at = reading.at ?? 0;
  if (reading.kind === 'decision') return decisionParts({ ...reading, number: reading.number ?? 0, created_at: at });
  if (reading.kind === 'session') return sessionParts({ ...reading, number: reading.number ?? 0, started_at: at });
  return memoryParts({ ...reading, created_at: at });
}

function rowsOf(records: readonly SharedRecord[]): MemoryRows {
  const decisions = numbered(records, 'decision');
  const numbers = new Map(decisions.map(({ record, number }) => [record.id, number]));
  const sources = new Set<string>();
  return {
    decisions: decisions.map((one) => rowWith(one.record, decisionRow(one, numbers))),
    memories: numbered(records, 'memory').map((one) => rowWith(one.record, memoryRow(one))),
    sessions: numbered(records, 'session').map((one) => rowWith(one.record, sessionRow(one))),
  };

  /** If a merge brought together several rows with one source, only the first keeps it. */
  function rowWith<Row extends object>({ kind, id, source }: SharedRecord, row: Row): Numbered<Row> {
    if (source === undefined || sources.has(`${kind} ${source}`)) return { id, row };
    sources.add(`${kind} ${source}`);
    return { id, row: { ...row, source } };
  }
}

interface NumberedRecord<Kind extends SharedRecord['kind']> {
  readonly record: RecordOf<Kind>;
  readonly number: number;
}

/**
 * Assigns unique numbers and sorts by them. Of two records with the same number, the older keeps it; the others are
 * renumbered in the same order in every clone.
 */
function numbered<Kind extends SharedRecord['kind']>(
  records: readonly SharedRecord[],
  kind: Kind,
): NumberedRecord<Kind>[] {
  const all = records.filter((record): record is RecordOf<Kind> => record.kind === kind);
  all.sort((left, right) => inOrder(left, right));
  let last = Math.max(0, ...all.map(({ number }) => number));
  const numbers = new Set<number>();
  const rows = all.map((record) => {
    const number = numbers.has(record.number) ? ++last : record.number;
    numbers.add(number);
    return { record, number };
  });
  return rows.sort((left, right) => left.number - right.number);
}

/** Orders by creation time; ties are broken in the same way in every clone. */
function inOrder(left: SharedRecord, right: SharedRecord): number {
  if (left.createdAt !== right.createdAt) return Date.parse(left.createdAt) - Date.parse(right.createdAt);
  return compareText(left.id, right.id);
}

function decisionRow({ record, number }: NumberedRecord<'decision'>, numbers: ReadonlyMap<string, number>): Decision {
  const { type, title, content, rationale, agent, status, supersededBy, createdBy, createdAt } = record;
  const next = supersededBy === undefined ? undefined : numbers.get(supersededBy);
  return {
    number,
    type,
    title,
    content,
    rationale,
    ...(agent === undefined ? {} : { agent }),
    status,
    ...(next === undefined ? {} : { superseded_by: next }),
    created_by: createdBy,
    created_at: Date.parse(createdAt),
  };
}

function memoryRow({ record, number }: NumberedRecord<'memory'>): Memory {
  const { agent, type, importance, content, createdBy, createdAt } = record;
  return { number, agent, type, importance, content, created_by: createdBy, created_at: Date.parse(createdAt) };
}

function sessionRow({ record, number }: NumberedRecord<'session'>): WorkSession {
  const { focus, context, createdBy, createdAt, endedAt } = record;
  return {
    number,
    focus,
    context,
    started_by: createdBy,
    started_at: Date.parse(createdAt),
    ...(endedAt === undefined ? {} : { ended_at: Date.parse(endedAt) }),
  };
}

import { timestamp } from '#kernel/clock.js';
import { sameJson } from '#kernel/json.js';
import type { FileReadings, Reading } from './memory-readings.js';
import {
  contentHash,
  derivedRecordId,
  eventIdOf,
  isLater,
  readRecords,
  recordLine,
  type SharedRecord,
} from './shared-record.js';
import {
  decisionParts,
  inOrder,
  isLocal,
  memoryParts,
  ownRecords,
  rowsOf,
  type StandingRows,
  type State,
  sessionParts,
} from './standing-rows.js';

/** What the files of a team tell of its memory, as they lie there. */
export interface LedgerPicture {
  /** The text of `memory.events.jsonl`; undefined where there is none. */
  readonly events: string | undefined;
  /** What the files for people tell. */
  readonly files: readonly Pick<FileReadings, 'readings' | 'merged'>[];
}

export interface Exchange {
  /** The rows as they are from now on. */
  readonly rows: StandingRows;
  /** Whether they are others than before. */
  readonly changed: boolean;
  /** What the shared file lacks. */
  readonly lines: readonly string[];
}

/**
 * Brings together what a data base holds and what the files tell. The shared file counts: what it holds is taken over, what it
 * lacks and was never seen in it is to be added. Of two states of a record the one changed more often counts. What a hand changed in
 * the files for people is a change of the record; what it wrote anew is a new one. The same files give every clone the same rows.
 */
export function planExchange(standing: StandingRows, picture: LedgerPicture, now: number): Exchange {
  const { records, eventIds } = readRecords(picture.events);
  const own = ownRecords(standing);
  const states = new Map<string, State>(
    [...records].map(([id, record]) => [id, { record, source: own.get(id)?.source }]),
  );
  for (const [id, { record, source, shared, changed }] of own) {
    const existing = states.get(id)?.record;
    // It was in the shared file and is not any more: somebody went to another branch, or took it out.
    if (existing === undefined && shared && picture.events !== undefined) continue;
    const counts = existing === undefined || (isLater(record, existing) && (changed || record.rev > existing.rev));
    if (counts) states.set(id, { record, source });
  }
  for (const { readings, merged } of picture.files) takeIn(readings, merged, states, now);
  endSessions(states);
  const rows = rowsOf([...states.values()], eventIds);
  const lines = [...states.values()]
    .filter(({ record, source }) => !isLocal(source) && !eventIds.has(eventIdOf(record)))
    .map(({ record }) => recordLine(record));
  return { rows, lines, changed: !sameJson(rows, standing) };
}

/** Of several sessions that branches opened the latest goes on; each of the others ended when the next one began. */
function endSessions(states: Map<string, State>): void {
  const open = [...states.values()].flatMap(({ record, source }) =>
    record.kind === 'session' && record.endedAt === undefined ? [{ record, source }] : [],
  );
  open.sort((left, right) => inOrder(left.record, right.record));
  for (const [index, { record, source }] of open.entries()) {
    const next = open[index + 1];
    if (next === undefined) return;
    const ended = { ...record, rev: record.rev + 1, endedAt: next.record.createdAt };
    states.set(record.id, { record: ended, source });
  }
}

function takeIn(readings: readonly Reading[], merged: boolean, states: Map<string, State>, now: number): void {
  const ids = new Set(readings.flatMap(({ mark }) => mark?.id ?? []));
  for (const reading of readings) {
    const { mark } = reading;
    if (mark !== undefined) {
      const state = states.get(mark.id);
      if (state === undefined) add(states, reading, mark.id, now);
      else if (!mark.intact && !merged) edit(states, state, reading);
      continue;
    }
    const id = derivedRecordId(partsOf(reading), (candidate) => ids.has(candidate));
    ids.add(id);
    const state = states.get(id) ?? namesake(states, reading, ids);
    if (state === undefined) add(states, reading, id, now);
    else {
      ids.add(state.record.id);
      edit(states, state, reading);
    }
  }
}

/** A part without a mark that somebody goes on writing at is the one that was taken in before. */
function namesake(states: ReadonlyMap<string, State>, reading: Reading, ids: ReadonlySet<string>): State | undefined {
  if (reading.kind !== 'decision') return undefined;
  return [...states.values()].find(
    ({ record }) =>
      record.kind === 'decision' && record.status === 'active' && record.title === reading.title && !ids.has(record.id),
  );
}

const openSession = (states: ReadonlyMap<string, State>) =>
  [...states.values()].find(({ record }) => record.kind === 'session' && record.endedAt === undefined);

function add(states: Map<string, State>, reading: Reading, id: string, now: number): void {
  // A session that ended elsewhere may still stand in a file; one that is open here is not replaced by it.
  if (reading.kind === 'session' && openSession(states) !== undefined) return;
  states.set(id, { record: recordOf(reading, id, states, now), source: undefined });
}

function edit(states: Map<string, State>, { record, source }: State, reading: Reading): void {
  const changed = editRecord(record, reading);
  if (contentHash(changed) === contentHash(record)) return;
  states.set(record.id, { record: { ...changed, rev: record.rev + 1 }, source });
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

/** A record of what a file tells, as its first state: whoever has the record itself knows more. */
function recordOf(reading: Reading, id: string, states: ReadonlyMap<string, State>, now: number): SharedRecord {
  const number =
    reading.kind === 'memory' ? freeNumber(reading, states) : (reading.number ?? freeNumber(reading, states));
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

function freeNumber({ kind }: Reading, states: ReadonlyMap<string, State>): number {
  return 1 + Math.max(0, ...[...states.values()].map(({ record }) => (record.kind === kind ? record.number : 0)));
}

/** What makes up the id of a part without a mark: the same as of the row it was written from. */
function partsOf(reading: Reading): (string | number)[] {
  const at = reading.at ?? 0;
  if (reading.kind === 'decision') return decisionParts({ ...reading, number: reading.number ?? 0, created_at: at });
  if (reading.kind === 'session') return sessionParts({ ...reading, number: reading.number ?? 0, started_at: at });
  return memoryParts({ ...reading, created_at: at });
}

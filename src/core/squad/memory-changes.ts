import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import {
  DECISION_TYPES,
  type Decision,
  type EntryText,
  type InboxEntry,
  MEMORY_TYPES,
  type NewDecision,
  type NewMemory,
  type NewWorkSession,
  type WorkSession,
} from './memory.js';
import { noDecision, noSession, refuseFull, refuseOpen, refusePassed } from './memory-entries.js';
import type { MemoryRows, MemoryState, Numbered } from './memory-state.js';
import { isSameSource } from './row-source.js';
import {
  decisionParts,
  derivedRecordId,
  memoryParts,
  type RecordOf,
  type SharedRecord,
  sessionParts,
} from './shared-record.js';

/** New states of records, and the id of the record to return. Without records nothing changes. */
export interface MemoryChange {
  readonly records: readonly SharedRecord[];
  readonly id: string;
}

/** Changed fields of the open session; `ended_at` closes it. */
export type SessionChange = Partial<Pick<WorkSession, 'focus' | 'context' | 'ended_at'>>;

/**
 * Stores a memory. If its source is already stored, returns that memory. Errors: `memory_full`, `request_id_reused`.
 */
export function remember(state: MemoryState, memory: NewMemory): MemoryChange {
  const existing = bySource(state.memories, memory.source);
  if (existing !== undefined) return { records: [], id: existing.id };
  refuseFull(state.memories.length, TEAM_LIMITS.memories, 'memory');
  const { agent, type, importance, content } = memory;
  const record: SharedRecord = {
    kind: 'memory',
    ...firstState(state, 'memories', memoryParts(memory)),
    agent,
    type,
    importance,
    content,
    ...origin(memory.source, memory.created_by, memory.created_at),
  };
  return { records: [record], id: record.id };
}

/**
 * Stores a decision and marks the one it supersedes. If its source is already stored, returns that decision. Errors:
 * `memory_full`, `memory_settled`, `not_found`, `request_id_reused`.
 */
export function keepDecision(state: MemoryState, { supersedes, ...decision }: NewDecision): MemoryChange {
  const existing = bySource(state.decisions, decision.source);
  if (existing !== undefined) return { records: [], id: existing.id };
  const before = supersedes === undefined ? undefined : activeDecision(state, supersedes);
  const active = state.decisions.filter(({ row }) => row.status === 'active').length;
  refuseFull(active - (before ? 1 : 0), TEAM_LIMITS.decisionsActive, 'active decision');
  const { type, title, content, rationale, agent } = decision;
  const number = nextNumber(state.decisions);
  const record: SharedRecord = {
    kind: 'decision',
    ...firstState(state, 'decisions', decisionParts({ ...decision, number })),
    type,
    title,
    content,
    rationale,
    status: 'active',
    ...origin(decision.source, decision.created_by, decision.created_at),
    ...(agent === undefined ? {} : { agent }),
  };
  const passed = before && { ...passedOn(before), status: 'superseded' as const, supersededBy: record.id };
  return { records: [record, ...(passed ? [passed] : [])], id: record.id };
}

/** Archives an active decision. Errors: `not_found`, `memory_settled`. */
export function archiveDecision(state: MemoryState, number: number): MemoryChange {
  const decision = activeDecision(state, number);
  return { records: [{ ...passedOn(decision), status: 'archived' }], id: decision.record.id };
}

/**
 * Opens a session. If its source is already stored, returns that session, open or ended. Errors: `session_open`,
 * `request_id_reused`.
 */
export function openWorkSession(state: MemoryState, session: NewWorkSession): MemoryChange {
  const existing = bySource(state.sessions, session.source);
  if (existing !== undefined) return { records: [], id: existing.id };
  refuseOpen(sessionIn(state)?.row);
  const { source, focus, context, started_by, started_at } = session;
  const parts = sessionParts({ ...session, number: nextNumber(state.sessions) });
  const record: SharedRecord = {
    kind: 'session',
    ...firstState(state, 'sessions', parts),
    focus,
    context,
    ...origin(source, started_by, started_at),
  };
  return { records: [record], id: record.id };
}

/**
 * Records of a new session; none if a session is open or one with the same source exists. Errors: `request_id_reused`.
 */
export function firstSession(state: MemoryState, session: NewWorkSession): readonly SharedRecord[] {
  return sessionIn(state) === undefined ? openWorkSession(state, session).records : [];
}

/** Changes or ends the open session. Errors: `not_found`. */
export function changeWorkSession(state: MemoryState, { ended_at, ...change }: SessionChange): MemoryChange {
  const open = sessionIn(state);
  if (open === undefined) throw noSession();
  const record = recordAt(state, open, 'session');
  const ended = ended_at === undefined ? {} : { endedAt: timestamp(ended_at) };
  return { records: [{ ...record, rev: record.rev + 1, ...change, ...ended }], id: record.id };
}

/** The open session, if any. */
export function sessionIn({ sessions }: MemoryState): Numbered<WorkSession> | undefined {
  return sessions.find(({ row }) => row.ended_at === undefined);
}

/**
 * Stores a merged entry: architectural, scope and process entries become decisions of the team, all others memories of
 * the entry's agent. Errors: `memory_full`.
 */
export function mergeEntry(state: MemoryState, entry: InboxEntry, by: string, at: number): MemoryChange {
  const made = { source: entrySource(entry), agent: entry.agent, created_by: by, created_at: at };
  const decided = DECISION_TYPES.find((type) => type === entry.type);
  const { title, content, rationale } = entry;
  if (decided !== undefined) return keepDecision(state, { ...made, type: decided, title, content, rationale });
  const type = MEMORY_TYPES.find((one) => one === entry.type) ?? 'update';
  return remember(state, { ...made, type, importance: 'medium', content: memoryText(entry) });
}

/** The decision or memory that an entry became, in this clone or another. */
export function outcomeIn({ decisions, memories }: MemoryRows, entry: EntryText): MergedOutcome | undefined {
  const source = entrySource(entry);
  const decision = bySource(decisions, source)?.row;
  const memory = bySource(memories, source)?.row;
  if (decision !== undefined) return { ...authorOf(decision), decision };
  return memory && { ...authorOf(memory), memory };
}

/** Decision or memory that an entry became, with the person who merged it and the time in milliseconds since 1970. */
export type MergedOutcome = { readonly by: string; readonly at: number } & (
  | { readonly decision: Decision }
  | { readonly memory: MemoryRows['memories'][number]['row'] }
);

const authorOf = ({ created_by, created_at }: { created_by: string; created_at: number }) => ({
  by: created_by,
  at: created_at,
});

/**
 * Source derived from the content: equal in every clone that merged the same entry, different for another text under
 * the same slug.
 */
function entrySource({ agent, slug, type, title, content, rationale }: EntryText): string {
  return `entry:${sha256(JSON.stringify([agent, slug, type, title, content, rationale])).slice(0, 32)}`;
}

function memoryText({ title, content, rationale }: EntryText): string {
  return [title, content, rationale === '' ? '' : `Because: ${rationale}`].filter((part) => part !== '').join('\n\n');
}

function bySource<Row extends { readonly source?: string }>(
  rows: readonly Numbered<Row>[],
  source: string | undefined,
): Numbered<Row> | undefined {
  return rows.find(({ row }) => isSameSource(row.source, source));
}

interface ActiveDecision {
  readonly record: RecordOf<'decision'>;
  readonly number: number;
}

function activeDecision(state: MemoryState, number: number): ActiveDecision {
  const found = state.decisions.find(({ row }) => row.number === number);
  if (found === undefined) throw noDecision(number);
  refusePassed(found.row);
  return { record: recordAt(state, found, 'decision'), number };
}

/** Next revision of a decision, with the number that people see. */
function passedOn({ record, number }: ActiveDecision): RecordOf<'decision'> {
  return { ...record, rev: record.rev + 1, number };
}

function recordAt<Kind extends SharedRecord['kind']>(
  { records }: MemoryState,
  { id }: Pick<Numbered<unknown>, 'id'>,
  kind: Kind,
): RecordOf<Kind> {
  const record = records.get(id);
  if (record?.kind !== kind) throw new Error(`no ${kind} ${id}`);
  return record as RecordOf<Kind>;
}

const nextNumber = (rows: readonly Numbered<{ readonly number: number }>[]) => (rows.at(-1)?.row.number ?? 0) + 1;

/** Id, revision and number of a new record. */
function firstState(state: MemoryState, kind: keyof MemoryRows, parts: readonly (string | number)[]) {
  const id = derivedRecordId(parts, (candidate) => state.records.has(candidate));
  return { id, rev: 1, number: nextNumber(state[kind]) };
}

function origin(source: string | undefined, createdBy: string, at: number) {
  return { createdBy, createdAt: timestamp(at), ...(source === undefined ? {} : { source }) };
}

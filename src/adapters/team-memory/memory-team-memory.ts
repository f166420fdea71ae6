import type {
  Decision,
  DecisionStatus,
  EntryStatus,
  InboxEntry,
  Memory,
  MemoryType,
  NewDecision,
  NewEntry,
  NewMemory,
  NewWorkSession,
  WorkSession,
} from '#core/team/memory.js';
import {
  filedAs,
  noDecision,
  noEntry,
  noSession,
  outcomeOf,
  refuseFull,
  refuseOpen,
  refusePassed,
  refuseSettled,
  type Settlement,
  storedSlug,
} from '#core/team/memory-entries.js';
import type { Exchange } from '#core/team/memory-exchange.js';
import { isSameSource } from '#core/team/row-source.js';
import type { Standing, StandingRows } from '#core/team/standing-rows.js';
import { LIMITS } from '#kernel/limits.js';
import type { LedgerMark, SessionChange, TeamMemory } from '#ports/team-memory.js';

/** A team's memory as long as this process lives. Everything is decided before anything is changed. */
export class MemoryTeamMemory implements TeamMemory {
  private allMemories: Memory[] = [];
  private readonly allEntries: InboxEntry[] = [];
  private allDecisions: Decision[] = [];
  private allSessions: WorkSession[] = [];
  /** What is known of rows as records, by row: whoever changes one puts another in its place. */
  private standing: StandingRows = { memories: [], decisions: [], sessions: [] };
  private agreement: string | undefined;
  private readonly marks = new Set<string>();

  async remember(memory: NewMemory): Promise<Memory> {
    return this.keepMemory(memory);
  }

  async memories(filter: {
    agents?: readonly string[] | undefined;
    types?: readonly MemoryType[] | undefined;
    limit: number;
  }) {
    const { agents, types, limit } = filter;
    const fits = (memory: Memory) =>
      (agents === undefined || agents.includes(memory.agent)) && (types === undefined || types.includes(memory.type));
    return latest(this.allMemories.filter(fits), limit);
  }

  async file(entry: NewEntry) {
    const at = this.allEntries.findIndex(({ agent, slug }) => agent === entry.agent && slug === entry.slug);
    const existing = this.allEntries[at];
    const filed = filedAs(existing, entry);
    if (existing === undefined) {
      refuseFull(this.pending().length, LIMITS.entriesPending, 'pending entry');
      const stored_slug = storedSlug(entry, (slug) => this.allEntries.some((other) => other.stored_slug === slug));
      const stored = { ...entry, number: this.allEntries.length + 1, stored_slug, status: 'pending' as const };
      this.allEntries.push(stored);
      return { entry: stored, filed };
    }
    if (filed !== 'changed') return { entry: existing, filed };
    const { type, title, content, rationale } = entry;
    const changed = { ...existing, type, title, content, rationale };
    this.allEntries[at] = changed;
    return { entry: changed, filed };
  }

  async entries({ status, limit }: { status?: EntryStatus | undefined; limit: number }) {
    return latest(
      this.allEntries.filter((entry) => status === undefined || entry.status === status),
      limit,
    );
  }

  async settle(number: number, settlement: Settlement) {
    const entry = this.allEntries[number - 1];
    if (entry === undefined) throw noEntry(number);
    refuseSettled(entry);
    const { status, by, at } = settlement;
    const became = status === 'merged' ? this.keepOutcome(outcomeOf(entry, settlement)) : {};
    const reason = settlement.status === 'rejected' ? settlement.reason : undefined;
    const settled = { ...entry, status, settled_by: by, settled_at: at, ...(reason === undefined ? {} : { reason }) };
    this.allEntries[number - 1] = settled;
    return { entry: settled, ...became };
  }

  async decide(decision: NewDecision): Promise<Decision> {
    return this.keepDecision(decision);
  }

  async decisions({ status, limit }: { status?: DecisionStatus | undefined; limit: number }) {
    return latest(
      this.allDecisions.filter((decision) => status === undefined || decision.status === status),
      limit,
    );
  }

  async archive(number: number): Promise<Decision> {
    const archived = { ...this.active(number), status: 'archived' as const };
    replace(this.allDecisions, archived);
    return archived;
  }

  async openSession(session: NewWorkSession): Promise<WorkSession> {
    const existing = this.allSessions.find(({ source }) => isSameSource(source, session.source));
    if (existing !== undefined) return existing;
    refuseOpen(this.open());
    const opened = { ...session, number: nextNumber(this.allSessions) };
    this.allSessions.push(opened);
    return opened;
  }

  async currentSession(): Promise<WorkSession | undefined> {
    return this.open();
  }

  async sessions(limit: number): Promise<readonly WorkSession[]> {
    return latest(this.allSessions, limit);
  }

  async changeSession(change: SessionChange): Promise<WorkSession> {
    const open = this.open();
    if (open === undefined) throw noSession();
    const changed = { ...open, ...change };
    replace(this.allSessions, changed);
    return changed;
  }

  async stamp(): Promise<string | undefined> {
    return this.agreement;
  }

  async exchange(decide: (rows: StandingRows) => Exchange, stamp: string): Promise<Exchange> {
    const exchange = decide({
      memories: withStanding(this.allMemories, this.standing.memories),
      decisions: withStanding(this.allDecisions, this.standing.decisions),
      sessions: withStanding(this.allSessions, this.standing.sessions),
    });
    this.standing = exchange.rows;
    this.allMemories = exchange.rows.memories.map(({ row }) => row);
    this.allDecisions = exchange.rows.decisions.map(({ row }) => row);
    this.allSessions = exchange.rows.sessions.map(({ row }) => row);
    this.agreement = stamp;
    return exchange;
  }

  async storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]> {
    return marks.filter((mark) => this.marks.has(keyOf(mark)));
  }

  async mark(marks: readonly LedgerMark[]): Promise<void> {
    for (const mark of marks) this.marks.add(keyOf(mark));
  }

  async close(): Promise<void> {
    for (const rows of [this.allMemories, this.allEntries, this.allDecisions, this.allSessions]) rows.length = 0;
    this.marks.clear();
  }

  private keepOutcome(outcome: ReturnType<typeof outcomeOf>) {
    return 'decision' in outcome
      ? { decision: this.keepDecision(outcome.decision) }
      : { memory: this.keepMemory(outcome.memory) };
  }

  private keepMemory(memory: NewMemory): Memory {
    const existing = this.allMemories.find(({ source }) => isSameSource(source, memory.source));
    if (existing !== undefined) return existing;
    refuseFull(this.allMemories.length, LIMITS.memories, 'memory');
    const stored = { ...memory, number: nextNumber(this.allMemories) };
    this.allMemories.push(stored);
    return stored;
  }

  private keepDecision({ supersedes, ...decision }: NewDecision): Decision {
    const existing = this.allDecisions.find(({ source }) => isSameSource(source, decision.source));
    if (existing !== undefined) return existing;
    const before = supersedes === undefined ? undefined : this.active(supersedes);
    const active = this.allDecisions.filter(({ status }) => status === 'active').length;
    refuseFull(active - (before ? 1 : 0), LIMITS.decisionsActive, 'active decision');
    const stored = { ...decision, number: nextNumber(this.allDecisions), status: 'active' as const };
    this.allDecisions.push(stored);
    if (before !== undefined)
      replace(this.allDecisions, { ...before, status: 'superseded', superseded_by: stored.number });
    return stored;
  }

  private active(number: number): Decision {
    const decision = this.allDecisions.find((one) => one.number === number);
    if (decision === undefined) throw noDecision(number);
    refusePassed(decision);
    return decision;
  }

  private open(): WorkSession | undefined {
    return this.allSessions.find(({ ended_at }) => ended_at === undefined);
  }

  private pending(): readonly InboxEntry[] {
    return this.allEntries.filter(({ status }) => status === 'pending');
  }
}

/** Rows with what is known of the one that had their number. */
function withStanding<Row extends { readonly number: number }>(
  rows: readonly Row[],
  standings: readonly Standing<Row>[],
) {
  const before = new Map(standings.map((standing) => [standing.row.number, standing]));
  const none = { id: undefined, rev: 0, sha256: undefined, shared: false };
  return rows.map((row) => ({ ...none, ...before.get(row.number), row }));
}

const nextNumber = (rows: readonly { readonly number: number }[]) =>
  Math.max(0, ...rows.map(({ number }) => number)) + 1;

function replace<Row extends { readonly number: number }>(rows: Row[], row: Row): void {
  const at = rows.findIndex(({ number }) => number === row.number);
  if (at >= 0) rows[at] = row;
}

const latest = <Row>(rows: readonly Row[], limit: number): readonly Row[] => (limit === 0 ? [] : rows.slice(-limit));

const keyOf = ({ place, sha256 }: LedgerMark) => `${sha256} ${place}`;

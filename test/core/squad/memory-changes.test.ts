import { describe, expect, test } from 'vitest';
import type { InboxEntry, NewDecision, NewMemory, NewWorkSession } from '#core/squad/memory.js';
import {
  archiveDecision,
  changeWorkSession,
  firstSession,
  keepDecision,
  type MemoryChange,
  mergeEntry,
  openWorkSession,
  outcomeIn,
  remember,
  sessionIn,
} from '#core/squad/memory-changes.js';
import { type MemoryState, readMemory, rowAt, withRecords } from '#core/squad/memory-state.js';
import { requestSource } from '#core/squad/row-source.js';
import { readRecords } from '#core/squad/shared-record.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const MADE = { created_by: 'ann', created_at: 1_000 };
const memory = (more: Partial<NewMemory> = {}): NewMemory => ({
  ...{ agent: 'neo', type: 'learning', importance: 'medium', content: 'Tests come first.', ...MADE },
  ...more,
});
const decision = (more: Partial<NewDecision> = {}): NewDecision => ({
  ...{ type: 'scope', title: 'No windows', content: '', rationale: 'Nobody asked.', ...MADE },
  ...more,
});
const session = (more: Partial<NewWorkSession> = {}): NewWorkSession => ({
  ...{ focus: 'The parser', context: '', started_by: 'ann', started_at: 5 },
  ...more,
});
const entry = (more: Partial<InboxEntry> = {}): InboxEntry => ({
  ...{ number: 4, agent: 'neo', slug: 'one-store', stored_slug: 'one-store', type: 'architectural' },
  ...{ title: 'One store', content: 'Keep it.', rationale: 'Why.', status: 'pending', ...MADE },
  ...more,
});

/** A memory that is changed step by step, and read back from its lines after each. */
class Kept {
  state: MemoryState = readMemory({ kept: readRecords(undefined), waiting: [], files: [] }, 0);
  private events = '';

  do(change: (state: MemoryState) => MemoryChange): string {
    const { records, id } = change(this.state);
    const after = withRecords(this.state, records);
    this.events += after.lines.map((line) => `${line}\n`).join('');
    this.state = readMemory({ kept: readRecords(this.events), waiting: [], files: [] }, 0);
    expect({ ...this.state, lines: [], written: [] }).toEqual({ ...after, lines: [], written: [] });
    return id;
  }

  remember(one: NewMemory) {
    const id = this.do((state) => remember(state, one));
    return rowAt(this.state.memories, id);
  }

  decide(one: NewDecision) {
    const id = this.do((state) => keepDecision(state, one));
    return rowAt(this.state.decisions, id);
  }

  get decisions() {
    return this.state.decisions.map(({ row }) => row);
  }

  get sessions() {
    return this.state.sessions.map(({ row }) => row);
  }
}

describe('changes of a memory', () => {
  test('memories are numbered; the same text may be learned twice', () => {
    const kept = new Kept();
    expect(kept.remember(memory())).toEqual({ ...memory(), number: 1 });
    expect(kept.remember(memory()).number).toBe(2);
    const third = memory({ type: 'update', content: '`x`\n---\n\n# y', importance: 'high', agent: 'tank' });
    expect(kept.remember(third)).toEqual({ ...third, number: 3 });
    expect(kept.decide(decision()).number, 'each kind has numbers of its own').toBe(1);
  });

  verifies('db.once', 'a request that comes again is answered as it was; one for something else is refused', () => {
    const kept = new Kept();
    const [asked, other] = [sha256('asked'), sha256('other')];
    const by = (requestId: string, input?: string) => ({
      source: requestSource({ requestId, ...(input === undefined ? {} : { input }) }) ?? '',
    });
    const refused = expect.objectContaining({ code: 'request_id_reused' });
    const first = kept.remember(memory(by('r', asked)));
    expect(kept.remember(memory({ ...by('r', asked), content: 'later' }))).toEqual(first);
    expect(() => kept.remember(memory(by('r', other)))).toThrow(refused);
    const decided = kept.decide(decision(by('r', asked)));
    kept.do((state) => archiveDecision(state, decided.number));
    expect(kept.decide(decision(by('r', asked)))).toEqual({ ...decided, status: 'archived' });
    expect(() => kept.decide(decision(by('r', other)))).toThrow(refused);
    const begun = session(by('r', asked));
    const opened = kept.do((state) => openWorkSession(state, begun));
    kept.do((state) => changeWorkSession(state, { focus: 'another', ended_at: 9 }));
    expect(kept.do((state) => openWorkSession(state, begun))).toBe(opened);
    expect(kept.sessions).toEqual([{ ...begun, focus: 'another', ended_at: 9, number: 1 }]);
    const old = kept.decide(decision(by('old')));
    expect(kept.decide(decision(by('old', other))), 'kept before inputs were compared').toEqual(old);
  });

  test('a decision takes the place of another, or is put aside; neither happens twice', () => {
    const kept = new Kept();
    const first = kept.decide(decision({ source: 'request:1' }));
    expect(kept.decide(decision({ source: 'request:1', title: 'x' }))).toEqual(first);
    const second = kept.decide(decision({ title: 'Windows', supersedes: 1, agent: 'neo' }));
    expect(second).toEqual({ ...decision({ title: 'Windows', agent: 'neo' }), number: 2, status: 'active' });
    expect(kept.decisions).toEqual([{ ...first, status: 'superseded', superseded_by: 2 }, second]);
    const settled = expect.objectContaining({ code: 'memory_settled', message: 'Decision 1 is superseded.' });
    expect(() => kept.decide(decision({ supersedes: 1 }))).toThrow(settled);
    expect(() => kept.decide(decision({ supersedes: 9 }))).toThrow(expect.objectContaining({ code: 'not_found' }));
    kept.do((state) => archiveDecision(state, 2));
    expect(kept.decisions[1]).toEqual({ ...second, status: 'archived' });
    expect(() => kept.do((state) => archiveDecision(state, 2))).toThrow('Decision 2 is archived.');
    expect(() => kept.do((state) => archiveDecision(state, 7))).toThrow('There is no decision 7.');
  });

  test('a decision that got another number is changed under the one that people know', () => {
    const kept = new Kept();
    const twin = new Kept();
    kept.decide(decision({ title: 'Here' }));
    twin.decide(decision({ title: 'There', created_at: 2_000 }));
    kept.state = withRecords(kept.state, [...twin.state.records.values()]);
    expect(kept.decisions.map(({ number, title }) => [number, title])).toEqual([
      [1, 'Here'],
      [2, 'There'],
    ]);
    const { records } = archiveDecision(kept.state, 2);
    expect(records).toEqual([expect.objectContaining({ title: 'There', number: 2, rev: 2, status: 'archived' })]);
  });

  test('at most one session is open; it changes until it ends', () => {
    const kept = new Kept();
    expect(sessionIn(kept.state)).toBeUndefined();
    const none = expect.objectContaining({ code: 'not_found' });
    expect(() => kept.do((state) => changeWorkSession(state, { focus: 'x' }))).toThrow(none);
    kept.do((state) => openWorkSession(state, session({ source: 'cast:1' })));
    const open = expect.objectContaining({ code: 'session_open', details: { number: 1 } });
    expect(() => kept.do((state) => openWorkSession(state, session()))).toThrow(open);
    kept.do((state) => changeWorkSession(state, { context: 'c' }));
    expect(sessionIn(kept.state)?.row).toEqual({ ...session({ source: 'cast:1', context: 'c' }), number: 1 });
    kept.do((state) => changeWorkSession(state, { ended_at: 9 }));
    expect(sessionIn(kept.state)).toBeUndefined();
    kept.do((state) => openWorkSession(state, session({ focus: 'More' })));
    expect(kept.sessions.map(({ number, focus, ended_at }) => [number, focus, ended_at])).toEqual([
      [1, 'The parser', 9],
      [2, 'More', undefined],
    ]);
  });

  verifies('confirm.seed-memory', 'a cast begins a session where none is open, and none that was ended again', () => {
    const kept = new Kept();
    const first = (source: string) => firstSession(kept.state, session({ source }));
    kept.state = withRecords(kept.state, first('cast:1'));
    expect(kept.sessions).toEqual([{ ...session({ source: 'cast:1' }), number: 1 }]);
    expect(first('cast:2')).toEqual([]);
    kept.state = withRecords(kept.state, changeWorkSession(kept.state, { ended_at: 9 }).records);
    expect(first('cast:1')).toEqual([]);
    expect(first('cast:2')).toHaveLength(1);
  });

  test('a merged entry is a decision or a memory of who proposed it, once', () => {
    const kept = new Kept();
    expect(outcomeIn(kept.state, entry())).toBeUndefined();
    kept.do((state) => mergeEntry(state, entry(), 'bob', 5_000));
    const { source, ...decided } = kept.decisions[0] ?? { source: '' };
    expect(decided).toEqual({
      ...{ number: 1, type: 'architectural', title: 'One store', content: 'Keep it.', rationale: 'Why.' },
      ...{ agent: 'neo', status: 'active', created_by: 'bob', created_at: 5_000 },
    });
    expect(source).toMatch(/^entry:[0-9a-f]{32}$/);
    expect(outcomeIn(kept.state, entry({ number: 9, status: 'rejected' }))).toEqual({
      ...{ by: 'bob', at: 5_000, decision: kept.decisions[0] },
    });
    kept.do((state) => mergeEntry(state, entry(), 'eve', 6_000));
    expect(kept.decisions).toHaveLength(1);
    expect(outcomeIn(kept.state, entry({ content: 'Other.' })), 'another text is another entry').toBeUndefined();
    const habit = entry({ type: 'pattern', slug: 'habit' });
    const note = entry({ type: 'update', slug: 'note', content: '', rationale: '' });
    kept.do((state) => mergeEntry(state, habit, 'bob', 7_000));
    kept.do((state) => mergeEntry(state, note, 'bob', 8_000));
    expect(kept.state.memories.map(({ row }) => [row.agent, row.type, row.importance, row.content])).toEqual([
      ['neo', 'pattern', 'medium', 'One store\n\nKeep it.\n\nBecause: Why.'],
      ['neo', 'update', 'medium', 'One store'],
    ]);
    expect(outcomeIn(kept.state, habit)).toEqual({ by: 'bob', at: 7_000, memory: kept.state.memories[0]?.row });
  });

  test('whatever could not be read again is refused', () => {
    const { state } = new Kept();
    const refused = expect.objectContaining({
      code: 'bad_input',
      message: 'The text is longer than can be remembered.',
    });
    const long = entry({ type: 'pattern', content: 'x'.repeat(TEAM_LIMITS.memoryTextBytes), rationale: 'Too much.' });
    expect(() => withRecords(state, mergeEntry(state, long, 'bob', 5).records)).toThrow(refused);
    expect(() =>
      withRecords(state, remember(state, memory({ content: 'x'.repeat(TEAM_LIMITS.memoryTextBytes + 1) })).records),
    ).toThrow(refused);
  });

  test('there is a bound on memories and on decisions that are active', () => {
    const { state } = new Kept();
    const many = (count: number, change: MemoryChange) =>
      Array.from({ length: count }, (_, index) => ({
        ...(change.records[0] as (typeof change.records)[number]),
        ...{ id: index.toString(16).padStart(16, '0'), number: index + 1 },
      }));
    const learned = many(TEAM_LIMITS.memories, remember(state, memory()));
    const last = withRecords(state, learned.slice(1));
    expect(remember(last, memory({ content: 'x' })).records).toHaveLength(1);
    const full = expect.objectContaining({ code: 'memory_full' });
    expect(() => remember(withRecords(state, learned), memory({ content: 'x' }))).toThrow(full);
    const decided = withRecords(state, many(TEAM_LIMITS.decisionsActive, keepDecision(state, decision())));
    expect(() => keepDecision(decided, decision())).toThrow(full);
    expect(keepDecision(decided, decision({ supersedes: 1 })).records).toHaveLength(2);
  });
});

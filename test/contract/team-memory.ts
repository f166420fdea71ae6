import { describe, expect, onTestFinished, test } from 'vitest';
import type { NewDecision, NewEntry, NewMemory, NewWorkSession } from '#core/team/memory.js';
import { requestSource } from '#core/team/row-source.js';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';
import type { TeamMemory } from '#ports/team-memory.js';
import { verifies } from '../verifies.js';

const HOSTILE = `'; DROP TABLE memories; -- \u202e "q" ? %s \ud83d\ude00 ${'x'.repeat(1_000)}`;
const MADE = { created_by: 'ann', created_at: 1_000 };
const memory = (more: Partial<NewMemory> = {}): NewMemory => ({
  ...{ agent: 'neo', type: 'learning', importance: 'medium', content: 'Tests come first.', ...MADE },
  ...more,
});
const entry = (more: Partial<NewEntry> = {}): NewEntry => ({
  ...{ agent: 'neo', slug: 'one-store', type: 'architectural', title: 'One store', content: 'Keep it.', rationale: '' },
  ...MADE,
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
const merged = { status: 'merged', by: 'bea', at: 2_000 } as const;

/** What every adapter of a team's memory must do. `make` gives a fresh one, `again` a second one on the same place. */
export function teamMemoryContract(name: string, make: () => { memory: TeamMemory; again?: () => TeamMemory }): void {
  const fresh = () => {
    const { memory: kept, again } = make();
    onTestFinished(() => kept.close());
    return {
      kept,
      again: () => {
        const other = (again ?? (() => kept))();
        onTestFinished(() => other.close());
        return other;
      },
    };
  };

  describe(`the contract of a team's memory: ${name}`, () => {
    test('memories are numbered, and listed by member and type, the latest at the end', async () => {
      const { kept, again } = fresh();
      expect(await kept.memories({ limit: 5 })).toEqual([]);
      await kept.remember(memory());
      await kept.remember(memory({ agent: 'tank', type: 'pattern' }));
      const third = await kept.remember(memory({ type: 'update', content: HOSTILE, importance: 'high' }));
      expect(third).toEqual({ ...memory({ type: 'update', content: HOSTILE, importance: 'high' }), number: 3 });
      const numbers = async (filter: Parameters<TeamMemory['memories']>[0]) =>
        (await again().memories(filter)).map(({ number }) => number);
      expect(await numbers({ limit: 2 })).toEqual([2, 3]);
      expect(await numbers({ limit: 0 })).toEqual([]);
      expect(await numbers({ agents: ['neo'], limit: 5 })).toEqual([1, 3]);
      expect(await numbers({ agents: ['tank', 'neo'], types: ['learning', 'pattern'], limit: 5 })).toEqual([1, 2]);
      expect(await numbers({ agents: [], limit: 5 })).toEqual([]);
      expect(await numbers({ types: ['pattern', 'update'], limit: 5 })).toEqual([2, 3]);
      expect(await numbers({ types: [], limit: 5 })).toEqual([]);
      expect(await numbers({ agents: [HOSTILE], limit: 5 })).toEqual([]);
      expect((await again().memories({ types: ['update'], limit: 1 }))[0]).toEqual(third);
    });

    verifies(
      'db.once',
      `${name}: a row that a request made is answered again, and refused for another input`,
      async () => {
        const { kept, again } = fresh();
        const by = (requestId: string, input?: string) => {
          const source = requestSource({ requestId, ...(input === undefined ? {} : { input }) });
          return source === undefined ? {} : { source };
        };
        const [asked, other] = [sha256('one'), sha256('two')];
        const refused = { code: 'request_id_reused', details: { request_id: 'r' } };
        const first = await kept.remember(memory(by('r', asked)));
        expect(await again().remember(memory(by('r', asked)))).toEqual(first);
        await expect(again().remember(memory({ ...by('r', other), content: 'other' }))).rejects.toMatchObject(refused);
        expect((await kept.remember(memory(by('r!', asked)))).number, 'another request').toBe(2);
        expect((await kept.remember(memory(by('r 2', asked)))).number).toBe(3);
        await kept.decide(decision(by('r', asked)));
        await expect(kept.decide(decision(by('r', other)))).rejects.toMatchObject(refused);
        const opened = await kept.openSession(session(by('r', asked)));
        await kept.changeSession({ focus: 'another', ended_at: 9 });
        expect((await kept.openSession(session(by('r', asked)))).number).toBe(opened.number);
        await expect(kept.openSession(session(by('r', other)))).rejects.toMatchObject(refused);
        const old = await kept.decide(decision(by('old')));
        expect(await kept.decide(decision(by('old', other))), 'kept before inputs were compared').toEqual(old);
      },
    );

    verifies('confirm.seed-memory', `${name}: of two memories with one source the first is kept`, async () => {
      const { kept, again } = fresh();
      const first = await kept.remember(memory({ source: 'charter:neo:1' }));
      expect(await again().remember(memory({ source: 'charter:neo:1', content: 'other' }))).toEqual(first);
      expect((await kept.remember(memory({ source: 'charter:neo:2' }))).number).toBe(2);
      expect(await kept.memories({ limit: 5 })).toHaveLength(2);
    });

    verifies('confirm.seed-memory', `${name}: a cast seeds once, and opens no session beside one`, async () => {
      const { kept, again } = fresh();
      const charters = ['neo', 'tank'].map((agent) => memory({ agent, source: `charter:${agent}:1` }));
      await kept.seed(charters, session({ source: 'cast:1' }));
      await again().seed([...charters, memory({ source: 'charter:neo:2' })], session({ source: 'cast:2' }));
      expect((await kept.memories({ limit: 9 })).map(({ source }) => source)).toEqual([
        ...['charter:neo:1', 'charter:tank:1', 'charter:neo:2'],
      ]);
      expect((await kept.sessions(9)).map(({ source }) => source)).toEqual(['cast:1']);
      await kept.changeSession({ ended_at: 9 });
      await kept.seed([], session({ source: 'cast:1' }));
      expect(await kept.currentSession(), 'one that was ended is not begun again').toBeUndefined();
    });

    verifies(
      'memory.import.same-slug',
      `${name}: one entry for each agent and slug; another agent's slug is stored under a name of its own`,
      async () => {
        const { kept, again } = fresh();
        const first = await kept.file(entry());
        expect(first).toEqual({
          filed: 'added',
          entry: { ...entry(), number: 1, stored_slug: 'one-store', status: 'pending' },
        });
        expect(await again().file(entry({ created_at: 9 }))).toEqual({ filed: 'same', entry: first.entry });
        const other = await kept.file(entry({ agent: 'tank' }));
        expect(other.entry).toMatchObject({ number: 2, stored_slug: 'one-store--tank' });
        await kept.file(entry({ agent: 'ann', slug: 'x--tank' }));
        await kept.file(entry({ agent: 'ann', slug: 'x' }));
        expect((await kept.file(entry({ agent: 'tank', slug: 'x' }))).entry.stored_slug).toBe('x--tank--2');
        expect((await again().file(entry({ agent: 'tank', slug: 'x' }))).filed).toBe('same');
        expect(await kept.entries({ limit: 10 })).toHaveLength(5);
        const changed = await kept.file(entry({ content: HOSTILE, rationale: 'r', type: 'scope', title: 't' }));
        expect(changed).toMatchObject({ filed: 'changed', entry: { number: 1, content: HOSTILE, rationale: 'r' } });
        expect((await again().entries({ limit: 10 }))[0]).toEqual(changed.entry);
      },
    );

    test('what is merged becomes a decision or a memory in the same step, and is settled for good', async () => {
      const { kept, again } = fresh();
      await kept.file(entry({ rationale: 'why' }));
      await kept.file(entry({ slug: 'habit', type: 'pattern', title: 'A habit', content: 'c', rationale: 'r' }));
      const first = await kept.settle(1, merged);
      expect(first.entry).toMatchObject({ status: 'merged', settled_by: 'bea', settled_at: 2_000 });
      expect(first.decision).toMatchObject({
        number: 1,
        type: 'architectural',
        agent: 'neo',
        rationale: 'why',
        status: 'active',
      });
      const second = await kept.settle(2, merged);
      expect(second.memory).toMatchObject({
        number: 1,
        agent: 'neo',
        type: 'pattern',
        content: 'A habit\n\nc\n\nBecause: r',
      });
      await expect(again().settle(1, merged)).rejects.toMatchObject({ code: 'memory_settled' });
      await expect(kept.settle(3, merged)).rejects.toMatchObject({ code: 'not_found' });
      expect(await kept.decisions({ limit: 5 })).toEqual([first.decision]);
      expect((await kept.file(entry({ content: 'other' }))).filed).toBe('settled');
      await kept.file(entry({ slug: 'later' }));
      const refused = await kept.settle(3, { status: 'rejected', by: 'bea', at: 3, reason: 'too early' });
      expect(refused).toEqual({ entry: expect.objectContaining({ status: 'rejected', reason: 'too early' }) });
      await expect(kept.settle(3, merged)).rejects.toMatchObject({ code: 'memory_settled' });
      expect((await again().entries({ status: 'pending', limit: 5 })).length).toBe(0);
      expect((await again().entries({ status: 'rejected', limit: 5 }))[0]).toEqual(refused.entry);
    });

    test('a decision takes the place of another, or is put aside; neither happens twice', async () => {
      const { kept, again } = fresh();
      const first = await kept.decide(decision({ source: 'request:1' }));
      expect(await again().decide(decision({ source: 'request:1', title: 'x' }))).toEqual(first);
      const second = await kept.decide(decision({ title: HOSTILE, supersedes: 1, agent: 'neo' }));
      expect(second).toEqual({ ...decision({ title: HOSTILE, agent: 'neo' }), number: 2, status: 'active' });
      expect(await again().decisions({ limit: 5 })).toEqual([
        { ...first, status: 'superseded', superseded_by: 2 },
        second,
      ]);
      expect(await kept.decisions({ status: 'active', limit: 5 })).toEqual([second]);
      await expect(kept.decide(decision({ supersedes: 1 }))).rejects.toMatchObject({ code: 'memory_settled' });
      await expect(kept.decide(decision({ supersedes: 9 }))).rejects.toMatchObject({ code: 'not_found' });
      expect(await kept.archive(2)).toEqual({ ...second, status: 'archived' });
      await expect(kept.archive(2)).rejects.toMatchObject({ code: 'memory_settled' });
      await expect(kept.archive(7)).rejects.toMatchObject({ code: 'not_found' });
      expect(await again().decisions({ limit: 5 })).toHaveLength(2);
    });

    test('at most one session is open; it changes until it ends', async () => {
      const { kept, again } = fresh();
      expect(await kept.currentSession()).toBeUndefined();
      await expect(kept.changeSession({ focus: 'x' })).rejects.toMatchObject({ code: 'not_found' });
      const first = await kept.openSession(session({ source: 'cast:1' }));
      expect(first).toEqual({ ...session({ source: 'cast:1' }), number: 1 });
      expect(await again().openSession(session({ source: 'cast:1' }))).toEqual(first);
      await expect(again().openSession(session())).rejects.toMatchObject({ code: 'session_open' });
      expect(await kept.changeSession({ context: HOSTILE })).toEqual({ ...first, context: HOSTILE });
      expect(await again().currentSession()).toEqual({ ...first, context: HOSTILE });
      expect((await kept.changeSession({ ended_at: 9 })).ended_at).toBe(9);
      expect(await again().currentSession()).toBeUndefined();
      expect((await kept.openSession(session({ source: 'cast:1' }))).ended_at).toBe(9);
      expect((await kept.openSession(session({ focus: 'More' }))).number).toBe(2);
      expect((await again().sessions(5)).map(({ number, ended_at }) => [number, ended_at])).toEqual([
        [1, 9],
        [2, undefined],
      ]);
      expect((await again().sessions(1)).map(({ number }) => number)).toEqual([2]);
    });

    verifies(
      'memory.export.stale',
      `${name}: bytes are known of the place they were kept for, and of no other`,
      async () => {
        const { kept, again } = fresh();
        const [one, two] = [
          { place: 'a', sha256: '1' },
          { place: HOSTILE, sha256: '2' },
        ];
        await kept.mark([one, two]);
        await again().mark([two]);
        expect(await again().storedMarks([{ place: 'a', sha256: '2' }, two, { place: 'b', sha256: '1' }, one])).toEqual(
          [two, one],
        );
        expect(await kept.storedMarks([])).toEqual([]);
      },
    );

    test('there is a bound on what waits', async () => {
      const { kept } = fresh();
      for (let count = 0; count < LIMITS.entriesPending; count++) await kept.file(entry({ slug: `s${count}` }));
      await expect(kept.file(entry({ slug: 'more' }))).rejects.toMatchObject({ code: 'memory_full' });
      expect((await kept.file(entry({ slug: 's1' }))).filed).toBe('same');
      await kept.settle(1, { status: 'rejected', by: 'a', at: 1 });
      expect((await kept.file(entry({ slug: 'more' }))).filed).toBe('added');
    });
  });
}

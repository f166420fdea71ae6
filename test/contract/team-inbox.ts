import { describe, expect, onTestFinished, test } from 'vitest';
import type { NewEntry } from '#core/squad/memory.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import { verifies } from '../verifies.js';

const HOSTILE = `'; DROP TABLE inbox_entries; -- \u202e "q" ? %s \ud83d\ude00 ${'x'.repeat(1_000)}`;
const MADE = { created_by: 'ann', created_at: 1_000 };
const entry = (more: Partial<NewEntry> = {}): NewEntry => ({
  ...{ agent: 'neo', slug: 'one-store', type: 'architectural', title: 'One store', content: 'Keep it.', rationale: '' },
  ...MADE,
  ...more,
});
const merged = { status: 'merged', by: 'bea', at: 2_000 } as const;

/**
 * Contract of every adapter of a team's inbox. `make` creates a fresh one, `again` opens a second one on the same
 * place.
 */
export function teamInboxContract(name: string, make: () => { inbox: TeamInbox; again?: () => TeamInbox }): void {
  const fresh = () => {
    const { inbox: kept, again } = make();
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

  describe(`the contract of a team's inbox: ${name}`, () => {
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

    test('what waits is settled once, for good', async () => {
      const { kept, again } = fresh();
      expect(await kept.entries({ limit: 5 })).toEqual([]);
      await expect(kept.entry(1)).rejects.toMatchObject({ code: 'not_found' });
      const first = (await kept.file(entry({ rationale: 'why' }))).entry;
      const second = (await kept.file(entry({ slug: 'habit', type: 'pattern' }))).entry;
      expect(await again().entry(2)).toEqual(second);
      const done = { ...first, status: 'merged', settled_by: 'bea', settled_at: 2_000 };
      expect(await kept.settle(1, merged)).toEqual(done);
      await expect(again().settle(1, merged)).rejects.toMatchObject({ code: 'memory_settled' });
      await expect(kept.settle(3, merged)).rejects.toMatchObject({ code: 'not_found' });
      expect((await kept.file(entry({ content: 'other' }))).filed).toBe('settled');
      const refused = { ...second, status: 'rejected', settled_by: 'bea', settled_at: 3, reason: 'too early' };
      expect(await kept.settle(2, { status: 'rejected', by: 'bea', at: 3, reason: 'too early' })).toEqual(refused);
      await expect(kept.settle(2, merged)).rejects.toMatchObject({ code: 'memory_settled' });
      expect(await again().entries({ status: 'pending', limit: 5 })).toEqual([]);
      expect(await again().entries({ status: 'rejected', limit: 5 })).toEqual([refused]);
      expect(await again().entries({ limit: 5 })).toEqual([done, refused]);
      expect(await again().entries({ limit: 1 })).toEqual([refused]);
    });

    verifies(
      'memory.shared',
      `${name}: lines wait in the order in which they came, each once, until they are released`,
      async () => {
        const { kept, again } = fresh();
        expect(await kept.waiting()).toEqual([]);
        await kept.wait(['b', HOSTILE]);
        await again().wait(['a', 'b']);
        expect(await kept.waiting()).toEqual(['b', HOSTILE, 'a']);
        await again().release(['b', HOSTILE, 'unknown']);
        expect(await kept.waiting()).toEqual(['a']);
      },
    );

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
      for (let count = 0; count < TEAM_LIMITS.entriesPending; count++) await kept.file(entry({ slug: `s${count}` }));
      await expect(kept.file(entry({ slug: 'more' }))).rejects.toMatchObject({ code: 'memory_full' });
      expect((await kept.file(entry({ slug: 's1' }))).filed).toBe('same');
      await kept.settle(1, { status: 'rejected', by: 'a', at: 1 });
      expect((await kept.file(entry({ slug: 'more' }))).filed).toBe('added');
    });
  });
}

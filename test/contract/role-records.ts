import { expect, test } from 'vitest';
import type { RoleRecords } from '#ports/role-records.js';

/** What every keeper of proposals and of what is under way has to do. */
export function roleRecordsContract(name: string, make: () => RoleRecords): void {
  test(`${name}: proposals are read as they were kept, by id`, async () => {
    const records = make();
    expect(await records.proposals()).toEqual({ records: [], warnings: [] });
    await records.keepProposal('qa-charter-2', 'role: "qa"\ntext: "Two: lines\\nof it"\n');
    await records.keepProposal('qa-charter-1', 'role: "qa"\n');
    await records.keepProposal('qa-charter-1', 'role: "qa"\nstate: "rejected"\n');
    expect((await records.proposals()).records).toEqual([
      { id: 'qa-charter-1', value: { role: 'qa', state: 'rejected' } },
      { id: 'qa-charter-2', value: { role: 'qa', text: 'Two: lines\nof it' } },
    ]);
  });

  test(`${name}: what was begun is there for the next, until it is over`, async () => {
    const records = make();
    expect(await records.underWay()).toBe(false);
    const edit = { kind: 'edit', change: 'abc', by: 'ann', date: '2026-11-23', detail: { role: 'qa' } } as const;
    for (const begun of [
      { kind: 'graduation', change: 'abc', from: 7 },
      { ...edit, edit: { what: 'learn', role: 'qa', lesson: 'Ask.', run: 'agent-1' } },
      { ...edit, edit: { what: 'retire', role: 'qa', lane: 'crew' } },
    ] as const) {
      await expect(
        records.change(async (_, setDown) => {
          await setDown(begun);
          throw new Error('killed');
        }),
      ).rejects.toThrow('killed');
      expect(await records.underWay()).toBe(true);
      const found = await records.change(async (underWay, setDown) => {
        await setDown(undefined);
        return underWay;
      });
      expect(found).toEqual(begun);
    }
    expect(await records.change(async (underWay) => underWay)).toBeUndefined();
    expect(await records.underWay()).toBe(false);
  });

  test(`${name}: one change at a time`, async () => {
    const records = make();
    const steps: string[] = [];
    const slow = records.change(async (_, setDown) => {
      steps.push('first begins');
      await setDown({ kind: 'acceptance', proposal: 'p', by: 'you' });
      await setDown(undefined);
      steps.push('first ends');
    });
    await Promise.all([slow, records.change(async () => steps.push('second'))]);
    expect(steps).toEqual(['first begins', 'first ends', 'second']);
  });
}

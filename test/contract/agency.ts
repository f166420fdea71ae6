import { expect } from 'vitest';
import { fileText } from '#core/agency/entity-text.js';
import { agencyOf } from '#core/agency/read.js';
import type { AgencyFiles } from '#ports/agency.js';
import { role, tradeoff } from '../core/agency/people.js';
import { verifies } from '../verifies.js';

const fileOf = (entity: ReturnType<typeof role> | ReturnType<typeof tradeoff>, retired = false) => ({
  kind: entity.kind,
  id: entity.id,
  retired,
  text: fileText(entity),
});

/**
 * Contract of every adapter of the agency files. `open` creates an empty one; `again` opens another on the same place,
 * as after a crash.
 */
export function agencyContract(name: string, open: () => { files: AgencyFiles; again: () => AgencyFiles }): void {
  const never = async () => false;
  /** The log cannot be read, as if the process were killed. */
  const unknown = () => Promise.reject(new Error('killed'));
  const readBack = async (
    files: AgencyFiles,
    committed: (change: string, from: number) => Promise<boolean> = never,
  ) => {
    const { records, warnings } = await files.read(committed);
    return agencyOf(records, warnings);
  };

  verifies('agency.file.atomic', `${name}: files take their place with the commit, and not without it`, async () => {
    const { files } = open();
    const [one, two] = [role('One'), tradeoff('Two', { more: { colour: 'blue' } })];
    const before = await files.stamp();
    await files.change(never, async (_, write) => await write([fileOf(one)], 0, never));
    expect((await readBack(files)).empty).toBe(true);
    await files.change(never, async (_, write) => await write([fileOf(one), fileOf(two)], 0, async () => true));
    const there = await readBack(files);
    expect(there.role(one.id)).toEqual(one);
    expect(there.tradeoff(two.id)).toEqual(two);
    expect(await files.stamp()).not.toBe(before);
    await files.change(never, async (_, write) => await write([fileOf(one, true)], 0, async () => true));
    expect((await readBack(files)).role(one.id)?.retired).toBe(true);
  });

  verifies('agency.file.atomic', `${name}: what was left half-way is finished when the log has it`, async () => {
    for (const made of [true, false]) {
      const { files, again } = open();
      const one = role('One');
      let left: string | undefined;
      const work = files.change(
        unknown,
        async (_, write) =>
          await write([fileOf(one)], 7, async (change) => {
            left = change;
            throw new Error('killed');
          }),
      );
      await expect(work).rejects.toThrow('killed');
      const asked: unknown[] = [];
      const after = await readBack(again(), async (change, from) => {
        asked.push([change, from]);
        return made;
      });
      expect(asked).toEqual([[left, 7]]);
      expect(after.role(one.id) !== undefined).toBe(made);
      expect((await readBack(again())).role(one.id) !== undefined).toBe(made);
    }
  });

  verifies('agency.file.atomic', `${name}: changes come one after another`, async () => {
    const { files } = open();
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((word) =>
        files.change(never, async (_, write) => {
          order.push(`${word} begins`);
          await write([fileOf(role(word))], 0, async () => true);
          order.push(`${word} ends`);
        }),
      ),
    );
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
}

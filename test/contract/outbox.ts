import { describe, expect, onTestFinished, test } from 'vitest';
import type { OutboxRow } from '#core/mail/outbox.js';
import type { Outbox } from '#ports/outbox.js';

/**
 * Contract of every adapter of the outbox. `write` stores rows as a change does, `again` opens a second one on the same
 * place.
 */
export function outboxContract(
  name: string,
  make: () => { outbox: Outbox; write: (rows: readonly OutboxRow[]) => Promise<unknown>; again?: () => Outbox },
): void {
  const row = (id: string): OutboxRow => ({
    id,
    op: 'task.add',
    args: { created_by: 'ann', task: { id: `t-${id}`, title: `'"; DROP TABLE outbox -- ${id}`, tags: ['x'] } },
  });

  describe(`the contract of the outbox: ${name}`, () => {
    test('what the graph does not know yet is kept until it does, in the order in which it was written', async () => {
      const { outbox, write, again = () => outbox } = make();
      const other = again();
      for (const one of [outbox, other]) onTestFinished(() => one.close());
      expect(await outbox.pending(5)).toEqual([]);
      await write([row('b'), row('a')]);
      await write([row('c')]);
      expect(await other.pending(2)).toEqual([row('b'), row('a')]);
      await outbox.settle('b', 'done');
      await outbox.settle('a', 'refused');
      expect(await other.pending(5)).toEqual([row('c')]);
    });
  });
}

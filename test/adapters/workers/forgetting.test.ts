import { expect } from 'vitest';
import { HandedOutRuns } from '#adapters/workers/handed-out-runs.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { WorkersInMemory } from '../../workers-in-memory.js';

verifies(
  'fleet.faults',
  'of what is settled no fact is told again, also while the board cannot be told to forget it',
  async () => {
    const workers = new WorkersInMemory({ now: () => 0 });
    const board = workers.board();
    let isAway = false;
    const runs = new HandedOutRuns({
      board: {
        ...board,
        forget: async (run) => {
          if (isAway) throw new TroupeError('database_away');
          await board.forget(run);
        },
      },
      clock: workers.clock,
      trees: async () => expect.unreachable('nothing is handed out'),
      terms: { untakenMs: 1_000, leaseMs: 1_000 },
    });
    const told = async () => (await runs.facts()).map(({ id }) => id);
    await runs.refuse({ id: 'agent-1', taskId: 'build', fence: 1, startedAt: 0, timeoutMs: 1 }, 'it was too much');
    await runs.adopt([]);
    expect(await told()).toEqual(['agent-1']);
    isAway = true;
    await expect(runs.forget('agent-1')).rejects.toMatchObject({ code: 'database_away' });
    expect(await told()).toEqual([]);
    isAway = false;
    await runs.adopt([]); // looks at the board
    expect([...workers.forgotten.keys()]).toEqual(['agent-1']);
    expect(runs.has('agent-1')).toBe(false);
    await runs.close();
  },
);

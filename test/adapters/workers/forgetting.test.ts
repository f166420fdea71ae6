import { describe, expect } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { HandedOutRuns } from '#adapters/workers/handed-out-runs.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { TroupeError } from '#kernel/errors.js';
import { freshDatabase, postgresAddress } from '../../postgres.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';
import { WorkersInMemory } from '../../workers-in-memory.js';

const address = (await postgresAddress()) ?? '';

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
      seal: sealFor('shop'),
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

describe.skipIf(address === '')('with PostgreSQL', () => {
  verifies('fleet.faults', 'an end that is in the log is settled by no further leader', async () => {
    const database = await freshDatabase(address);
    const project = database.schema.slice('troupe_'.length);
    const leading = { who: 'leader', seize: true, stopWaiting: () => true, onLost: () => undefined };
    const leadership = await Leadership.take(database, leading);
    const attempt = `INSERT INTO attempts (run, task, fence, labels, card_json, state, outcome, ended_at)
      VALUES ($1, 'build', 1, '{}', $2, 'ended', 'lost', clock_timestamp())`;
    for (const run of ['agent-1', 'agent-2'])
      await database.query(attempt, [
        run,
        JSON.stringify({ run, taskId: 'build', fence: 1, startedAt: 0, timeoutMs: 1 }),
      ]);
    const line = { op: 'agent_complete', detail: { run: 'agent-1', outcome: 'dead' } };
    await database.query('INSERT INTO events (seq, at, line) VALUES (1, clock_timestamp(), $1)', [
      JSON.stringify(line),
    ]);
    await database.query('UPDATE head SET seq = 1');
    const runs = new HandedOutRuns({
      board: new PostgresAttemptBoard({
        database: await PostgresDatabase.of(address, project),
        epoch: leadership.epoch,
        lookMs: 60_000,
        blobs: async () => ROW_BLOBS,
      }),
      clock: database.clock,
      seal: sealFor(project),
      trees: async () => expect.unreachable('nothing is handed out'),
      terms: { untakenMs: 1_000, leaseMs: 1_000 },
    });
    await runs.adopt([]);
    expect((await runs.facts()).map(({ id }) => id)).toEqual(['agent-2']);
    const { rows } = await database.query<{ state: string }>("SELECT state FROM attempts WHERE run = 'agent-1'");
    expect(rows).toEqual([{ state: 'forgotten' }]);
    await runs.close();
    await leadership.release();
  });
});

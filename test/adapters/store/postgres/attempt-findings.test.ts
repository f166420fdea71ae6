import { describe, expect } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { PostgresDoctor } from '#adapters/store/postgres/doctor.js';
import { PostgresStore } from '#adapters/store/postgres/postgres-store.js';
import { addTask } from '#core/graph/add.js';
import { freshDatabase, postgresAddress } from '../../../postgres.js';
import { verifies } from '../../../verifies.js';

const address = await postgresAddress();

describe.skipIf(address === undefined)('what doctor says of attempts at workers', () => {
  verifies('fleet.db', 'that they wait for a leader, and that something they printed is missing', async () => {
    const database = await freshDatabase(address ?? '');
    const doctor = new PostgresDoctor(() =>
      PostgresDatabase.of(address ?? '', database.schema.slice('troupe_'.length)),
    );
    const codes = async () => (await doctor.examine()).map(({ code, text }) => `${code}: ${text}`);
    const attempt = `INSERT INTO attempts (run, task, fence, labels, card_json, state) VALUES ($1, 'build', 1, '{}', '{}', 'running')`;
    await database.query(attempt, ['agent-1']);
    const piece =
      'INSERT INTO run_pieces (run, of, position, size, bytes) VALUES ($1, $2, $3, octet_length($4::bytea), $4)';
    await database.query(piece, ['agent-1', 'output', 0, Buffer.from('one')]);
    await database.query(piece, ['agent-1', 'output', 3, Buffer.from('two')]);
    expect(await codes()).toEqual(['attempts_without_leader: 1 attempt at workers waits for a leader.']);
    const leading = { who: 'leader', seize: true, stopWaiting: () => true, onLost: () => undefined };
    const leadership = await Leadership.take(database, leading);
    expect(await codes()).toEqual([]);
    await database.query(piece, ['agent-1', 'output', 9, Buffer.from('four')]);
    expect(await codes()).toEqual(['run_output_gap: Part of what agent-1 printed is missing.']);
    await leadership.release();
    expect(await codes()).toEqual([
      'run_output_gap: Part of what agent-1 printed is missing.',
      'attempts_without_leader: 1 attempt at workers waits for a leader.',
    ]);
    await database.query(attempt, ['agent-2']);
    expect((await codes())[1]).toBe('attempts_without_leader: 2 attempts at workers wait for a leader.');
  });

  verifies('fleet.faults', 'what is written while doctor looks is no damage', async () => {
    const database = await freshDatabase(address ?? '');
    const project = database.schema.slice('troupe_'.length);
    const doctor = new PostgresDoctor(() => PostgresDatabase.of(address ?? '', project));
    const store = await PostgresStore.open({ database: await PostgresDatabase.of(address ?? '', project) });
    let isOver = false;
    const writing = (async () => {
      for (let number = 0; !isOver; number++)
        await store.commit((view) => addTask(view, { title: `Task ${number}` }, { now: number }));
    })();
    for (let look = 0; look < 20; look++) expect(await doctor.examine()).toEqual([]);
    isOver = true;
    await writing;
    await store.close();
  });
});

import { describe } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { Leadership } from '#adapters/postgres/leadership.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { PostgresWorkerGateway } from '#adapters/workers/postgres-worker-gateway.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { standingOfWorkers } from '#adapters/workers/standing.js';
import { freshId } from '#kernel/hash.js';
import { workerGatewayContract } from '../../contract/worker-gateway.js';
import { freshDatabase, postgresAddress } from '../../postgres.js';

const address = await postgresAddress();

describe.skipIf(address === undefined)('attempts in PostgreSQL', () => {
  const server = address ?? '';
  const lookMs = 100;

  workerGatewayContract('PostgreSQL', async () => {
    const database = await freshDatabase(server);
    const another = () => PostgresDatabase.of(server, database.schema.slice('troupe_'.length));
    return {
      async board() {
        const leading = { who: 'leader', seize: true, stopWaiting: () => true, onLost: () => undefined };
        const { epoch } = await Leadership.take(database, leading);
        return new PostgresAttemptBoard({ database: await another(), epoch, lookMs, blobs: async () => ROW_BLOBS });
      },
      async desk(key) {
        return new PostgresWorkerGateway({
          database: await another(),
          lookMs,
          key: key ?? freshId(),
          blobs: ROW_BLOBS,
        });
      },
      async silence(worker, ms) {
        const set = `UPDATE workers SET seen_at = seen_at - $2 * interval '1 ms' WHERE name = $1`;
        await database.query(set, [worker, ms]);
      },
      async age(ms) {
        await database.query(`UPDATE attempts SET offered_at = offered_at - $1 * interval '1 ms'`, [ms]);
      },
      async refused() {
        const { rows } = await database.query<{ run: string }>('SELECT run FROM refused_ends ORDER BY id');
        return rows.map(({ run }) => run);
      },
      async kept(run, of) {
        const { rows } = await database.query<{ bytes: Buffer }>(
          'SELECT bytes FROM run_pieces WHERE run = $1 AND of = $2 ORDER BY position',
          [run, of],
        );
        return Buffer.concat(rows.map(({ bytes }) => bytes));
      },
      standing: () => standingOfWorkers(database),
    };
  });
});

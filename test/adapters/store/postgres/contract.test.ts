import { hostname } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { postgresStoreKind } from '#adapters/store/postgres/postgres-store-kind.js';
import type { StoreKind } from '#ports/graph-store.js';
import { graphCopyContract, HOLD } from '../../../contract/graph-copy.js';
import { graphStoreContract } from '../../../contract/graph-store.js';
import { freshProject, MIGRATIONS, postgresAddress } from '../../../postgres.js';
import { room } from '../../../room.js';

const address = await postgresAddress();
const kindIn = (address: string): StoreKind =>
  postgresStoreKind({
    address,
    project: freshProject(address),
    migrations: MIGRATIONS,
    folder: room(),
    who: `pid ${process.pid} on ${hostname()}`,
  });
const never = () => false;

if (address === undefined) test.skip('the graph in PostgreSQL: there is no server here');
else {
  graphStoreContract('PostgreSQL, a turn for each commit', async () => {
    const kind = kindIn(address);
    await kind.initialise();
    return { store: await kind.open(never), again: () => kind.open(never) };
  });

  graphStoreContract('PostgreSQL, led for life', async () => {
    const kind = kindIn(address);
    await kind.initialise();
    return { store: await kind.hold(HOLD) };
  });

  const inDatabase = async () => kindIn(address);
  const inFiles = async () =>
    fileStoreKind({
      folder: path.join(room(), '.workgraph'),
      clock: { now: () => Date.now() },
      processes: async () => new ProcessTable(),
    });
  graphCopyContract('from files to PostgreSQL', inFiles, inDatabase);
  graphCopyContract('from PostgreSQL to files', inDatabase, inFiles);
}

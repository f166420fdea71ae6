import path from 'node:path';
import { describe } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { postgresStoreKind } from '#adapters/store/postgres/postgres-store-kind.js';
import { freshProject, MIGRATIONS, postgresAddress } from '../postgres.js';
import { room } from '../room.js';
import { type EmptyPlace, graphCopyContract } from './graph-copy.js';

const inFiles: EmptyPlace = async () =>
  fileStoreKind({
    folder: path.join(room(), '.workgraph'),
    clock: { now: () => Date.now() },
    processes: async () => new ProcessTable(),
  });

graphCopyContract('files to files', inFiles, inFiles);

const address = await postgresAddress();
describe.skipIf(address === undefined)('with PostgreSQL', () => {
  const inPostgres: EmptyPlace = async () =>
    postgresStoreKind({
      address: address ?? '',
      project: freshProject(address ?? ''),
      migrations: MIGRATIONS,
      folder: room(),
      who: 'a test',
    });
  graphCopyContract('files to PostgreSQL', inFiles, inPostgres);
  graphCopyContract('PostgreSQL to files', inPostgres, inFiles);
});

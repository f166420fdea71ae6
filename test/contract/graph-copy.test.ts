import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { room } from '../room.js';
import { type EmptyPlace, graphCopyContract } from './graph-copy.js';

const inFiles: EmptyPlace = async () =>
  fileStoreKind({
    folder: path.join(room(), '.workgraph'),
    clock: { now: () => Date.now() },
    processes: async () => new ProcessTable(),
  });

graphCopyContract('files to files', inFiles, inFiles);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { fileStorage } from '#main/file-storage.js';
import { verifies } from '../verifies.js';
import { original } from './original-project.js';

/** Writes a message in a transaction that was begun before this process says so, and ends a moment later. */
const LATE = `
  const database = new (require('libsql'))(process.argv[1]);
  database.exec('BEGIN IMMEDIATE');
  process.stdout.write('begun');
  setTimeout(() => {
    database.exec("UPDATE messages SET body = 'late'");
    database.exec('COMMIT');
  }, 300);
`;

verifies('db.locks', 'whoever reads all rows of a project waits for a message that was being written', async () => {
  const { folder, troupe } = original([]);
  await troupe('init');
  await troupe('add', 'Base', '--id', 'base', '--paused');
  expect((await troupe('msg', 'send', 'base', 'early')).code).toBe(0);
  const layout = graphLayout(path.join(folder, '.workgraph'));
  const writer = spawn(process.execPath, ['-e', LATE, layout.teams], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(writer.stdout, 'data');
  const of = { layout, id: 'p'.repeat(16) } as Parameters<typeof fileStorage>[0];
  const bodies: unknown[] = [];
  for await (const { table, values } of fileStorage(of, new ProcessTable()).rows())
    if (table === 'messages') bodies.push(values['body']);
  expect(bodies).toEqual(['late']);
});

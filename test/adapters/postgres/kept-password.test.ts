import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { errorMessage, fakeServer, message } from './fake-server.js';

/** A server that asks for a password in plain text, keeps it, and lets nobody in. */
async function asking(): Promise<{ address: string; port: number; heard: string[] }> {
  const heard: string[] = [];
  const port = await fakeServer((socket) => {
    socket.once('data', () => {
      socket.write(message('R', Buffer.from([0, 0, 0, 3])));
      socket.once('data', (answer) => {
        heard.push(answer.subarray(5, -1).toString());
        socket.end(errorMessage('FATAL', '28P01'));
      });
    });
  });
  return { address: `postgresql://ann@127.0.0.1:${port}/teams`, port, heard };
}

verifies(
  'fleet.address',
  'the password is found where programs of PostgreSQL keep it, and one that is missing is told',
  async () => {
    const file = path.join(room('home'), 'pgpass');
    vi.stubEnv('PGPASSFILE', file);
    vi.stubEnv('PGPASSWORD', undefined);
    const warned: string[] = [];
    const warn = (warning: Error) => warned.push(warning.message);
    process.on('warning', warn);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      process.off('warning', warn);
    });
    const { address, port, heard } = await asking();
    const connects = async () => {
      const database = await PostgresDatabase.of(address, 'shop');
      try {
        await database.query('SELECT 1');
      } catch (error) {
        return error as Error & { hint: string };
      } finally {
        await database.close();
      }
      return expect.unreachable();
    };

    const missing = await connects();
    expect(missing).toMatchObject({ code: 'database_refused', details: { retriable: false } });
    expect([missing.message, missing.hint]).toEqual([
      expect.stringContaining('none is kept'),
      expect.stringContaining('~/.pgpass'),
    ]);
    writeFileSync(file, `other:${port}:teams:ann:no\n127.0.0.1:*:teams:ann:open\\:sesame\n`);
    chmodSync(file, 0o600);
    expect(await connects()).toMatchObject({ code: 'database_refused', hint: expect.stringContaining('~/.pgpass') });
    vi.stubEnv('PGPASSWORD', 'of-the-environment');
    await connects();
    expect(heard).toEqual(['open:sesame', 'of-the-environment']);
    await new Promise(setImmediate); // warnings are emitted a turn later
    expect(warned).toEqual([]);
  },
);

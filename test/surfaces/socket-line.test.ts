import { existsSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { ANONYMOUS_ASKER, askService } from '#surfaces/socket/client.js';
import { startSocket } from '#surfaces/socket/server.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';

async function served(answer: (request: JsonObject) => Promise<unknown> = async () => ({})) {
  const file = path.join(room(), 'd.sock');
  const server = await startSocket(file, () => answer, { ownFolder: false });
  onTestFinished(() => server.close());
  return { file, server };
}

/** Everything that is said until the other side hangs up, and how long that took in milliseconds. */
function untilHungUp(file: string, say: (connection: Socket) => void): Promise<{ said: string; ms: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let said = '';
    const connection = createConnection({ path: file, allowHalfOpen: true });
    connection.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    connection.on('error', reject);
    connection.on('end', () => {
      resolve({ said, ms: performance.now() - begun });
      connection.destroy();
    });
    connection.on('connect', () => say(connection));
  });
}

const LONG = 'x'.repeat(WORK_LIMITS.socketLineBytes);
/** As many bytes as a line may have. */
const LONGEST = JSON.stringify({ cmd: 'é'.repeat((WORK_LIMITS.socketLineBytes - '{"cmd":""}'.length) / 2) });

verifies(
  'hold.socket.line',
  'a line of 1 MiB is taken; a longer one is answered with an error and hung up on',
  async () => {
    expect(WORK_LIMITS.socketLineBytes).toBe(1024 * 1024);
    const { file } = await served(async () => ({ heard: true }));
    const says: Record<string, (connection: Socket) => void> = {
      'with its end': (connection) => connection.write(`${LONGEST}\n${LONGEST}x\n`),
      'without an end': (connection) => connection.write(`${LONGEST}\n${LONG}x`),
      'and ever more': (connection) => {
        connection.write(`${LONGEST}\n`);
        for (let piece = 0; piece < 64; piece++) connection.write(LONG);
      },
      'in characters of two bytes': (connection) => connection.write(`${LONGEST}\n${'é'.repeat(LONG.length / 2 + 1)}`),
    };
    for (const [name, say] of Object.entries(says)) {
      const { said, ms } = await untilHungUp(file, say);
      const answers = said.split('\n').filter((line) => line !== '');
      const last = JSON.parse(answers.at(-1) ?? '{}');
      expect(last, name).toMatchObject({ ok: false, error: { code: 'too_large' } });
      expect(ms, name).toBeLessThan(1_000);
    }
  },
);

verifies('hold.socket.line', 'whoever does not hang up in turn is cut off within a second', async () => {
  const { file } = await served();
  const closed = await new Promise<number>((resolve) => {
    const connection = createConnection({ path: file, allowHalfOpen: true });
    let answered = 0;
    connection.once('data', () => {
      answered = performance.now();
      const more = setInterval(() => connection.write('x'), 10);
      connection.on('error', () => clearInterval(more));
      connection.on('close', () => {
        clearInterval(more);
        resolve(performance.now() - answered);
      });
    });
    connection.write(`${LONG}x`);
  });
  expect(closed).toBeLessThan(WORK_LIMITS.socketHangUpMs + 500);
});

verifies('hold.socket.line', 'who asks for too much learns so before anything is sent', async () => {
  const nowhere = path.join(room(), 'none.sock');
  const asked = askService(
    nowhere,
    { cmd: 'operation', name: 'task.add', input: { description: LONG } },
    ANONYMOUS_ASKER,
  );
  await expect(asked).rejects.toMatchObject({ code: 'too_large' });
});

verifies(
  'hold.socket.line',
  'a service that is silent may still do what it was asked for, and that is said',
  async () => {
    const file = path.join(room(), 'deaf.sock');
    const connections: Socket[] = [];
    const deaf = createServer((connection) => connections.push(connection));
    await new Promise<void>((resolve) => deaf.listen(file, resolve));
    onTestFinished(() => {
      for (const connection of connections) connection.destroy();
      deaf.close();
    });
    const error = await askService(file, { cmd: 'status' }, ANONYMOUS_ASKER, 50).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TroupeError);
    expect(error).toMatchObject({ code: 'service_silent', message: expect.stringMatching(/may still/) });
  },
);

verifies('hold.lock.owned', 'a service that ends leaves the socket of the one that took its place', async () => {
  const { file, server } = await served(async () => ({ who: 'first' }));
  const second = await startSocket(file, () => async () => ({ who: 'second' }), { ownFolder: false });
  await server.close();
  expect(await askService(file, { cmd: 'status' }, ANONYMOUS_ASKER)).toEqual({
    state: 'answered',
    result: { who: 'second' },
  });
  await second.close();
  expect(existsSync(file)).toBe(false);
});

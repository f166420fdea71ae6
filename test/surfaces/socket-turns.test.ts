import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { startSocket } from '#surfaces/socket/server.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';

const FLOOD = 500;
const WORK_MS = 0.5;

/** A service whose every answer costs as much time of the processor; it keeps whom it answered, in turn. */
async function busyService() {
  const file = path.join(room(), 'd.sock');
  const answered: string[] = [];
  let working = 0;
  let most = 0;
  const answer = async ({ cmd }: JsonObject) => {
    most = Math.max(most, ++working);
    await Promise.resolve();
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
    working--;
    answered.push(String(cmd));
    return {};
  };
  const server = await startSocket(file, () => answer, { ownFolder: false });
  onTestFinished(() => server.close());
  return { file, answered, mostAtOnce: () => most };
}

/** Sends all lines in one go and resolves once as many answers came. */
function sent(file: string, name: string, count: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    const connection = createConnection(file);
    connection.on('error', reject);
    connection.setEncoding('utf8').on('data', (text: string) => {
      answers += text.split('\n').length - 1;
      if (answers < count) return;
      connection.destroy();
      resolve(answers);
    });
    connection.write(`${JSON.stringify({ cmd: name })}\n`.repeat(count));
  });
}

verifies(
  'db.fair',
  'who sends hundreds of lines at once waits for them in line, and all others get their turns between',
  async () => {
    const { file, answered } = await busyService();
    const flood = sent(file, 'flood', FLOOD);
    const others = Array.from({ length: 63 }, async (_, number) => await sent(file, `other-${number}`, 5));
    await Promise.all(others);
    const floodBefore = answered.filter((name) => name === 'flood').length;
    // Each of the others had five turns; the flood has one beside each, and some while they connected.
    expect(floodBefore).toBeLessThan(5 * 3 + WORK_LIMITS.socketLinesWaiting);
    expect(await flood).toBe(FLOOD);
  },
);

verifies('db.fair', 'a connection is answered one line at a time', async () => {
  const { file, mostAtOnce } = await busyService();
  expect(await sent(file, 'one', 50)).toBe(50);
  expect(mostAtOnce()).toBe(1);
});

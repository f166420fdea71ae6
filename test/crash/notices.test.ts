import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { NoticeBook } from '#core/coordinator/notice-book.js';
import { hookServer } from '../adapters/notify/hook-server.js';
import { mass } from '../mass.js';
import { asked, bareService, endEverything, project, statuses, textOf, until } from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS = mass(6, 100);
const SERVICE_LIVES_MS = 6_000;

/** A project that tells a webhook of every failure, at most once a second. */
async function telling(): Promise<string> {
  const cwd = await project('parser');
  const settings = ['[coordinator]', 'executor = "shell"', '[notify]', 'every = "1s"', '[notify.webhook]'];
  writeFileSync(path.join(cwd, '.workgraph/config.toml'), [...settings, 'url_env = "HOOK"', ''].join('\n'));
  await asked(['trust'], { cwd });
  return cwd;
}

/** The last stored book of notices. */
function bookIn(cwd: string): NoticeBook | undefined {
  const line = textOf(path.join(cwd, '.workgraph/operations.jsonl'))
    .split('\n')
    .findLast((one) => one.includes('"kind":"notices"'));
  const { patch = [] } = (line === undefined ? {} : JSON.parse(line)) as { patch?: readonly { put?: NoticeBook }[] };
  return patch[0]?.put;
}

verifies(
  ['notify.once', 'notify.retry'],
  `a service killed ${KILLS} times, half of them while it sends, tells each failure under one key, and none is lost`,
  async () => {
    let silent = false;
    let heard: () => void = () => undefined;
    const server = await hookServer(() => {
      heard();
      return silent ? 'silence' : 200;
    });
    const cwd = await telling();
    onTestFinished(() => endEverything(cwd));
    const random = randomFrom(seed);
    const serve = (): ChildProcess => bareService(cwd, 4, { HOOK: server.url });
    const add = (id: string) => asked(['add', id, '--id', id, '--exec', 'exit 3'], { cwd });

    const first = serve();
    await until('the position', () => bookIn(cwd) !== undefined);
    await killAfter(first, 0);
    for (let kill = 0; kill < KILLS; kill++) {
      silent = kill % 2 === 0;
      const call = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const service = serve();
      await add(`t${kill}`);
      if (silent) await call;
      expect(await killAfter(service, silent ? 0 : random() * SERVICE_LIVES_MS)).toBe(true);
    }
    silent = false;
    serve();
    const ids = Array.from({ length: KILLS }, (_, kill) => `t${kill}`);
    await until(
      'every failure to be told',
      async () => {
        const told = bookIn(cwd);
        const failed = Object.values(await statuses(cwd)).every((status) => status === 'failed');
        const text = JSON.stringify(server.calls.map(({ body }) => body));
        return (
          failed && told?.waiting.length === 0 && told.sending.length === 0 && ids.every((id) => text.includes(id))
        );
      },
      60_000,
    );

    const keysOf = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
    for (const { headers, body } of server.calls) {
      const words = String(body['text']).split(/\s+/);
      for (const id of ids) if (words.includes(id)) keysOf.get(id)?.add(String(headers['idempotency-key']));
    }
    process.stdout.write(
      `notices, TROUPE_SEED=${seed}: ${KILLS} kills, ${server.calls.length} calls, ` +
        `${new Set(server.calls.map(({ headers }) => headers['idempotency-key'])).size} keys\n`,
    );
    expect(Object.fromEntries([...keysOf].map(([id, keys]) => [id, keys.size]))).toEqual(
      Object.fromEntries(ids.map((id) => [id, 1])),
    );
  },
);

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AFAR } from './afar.js';
import { CASES, World } from './cases.js';
import { installed, ownClients, PINNED, worldsFolder } from './clients.js';
import { startModelServer } from './model-server.js';
import { PLUGIN_CASES } from './plugins.js';
import { outsideTemporary, SERVED } from './served.js';
import { TOGETHER } from './together.js';

const SAID_MOST = 110;

/**
 * Runs the named clients (all if none is named) through the cases named after `--case`, one after another because they
 * use much memory. `--record FOLDER` stores the output of each. Returns the number of failed cases.
 */
export async function runSuite(words: readonly string[]): Promise<number> {
  const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const [only, record] = [after('--case'), after('--record')];
  const names = words.filter((word, at) => !word.startsWith('--') && !words[at - 1]?.startsWith('--'));
  const clients = [...PINNED, ...ownClients(process.env)];
  const unknown = names.find((name) => !clients.some((client) => client.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no client ${unknown}. There are: ${clients.map((one) => one.name)}`);
  outsideTemporary(worldsFolder());
  let wrong = 0;
  let right = 0;
  line('client', 'version', 'case', 'ms', 'result');
  for (const client of clients.filter(({ name }) => names.length === 0 || names.includes(name))) {
    let program: string;
    try {
      program = installed(client);
    } catch (error) {
      line(client.name, client.version, 'install', '', `skipped: ${(error as Error).message.split('\n')[0]}`);
      continue;
    }
    const strays = new Set<string>();
    for (const { name, run } of [...CASES, ...PLUGIN_CASES, ...SERVED, ...TOGETHER, ...AFAR].filter(
      (one) => only === undefined || one.name.includes(only),
    )) {
      const server = await startModelServer();
      const world = new World(client, program, server);
      const outcome = await run(world).catch((error: Error) => ({ ok: false, seen: error.message, driven: undefined }));
      for (const stray of server.strays) strays.add(stray);
      await server.close();
      world.remove();
      if (outcome.ok) right += 1;
      else wrong += 1;
      line(
        client.name,
        client.version,
        name,
        String(outcome.driven?.ms ?? ''),
        `${outcome.ok ? 'ok' : 'WRONG'}: ${outcome.seen}`,
      );
      if (!outcome.ok && outcome.driven) process.stdout.write(`${outcome.driven.stderr.slice(-1_500)}\n`);
      if (record !== undefined && outcome.driven) {
        const file = path.join(record, client.name, `${name.replace(/[^a-z0-9]+/gi, '-')}.jsonl`);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, outcome.driven.stdout.replaceAll(world.home, '/home/person'));
      }
    }
    line(client.name, client.version, 'wanted to reach', '', [...strays].join(' ') || 'nothing but the model');
  }
  process.stdout.write(`${right} passed, ${wrong} failed\n`);
  return wrong;
}

function line(client: string, version: string, name: string, ms: string, result: string): void {
  const cells = [client.padEnd(9), version.padEnd(8), name.padEnd(29), ms.padStart(6)];
  process.stdout.write(`${cells.join('  ')}  ${result.replace(/\s+/g, ' ').slice(0, SAID_MOST)}\n`);
}

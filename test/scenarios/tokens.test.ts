import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { killAfter, randomFrom, seed } from '../crash/killing.js';
import { freePort, selfSigned } from '../tls.js';
import { verifies } from '../verifies.js';
import {
  asked,
  CLI,
  environment,
  project,
  readJson,
  start,
  startService,
  textOf,
  troupe,
  untilStatus,
} from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Made {
  readonly name: string;
  readonly secret: string;
}

const make = (cwd: string, name: string, ...words: string[]) => asked<Made>(['token', 'add', name, ...words], { cwd });

/** Lines of every file below a folder. */
function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

verifies(
  'api.tokens',
  'a program works with a token of its scope until it is revoked, which its stream is told',
  async () => {
    const cwd = await project();
    await startService(cwd);
    await asked(['dashboard'], { cwd });
    const member = await make(cwd, 'ci', '--scope', 'member', '--expires', '1h');
    mkdirSync(path.join(cwd, 'node_modules'));
    symlinkSync(ROOT, path.join(cwd, 'node_modules', 'troupe'));
    writeFileSync(
      path.join(cwd, 'program.mjs'),
      `import { readFileSync } from 'node:fs';
import { createClient } from 'troupe/client';
const { http_port: port } = JSON.parse(readFileSync('.workgraph/service/state.json', 'utf8'));
const troupe = createClient({ url: 'http://127.0.0.1:' + port, token: process.env.TOKEN });
const { id } = await troupe.call('task.add', { title: 'Of the program' });
const codes = [];
const tried = (call) => call.catch((error) => codes.push(error.code));
await tried(troupe.call('task.approve', { id }));
await tried(troupe.call('task.add', { title: 'A command', exec: 'true' }));
await tried((async () => {
  for await (const { seq } of troupe.events({ from: 1 })) console.log('seq ' + seq);
})());
await tried(troupe.call('status.now', {}));
console.log(JSON.stringify({ id, codes }));
`,
    );
    const child = execFile(process.execPath, ['program.mjs'], { cwd, env: environment({ TOKEN: member.secret }) });
    let printed = '';
    const reading = new Promise<void>((resolve) =>
      child.stdout?.on('data', (chunk) => {
        printed += String(chunk);
        if (printed.includes('seq 1')) resolve();
      }),
    );
    const ended = new Promise((resolve) => child.once('close', resolve));
    await reading;
    await asked(['token', 'revoke', 'ci'], { cwd });
    expect(await ended).toBe(0);
    expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual({
      id: 'of-the-program',
      codes: ['forbidden', 'forbidden', 'token_ended', 'unauthenticated'],
    });
    expect(await asked(['show', 'of-the-program'], { cwd })).toMatchObject({ task: { created_by: 'tess' } });
    for (const folder of [path.join(cwd, '.workgraph'), environment()['HOME'] ?? ''])
      expect(textsBelow(folder), 'nowhere on disk').not.toContain(member.secret);
  },
);

verifies('api.tokens', 'a token is shown once, listed without its secret, and its end is told', async () => {
  const cwd = await project();
  const { stdout, stderr, code } = await troupe(['token', 'add', 'board', '--expires', '1s'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^troupe_[\w-]{43}\n$/)]);
  expect(stderr).toMatch(/^The token board has the scope observer until .*It is not shown again\.\n$/);
  const list = await troupe(['token', 'list'], { cwd });
  expect(list.stdout).toContain('observer');
  expect(list.stdout).not.toContain(stdout.trim());
  for (const words of [['Board'], ['-x'], ['a'.repeat(41)], ['a b'], ['..']])
    expect((await troupe(['token', 'add', '--', ...words], { cwd })).code, words[0]).toBe(2);
  for (const life of ['0s', '367d', 'soon'])
    expect((await troupe(['token', 'add', 'x', '--expires', life], { cwd })).code, life).toBe(2);
  expect((await troupe(['token', 'add', 'x', '--scope', 'admin'], { cwd })).code).toBe(2);
  expect((await troupe(['token', 'revoke', 'nobody'], { cwd })).stderr).toContain('There is no token nobody');
  await expect
    .poll(async () => (await troupe(['problems'], { cwd })).stdout, { timeout: 10_000 })
    .toContain('The token board has expired');
  expect((await troupe(['doctor'], { cwd })).stdout).toContain('token board of the HTTP API has expired');
  await asked(['token', 'revoke', 'board'], { cwd });
  expect((await troupe(['problems'], { cwd })).stdout).not.toContain('token board');
});

verifies('api.tokens', 'the example of the guide works as it stands', async () => {
  const cwd = await project();
  await asked(['add', 'Write the parser', '--id', 'write-the-parser'], { cwd });
  await startService(cwd);
  await asked(['dashboard'], { cwd });
  const guide = readFileSync(path.join(ROOT, 'docs/guide/api.md'), 'utf8');
  const block =
    [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].find(([text]) => text.includes('board.header'))?.[1] ?? '';
  const bin = path.join(environment()['HOME'] ?? '', 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'troupe'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o700 });
  const env = environment({ PATH: `${bin}:${process.env['PATH']}` });
  const printed = execFileSync('bash', ['-ec', block], { cwd, env, encoding: 'utf8' });
  expect(printed).toContain('"title":"Write the parser"');
  expect(printed).toMatch(/board\s+observer/);
});

verifies(
  ['api.tokens', 'door.socket'],
  'a run makes no token, at no door, and none that it is given makes it a person',
  async () => {
    const cwd = await project();
    await asked(['config', 'set', 'clients.sandbox', 'off'], { cwd }); // a sandbox would hide the doors from it
    await startService(cwd);
    await asked(['dashboard'], { cwd });
    const { secret } = await make(cwd, 'boss', '--scope', 'owner');
    const { http_port: port } = readJson<{ http_port: number }>(path.join(cwd, '.workgraph/service/state.json')) ?? {
      http_port: 0,
    };
    const script = path.join(cwd, 'run.sh');
    const bare = `env -i PATH="$PATH" HOME="$HOME" XDG_RUNTIME_DIR="$HOME"`;
    writeFileSync(
      script,
      [
        `"${process.execPath}" "${CLI}" token add mine --json 2> own.err`,
        `${bare} "${process.execPath}" "${CLI}" token add mine --json 2> bare.err`,
        `${bare} "${process.execPath}" "${CLI}" token revoke boss --json 2> revoke.err`,
        `curl -s -X POST http://127.0.0.1:${port}/api/task/claim -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d '{"id":"victim"}' > http.err`,
        `curl -s -X POST http://127.0.0.1:${port}/api/token/add -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d '{"name":"x"}' > token.err`,
        'true',
      ].join('\n'),
    );
    await asked(['add', 'Victim', '--id', 'victim', '--paused'], { cwd });
    await asked(['add', 'Look', '--id', 'look', '--exec', `bash ${script}`], { cwd });
    await untilStatus(cwd, 'look', 'done');
    const codeOf = (name: string) => readJson<{ error: { code: string } }>(path.join(cwd, `${name}.err`))?.error.code;
    expect(['own', 'bare', 'revoke', 'http'].map(codeOf)).toEqual(Array(4).fill('not_yours'));
    expect(codeOf('token'), 'it has no address').toBe('unknown_route');
    expect((await asked<{ tokens: unknown[] }>(['token', 'list'], { cwd })).tokens).toHaveLength(1);
  },
);

verifies(
  'api.tokens',
  'a token that was shown is there after kill -9 at any moment, and the store is sound',
  async () => {
    const cwd = await project();
    const random = randomFrom(seed);
    console.log(`seed ${seed}`);
    const shown: string[] = [];
    for (let round = 0; round < 10; round++) {
      const running = start(['token', 'add', `t${round}`], { cwd });
      await killAfter(running.child, 60 + random() * 240);
      await running.finished;
      if (running.stdout().endsWith('\n')) shown.push(`t${round}`);
    }
    const { tokens } = await asked<{ tokens: { name: string }[] }>(['token', 'list'], { cwd });
    expect(tokens.map(({ name }) => name)).toEqual(expect.arrayContaining(shown));
    await make(cwd, 'after');
  },
);

verifies(
  'api.tokens',
  'the service listens beyond its machine with TLS only, says where, and keeps that over a restart',
  async () => {
    const cwd = await project();
    const files = selfSigned('DNS:localhost,IP:127.0.0.1');
    const port = await freePort();
    const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
    const refused = await troupe(['service', 'start', '--listen', `0.0.0.0:${port}`], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/needs TLS.*--tls-cert/s)]);
    const loose = await troupe(['service', 'start', ...tls], { cwd });
    expect([loose.code, loose.stderr]).toEqual([2, expect.stringContaining('--listen')]);
    await startService(cwd, '--listen', `0.0.0.0:${port}`, ...tls);
    const { secret } = await make(cwd, 'ci');
    const status = async () => (await asked<{ listens: string[] }>(['service', 'status'], { cwd })).listens;
    expect(await status()).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), `https://localhost:${port}`]);
    const curl = async () => {
      writeFileSync(path.join(cwd, 'header'), `Authorization: Bearer ${secret}`);
      const words = [
        '-s',
        '--cacert',
        files.cert,
        '-H',
        `@${path.join(cwd, 'header')}`,
        `https://localhost:${port}/api/project`,
      ];
      return JSON.parse((await promisify(execFile)('curl', words)).stdout);
    };
    expect(await curl()).toMatchObject({ visitor: 'observer' });
    const { projects } = await asked<{ projects: { folder: string }[] }>(['projects'], { cwd });
    expect(projects.find(({ folder }) => folder === cwd)).toMatchObject({ listens: [`https://localhost:${port}/`] });
    expect(await asked(['dashboard'], { cwd })).toMatchObject({
      address: expect.stringMatching(`^https://localhost:${port}/#code=`),
    });
    const bad = await troupe(
      ['service', 'restart', '--listen', `0.0.0.0:${port}`, '--tls-cert', files.cert, '--tls-key', '/none'],
      { cwd },
    );
    expect(bad.stderr).toContain('/none does not exist');
    expect(await curl(), 'nothing was stopped for it').toMatchObject({ visitor: 'observer' });
    await asked(['service', 'restart'], { cwd });
    expect(await curl()).toMatchObject({ visitor: 'observer' });
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(secret);
    expect(textOf(path.join(cwd, '.workgraph/service/daemon.log'))).not.toContain(secret);
  },
);

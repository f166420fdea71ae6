import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, endEverything, textOf, troupe, untilStatus } from './program.js';

const NOTES_CONNECTIONS = path.resolve(import.meta.dirname, '../fixtures/connections.cjs');
const HERE = /^(path |(host|name) (localhost|127\.0\.0\.1|::1)( |$))/;

verifies(
  'sec.supply',
  'a project from beginning to end connects to nothing but its own service, and asks for no name',
  async () => {
    const notes = path.join(room('notes'), 'connections');
    const env = { NODE_OPTIONS: `--require "${NOTES_CONNECTIONS}"`, TROUPE_TEST_CONNECTIONS: notes };
    const outside = () =>
      textOf(notes)
        .split('\n')
        .filter((line) => line !== '' && !HERE.test(line));
    // What notes has to be seen to note: a name, and an address that belongs to nobody.
    spawnSync(process.execPath, ['-e', "fetch('http://name.invalid').catch(() => 0)"], {
      env: { ...process.env, ...env },
    });
    expect(outside()).toContain('name name.invalid');
    const own = path.join(room('notes'), 'connections');
    const watched = { ...env, TROUPE_TEST_CONNECTIONS: own };

    const cwd = repository({ 'package.json': '{"name":"x"}', 'README.md': '# X\n', 'src/a.ts': 'export {};\n' });
    onTestFinished(() => endEverything(cwd));
    const run = (...args: string[]) => asked<Record<string, unknown>>(args, { cwd, env: watched });
    await run('init');
    await run('add', 'Say hello', '--id', 'hello', '--exec', 'echo hello');
    await run('add', 'Ask an agent', '--id', 'agent');
    await run('trust');
    await run('cast', 'goal', 'document our public interface');
    await run('cast', 'confirm');
    await run('squad', 'check');
    await run('agency', 'init');
    await run('service', 'start', '--executor', 'shell');
    await untilStatus(cwd, 'hello', 'done');
    for (const words of [
      'list',
      'status',
      'problems',
      'why agent',
      'prompt agent',
      'doctor',
      'stats',
      'trace show hello',
      'workflow list',
    ])
      expect((await troupe(words.split(' '), { cwd, env: watched })).code, words).toBeLessThan(2);
    await run('dashboard');
    await run('service', 'stop');
    expect(textOf(own)).toMatch(/^path .*daemon\.sock$/m);
    const there = textOf(own)
      .split('\n')
      .filter((line) => line !== '' && !HERE.test(line));
    expect(there).toEqual([]);
  },
);

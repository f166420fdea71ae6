import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { clientPid, inRun, KEY, SILENT, say, WITH_CLIENT } from './client-world.js';
import { asked, CLI, endEverything, environment, project, textOf, untilStatus } from './program.js';

const OTHERS = 0o077;

function* below(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    yield full;
    if (entry.isDirectory()) yield* below(full);
  }
}

/** What processes of this user were started with, for those that carry this text in their environment. */
function commandLines(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/environ`).includes(mark))
    .map((name) => textOf(`/proc/${name}/cmdline`));
}

verifies(
  'sec.argv',
  'no key and no token in arguments, scripts, settings or session files, and what is written is for its owner only',
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    const settings = room('settings');
    const env = { ...WITH_CLIENT, XDG_CONFIG_HOME: settings };
    spawnSync('git', ['init', '-q'], { cwd });
    writeFileSync(path.join(cwd, '.workgraph/config.toml'), `[coordinator]\n${SILENT}\nworktree_isolation = "off"\n`);
    // As somebody whose files are open to all.
    const open = (...words: string[]) => {
      const line = [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ');
      const end = spawnSync('bash', ['-c', `umask 000; exec ${line}`], {
        cwd,
        env: environment(env),
        encoding: 'utf8',
      });
      expect([words[0], end.status, end.stderr]).toEqual([words[0], 0, expect.any(String)]);
    };
    const started = Date.now();
    open('trust');
    open('add', 'Do it play=slow', '--id', 'a');
    open('msg', 'send', 'a', 'hello');
    open('config', 'set', 'coordinator.max_agents', '2');
    open('service', 'start');
    await clientPid(cwd, 'agent-1');
    open('checkpoint', 'a', '-s', 'half way');
    open('dashboard');
    const token = /WG_RUN_TOKEN=([^\0]+)/.exec(textOf(inRun(cwd, 'agent-1', 'seen-environment')))?.[1] ?? '';
    expect(token.length).toBeGreaterThan(20);
    const lines = commandLines(`TROUPE_TEST_ROOM=${process.env['TROUPE_TEST_ROOM']}`);
    expect(lines.some((line) => line.includes('--output-format'))).toBe(true);
    const door = textOf(path.join(cwd, '.workgraph/service/http-token')).trim();
    expect(door.length).toBeGreaterThan(20);
    for (const secret of [KEY, token, door]) for (const line of lines) expect(line).not.toContain(secret);
    say(cwd, 'agent-1', 'go');
    await untilStatus(cwd, 'a', 'done');
    await asked(['service', 'stop'], { cwd, env });

    // The client's own, the test's, and what is in the repository for everybody.
    const ours = /\/(seen-\w+|go|config\.toml|graph\.jsonl|operations\.jsonl)$/;
    const written = [...below(path.join(cwd, '.workgraph')), ...below(settings)].filter(
      (file) => lstatSync(file).ctimeMs >= started && !ours.test(file),
    );
    const readable = written.filter((file) => (lstatSync(file).mode & OTHERS) !== 0);
    expect(readable.map((file) => path.relative(cwd, file))).toEqual([]);
    for (const file of written.filter((name) => lstatSync(name).isFile())) {
      const text = readFileSync(file, 'latin1');
      for (const secret of [KEY, token]) expect(text.includes(secret), `${file} holds a secret`).toBe(false);
    }
    expect(lstatSync(inRun(cwd, 'agent-1', 'seen-pid')).mode & 0o777).toBe(0o666); // its umask is the person's
    expect(textOf(path.join(cwd, '.git/config'))).not.toMatch(/token|key|password/i);
  },
);

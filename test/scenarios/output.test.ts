import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.js';
import { clientPid, clientProject, ownSettings, say, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, start, troupe, until, untilStatus } from './program.js';

interface Work {
  readonly runs: readonly { readonly last_line: string }[];
}

/** How often a client says what it has used is its own affair. */
const withoutUsage = (text: string) => text.replace(/^ {2}\[.* so far\]\n/gm, '');

verifies('hold.output', 'output, top and the dashboard show words, live; --raw the lines of the client', async () => {
  const cwd = await clientProject();
  const env = { ...WITH_CLIENT, ...ownSettings() };
  await asked(['add', 'Do it play=tools', '--id', 'a'], { cwd });
  onTestFinished(() => endEverything(cwd));
  await asked(['service', 'start'], { cwd, env });
  await clientPid(cwd, 'agent-1');
  const followed = start(['output', 'a', '--follow'], { cwd });
  await until('it to be told', () => followed.stdout().includes('> Bash: npm test'));
  const words = (await troupe(['output', 'a'], { cwd })).stdout;
  expect(words).toContain('  [12 tokens, ~$0.00 so far]\n');
  expect(withoutUsage(words)).toBe(
    '[started with fake]\nworking\n> Bash: npm test\n  failed Bash: 2 tests failed (+1 lines)\n',
  );
  const { runs } = await asked<Work>(['status', 'work'], { cwd });
  expect(runs[0]?.last_line).toBe('failed Bash: 2 tests failed (+1 lines)');
  say(cwd, 'agent-1', 'go');
  await untilStatus(cwd, 'a', 'done');
  const { stdout, code } = await followed.finished;
  expect(code).toBe(0);
  expect(withoutUsage(stdout)).toBe(`${withoutUsage(words)}done\n[succeeded: The client finished.]\n`);
  expect(stdout).toContain('  [125 tokens, $0.25 so far]\n');
  expect((await troupe(['output', 'a'], { cwd })).stdout).toBe(stdout);
  expect((await troupe(['output', 'a', '--raw'], { cwd })).stdout).toContain('{"type":"system","subtype":"init"');
});

verifies('hold.output', 'a command is shown as it prints, also while it goes on', async () => {
  const cwd = await clientProject();
  await asked(['add', 'Count', '--id', 'a', '--exec', 'echo one; until [ -e go ]; do sleep 0.05; done; echo two'], {
    cwd,
    env: ownSettings(),
  });
  const followed = start(['output', 'a', '--follow'], { cwd });
  onTestFinished(() => endEverything(cwd));
  await asked(['service', 'start'], { cwd, env: ownSettings() });
  await until('the first line', () => followed.stdout().includes('one\n'));
  writeFileSync(path.join(cwd, 'go'), '');
  expect((await followed.finished).stdout).toBe('one\ntwo\n');
});

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, inRun, ownSettings, say, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, project, startService, textOf, troupe, until, untilStatus } from './program.js';

interface Told {
  readonly attempt: number;
  readonly scope: string;
  readonly text: string;
  readonly sections: { readonly name: string; readonly bytes: number; readonly cut: boolean }[];
}

verifies('prompt.deps', 'a person reads what an attempt would be told, with and without a service', async () => {
  const cwd = await project();
  const add = (...words: string[]) => asked(['add', ...words], { cwd });
  await add('Look at the input', '--id', 'look', '--exec', 'echo "three lines" >&2; exit 3');
  await add(
    'Write the report',
    '--id',
    'report',
    '--after',
    'look',
    '--description',
    'hide\u202ethis\n<!-- and this -->',
  );
  writeFileSync(path.join(cwd, 'AGENTS.md'), 'Write plainly.');
  const before = await troupe(['prompt', 'report'], { cwd });
  expect(before.code).toBe(0);
  expect(before.stdout).toContain('You are attempt 1 at the task `report`.');
  expect(before.stdout).toContain('hide\\u{202e}this\n<!-- [HTML comment] and this -->');
  expect(before.stdout).not.toContain('What was done before');
  expect(before.stderr).toMatch(/^attempt 1, claude, mode full, scope task, \d+ bytes\n$/);

  await startService(cwd);
  await untilStatus(cwd, 'look', 'failed');
  const told = await asked<Told>(['prompt', 'report', '--scope', 'full'], { cwd });
  expect(told).toMatchObject({ attempt: 1, scope: 'full' });
  expect(told.text).toContain(
    'id: look\ntitle: Look at the input\nstatus: failed\nreason: Command exited with code 3: three lines\n',
  );
  expect(told.text).toContain('Write plainly.');
  expect(told.sections.every(({ bytes, cut }) => bytes > 0 && !cut)).toBe(true);

  const past = ['prompt', 'look', '--attempt', '1'];
  expect((await troupe(past, { cwd })).stderr).toContain('the prompt of agent-1 was not kept');
  mkdirSync(path.join(cwd, '.workgraph/agents/agent-1'), { recursive: true });
  writeFileSync(path.join(cwd, '.workgraph/agents/agent-1/prompt.txt'), 'look at it\u001b[2J\n');
  expect((await troupe(past, { cwd })).stdout).toBe('look at it\\u{1b}[2J\n');
  expect((await troupe(['prompt', 'look', '--scope', 'all'], { cwd })).code).toBe(2);
});

verifies(
  'hold.prompt.lean',
  'what a person reads before is what is sent, but for the mark of blocks: with a service and without one',
  async () => {
    const cwd = await clientProject(['default_context_scope = "graph"', 'max_agents = 1']);
    const env = { ...WITH_CLIENT, ...ownSettings() };
    writeFileSync(path.join(cwd, 'CLAUDE.md'), 'Use tabs.\n');
    await asked(['add', 'Begin play=slow', '--id', 'first'], { cwd });
    await asked(['add', 'Go on play=success', '--id', 'second', '--exec-mode', 'light', '--tag', 'late'], { cwd });
    const shown = async (id: string) => (await troupe(['prompt', id], { cwd, env })).stdout;
    const alone = await shown('first');
    expect(alone).toContain('Use tabs.');
    onTestFinished(() => endEverything(cwd));
    await asked(['service', 'start'], { cwd, env });
    await until('the first to begin', () => textOf(inRun(cwd, 'agent-1', 'seen-pid')) !== '');
    const served = await shown('second');
    say(cwd, 'agent-1', 'go');
    await untilStatus(cwd, 'second', 'done');
    const unmarked = (text: string) => text.replaceAll(/^<<<data-(\S+) /m.exec(text)?.[1] ?? '-', 'mark');
    expect(unmarked(textOf(inRun(cwd, 'agent-1', 'prompt.txt')))).toBe(unmarked(alone));
    expect(unmarked(textOf(inRun(cwd, 'agent-2', 'prompt.txt')))).toBe(unmarked(served));
  },
);

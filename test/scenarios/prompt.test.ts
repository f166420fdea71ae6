import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe, untilStatus } from './program.js';

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
  expect(told.text).toContain('id: look\ntitle: Look at the input\nstatus: failed\nreason: Agent exited with code 3\n');
  expect(told.text).toContain('Write plainly.');
  expect(told.sections.every(({ bytes, cut }) => bytes > 0 && !cut)).toBe(true);

  const past = ['prompt', 'look', '--attempt', '1'];
  expect((await troupe(past, { cwd })).stderr).toContain('nothing is kept of what agent-1 was told');
  mkdirSync(path.join(cwd, '.workgraph/agents/agent-1'), { recursive: true });
  writeFileSync(path.join(cwd, '.workgraph/agents/agent-1/prompt.txt'), 'look at it\u001b[2J\n');
  expect((await troupe(past, { cwd })).stdout).toBe('look at it\\u{1b}[2J\n');
  expect((await troupe(['prompt', 'look', '--scope', 'all'], { cwd })).code).toBe(2);
});

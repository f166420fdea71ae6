import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

verifies(['graph.show.check', 'graph.cycle.unconfigured'], '`check` ends with 1 on errors only', async () => {
  const cwd = await project();
  await asked(['add', 'A', '--after', 'nobody', '--allow-missing'], { cwd });
  const warned = await troupe(['check'], { cwd });
  expect(warned).toMatchObject({ code: 0, stderr: '' });
  expect(warned.stdout).toContain('warning[dangling] a');
  await asked(['add', 'B', '--after', 'a'], { cwd });
  await asked(['edit', 'a', '--add-after', 'b'], { cwd });
  const dead = await troupe(['check', '--json'], { cwd });
  expect(dead.code).toBe(1);
  expect(JSON.parse(dead.stdout)).toMatchObject({
    ok: false,
    errors: 1,
    problems: [{ code: 'deadlock', severity: 'error', task_id: 'a', ids: ['a', 'b'] }, { code: 'dangling' }],
    structural_cycles: [{ header: 'a', members: ['a', 'b'] }],
  });
  expect((await asked<{ tasks: unknown[] }>(['ready'], { cwd })).tasks).toEqual([]);
  await asked(['edit', 'a', '--remove-after', 'b,nobody'], { cwd });
  expect(await asked(['check'], { cwd })).toMatchObject({ ok: true, problems: [], structural_cycles: [] });
  appendFileSync(path.join(cwd, '.workgraph/graph.jsonl'), '{broken\n');
  const broken = await troupe(['check'], { cwd });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain('error[corrupt]');
});

verifies('graph.show.why-blocked', 'a failure is told through to what needs its success', async () => {
  const cwd = await project();
  await asked(['add', 'A'], { cwd });
  await asked(['add', 'B', '--after', 'a'], { cwd });
  await asked(['add', 'C', '--after-success', 'a'], { cwd });
  await asked(['fail', 'a', '--reason', 'two are red'], { cwd });
  const blocked = await asked<{ reasons: unknown }>(['why-blocked', 'c'], { cwd });
  expect(blocked.reasons).toEqual([{ code: 'needs-success', ids: ['a'] }]);
  const said = await troupe(['why', 'c'], { cwd });
  expect(said.stdout).toBe('It needs a to succeed, but that failed: two are red; retry with `troupe retry a`.\n');
  await asked(['retry', 'a'], { cwd });
  await asked(['done', 'a'], { cwd });
  expect(await asked(['why-blocked', 'c'], { cwd })).toMatchObject({ ready: true, is_blocked: false });
});

verifies('graph.show.why-blocked', 'the coordinator is asked, where there is one', async () => {
  const cwd = await project();
  await asked(['add', 'Run', '--exec', 'true', '--paused'], { cwd });
  expect((await troupe(['why', 'run'], { cwd })).stdout).toContain('`troupe resume run`');
  await startService(cwd);
  await asked(['service', 'pause'], { cwd });
  await asked(['resume', 'run'], { cwd });
  expect(await asked(['why', 'run'], { cwd })).toMatchObject([
    { code: 'service-paused', since: null, until: null, refs: [] },
  ]);
  expect((await asked<{ reasons: unknown }>(['why-blocked', 'run'], { cwd })).reasons).toEqual([
    { code: 'service-paused' },
  ]);
  await asked(['service', 'stop'], { cwd });
  expect(await asked(['why', 'run'], { cwd })).toMatchObject([{ code: 'service-down' }]);
});

verifies('graph.task.packet', 'the reason of a failure reaches whoever comes after it', async () => {
  const cwd = await project();
  await asked(['add', 'Review'], { cwd });
  await asked(['add', 'Revise', '--after', 'review', '-d', 'Put it right', '--skill', 'writing'], { cwd });
  await asked(['artifact', 'review', 'notes.md'], { cwd });
  await asked(['fail', 'review', '--reason', 'too long'], { cwd });
  expect(await asked(['context', 'revise'], { cwd })).toMatchObject({
    description: 'Put it right',
    skills: ['writing'],
    predecessors: [{ id: 'review', status: 'failed', artifacts: ['notes.md'], failure_reason: 'too long' }],
  });
  expect(await asked(['context', 'review', '--dependents'], { cwd })).toMatchObject({ dependents: [{ id: 'revise' }] });
});

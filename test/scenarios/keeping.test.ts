import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startAtTerminal, startService, troupe, until } from './program.js';

interface Output {
  readonly action: string;
  readonly tasks: readonly { id: string; status: string }[];
}

const ids = (output: Output) => output.tasks.map(({ id }) => id);
const graphOf = (cwd: string) => readFileSync(path.join(cwd, '.workgraph/graph.jsonl'), 'utf8');

for (const served of [false, true]) {
  verifies(
    ['graph.archive.move', 'graph.gc.remove', 'graph.task.id-once', 'graph.edge.success'],
    `tasks leave and come back, ${served ? 'with' : 'without'} a service`,
    async () => {
      const cwd = await project();
      if (served) await startService(cwd);
      for (const title of ['Alpha', 'Beta', 'Gamma']) await asked(['add', title], { cwd });
      await asked(['done', 'alpha'], { cwd });
      await asked(['abandon', 'beta'], { cwd });
      await asked(['fail', 'gamma'], { cwd });

      const refused = await troupe(['archive', '--json'], { cwd });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'confirmation_needed', details: { count: 2 } });
      expect(ids(await asked(['archive', '--dry-run'], { cwd }))).toEqual(['alpha', 'beta']);
      expect(ids(await asked(['archive', '-y'], { cwd }))).toEqual(['alpha', 'beta']);
      expect(ids(await asked(['gc'], { cwd }))).toEqual(['gamma']);
      expect((await asked<{ tasks: [] }>(['list'], { cwd })).tasks).toEqual([]);

      expect((await asked<{ id: string }>(['add', 'Alpha'], { cwd })).id).toBe('alpha-2');
      const taken = await troupe(['add', 'x', '--id', 'gamma', '--json'], { cwd });
      expect(JSON.parse(taken.stderr).error.code).toBe('id_taken');
      await asked(['add', 'Fine', '--after-success', 'alpha'], { cwd });
      await asked(['add', 'Never', '--after-success', 'beta'], { cwd });
      const ready = await asked<Output>(['ready'], { cwd });
      expect(ids(ready)).toEqual(['alpha-2', 'fine']);

      expect(ids(await asked(['archive', 'search', 'ALPHA', '--limit', '1'], { cwd }))).toEqual(['alpha']);
      expect(ids(await asked(['gc', '--list'], { cwd }))).toEqual(['gamma']);
      expect(ids(await asked(['archive', '--undo'], { cwd }))).toEqual(['alpha', 'beta']);
      const back = await asked<Output>(['archive', 'restore', 'gamma', '--reopen'], { cwd });
      expect(back.tasks).toMatchObject([{ id: 'gamma', status: 'open' }]);
      const shown = await troupe(['archive', '--list'], { cwd });
      expect(shown.stdout).toContain('The archive is empty');
    },
  );
}

verifies(
  ['graph.store.rotate', 'one.commit'],
  'the program packs the log away, rebuilds from it and prints what it was',
  async () => {
    const cwd = await project();
    for (const title of ['One', 'Two', 'Three']) await asked(['add', title], { cwd });
    const before = graphOf(cwd);
    expect(await asked(['rotate'], { cwd })).toMatchObject({ rotated: true, from: 1, to: 3 });
    await startService(cwd);
    await asked(['add', 'Four'], { cwd });
    expect(await asked(['rotate'], { cwd })).toMatchObject({ rotated: true, to: 5 });
    await asked(['add', 'Five'], { cwd });
    expect(await asked(['snapshot'], { cwd })).toMatchObject({ seq: 7, tasks: 5 });
    expect((await troupe(['rebuild', '-o', '-'], { cwd })).stdout).toBe(graphOf(cwd));
    expect((await troupe(['rebuild'], { cwd })).stdout).toBe(graphOf(cwd));
    expect((await troupe(['rebuild', '--at', '3'], { cwd })).stdout).toBe(before);
    const written = await troupe(['rebuild', '--at', '3', '-o', 'then.jsonl'], { cwd });
    expect(written.stdout).toContain(path.join(cwd, 'then.jsonl'));
    expect(readFileSync(path.join(cwd, 'then.jsonl'), 'utf8')).toBe(before);
    // In its place only while no service keeps the graph.
    const present = graphOf(cwd);
    const locked = await troupe(['doctor', '--rebuild', 'graph'], { cwd });
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining('`troupe service stop`')]);
    await asked(['service', 'stop'], { cwd });
    const rebuilt = await troupe(['doctor', '--rebuild', 'graph'], { cwd });
    expect(rebuilt.stdout).toContain('graph.jsonl is what the log makes: nothing changed.');
    expect(graphOf(cwd)).toBe(present);
  },
);

verifies(
  ['graph.replay.reset', 'graph.runs.all'],
  'the program does again what failed, and takes it back',
  async () => {
    const cwd = await project();
    for (const title of ['One', 'Two']) await asked(['add', title], { cwd });
    await asked(['fail', 'one', '--reason', 'no'], { cwd });
    const plan = await asked<object>(['replay', '--failed-only', '--plan-only'], { cwd });
    const answer = { model: null, reset_tasks: ['one'], preserved_tasks: ['two'] };
    expect(plan).toEqual({ run_id: null, plan_only: true, ...answer });
    const unasked = await troupe(['replay'], { cwd });
    expect([unasked.code, unasked.stderr]).toEqual([
      1,
      expect.stringMatching(/1 task would be opened again: one\.[\s\S]*troupe replay -y/),
    ]);
    expect(await asked(['runs', 'list'], { cwd })).toEqual({ runs: [], unreadable: [] });
    expect(await asked(['replay', '--failed-only'], { cwd })).toEqual({
      run_id: 'run-001',
      plan_only: false,
      ...answer,
    });
    expect(Object.keys(await asked<object>(['runs', 'show', 'run-001'], { cwd }))).toEqual([
      ...['id', 'timestamp', 'model', 'reset_tasks', 'preserved_tasks', 'filter'],
    ]);
    expect(await asked(['runs', 'diff', 'run-001'], { cwd })).toMatchObject({ total_changes: 1 });
    await asked(['runs', 'restore', 'run-001'], { cwd });
    expect(await asked(['show', 'one'], { cwd })).toMatchObject({ task: { status: 'failed', failure_reason: 'no' } });
    for (const words of [
      ['runs', 'list'],
      ['runs', 'show', 'run-001'],
      ['runs', 'diff', 'run-001'],
      ['replay', '--plan-only'],
    ]) {
      const { code, stdout } = await troupe(words, { cwd });
      expect([code, stdout.length > 20], words.join(' ')).toEqual([0, true]);
    }
  },
);

verifies('graph.archive.move', 'a person at a terminal is asked first', async () => {
  const cwd = await project();
  await asked(['add', 'Alpha'], { cwd });
  await asked(['done', 'alpha'], { cwd });
  for (const [typed, code, left] of [
    ['n', 1, 1],
    ['y', 0, 0],
  ] as const) {
    const running = startAtTerminal(typed, 'archive', { cwd });
    await until('the question to be answered', () => /Nothing was changed|1 task archived/.test(running.stdout()));
    running.child.kill();
    await running.finished;
    const { tasks } = await asked<{ tasks: [] }>(['list'], { cwd });
    expect([running.stdout().includes('1 task would be archived: alpha. Continue? [y/N]'), tasks.length]).toEqual([
      true,
      left,
    ]);
    expect(code).toBe(left);
  }
});

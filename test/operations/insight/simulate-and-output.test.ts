import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { taskOutput } from '#operations/insight/output.js';
import { simulate } from '#operations/insight/simulate.js';
import { taskStanding } from '#operations/insight/standing.js';
import type { Context } from '#operations/operation.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const withFile = (context: Context, data: unknown): Context => ({
  ...context,
  files: async () => ({ data: async (file: string) => (file === 'plan.yaml' ? data : expect.unreachable()) }) as never,
});

test('a simulation plays the graph by a file and by what was said besides, and says all of it', async () => {
  const own = world();
  await own.add('a', { exec: 'true' });
  await own.add('b', { exec: 'true', after: ['a'] });
  await own.add('c', { exec: 'true' });
  const plain = await simulate.run(own.context, {});
  expect(plain).toEqual({
    ...{ took_ms: 1_200_000, ended: 'finished', seed: 1, agents: 4, runs: 3, deaths: 0, crashes: 0, cost_usd: 0 },
    ...{ at_once: { most: 2, average: 1.5 }, statuses: { done: 3 }, left: [] },
  });
  expect((await own.store.view()).task('a')?.status).toBe('open');
  const scenario = { agents: 1, seed: 5, until: '15m', script: [{ match: 'a', takes: '10m', cost: 2 }] };
  const context = withFile(own.context, scenario);
  const read = await simulate.run(context, { file: 'plan.yaml' });
  expect(read).toMatchObject({ ended: 'until', seed: 5, agents: 1, runs: 2, cost_usd: 2 });
  expect(read.left.length).toBeGreaterThan(0);
  const said = await simulate.run(context, { file: 'plan.yaml', agents: 2, seed: 7, until: '1d', log: true });
  expect(said).toMatchObject({ ended: 'finished', seed: 7, agents: 2, left: [], took_ms: 1_200_000 });
  expect(said.log?.length).toBeGreaterThan(5);
  expect(await simulate.run(withFile(own.context, null), { file: 'plan.yaml' })).toEqual(plain);
  await expect(simulate.run(own.context, { crash: 2 })).rejects.toMatchObject({ code: 'bad_input' });
});

verifies('sec.path.escape', 'the output of a task is that of its own runs, from where the reader was', async () => {
  const own = world();
  await own.add('a', { assigned: 'agent-2', log: [{ timestamp: '', actor: 'agent-1', message: '' }] });
  await own.add('never');
  await own.add('over', { status: 'done' });
  const asked: unknown[] = [];
  const runs: Context['runs'] = async () => ({
    ...NO_RUNS,
    state: async (run) => (run === 'agent-2' ? 'at-work' : 'gone'),
    identity: async (run) =>
      run === 'agent-3' ? undefined : { taskId: run === 'agent-9' ? 'b' : 'a', fence: 1, mail: 'any' as never },
    part: async (run, of, range) => {
      asked.push([run, of, range]);
      return of === 'events' ? undefined : { text: `of ${run}`, next: 12, size: 40 };
    },
  });
  const told = (input: object) => taskOutput.run({ ...own.context, runs }, { id: 'a', ...input });
  const whole = { task: 'a', form: 'raw', next: 12, size: 40 };
  expect(await told({ raw: true, bytes: 9 })).toEqual({
    ...{ ...whole, run: 'agent-2', text: 'of agent-2', cut: true, running: true },
  });
  expect(await told({ run: 'agent-1', bytes: 40 })).toEqual({
    ...{ ...whole, run: 'agent-1', text: 'of agent-1', cut: false, running: false },
  });
  expect(asked.splice(0).at(0)).toEqual(['agent-2', 'output', { most: 9 }]);
  const since = { run: 'agent-2', form: 'raw', next: 7 } as const;
  expect(await told({ since, bytes: 9 })).toMatchObject({ run: 'agent-2', cut: false });
  expect(asked.splice(0)).toEqual([['agent-2', 'output', { most: 9, from: 7 }]]);
  await told({ since: { ...since, run: 'agent-1' }, raw: true, bytes: 9 });
  expect(asked.splice(0), 'another run is shown from its end').toEqual([['agent-2', 'output', { most: 9 }]]);
  for (const run of ['agent-9', 'agent-3', '../agent-2', '..', 'a..b'])
    await expect(told({ run }), run).rejects.toMatchObject({
      ...{ code: 'not_found', message: `a has no run ${run}.` },
      hint: 'Run `troupe agents a` to see its runs.',
    });
  const none = { run: null, form: 'raw', text: '', size: 0, next: 0, cut: false };
  expect(await taskOutput.run(own.context, { id: 'never' })).toEqual({ task: 'never', ...none, running: true });
  expect(await taskOutput.run(own.context, { id: 'over' })).toEqual({ task: 'over', ...none, running: false });
});

test('of many runs the latest five are looked for', async () => {
  const own = world();
  const log = Array.from({ length: 7 }, (_, number) => ({ timestamp: '', actor: `run-${number}`, message: '' }));
  await own.add('a', { log });
  const told = async () => (await taskOutput.run(own.context, { id: 'a' })).run;
  own.outputs.set('run-1', 'x');
  expect(await told()).toBeNull();
  own.outputs.set('run-2', 'x');
  expect(await told()).toBe('run-2');
});

test('work to be reviewed says what its latest attempt changed, where there is a worktree of it', async () => {
  const own = world();
  await own.add('a', { status: 'pending-validation' });
  await own.add('b', { status: 'blocked' });
  const changes = { total: 3, added: 20, deleted: 4 };
  const standing = async (id: string, attempts: () => Promise<readonly number[]>) => {
    const worktrees = {
      attempts,
      changes: async ({ attempt }: { attempt: number }) => ({ branch: `wg/a/${attempt}`, changes }),
    };
    const view = await own.store.view();
    const task = view.task(id) ?? expect.unreachable();
    return await taskStanding({ ...own.context, ...bothPorts(async () => worktrees as never) }, view, task);
  };
  const [why, blocked] = [expect.stringContaining('needs review'), expect.stringContaining('blocked')];
  expect(await standing('a', async () => [1, 2])).toEqual({
    why,
    changes: { branch: 'wg/a/2', files: 3, added: 20, removed: 4 },
  });
  expect(await standing('a', async () => [])).toStrictEqual({ why });
  expect(await standing('a', () => Promise.reject(new TroupeError('not_a_repository')))).toStrictEqual({ why });
  expect(await standing('b', async () => expect.unreachable())).toStrictEqual({ why: blocked });
  await expect(standing('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

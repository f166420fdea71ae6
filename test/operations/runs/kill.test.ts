import { expect, test } from 'vitest';
import type { Context } from '#operations/operation.js';
import { kill } from '#operations/runs/agents.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';

test('a run is asked to end, and forced only when that was said; by its name or its process', async () => {
  const { context } = world();
  const asked: [string, boolean][] = [];
  const runs = {
    ...NO_RUNS,
    listed: async () => [{ id: 'agent-7', task_id: 'a', pid: 4711 }] as never,
    end: async (run: string, force: boolean) => asked.push([run, force]) > 0,
  };
  const own: Context = { ...context, runs: async () => runs };
  expect(await kill.run(own, { run: 'agent-7' })).toEqual({ run: 'agent-7', task: 'a', signal: 'TERM' });
  expect(await kill.run(own, { run: '4711', force: true })).toMatchObject({ signal: 'TERM, then KILL' });
  expect(asked).toEqual([
    ['agent-7', false],
    ['agent-7', true],
  ]);
  await expect(kill.run(own, { run: 'agent-8' })).rejects.toMatchObject({ code: 'not_found' });
});

test('where a coordinator is at work it ends the run; force does not wait for that', async () => {
  const { context } = world();
  const forced: string[] = [];
  const runs = { ...NO_RUNS, end: async (run: string) => forced.push(run) > 0 };
  const coordinator = () => ({ kill: (run: string | number) => ({ run: String(run), task: 'a' }) }) as never;
  const own: Context = { ...context, runs: async () => runs, coordinator };
  expect(await kill.run(own, { run: 'agent-7' })).toEqual({ run: 'agent-7', task: 'a', signal: 'TERM' });
  expect(forced).toEqual([]);
  expect(await kill.run(own, { run: 'agent-7', force: true })).toMatchObject({ signal: 'TERM, then KILL' });
  expect(forced).toEqual(['agent-7']);
});

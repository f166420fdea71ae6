import { expect } from 'vitest';
import { participantOf } from '#operations/participant.js';
import type { Caller } from '#ports/callers.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

verifies(
  'graph.move.fenced',
  'a person takes part under a name of their choice, a run under its own and while it holds its task',
  async () => {
    const { context, store, add, set } = world();
    await add('a', { status: 'in-progress', assigned: 'agent-1', fence: 2 });
    const as = async (caller: Caller, named?: string) =>
      await participantOf({ ...context, caller }, named).catch(({ code }) => code);
    const person = { kind: 'person', name: 'ann' } as const;
    const reads = (name: string) => ({
      ...{ name, kind: 'person', sender: `human/${name}`, reader: `human/${name}`, task: undefined },
    });
    expect([await as(person), await as(person, 'ben')]).toEqual([reads('ann'), reads('ben')]);
    const run = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 2 } as const;
    const task = (await store.view()).task('a');
    const reading = { name: 'agent-1', kind: 'run', sender: 'run/agent-1', reader: 'task/a', task };
    expect([await as(run), await as(run, 'agent-1')]).toEqual([reading, reading]);
    expect([
      await as(run, 'ann'),
      await as({ ...run, fence: 1 }),
      await as({ ...run, name: 'agent-2' }),
      await as({ ...run, taskId: 'none' }),
    ]).toEqual(['not_yours', 'stale_attempt', 'stale_attempt', 'unknown_task']);
    await set('a', { assigned: 'agent-2', fence: 3 });
    expect(await as(run), 'another run holds it').toBe('stale_attempt');
  },
);

import { expect } from 'vitest';
import type { Output } from '#operations/map.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

verifies(
  'web.run',
  'the boxes of the graph as it was after an event, with that moment and the ones around it',
  async () => {
    const own = world();
    const at = async (event: number) => (await own.call('graph.boxes', { event })) as Output<'graph.boxes'>;
    await expect(at(1)).rejects.toMatchObject({ code: 'not_found' });
    const begun = own.clock.now();
    await own.add('plan', { title: 'Plan it' });
    own.pass(60_000);
    await own.set('plan', { status: 'in-progress', assigned: 'agent-1', started_at: new Date(begun).toISOString() });
    await own.set('plan', { description: 'Nothing to be seen' });
    await own.add('build', { title: 'Build it', after: ['plan'] });
    own.pass(3_600_000);
    await own.set('plan', { status: 'done' });
    const states = ({ boxes }: Output<'graph.boxes'>) => boxes.map(({ task }) => [task?.id, task?.state, task?.live]);
    const first = await at(1);
    expect(states(first)).toEqual([['plan', 'ready', undefined]]);
    expect(first.moment).toMatchObject({ first: 1, seq: 1, op: 'add_task', task: 'plan', title: 'Plan it', next: 2 });
    const second = await at(2);
    expect(states(second)).toEqual([['plan', 'in-progress', true]]);
    expect(second.moment).toMatchObject({ status: 'in-progress', before: 1, next: 4 });
    expect(second.moment?.timestamp).toBe(new Date(begun + 60_000).toISOString());
    expect(states(await at(4)).sort()).toEqual([
      ['build', 'open', undefined],
      ['plan', 'in-progress', true],
    ]);
    // Beyond the end it is the present; what happens later is read when it is asked for.
    expect((await at(999)).moment).toMatchObject({ seq: 5, status: 'done', before: 4 });
    await own.set('build', { status: 'done' });
    expect((await at(6)).moment).toMatchObject({ seq: 6, task: 'build', status: 'done', before: 5 });
  },
);

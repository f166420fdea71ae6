import { expect } from 'vitest';
import { PlacedRuns } from '#adapters/workers/placed-runs.js';
import { verifies } from '../../verifies.js';

type Call = readonly [host: string, method: string, ...values: unknown[]];

/** A host that writes down each call and answers with its own name. */
function host(name: string, calls: Call[], answers: Readonly<Record<string, unknown>>): never {
  const methods = {
    get: (_: object, method: string) => {
      if (method === 'has') return (run: string) => run.startsWith('far');
      return (...values: unknown[]) => {
        calls.push([name, method, ...values]);
        return answers[method] ?? `${method} of ${name}`;
      };
    },
  };
  return new Proxy({}, methods) as never;
}

verifies(
  'fleet.worker',
  'each call goes to the host of its run, and what is asked of all is asked of both',
  async () => {
    const calls: Call[] = [];
    const here = host('here', calls, { facts: [1], listed: ['a'], adopt: 4 });
    const far = host('far', calls, { facts: [2, 3], listed: ['b'], adopt: 7 });
    const runs = new PlacedRuns({ here, far });
    const plan = (id: string) => ({ id }) as never;
    const each = async (id: string) => [
      await runs.prepare(plan(id)),
      await runs.discard(id),
      await runs.start(plan(id)),
      await runs.refuse(plan(id), 'why'),
      await runs.fact(id),
      await runs.allow(id, 'limit' as never),
      await runs.end(id, 'stopped'),
      await runs.beat(id, 3),
      await runs.forget(id, 'done'),
    ];
    for (const name of ['here', 'far']) {
      const id = `${name}-1`;
      calls.length = 0;
      const none = undefined;
      expect(await each(id)).toEqual([none, none, none, none, `fact of ${name}`, none, none, `beat of ${name}`, none]);
      expect(calls).toEqual([
        [name, 'prepare', { id }],
        [name, 'discard', id],
        [name, 'start', { id }],
        [name, 'refuse', { id }, 'why'],
        [name, 'fact', id],
        [name, 'allow', id, 'limit'],
        [name, 'end', id, 'stopped'],
        [name, 'beat', id, 3],
        [name, 'forget', id, 'done'],
      ]);
    }
    calls.length = 0;
    expect([await runs.facts(), await runs.listed()]).toEqual([
      [1, 2, 3],
      ['a', 'b'],
    ]);
    expect([await runs.rooms(), await runs.silent(), await runs.workerProblems(), runs.endOf('here-1')]).toEqual([
      ...['rooms of far', 'silent of far', 'workerProblems of far', 'endOf of far'],
    ]);
    calls.length = 0;
    const claims = [{ run: 'here-1' }, { run: 'far-1' }] as never;
    expect(await runs.adopt(claims)).toBe(7);
    const listener = () => undefined;
    runs.onChange(listener);
    runs.assignRun('here-2', 'tree' as never);
    await runs.close();
    expect(calls).toEqual([
      ['far', 'adopt', claims],
      ['here', 'adopt', [{ run: 'here-1' }]],
      ['here', 'onChange', listener],
      ['far', 'onChange', listener],
      ['far', 'assignRun', 'here-2', 'tree'],
      ['here', 'close'],
      ['far', 'close'],
    ]);
    const nine = new PlacedRuns({ here: host('here', [], { adopt: 9 }), far });
    expect(await nine.adopt(claims)).toBe(9);
  },
);

import { expect } from 'vitest';
import type { OutboxRow } from '#core/mail/outbox.js';
import { createTeam, EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { withoutQueries } from '#kernel/query.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Outbox } from '#ports/outbox.js';
import { contextOf } from '../context-of.js';
import { graphOf } from '../core/graph/graph.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

const task = (id: string): OutboxRow => ({
  id: `o-${id}`,
  op: 'task.add',
  args: { created_by: 'ann', task: { id, title: `Do ${id}`, description: 'as agreed', member: 'hicks', team: 't-1' } },
});
const message = (to: string): OutboxRow => ({
  id: `m-${to}`,
  op: 'task.message',
  args: { task_id: to, from: 'ann', kind: 'person', number: 1 },
});

/** Ends like a process that is killed, at the given step of all steps that the relay takes. */
class Killed extends Error {}
function dying<Part extends object>(part: Part, methods: readonly string[], step: (name: string) => void): Part {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!methods.includes(String(name))) return value.bind(target);
      return async (...args: unknown[]) => {
        step(`before ${String(name)}`);
        const answer = await value.apply(target, args);
        step(`after ${String(name)}`);
        return answer;
      };
    },
  });
}

verifies(
  'team.db.outbox',
  'a change and what the graph is told of it are one step; killed anywhere, the next relay loses and doubles nothing',
  async () => {
    for (let last = 1; ; last++) {
      const { context, store } = world();
      const [outbox, teams] = [await context.outbox(), await context.teams()];
      const wish = { id: 't-1', leaderId: 'l-1', name: 'crew', leader: 'Ripley', description: '', mesh: false };
      await teams.change(function* (view) {
        const plan = yield* createTeam(view, { ...wish, reserved: 'project' }, { by: 'ann', at: 1 });
        return { ...plan, outbox: [task('a'), task('b'), message('a'), message('nobody')] };
      });
      let steps = 0;
      const step = () => {
        if (++steps === last) throw new Killed();
      };
      const mortal = contextOf({
        clock: context.clock,
        graph: async () => dying<GraphStore>(store, ['commit'], step),
        outbox: async () => dying<Outbox>(outbox, ['pending', 'settle'], step),
      });
      const killed = await relayOutbox(mortal).then(
        () => false,
        (error: unknown) => error instanceof Killed,
      );
      await relayOutbox(context);
      expect(await outbox.pending(9)).toEqual([]);
      const ops: string[] = [];
      for await (const entry of store.entries(1)) ops.push(`${entry.op} ${entry.task_id}`);
      expect(ops, `killed at step ${last}`).toEqual(['add_task a', 'add_task b', 'message a']);
      expect((await store.view()).task('a')).toMatchObject({ team: 't-1', member: 'hicks', created_by: 'ann' });
      if (!killed) return expect(last).toBe(19);
    }
  },
);

verifies('team.db.outbox', 'a task that is there was added, also when nobody remembers the answer', async () => {
  const { context, store, add } = world();
  await add('a');
  const outbox = await context.outbox();
  const rows = [...Array(TEAM_LIMITS.outboxRows).keys()].map((index) => task(`t-${index}`));
  await (await context.teams()).change(() =>
    withoutQueries({
      ...EMPTY_TEAM_PLAN,
      outbox: [task('a'), ...rows],
      result: undefined,
    }),
  );
  const settled: string[] = [];
  const watched: Outbox = {
    pending: (limit) => outbox.pending(limit),
    settle: (id, how) => {
      settled.push(how);
      return outbox.settle(id, how);
    },
    close: () => outbox.close(),
  };
  await relayOutbox({ ...context, outbox: async () => watched });
  expect(await outbox.pending(1)).toEqual([]);
  expect(new Set(settled)).toEqual(new Set(['done']));
  expect([...(await store.view()).nodes()]).toHaveLength(TEAM_LIMITS.outboxRows + 1);
});

verifies(
  ['team.db.outbox', 'test.bites'],
  'a row that met a fault of the machine waits for the next relay',
  async () => {
    const { context, store } = world();
    const outbox = await context.outbox();
    await (await context.teams()).change(() =>
      withoutQueries({ ...EMPTY_TEAM_PLAN, outbox: [task('a')], result: undefined }),
    );
    const clock = {
      now: () => {
        throw new Error('disk full');
      },
    };
    await expect(relayOutbox({ ...context, clock })).rejects.toThrow('disk full');
    expect(await outbox.pending(9)).toMatchObject([{ id: 'o-a' }]);
    await relayOutbox(context);
    expect((await store.view()).task('a')).toMatchObject({ team: 't-1' });
  },
);

verifies(
  'team.db.outbox',
  'a row is settled by the last decision about it, and one that was refused is told so',
  async () => {
    const { context, store } = world();
    const settled: [string, string][] = [];
    const rows = [task('a'), message('nobody'), task('b')];
    const outbox: Outbox = {
      pending: async () => rows.splice(0, rows.length),
      settle: async (id, how) => void settled.push([id, how]),
      close: async () => undefined,
    };
    const requests: unknown[] = [];
    // Another writer was faster: what was decided is decided again, of a graph in which it is possible now.
    const twice = {
      commit: async (decide: (view: never) => unknown, request: unknown) => {
        requests.push(request);
        decide(graphOf() as never);
        return await store.commit(decide as never, request as never);
      },
    } as unknown as GraphStore;
    await context.graph();
    const entries = await relayOutbox({ ...context, graph: async () => twice, outbox: async () => outbox });
    expect(settled).toEqual([
      ['o-a', 'done'],
      ['m-nobody', 'refused'],
      ['o-b', 'done'],
    ]);
    rows.push(message('a'));
    settled.length = 0;
    expect(entries.map(({ op }) => op)).toEqual(['add_task', 'add_task']);
    await relayOutbox({ ...context, graph: async () => twice, outbox: async () => outbox });
    expect(settled, 'refused at first, of a graph without the task').toEqual([['m-a', 'done']]);
    expect(requests).toEqual(['o-a', 'm-nobody', 'o-b', 'm-a'].map((id) => ({ requestId: `outbox:${id}` })));
  },
);

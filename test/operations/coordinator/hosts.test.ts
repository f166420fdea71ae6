import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { Errands } from '#operations/coordinator/errands.js';
import type { HostTools } from '#operations/coordinator/host.js';
import { effectsOf } from '#operations/coordinator/host.js';
import { projectHosts } from '#operations/coordinator/hosts.js';
import { send } from '#operations/mail/task-talk.js';
import type { Context } from '#operations/operation.js';
import { world } from '../../e2e/world.js';
import { quietHosts } from '../../quiet-parts.js';

const VIEW = {} as never;

function hosts() {
  const ended: string[] = [];
  const runs = { end: (run: string, why: string) => ended.push(`${run} ${why}`) };
  return { ended, hosts: quietHosts({ runs, persisted: { backOff: undefined, holds: [] } } as unknown as HostTools) };
}

test('a run is ended by the host of the runs, whichever part wants it, and the next look sees it as before', async () => {
  const { ended, hosts: all } = hosts();
  const decision = {
    do: 'kill',
    run: 'agent-1',
    task: 'a',
    why: 'idle',
    reason: 'It said nothing',
    events: [],
  } as const;
  expect(await effectsOf(all)(decision, VIEW)).toBe(0);
  expect(ended).toEqual(['agent-1 idle']);
});

test('the hosts of a project answer for every decision, none for that of another', () => {
  const parts = { maxAgents: 1, room: { load: () => undefined, save: () => undefined }, note: () => undefined };
  const persisted = { backOff: undefined, holds: [] };
  const tools = { errands: new Errands(() => undefined), persisted } as unknown as HostTools;
  expect(() => effectsOf(projectHosts({} as Context, parts as never)(tools))).not.toThrow();
});

test('two hosts that answer for one decision are refused: one of them would never be asked', () => {
  const { hosts: all } = hosts();
  const second = { ...all.breaker.carryOut, kill: () => 0 };
  expect(() => effectsOf({ ...all, breaker: { ...all.breaker, carryOut: second } as never })).toThrow(/one host/);
});

test('what was written to tasks that are done is a fact, with who wrote it; where it cannot be read nobody wrote', async () => {
  const own = world();
  const parts = { maxAgents: 1, room: { load: () => undefined, save: () => undefined }, note: () => undefined };
  const tools = { errands: new Errands(() => undefined), persisted: { holds: [] } } as unknown as HostTools;
  let read = async () => await own.context.mail();
  const context: Context = { ...own.context, mail: () => read() };
  const { messages, compaction } = projectHosts(context, parts as never)(tools);
  const unread = async () => (await messages.facts({ view: await own.store.view() } as never)).unread;
  await own.add('a', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  await own.add('b');
  await send.run(own.context, { id: 'a', text: 'Hello' });
  expect(await unread(), 'nothing is done').toEqual([]);
  await own.set('a', { status: 'done' });
  const run = { kind: 'run', name: 'agent-2', taskId: 'b', fence: 1 } as const;
  await own.set('b', { status: 'in-progress', assigned: 'agent-2', fence: 1 });
  await send.run({ ...own.context, caller: run, freshId: () => 'second' }, { id: 'a', text: 'Again' });
  const at = own.clock.now();
  expect(await unread()).toEqual([
    { task: 'a', number: 1, at, from: 'person' },
    { task: 'a', number: 2, at, from: 'run', speaksFor: 'b' },
  ]);
  read = () => Promise.reject(new TroupeError('data_corrupt'));
  expect(await unread()).toEqual([]);
  expect(await compaction.facts({ clients: { compaction: true } } as never)).toEqual({ compaction: true });
});

import { expect, test } from 'vitest';
import { Errands } from '#operations/coordinator/errands.js';
import type { HostTools } from '#operations/coordinator/host.js';
import { effectsOf } from '#operations/coordinator/host.js';
import { projectHosts } from '#operations/coordinator/hosts.js';
import type { Context } from '#operations/operation.js';
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

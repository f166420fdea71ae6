import { expect, test } from 'vitest';
import { type AgencyFacts, NO_AGENCY } from '#core/coordinator/agency.js';
import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import { agencyHost } from '#operations/coordinator/agency-watch.js';
import type { Clients } from '#operations/coordinator/clients.js';
import type { HostTools } from '#operations/coordinator/host.js';
import { Round } from '#operations/coordinator/round.js';
import type { RunHost, RunPlan } from '#ports/run-host.js';
import { AGREED } from '../../agreed.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS, quietHosts, quietParts } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';

const AGENT = { human: false, capacity: 1, executor: 'claude', provider: undefined };

/** A round with a client and a host of runs that take down what they are told; nothing is started. */
function stage(
  given: { agreed?: boolean; agency?: AgencyFacts; facts?: object; pid?: number; prepare?: () => Promise<void> } = {},
) {
  const own = world();
  const did: unknown[] = [];
  const decided: (readonly CoordinatorDecision[])[] = [];
  const trusted: string[][] = [];
  const runs = {
    ...{ facts: async () => [], onChange: () => undefined },
    listed: async () => [
      { id: 'agent-6', pid: 66 },
      { id: 'agent-7', ...(given.pid === undefined ? {} : { pid: given.pid }) },
    ],
    prepare: async ({ id, client }: RunPlan) => void did.push(['prepare', id, client?.request.prompt]),
    start: async ({ id, taskId }: RunPlan) => void did.push(['start', id, taskId]),
    discard: async (id: string) => void did.push(['discard', id]),
    refuse: async ({ id }: RunPlan, why: string) => void did.push(['refuse', id, why]),
  } as unknown as RunHost;
  const clients: Clients = {
    ...NO_CLIENTS,
    facts: async () => ({ ...(await NO_CLIENTS.facts()), executor: 'claude', ...given.facts }),
    prepare: async () => {
      await given.prepare?.();
      return { client: { request: { prompt: 'Do it' } } } as never;
    },
  };
  const agency = agencyHost(async () => given.agency ?? NO_AGENCY);
  const round = new Round(
    {
      ...quietParts({ store: own.store, runs }),
      clients,
      trust: { ...AGREED, trusts: () => given.agreed ?? true, add: (hashes) => void trusted.push([...hashes]) },
      hosts: (tools: HostTools) => ({ ...quietHosts(tools), agency }),
      onDecisions: (decisions) => decided.push(decisions),
      onError: (error) => expect.unreachable(String(error)),
    },
    () => undefined,
  );
  round.keepNumbers(6); // of which files are left from earlier lives
  return { ...own, round, did: () => did.splice(0), decided, trusted };
}

verifies(
  'test.bites',
  'a run that is asked for is prepared, claimed and started in this order, whatever the pause says',
  async () => {
    const { round, did, add, store, decided } = stage({ pid: 77 });
    await add('a');
    expect(await round.spawn({ task: 'a' })).toEqual({ agent_id: 'agent-7', pid: 77 });
    expect(did()).toEqual([
      ['prepare', 'agent-7', 'Do it'],
      ['start', 'agent-7', 'a'],
    ]);
    expect((await store.view()).task('a')).toMatchObject({ status: 'in-progress', assigned: 'agent-7', fence: 1 });
    expect(decided).toMatchObject([[{ do: 'dispatch', task: 'a', run: 'agent-7', executor: 'claude' }]]);
    const unborn = stage();
    await unborn.add('a');
    expect(await unborn.round.spawn({ task: 'a' })).toEqual({ agent_id: 'agent-7' });
  },
);

test('a run that was prepared for a task which changed meanwhile is dropped', async () => {
  const own = stage({
    prepare: async () => own.set('a', { fence: 4 }),
  });
  await own.add('a');
  await expect(own.round.spawn({ task: 'a' })).rejects.toMatchObject({
    ...{ code: 'not_ready', message: expect.stringContaining('a has just changed') },
  });
  expect(own.did()).toEqual([
    ['prepare', 'agent-7', 'Do it'],
    ['discard', 'agent-7'],
  ]);
  expect([(await own.store.view()).task('a')?.status, own.decided]).toEqual(['open', []]);
  const became = stage({ prepare: async () => became.set('a', { exec: 'make' }) });
  await became.add('a');
  await expect(became.round.spawn({ task: 'a' })).rejects.toMatchObject({ code: 'not_ready' });
  expect(became.did().at(-1)).toEqual(['discard', 'agent-7']);
});

verifies('test.bites', 'what is known beside the graph, as it was at the last look', async () => {
  const none = {
    ...{ sessionClients: new Set(), agency: NO_AGENCY, holds: [], standIns: [], lostStandIns: [] },
    ...{ triaged: new Set(), unprepared: new Map(), retryTimes: [], notBegun: new Map() },
  };
  const quiet = stage();
  expect(quiet.round.facts()).toEqual(none);
  await quiet.round.runRound(false);
  expect(quiet.round.facts()).toEqual({ ...none, executor: 'claude' });
  const facts = {
    executor: undefined,
    missing: 'codex is not here',
    standIns: ['pi'],
    lostStandIns: ['gemini is not'],
  };
  const lost = stage({ facts });
  await lost.round.runRound(false);
  const { executor: _, ...known } = facts;
  expect(lost.round.facts()).toEqual({ ...none, ...known });
  expect(quiet.decided).toEqual([]);
});

verifies(
  'test.bites',
  'what the coordinator makes itself may run its command; of what others wrote nothing is trusted by that',
  async () => {
    const agency = { ...NO_AGENCY, autoAssign: true, matches: () => true, agents: new Map([['x', AGENT]]) };
    const own = stage({ agreed: false, agency });
    await own.add('foreign', { status: 'done', exec: 'rm -r .' });
    await own.round.runRound(true);
    expect(own.trusted, 'nothing was made').toEqual([]);
    await own.add('a');
    const { decisions } = await own.round.runRound(true);
    expect(decisions.map((one) => one.do)).toEqual(['add-task', 'edit-task']);
    expect(own.trusted.map((hashes) => hashes.length)).toEqual([1]);
  },
);

test('what could not be prepared is tried again once something is another than before', async () => {
  let tries = 0;
  const own = stage({
    prepare: async () => {
      tries++;
      throw new Error('no room');
    },
  });
  await own.add('a');
  const look = async () => {
    await own.round.runRound(false);
    const { underWay } = own.round.errandsNow();
    if (underWay.size > 0) await own.round.firstOf([...underWay]);
    return [tries, own.round.facts().unprepared.size];
  };
  expect([await look(), await look()]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  own.round.tryAgain();
  expect(own.round.facts().unprepared.size).toBe(0);
  expect(await look()).toEqual([2, 1]);
  await own.round.close();
});

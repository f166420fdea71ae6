import { expect } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import { taskOf } from '#core/graph/task-of.js';
import { sha256 } from '#kernel/hash.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyHost, peopleById, Unscored, watchedAgency } from '#operations/coordinator/agency-watch.js';
import { agent } from '../../core/agency/people.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

verifies(
  'test.bites',
  'what a round knows of the agency: who is there, who is a person, and what is done by itself',
  async () => {
    const { call, put, store, context, configure } = await stage();
    const facts = async (agency: object = {}) => {
      configure({ agency });
      const { matches: _, ...known } = await watchedAgency(context())();
      return known;
    };
    const { matches: _, ...none } = NO_AGENCY;
    await put('old', { status: 'done' });
    expect(await watchedAgency(context())(), 'nobody is there, and nothing is asked for').toBe(NO_AGENCY);
    expect(await facts({ auto_create: true })).toEqual({ ...none, autoCreate: true });
    expect(await facts({ flip_verification_threshold: 0.3 })).toEqual({ ...none, verifyBelow: 0.3 });
    const unjudged = 'No model is configured for this.';
    const judged = { ...none, autoEvaluate: true, unjudged, unscored: ['old'] };
    expect(await facts({ auto_evaluate: true })).toEqual(judged);
    await call(agencyInit);
    const own = { role: 'Programmer', tradeoff: 'Fast' };
    const client = await call(agentCreate, {
      ...{
        ...own,
        name: 'Rusty',
        executor: 'codex',
        provider: 'openai',
        capacity: 3,
        capabilities: ['rust'],
      },
    });
    const mailed = { ...own, name: 'Ann', executor: 'email', contact: 'ann@example.org', capacity: 2 };
    const ann = await call(agentCreate, { ...mailed, tradeoff: 'Careful' });
    const ben = await call(agentCreate, { ...own, name: 'Ben', executor: 'shell', role: 'Reviewer' });
    const agents = async () => {
      const known = await facts();
      return [
        [...known.agents].filter(([id]) => [client.id, ann.id, ben.id].includes(id)),
        { ...known, agents: new Map() },
      ];
    };
    const [rows, rest] = await agents();
    expect(new Map(rows as [string, object][])).toEqual(
      new Map([
        [client.id, { human: false, capacity: 3, executor: 'codex', provider: 'openai' }],
        [ann.id, { human: true, capacity: 2, executor: 'email', provider: undefined }],
        [ben.id, { human: true, capacity: 1, executor: 'shell', provider: undefined }],
      ]),
    );
    expect(rest).toEqual(none);
    expect(await facts({ auto_assign: true, eval_gate_threshold: 0.5, eval_gate_all: true })).toMatchObject({
      ...{ autoAssign: true, autoCreate: false, gate: { threshold: 0.5, all: true }, verifyBelow: undefined },
    });
    await put('rust', { skills: ['rust'] });
    await put('cobol', { skills: ['cobol'] });
    const { matches } = await watchedAgency(context())();
    const view = await store.view();
    expect([matches(taskOf(view, 'rust')), matches(taskOf(view, 'cobol'))]).toEqual([true, false]);
    const people = await peopleById(context())();
    expect([...people], 'whoever is reached by the shell gets no message').toEqual([
      [ann.id, { name: 'Ann', channel: 'email', contact: 'ann@example.org', capacity: 2 }],
    ]);
    const host = agencyHost(async () => NO_AGENCY);
    expect(await host.facts({} as never)).toEqual({ agency: NO_AGENCY });
    expect(host.carryOut['add-task']({} as never, view)).toBe(1);
    await store.close();
  },
);

verifies('test.bites', 'only tasks that came to an end are scored, and what is no task is none of them', async () => {
  const { call, put, store, context } = await stage();
  for (const status of ['done', 'failed', 'abandoned', 'open'] as const) await put(status, { status });
  await put('scored', { status: 'failed' });
  await put('no-task', { kind: 'note', status: 'done' });
  await call(evaluationRecord, { id: 'scored', score: 0.5 });
  const unscored = new Unscored(context());
  expect(await unscored.look(true)).toEqual(['done', 'failed']);
  await put('later', { status: 'done' });
  expect(await unscored.look(true), 'the graph is looked through once').toEqual(['done', 'failed']);
  expect([await unscored.look(false), await unscored.look(true)]).toEqual([[], ['done', 'failed', 'later']]);
  await store.close();
});

verifies(
  'test.bites',
  'the facts are read again when a file changes and after a while, and agents are made up to a limit',
  async () => {
    const own = world();
    let [stamp, reads, now] = ['one', 0, own.clock.now()];
    const made = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const { kind, id, ...one } = agent(`Made ${index}`, { role_id: sha256(`${index}`) });
        const value = { id, ...one, lineage: { ...one.lineage, created_by: 'auto-create' } };
        return { kind, id, value, file: 'a.yaml', retired: false };
      });
    let agents = made(AGENCY_LIMITS.agentsMadePerDay - 1);
    const files = {
      stamp: async () => stamp,
      read: async () => {
        reads++;
        return { records: agents, warnings: [] };
      },
    };
    const context = {
      ...own.context,
      clock: { now: () => now },
      agency: async () => files as never,
      settings: async () => ({
        ...(await own.context.settings()),
        read: async () => ({ agency: { auto_create: true } }),
      }),
    };
    const look = watchedAgency(context);
    const looked = async (later: number) => {
      now += later;
      return [(await look()).autoCreate, reads];
    };
    expect(await looked(0)).toEqual([true, 1]);
    expect(await looked(WORK_LIMITS.clientLookMs - 1)).toEqual([true, 1]);
    agents = made(AGENCY_LIMITS.agentsMadePerDay);
    expect(await looked(1), 'as many as a day has').toEqual([false, 2]);
    expect(await looked(-1)).toEqual([false, 2]);
    expect(await looked(-WORK_LIMITS.clientLookMs), 'the clock was put back').toEqual([false, 3]);
    stamp = 'two';
    expect(await looked(0)).toEqual([false, 4]);

    const people = peopleById(context);
    await people();
    await people();
    expect(reads, 'nothing changed').toBe(5);
    stamp = 'three';
    await people();
    expect(reads).toBe(6);
  },
);

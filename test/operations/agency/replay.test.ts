import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { agencyTrust, agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyList } from '#operations/agency/look.js';
import {
  evolveReviewApprove,
  evolveReviewList,
  evolveReviewReject,
  evolveReviewShow,
} from '#operations/agency/review.js';
import { evolveRun } from '#operations/agency/run.js';
import { evolveRuns } from '#operations/agency/runs.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Model, ModelQuestion } from '#ports/model.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const PROPOSAL = JSON.stringify({
  operations: [{ op: 'modify_role', target_id: 'Programmer', description: 'Sharper.', rationale: 'weak' }],
});

/** A model that proposes one change, does tasks as whoever it is told to be, and scores what it is shown. */
class Troupe implements Model {
  readonly asked: ModelQuestion[] = [];
  readonly scores: { readonly parent: number; readonly child: number };

  constructor(scores: { readonly parent: number; readonly child: number }) {
    this.scores = scores;
  }

  async ready(): Promise<void> {
    // It is always there.
  }

  async complete(question: ModelQuestion): Promise<{ text: string }> {
    this.asked.push(question);
    const { purpose, prompt } = question;
    if (purpose === 'evolver') return { text: PROPOSAL };
    if (purpose === 'replay')
      return { text: prompt.includes('Sharper.') ? 'the work of a child' : 'the work of a parent' };
    const score = prompt.includes('of a child') ? this.scores.child : this.scores.parent;
    const parts = { correctness: score, completeness: score, efficiency: score, style_adherence: score };
    return { text: JSON.stringify({ dimensions: parts, notes: '' }) };
  }
}

async function season(scores: { readonly parent: number; readonly child: number }, tasks = 8) {
  const model = new Troupe(scores);
  const own = await stage({ model: async () => model });
  await own.call(agencyInit);
  const bot = await own.call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  for (let index = 0; index < tasks; index++) {
    await own.put(`t${index}`, {
      status: index % 2 ? 'failed' : 'done',
      agent: bot.id,
      description: `Do thing ${index}.`,
    });
    await own.call(evaluationRecord, { id: `t${index}`, score: 0.5 });
  }
  const people = () => loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  return { ...own, model, people };
}

verifies(
  ['replay.rule', 'replay.hold'],
  'a change that did better where it was tried is adopted, with its figures',
  async () => {
    const { call, model, store, people } = await season({ parent: 0.5, child: 0.8 });
    const before = (await people()).find('role', 'Programmer');
    const answer = await call(evolveRun, { replay: 3 });
    expect(answer.counts).toEqual({ applied: 1 });
    const tried = model.asked.filter(({ purpose }) => purpose === 'replay');
    expect(tried).toHaveLength(6);
    const ids = new Set(tried.map(({ task }) => task));
    expect(ids.size).toBe(3);
    const proposing = model.asked[0]?.prompt ?? '';
    expect(proposing).toContain('Programmer | generation 0, by human | mean 0.50 of 5');
    for (const { prompt } of model.asked.filter(({ purpose }) => purpose === 'evaluator')) {
      expect(prompt).not.toContain(' done by: role\n');
      expect(prompt).not.toContain('Sharper.');
    }
    expect((await people()).role(before.id)).toEqual(before);
    await store.close();
  },
);

verifies(
  'who.evolve',
  'each test is said in the log as it begins; its figures are shown of an adopted change too',
  async () => {
    const { call, store } = await season({ parent: 0.5, child: 0.8 });
    const answer = await call(evolveRun, { replay: 3 });
    const tests = [];
    for await (const { op, detail } of store.entries(1)) if (op === 'evolve_test') tests.push(detail);
    expect(tests).toMatchObject(
      [1, 2, 3]
        .map((number) => ({ number, of: 3, task: /^t\d$/, name: 'Programmer 2' }))
        .map((one) => ({ ...one, task: expect.stringMatching(one.task) })),
    );
    const shown = await call(evolveReviewShow, { id: `${answer.run}-op1` });
    expect(shown).toMatchObject({ waiting: { state: 'applied', decided_by: null, operation: { rationale: 'weak' } } });
    expect(shown.replay?.pairs).toHaveLength(3);
    expect((await call(evolveRuns, { run: answer.run })).replays).toMatchObject(
      [{ id: answer.operations?.[0]?.made[0]?.id, gain: 0.3 }].map((one) => ({ ...one, gain: expect.closeTo(0.3) })),
    );
    await store.close();
  },
);

verifies('replay.rule', 'one that did not is held: nobody works with it before a person says so', async () => {
  const { call, store, people, folder } = await season({ parent: 0.8, child: 0.7 });
  const answer = await call(evolveRun, { replay: 4 });
  expect(answer.operations).toMatchObject([
    { status: 'held', made: [{ kind: 'role' }], reason: expect.stringContaining('worse') },
  ]);
  const [id = ''] = answer.waiting ?? [];
  const child = answer.operations?.[0]?.made[0]?.id ?? '';
  expect(existsSync(path.join(folder, `agency/roles/${child}.yaml`))).toBe(true);
  expect((await people()).role(child)?.held).toBe(answer.run);
  expect((await people()).all('agent').map(({ role_id }) => role_id)).not.toContain(child);
  // it waits as what came from elsewhere does, and another word ends it
  const row = async () => (await call(agencyList, { kind: 'role' })).entities.find((one) => one.id === child);
  expect(await row()).toMatchObject({ pending: true });
  expect((await people()).all('role').map((one) => one.id)).not.toContain(child);
  const hint = { code: 'not_accepted', hint: expect.stringContaining('evolve review') };
  const make = call(agentCreate, { name: 'Eager', role: child, tradeoff: 'Careful' });
  await expect(make).rejects.toMatchObject(hint);
  await expect(call(agencyTrust, { kind: 'role', ids: [child] })).rejects.toMatchObject(hint);
  expect((await call(agencyTrust, { kind: 'role', all: true })).accepted).toEqual([]);
  expect((await people()).role(child)?.held).toBe(answer.run);
  const shown = await call(evolveReviewShow, { id });
  expect(shown.replay?.pairs).toHaveLength(4);
  expect(shown.replay?.gain).toBeCloseTo(-0.1);
  expect(shown.difference).toMatchObject([
    { label: 'name', after: 'Programmer 2' },
    { label: 'description', after: 'Sharper.' },
  ]);
  const approved = await call(evolveReviewApprove, { id });
  expect(approved.made.map(({ kind }) => kind)).toEqual(['role', 'agent']);
  expect((await people()).role(child)?.held).toBeUndefined();
  expect(await row()).toMatchObject({ pending: false });
  await store.close();
});

verifies('replay.rule', 'too few tasks, or a no of a person: the change stays out', async () => {
  const { call, store, people } = await season({ parent: 0.5, child: 0.9 }, 4);
  const answer = await call(evolveRun, { replay: 5 });
  expect(answer.operations).toMatchObject([
    { status: 'held', reason: expect.stringContaining('2 tasks could be compared') },
  ]);
  const child = answer.operations?.[0]?.made[0]?.id ?? '';
  await call(evolveReviewReject, { id: answer.waiting?.[0] ?? '' });
  expect((await people()).role(child)?.retired).toBe(true);
  expect((await call(evolveReviewList, {})).waiting).toEqual([]);
  await store.close();
});

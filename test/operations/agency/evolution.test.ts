import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { gateCommand } from '#core/graph/formation-gate.js';
import { taskOf } from '#core/graph/task-of.js';
import type { Json } from '#kernel/json.js';
import { evolveApply } from '#operations/agency/apply.js';
import { agencyRemove, agentCreate } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { match } from '#operations/agency/look.js';
import {
  evolveReviewApprove,
  evolveReviewList,
  evolveReviewReject,
  evolveReviewShow,
} from '#operations/agency/review.js';
import { evolveRollback, evolveRuns } from '#operations/agency/runs.js';
import { approve } from '#operations/graph/approve.js';
import { done } from '#operations/graph/done.js';
import { reject } from '#operations/graph/moves.js';
import { loadAgency } from '#operations/load-agency.js';
import { verifies } from '../../verifies.js';
import { bare, stage } from '../agency/place.js';

const coded = (code: string) => expect.objectContaining({ code });
const WHY = { rationale: 'completeness is 0.4' };
const RUN = { kind: 'run', name: 'agent-7', taskId: 'own', fence: 1 } as const;

/** A project with the shipped agency, and operations from a file. */
async function theatre() {
  const own = await stage();
  await own.call(agencyInit);
  const agency = () => loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  const begin = await agency();
  const role = (name: string) => begin.find('role', name);
  const file = path.join(own.project, 'operations.json');
  const apply = async (operations: readonly Json[], more: object = {}) => {
    writeFileSync(file, JSON.stringify({ summary: 'by hand', operations }));
    return await own.call(evolveApply, { file, ...more });
  };
  const files = (folder: string) => readdirSync(path.join(own.folder, 'agency', folder)).sort();
  const record = (place: string) => parse(readFileSync(path.join(own.folder, 'agency', place), 'utf8'));
  return {
    ...own,
    agency,
    files,
    record,
    apply,
    role,
    careful: begin.find('tradeoff', 'Careful').id,
    folderOf: own.agency,
  };
}

const sharper = (id: string, more: object = {}) => ({
  op: 'modify_role',
  target_id: id,
  description: 'Sharper.',
  ...WHY,
  ...more,
});

verifies(
  ['evolve.report', 'evolve.retire'],
  'what was proposed, and what became of it, is kept with the commit that did it',
  async () => {
    const { apply, role, careful, files, record, agency, store, call } = await theatre();
    const answer = await apply(
      [
        sharper(role('Programmer').id),
        { op: 'retire_tradeoff', target_id: careful, ...WHY },
        { op: 'retire_role', target_id: 'nobody', ...WHY },
        { op: 'create_tradeoff', name: 'Late', description: 'Late.', ...WHY },
      ],
      { budget: 2 },
    );
    expect(answer).toMatchObject({ run: 'run-20260301-100000', counts: { applied: 2, rejected: 1, over_budget: 1 } });
    expect(files('evolution_runs')).toEqual(['run-20260301-100000.yaml']);
    expect(record('evolution_runs/run-20260301-100000.yaml')).toMatchObject({
      strategy: 'all',
      budget: 2,
      model: null,
      prompt_sha256: null,
      summary: 'by hand',
      cost_usd: null,
      operations: [
        { status: 'applied', made: [{ kind: 'role' }, { kind: 'agent' }], rationale: WHY.rationale },
        { status: 'applied', retired: [{ kind: 'tradeoff', id: careful }] },
        { status: 'rejected', reason: expect.stringContaining('nobody') },
        { status: 'over_budget' },
      ],
    });
    expect(files('tradeoffs')).toContain(`${careful}.yaml.retired`);
    expect((await agency()).tradeoff(careful)?.retired).toBe(true);
    const events = [];
    for await (const entry of store.entries(1)) if (entry.op === 'evolve') events.push(entry.detail);
    expect(events).toMatchObject([{ run: 'run-20260301-100000', applied: 2 }]);
    expect((await apply([])).run).toBe('run-20260301-100000-2');
    expect((await call(evolveRuns, {})).runs.map(({ id }) => id)).toEqual([
      'run-20260301-100000-2',
      'run-20260301-100000',
    ]);
    await expect(call(evolveRuns, { run: 'run-2027' })).rejects.toThrow(coded('not_found'));
    await store.close();
  },
);

verifies('evolve.retire', 'an agent of a retired role takes no tasks, and what it works on stays its own', async () => {
  const { apply, role, call, put, store } = await theatre();
  const rusty = await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Fast' });
  await put('busy', { status: 'in-progress', agent: rusty.id });
  await put('free');
  await expect(call(agencyRemove, { kind: 'role', id: 'Programmer' })).rejects.toThrow(coded('in_use'));
  await apply([{ op: 'retire_role', target_id: role('Programmer').id, ...WHY }]);
  expect((await call(match, { id: 'free' })).matches).toEqual([]);
  expect((await store.view()).task('busy')).toMatchObject({ agent: rusty.id });
  await store.close();
});

verifies('evolve.self', 'what touches whoever proposes waits for a person, with a task that says what', async () => {
  const { apply, role, call, agency, as, files, record, store } = await theatre();
  const answer = await apply([sharper(role('Evolver').id), sharper(role('Evaluator').id)]);
  expect(answer.operations.map(({ status }) => status)).toEqual(['deferred', 'applied']);
  const [id = ''] = answer.waiting;
  expect(files('deferred')).toEqual([`${id}.yaml`]);
  const task = (await store.view()).task(`evolve-review-${id}`);
  expect(task).toMatchObject({ human: true, verify: expect.stringContaining('approve'), status: 'open' });
  expect(task?.tags).toContain('evolution');
  expect(task?.description).toContain('"op": "modify_role"');
  expect((await agency()).all('role').filter(({ name }) => name === 'Evolver')).toHaveLength(1);
  as(RUN);
  for (const operation of [evolveReviewApprove, evolveReviewReject])
    await expect(call(operation, { id })).rejects.toThrow(coded('human_required'));
  as({ kind: 'person', name: 'ann' });
  expect((await call(evolveReviewShow, { id })).difference).toEqual([
    { label: 'description', before: role('Evolver').description, after: 'Sharper.' },
  ]);
  const applied = `${answer.run}-op2`;
  const refusal = { code: 'bad_input', message: `${applied} never waited for a decision: it is applied.` };
  await expect(call(evolveReviewApprove, { id: applied })).rejects.toMatchObject(refusal);
  expect((await call(evolveReviewShow, { id: applied })).waiting.state, 'as the hint says').toBe('applied');
  const approved = await call(evolveReviewApprove, { id });
  expect(approved).toMatchObject({ state: 'approved', made: [{ kind: 'role', name: 'Evolver 2' }, { kind: 'agent' }] });
  expect((await agency()).role(approved.made[0]?.id ?? '')?.lineage).toMatchObject({
    parent_ids: [role('Evolver').id],
  });
  expect((await store.view()).task(`evolve-review-${id}`)?.status).toBe('done');
  expect(record(`evolution_runs/${answer.run}.yaml`).operations[0]).toMatchObject({
    status: 'applied',
    decided: { by: 'ann' },
  });
  await expect(call(evolveReviewApprove, { id })).rejects.toThrow(coded('bad_input'));
  expect((await call(evolveReviewList, {})).waiting).toEqual([]);
  expect((await call(evolveReviewList, { all: true })).waiting).toMatchObject([
    { id, state: 'approved', decided_by: 'ann' },
  ]);
  await store.close();
});

verifies(
  'evolve.self',
  'the agent that the settings name is whoever proposes; the same checks hold when a person approves',
  async () => {
    const { apply, role, careful, call, configure, store } = await theatre();
    const own = await call(agentCreate, { name: 'Judge', role: 'Reviewer', tradeoff: 'Careful' });
    configure({ agency: { evolver_agent: own.id.slice(0, 12) } });
    const answer = await apply([
      { op: 'modify_tradeoff', target_id: careful, acceptable_tradeoffs: ['Anything'], ...WHY },
      { op: 'modify_role', target_id: [role('Programmer').id, role('Reviewer').id], description: 'Both.', ...WHY },
    ]);
    expect(answer.counts).toEqual({ deferred: 2 });
    const [first = '', second = ''] = answer.waiting;
    configure({ agency: {} });
    await apply([{ op: 'retire_tradeoff', target_id: careful, ...WHY }]);
    await expect(call(evolveReviewApprove, { id: first })).rejects.toThrow(coded('not_found'));
    await call(done, { id: `evolve-review-${second}` });
    expect((await call(evolveReviewApprove, { id: second })).state).toBe('approved');
    expect((await store.view()).task(`evolve-review-${second}`)?.status).toBe('done');
    expect((await call(evolveReviewReject, { id: first })).state).toBe('rejected');
    expect((await store.view()).task(`evolve-review-${first}`)?.status).toBe('abandoned');
    await store.close();
  },
);

verifies('who.evolve', 'the report of a run says which rule refused an operation', async () => {
  const { apply, agency, record, call, store } = await theatre();
  const all = (await agency()).all('tradeoff');
  const answer = await apply(all.map(({ id }) => ({ op: 'retire_tradeoff', target_id: id, ...WHY })));
  expect(answer.operations.at(-1)).toMatchObject({ status: 'rejected', code: 'last_entity' });
  expect(record(`evolution_runs/${answer.run}.yaml`).operations.at(-1)).toMatchObject({ code: 'last_entity' });
  expect((await call(evolveRuns, { run: answer.run })).operations?.at(-1)).toMatchObject({ code: 'last_entity' });
  expect((await call(evolveReviewShow, { id: `${answer.run}-op1` })).waiting).toMatchObject({ state: 'applied' });
  await store.close();
});

verifies('who.evolve', 'approving or rejecting the task of a proposal decides about the proposal', async () => {
  const { apply, role, call, agency, store } = await theatre();
  const { waiting } = await apply([
    sharper(role('Evolver').id, { name: 'Sharp evolver' }),
    sharper(role('Evolver').id, { description: 'Sharpest.' }),
  ]);
  const [first = '', second = ''] = waiting.map((id) => `evolve-review-${id}`);
  const view = await store.view();
  expect(gateCommand(taskOf(view, first))).toBe(`troupe evolve review ${waiting[0]}`);
  expect(await call(approve, { id: first })).toMatchObject({
    id: first,
    status: 'done',
    warnings: [expect.stringContaining('Sharp evolver')],
  });
  const made = (await agency()).find('role', 'Sharp evolver');
  expect(await call(reject, { id: second, reason: 'no' })).toMatchObject({ status: 'abandoned' });
  expect((await call(evolveReviewList, { all: true })).waiting.map(({ state }) => state).sort()).toEqual([
    'approved',
    'rejected',
  ]);
  await expect(call(approve, { id: first })).rejects.toThrow(coded('bad_input'));
  // whoever proposes comes from the Evolver whatever it is called: its next change waits as well
  expect((await apply([sharper(made.id, { description: 'Again.' })])).counts).toEqual({ deferred: 1 });
  await store.close();
});

verifies(
  'who.evolve',
  'no two are called alike: what is not named gets the name of its parent and a number',
  async () => {
    const { apply, role, agency, store } = await theatre();
    const parent = role('Programmer');
    await apply([
      sharper(parent.id),
      sharper(parent.id, { description: 'Sharpest.', name: 'Programmer' }),
      { op: 'modify_role', target_id: 'Programmer', desired_outcome: 'Else.', ...WHY },
    ]);
    const names = (await agency()).all('role').map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('Programmer')).sort()).toEqual([
      'Programmer',
      'Programmer 2',
      'Programmer 3',
      'Programmer 4',
    ]);
    const agents = (await agency()).all('agent').map(({ name }) => name);
    expect(new Set(agents).size).toBe(agents.length);
    await store.close();
  },
);

verifies('evolve.rollback', 'one command takes back what a run made, retired and left waiting', async () => {
  const { apply, role, careful, call, agency, store } = await theatre();
  const before = await agency();
  const answer = await apply([
    sharper(role('Programmer').id),
    { op: 'retire_tradeoff', target_id: careful, ...WHY },
    sharper(role('Evolver').id),
  ]);
  const back = await call(evolveRollback, { run: answer.run });
  expect(back.retired.map(({ kind }) => kind)).toEqual(['role', 'agent']);
  expect(back.restored).toMatchObject([{ kind: 'tradeoff', id: careful }]);
  const after = await agency();
  for (const kind of ['role', 'tradeoff', 'agent'] as const) expect(after.all(kind)).toEqual(before.all(kind));
  expect((await call(evolveReviewList, {})).waiting).toEqual([]);
  expect((await call(evolveRuns, { run: answer.run })).runs[0]?.rolled_back).toMatchObject({ by: 'ann' });
  await expect(call(evolveRollback, { run: answer.run })).rejects.toThrow(coded('bad_input'));
  await store.close();
});

verifies('evolve.rollback', 'the last of a kind is not taken back, and what others built on it is told', async () => {
  const { apply, agency, call, store } = await theatre();
  const answer = await apply([
    { op: 'create_role', name: 'Only', description: 'Only.', desired_outcome: 'Done.', ...WHY },
  ]);
  await call(agentCreate, { name: 'Built', role: 'Only', tradeoff: 'Careful' });
  const others = (await agency()).all('role').filter(({ name }) => name !== 'Only' && name !== 'Evolver');
  await apply(others.map(({ id }) => ({ op: 'retire_role', target_id: id, ...WHY })));
  const evolver = (await agency()).find('role', 'Evolver');
  await call(agencyRemove, { kind: 'role', id: evolver.id });
  await expect(call(evolveRollback, { run: answer.run })).rejects.toThrow(coded('last_entity'));
  await call(evolveRollback, { run: 'run-20260301-100000-2' });
  expect((await call(evolveRollback, { run: answer.run })).warnings).toEqual([expect.stringContaining('Built')]);
  await store.close();
});

verifies(
  'evolve.report',
  'runs are reported where there is no graph too, and a broken record hides no other',
  async () => {
    const { context, project } = bare();
    const own = {
      ...context,
      settings: async () => ({ name: 'c', read: async () => ({}) }),
      trust: async () => ({ read: async () => undefined }),
      files: async () => ({ data: async () => [sharper('Evolver')] }),
    } as unknown as typeof context;
    await agencyInit.run(own, {});
    const answer = await evolveApply.run(own, { file: 'x' });
    expect(answer.counts).toEqual({ deferred: 1 });
    writeFileSync(path.join(project, '.workgraph/agency/evolution_runs/run-0-0.yaml'), 'id: &a [*a, *a]');
    writeFileSync(path.join(project, '.workgraph/agency/evolution_runs/run-0-1.yaml'), 'id: run-0-1');
    const runs = await evolveRuns.run(own, {});
    expect(runs.runs.map(({ id }) => id)).toEqual([answer.run]);
    expect(runs.warnings).toHaveLength(2);
    expect((await evolveReviewList.run(own, {})).waiting).toMatchObject([{ task_id: null }]);
  },
);

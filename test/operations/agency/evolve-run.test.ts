import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import type { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { evolveRun } from '#operations/agency/run.js';
import { evolveRuns } from '#operations/agency/runs.js';
import { loadAgency } from '#operations/load-agency.js';
import { AGENCY_KEYS } from '#operations/settings/agency-options.js';
import { OPERATIONS } from '#operations/table.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const coded = (code: string) => expect.objectContaining({ code });

const SHARPER = JSON.stringify({
  summary: 'One thing.',
  operations: [{ op: 'modify_role', target_id: 'Programmer', description: 'Sharper.', rationale: 'weak' }],
});

/** A project with work that was scored, some of it a person's; a model with these answers. */
async function season(...answers: (string | TroupeError)[]) {
  const model = new ScriptedModel(answers);
  const own = await stage({ model: async () => model });
  await own.call(agencyInit);
  const bot = await own.call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  const ann = await own.call(agentCreate, { name: 'Ann', role: 'Reviewer', tradeoff: 'Fast', executor: 'email' });
  for (const [index, score] of [0.2, 0.4, 0.9, 0.7].entries()) {
    await own.put(`t${index}`, { status: 'done', agent: bot.id });
    await own.call(evaluationRecord, {
      id: `t${index}`,
      score,
      source: 'ci:unit',
      dimensions: [`completeness=${score}`],
    });
  }
  await own.put('p', { status: 'done', agent: ann.id });
  await own.call(evaluationRecord, { id: 'p', score: 0.11, dimensions: ['correctness=0.11'] });
  await own.put('wanted', { skills: ['cobol'] });
  const agency = () => loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  const programmer = (await agency()).find('role', 'Programmer');
  return { ...own, model, people: agency, programmer, bot };
}

verifies(
  ['evolve.dry-run', 'evolve.input'],
  'the prompt is shown as it would go out, with scores, guides and policy, and nothing of what people did',
  async () => {
    const { call, configure, model, store, bot } = await season();
    configure({ agency: { retention_heuristics: 'Keep what ships.', evolver_agent: bot.id.slice(0, 10) } });
    const before = (await store.view()).seq;
    const { prompt = '', warnings, run } = await call(evolveRun, { dry_run: true, strategy: 'mutation', budget: 3 });
    expect(model.asked).toEqual([]);
    expect(run).toBeUndefined();
    expect((await store.view()).seq).toBe(before);
    expect((await call(evolveRuns, {})).runs).toEqual([]);
    for (const part of [
      'by the strategy mutation',
      'At most 3',
      'modify_role and modify_tradeoff, each with one target_id',
      'Programmer | generation 0, by human | mean 0.55 of 4 | improving | completeness 0.55',
      'Programmer (',
      'cobol: 1',
      'proposes changes: role',
      'Keep what ships.',
      ' guide: mutation\n',
      ' you propose as: role\n',
    ])
      expect(prompt).toContain(part);
    expect(prompt).not.toContain(' guide: crossover\n');
    expect(prompt).not.toContain('0.11');
    expect(warnings).toEqual([expect.stringContaining('Programmer has 4 scores')]);
    const { prompt: all = '' } = await call(evolveRun, { dry_run: true });
    for (const guide of ['mutation', 'crossover', 'gap-analysis', 'retirement', 'tradeoff-tuning'])
      expect(all).toContain(` guide: ${guide}\n`);
    await store.close();
  },
);

verifies(
  ['evolve.report', 'evolve.json'],
  'what a model proposes is applied and reported with what it was asked and answered; a bad answer is asked for once more',
  async () => {
    const own = await season('Retire everybody.', `Sure. ${SHARPER}`, 'no', '{"operations": 3}');
    const answer = await own.call(evolveRun, {});
    expect(own.model.asked).toHaveLength(2);
    expect(answer).toMatchObject({ summary: 'One thing.', counts: { applied: 1 }, model: 'a model' });
    const [made] = answer.operations?.[0]?.made ?? [];
    expect((await own.people()).role(made?.id ?? '')?.lineage).toMatchObject({
      parent_ids: [own.programmer.id],
      created_by: `evolver-${answer.run}`,
    });
    const told = await own.call(evolveRuns, { run: answer.run });
    expect(told).toMatchObject({ answer: `Sure. ${SHARPER}`, prompt_sha256: sha256(own.model.asked[0]?.prompt ?? '') });
    const before = (await own.people()).all('role').length;
    await expect(own.call(evolveRun, {})).rejects.toThrow(coded('bad_model_answer'));
    expect(own.model.asked).toHaveLength(4);
    expect((await own.people()).all('role')).toHaveLength(before);
    const failed = (await own.call(evolveRuns, {})).runs.find(({ failure }) => failure !== null);
    expect((await own.call(evolveRuns, { run: failed?.id })).answer).toBe('{"operations": 3}');
    await own.store.close();
  },
);

verifies('evolve.manual', 'only a person begins it: no run may, and there is no setting that does', async () => {
  const { call, as, store } = await season();
  as({ kind: 'run', name: 'agent-7', taskId: 'own', fence: 1 });
  await expect(call(evolveRun, {})).rejects.toThrow(coded('human_required'));
  for (const spec of OPERATIONS.filter(({ name }) => name.startsWith('evolve.')))
    if (spec.kind === 'write') expect(spec.forRuns).toBeUndefined();
  expect(AGENCY_KEYS.filter((key) => key.startsWith('auto_') && key.includes('evol'))).toEqual([]);
  await store.close();
});

verifies(
  'evolve.dry-run',
  'without a model an evolution says so and changes nothing; its prompt is shown all the same',
  async () => {
    const { call, store, configure } = await season();
    configure({ models: { ask: 'never' } });
    const before = (await store.view()).seq;
    await expect(call(evolveRun, {})).rejects.toThrow(coded('model_required'));
    expect((await store.view()).seq).toBe(before);
    expect((await call(evolveRuns, {})).runs).toEqual([]);
    expect((await call(evolveRun, { dry_run: true })).prompt).toContain('Programmer');
    await store.close();
  },
);

import { expect } from 'vitest';
import { scoreOf } from '#core/agency/evaluation-judge.js';
import { humanInterventions } from '#core/history/task-history.js';
import { whyFacts } from '#core/insight/why.js';
import { TroupeError } from '#kernel/errors.js';
import { evaluationShow } from '#operations/agency/evaluations.js';
import { evaluationRun } from '#operations/agency/model-evaluations.js';
import { approve } from '#operations/graph/approve.js';
import { loadAgency } from '#operations/load-agency.js';
import { verifies } from '../../verifies.js';
import { court } from './court.js';

const coded = (code: string) => expect.objectContaining({ code });
const PARTS = { correctness: 0.9, completeness: 0.8, efficiency: 0.6, style_adherence: 0.4 };
const GOOD = `Sure: ${JSON.stringify({ score: 0.99, dimensions: PARTS, notes: 'Mend the\nedges.' })} That is all.`;
const bad = new TroupeError('bad_model_answer');

verifies('eval.dims', 'the score is the weighted sum of the parts, whatever the answer says it is', async () => {
  expect(scoreOf(PARTS)).toBe(0.75);
  expect(scoreOf({ correctness: 1, completeness: 1, efficiency: 1, style_adherence: 1 })).toBe(1);
  expect(scoreOf({ correctness: 1 / 3, completeness: 0, efficiency: 0, style_adherence: 0 })).toBe(0.1333);
  const lacking = JSON.stringify({ dimensions: { ...PARTS, efficiency: null } });
  const beyond = JSON.stringify({ dimensions: { ...PARTS, correctness: 1.2 } });
  const { call, model, store } = await court(lacking, beyond, GOOD, lacking, bad, 'prose', GOOD);
  expect(await call(evaluationRun, { id: 'a' })).toMatchObject({ score: 0.75, dimensions: PARTS });
  expect(model.asked).toHaveLength(3);
  await expect(call(evaluationRun, { id: 'a' })).rejects.toThrow(coded('bad_evaluation'));
  expect(model.asked).toHaveLength(6);
  expect((await call(evaluationShow, {})).total).toBe(1);
  await store.close();
});

verifies(
  ['eval.run', 'eval.input'],
  'a model sees task, doer and output, each in a block; its judgement is kept',
  async () => {
    const { call, model, store, author, judge, configure, chosen, put, agency: folder } = await court(GOOD);
    configure({ agency: { evaluator_agent: 'Judge', evaluator_provider: 'scripted', evaluator_model: 'm-1' } });
    const before = (await store.view()).seq;
    const dry = await call(evaluationRun, { id: 'a', dry_run: true });
    expect(Object.keys(dry)).toEqual(['task_id', 'prompt']);
    expect((await store.view()).seq).toBe(before);
    expect(model.asked).toEqual([]);
    const said = await call(evaluationRun, { id: 'a', evaluator_model: 'm-2' });
    expect(chosen.at(-1)).toMatchObject({ provider: 'scripted', model: 'm-2' });
    expect(said).toMatchObject({
      task_id: 'a',
      score: 0.75,
      dimensions: PARTS,
      notes: expect.stringContaining('Mend the'),
      evaluator: judge.id,
      model: 'a model',
      source: 'llm',
      path: `.workgraph/agency/evaluations/${said.evaluation_id}.yaml`,
    });
    const prompt = model.asked[0]?.prompt ?? '';
    for (const part of [
      'Title of a',
      'Write a parser',
      'out/a.txt',
      'the work itself',
      'wrote the tokeniser',
      'gone.txt',
    ])
      expect(prompt).toContain(part);
    for (const label of ['done by: role', 'done by: trade-off', 'you judge as: role', 'log', 'evidence'])
      expect(prompt).toContain(` ${label}\n`);
    expect(prompt).not.toContain('the end');
    expect(prompt).not.toContain('root:');
    expect(prompt).not.toContain('<<<data-x');
    const agency = await loadAgency({ agency: async () => folder, graph: async () => store });
    expect(agency.agent(author.id)?.performance).toMatchObject({ task_count: 1, avg_score: 0.75 });
    await put('open');
    await expect(call(evaluationRun, { id: 'open' })).rejects.toThrow(coded('not_evaluable'));
    await store.close();
  },
);

verifies(
  'eval.independent',
  'nobody judges their own work, and a judgement is of the attempt that was looked at',
  async () => {
    const { call, model, store, configure, put } = await court(GOOD);
    configure({ agency: { evaluator_agent: 'Rusty' } });
    await expect(call(evaluationRun, { id: 'a' })).rejects.toThrow(coded('own_work'));
    expect(model.asked).toEqual([]);
    configure({});
    const complete = model.complete.bind(model);
    model.complete = async (question) => {
      await put('a', { status: 'done', fence: 3 });
      return await complete(question);
    };
    await expect(call(evaluationRun, { id: 'a' })).rejects.toThrow(coded('not_evaluable'));
    expect((await call(evaluationShow, {})).total).toBe(0);
    await store.close();
  },
);

verifies(
  'gate.before',
  'an evaluator that fails three times decides nothing: why names the gate, a person lifts it',
  async () => {
    const { call, model, store, put } = await court('prose', bad, '{}', GOOD);
    const waits = { status: 'pending-validation', eval_gate: 0.7, fence: 1 };
    await put('w', waits);
    await put('after', { after: ['w'] });
    await expect(call(evaluationRun, { id: 'w' })).rejects.toThrow(coded('bad_evaluation'));
    expect(model.asked).toHaveLength(3);
    const view = await store.view();
    const task = view.task('w');
    expect(task?.status).toBe('pending-validation');
    const [fact] = task ? whyFacts(view, task, 0, { running: true } as never) : [];
    expect(fact).toMatchObject({ code: 'gate', text: expect.stringContaining('waits for its score') });
    expect(fact?.text).toContain('troupe approve w');
    await call(approve, { id: 'w' });
    expect((await store.view()).task('w')?.status).toBe('done');
    await put('x', waits);
    await call(evaluationRun, { id: 'x' });
    expect((await store.view()).task('x')?.status).toBe('done');
    await store.close();
  },
);

verifies(
  'hold.eval.default',
  'the first score is kept before the second look begins, and stands when that fails',
  async () => {
    const { call, store, author, agency: folder } = await court(GOOD, 'no guess', 'still none');
    const said = await call(evaluationRun, { id: 'a', flip: true });
    expect(said).toMatchObject({ score: 0.75, source: 'llm', flip_failed: expect.any(String) });
    expect(said).not.toHaveProperty('flip');
    const agency = await loadAgency({ agency: async () => folder, graph: async () => store });
    expect(agency.agent(author.id)?.performance.evaluations.map(({ score }) => score)).toEqual([0.75]);
    await store.close();
  },
);

verifies(
  'flip.run',
  'one model guesses the task from the output, another compares; that score is kept as flip',
  async () => {
    const flip = { semantic_match: 0.5, requirement_coverage: 0.4, specificity_match: 0.3, hallucination_rate: 0.1 };
    const compared = JSON.stringify({ score: 0.45, dimensions: flip, notes: 'Far off.' });
    const guess = JSON.stringify({ inferred_prompt: 'Write a lexer.' });
    const {
      call,
      model,
      store,
      chosen,
      configure,
      author,
      agency: folder,
    } = await court(GOOD, 'no', guess, '{}', compared, GOOD, guess, compared, GOOD);
    configure({
      agency: { flip_inference_model: 'i', flip_inference_provider: 'scripted', flip_comparison_provider: 'scripted' },
    });
    const said = await call(evaluationRun, { id: 'a', flip: true });
    expect(said).toMatchObject({ score: 0.75, source: 'llm', flip: { score: 0.45, dimensions: flip, source: 'flip' } });
    expect(chosen).toContainEqual({ provider: 'scripted', model: 'i', orClient: true });
    const [, , seen = '', , both = ''] = model.asked.map(({ prompt }) => prompt);
    expect(seen).toContain('the work itself');
    for (const part of ['Title of a', 'Write a parser']) expect(seen).not.toContain(part);
    for (const part of ['Title of a', 'Write a parser', 'Write a lexer.']) expect(both).toContain(part);
    const agency = await loadAgency({ agency: async () => folder, graph: async () => store });
    expect(agency.agent(author.id)?.performance.evaluations.map(({ score }) => score)).toEqual([0.75, 0.45]);
    configure({ agency: { flip_enabled: true } });
    expect(await call(evaluationRun, { id: 'a' })).toHaveProperty('flip');
    configure({});
    expect(await call(evaluationRun, { id: 'a' })).not.toHaveProperty('flip');
    await store.close();
  },
);

verifies(
  'who.export',
  'a score of a model is written down as asked for by the run, and is no act of a person',
  async () => {
    const { call, as, put, store } = await court(GOOD);
    await put('evaluate-a', { status: 'in-progress', assigned: 'agent-7', fence: 1, tags: ['evaluation'] });
    as({ kind: 'run', name: 'agent-7', taskId: 'evaluate-a', fence: 1 });
    await call(evaluationRun, { id: 'a' });
    const scored = [];
    for await (const entry of store.entries(1)) if (entry.op === 'evaluate_record') scored.push(entry);
    expect(scored).toMatchObject([{ actor: 'agent-7', detail: { evaluator: 'a model', source: 'llm' } }]);
    expect(humanInterventions(scored)).toBe(0);
    await store.close();
  },
);

import { expect, test } from 'vitest';
import { gateEvents, isPassed, startedAfter } from '#core/agency/evaluation-gate.js';
import { flipDoubt, flipPatch, lowScoreText, verificationIn, verifyFlip } from '#core/agency/flip.js';
import { performanceOf } from '#core/agency/read.js';
import { type Evaluation, evaluationOf, recordEvaluation, type TaskVerdict } from '#core/agency/record-evaluation.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { ann, codeOf, commit, graphOf, NOW } from '../graph/graph.js';

const run = (taskId: string, more: object = {}) => ({ name: 'agent-2', taskId, fence: 1, ...more });
const done = (more: object = {}) => graphOf({ id: 'a', status: 'done', fence: 2, agent: 'abc', ...more });
const evaluated = (verdict: Partial<TaskVerdict>, by: Parameters<typeof evaluationOf>[3] = ann, view = done()) =>
  evaluationOf(view, 'a', { score: 0.5, ...verdict }, by, NOW);
const refused = (verdict: Partial<TaskVerdict>, by = ann, view = done()) => codeOf(() => evaluated(verdict, by, view));

test('an evaluation holds what was said, of which attempt and by whom', () => {
  expect(evaluated({})).toEqual({
    ...{ id: 'eval-a-2026-03-21T10-00-00.000Z', task_id: 'a', attempt: 2, agent_id: 'abc', role_id: null },
    ...{ tradeoff_id: null, score: 0.5, dimensions: {}, notes: '', evaluator: 'ann', source: 'user:ann' },
    timestamp: '2026-03-21T10:00:00.000Z',
  });
  const all = {
    ...{ score: 1, evaluation_id: 'e-1', source: 'ci:unit', dimensions: ['correctness=0.9', 'style_adherence=0'] },
    ...{ notes: 'Fine', evaluator: 'bo', model: 'opus', attempt: 2 },
  };
  expect(evaluated(all)).toMatchObject({
    ...{ id: 'e-1', score: 1, dimensions: { correctness: 0.9, style_adherence: 0 }, notes: 'Fine' },
    ...{ evaluator: 'bo', model: 'opus', source: 'ci:unit' },
  });
  expect(evaluated({ dimensions: { fit: 0.2 } }).dimensions).toEqual({ fit: 0.2 });
  expect(
    evaluated({}, run('other'), graphOf(...nodesOf(), { id: 'other', assigned: 'agent-2', fence: 1 })).source,
  ).toBe('llm');
  const odd = graphOf({ id: 'Ünd so', status: 'done' });
  expect(evaluationOf(odd, 'Ünd so', { score: 0 }, ann, NOW)).toMatchObject({
    ...{ id: expect.stringMatching(/^eval--nd-so-[0-9a-f]{12}-2026/), attempt: 0, agent_id: null },
  });
});

const nodesOf = () => [{ id: 'a', status: 'done' as const, fence: 2 }];

test('what may not be scored, and what is no score', () => {
  for (const status of ['open', 'in-progress', 'waiting', 'pending-validation', 'abandoned'] as const)
    expect(refused({}, ann, done({ status })), status).toBe('not_evaluable');
  for (const more of [{ status: 'failed' }, { status: 'pending-validation', eval_gate: 0.7 }])
    expect(evaluated({}, ann, done(more)).score).toBe(0.5);
  expect([refused({ attempt: 1 }), refused({ attempt: 3 })]).toEqual(['not_evaluable', 'not_evaluable']);
  for (const score of [-0.1, 1.1, Number.NaN]) expect(refused({ score })).toBe('bad_score');
  expect([evaluated({ score: 0 }).score, evaluated({ score: 1 }).score]).toEqual([0, 1]);
  for (const word of ['fit=1', 'correctness', 'correctness=', 'correctness = 1'])
    expect(refused({ dimensions: [word] }), word).toBe('bad_input');
  expect(refused({ dimensions: ['correctness=1', 'correctness=1'] })).toBe('bad_input');
  for (const word of ['correctness=1.1', 'correctness=x']) expect(refused({ dimensions: [word] })).toBe('bad_score');
  const most = TEAM_LIMITS.evaluationNotesBytes;
  expect(evaluated({ notes: 'x'.repeat(most) }).notes).toHaveLength(most);
  expect(refused({ notes: 'ü'.repeat(most / 2 + 1) })).toBe('too_large');
  for (const source of [' ', 'a\u001b', 'x'.repeat(TEAM_LIMITS.evaluationSourceCharacters + 1)])
    expect(refused({ source })).toBe('bad_input');
  expect(evaluated({ source: 'x'.repeat(TEAM_LIMITS.evaluationSourceCharacters) }).source).toHaveLength(
    TEAM_LIMITS.evaluationSourceCharacters,
  );
  const longest = 'x'.repeat(TEAM_LIMITS.evaluationIdCharacters);
  expect(evaluated({ evaluation_id: longest }).id).toBe(longest);
  for (const evaluation_id of ['1a', 'a/b', 'imported-a', `${longest}x`, ''])
    expect(refused({ evaluation_id })).toBe('bad_input');
});

test('nobody scores what they took part in, and no run whose claim is over scores anything', () => {
  const view = (more: object = {}) =>
    graphOf({ id: 'a', status: 'done', ...more }, { id: 'own', assigned: 'agent-2', fence: 1, status: 'in-progress' });
  expect(refused({}, run('own'), view())).toBe('none');
  expect(refused({}, run('own', { fence: 0 }), view())).toBe('stale_attempt');
  expect(refused({}, run('a'), view())).toBe('own_work');
  expect(refused({}, run('own'), view({ assigned: 'agent-2' }))).toBe('own_work');
  expect(refused({}, run('own'), view({ created_by: 'agent-2' }))).toBe('own_work');
  expect(refused({}, { name: 'agent-2' }, view({ assigned: 'agent-2' }))).toBe('none');
});

test('a score that is recorded is told of with what follows from it', () => {
  const evaluation = evaluated({});
  const more = [{ op: 'fail', task_id: 'a', patch: [] }];
  expect(recordEvaluation(evaluation, { name: 'bo' }, 7, more, [{ id: 'a', set: { x: 1 } }])).toEqual({
    events: [
      {
        ...{ op: 'evaluate_record', task_id: 'a', actor: 'bo', patch: [{ id: 'a', set: { x: 1 } }] },
        detail: { id: evaluation.id, score: 0.5, source: 'user:ann', evaluator: 'ann' },
      },
      ...more,
    ],
    result: 7,
  });
});

const scored = (score: number, more: Partial<Evaluation> = {}): Evaluation => ({
  ...evaluated({ score, source: 'llm' }),
  ...more,
});
const waits = (more: object = {}) => done({ status: 'pending-validation', eval_gate: 0.7, ...more });

test('a score passes the task that waited for it, and nothing else', () => {
  expect([isPassed(waits(), scored(0.7)), isPassed(waits(), scored(0.69))]).toEqual([true, false]);
  for (const [view, evaluation] of [
    [done({ eval_gate: 0.7 }), scored(1)],
    [waits({ eval_gate: undefined }), scored(1)],
    [waits(), scored(1, { source: 'ci' })],
    [waits({ verify: 'read it' }), scored(1)],
    [waits({ validation: 'external' }), scored(1)],
    [graphOf(), scored(1)],
  ] as const)
    expect(isPassed(view, evaluation)).toBe(false);
});

test('what a score does to its task', () => {
  const policy = { threshold: 0.7, all: false };
  const made = (view: ReturnType<typeof done>, score: number, more: object = {}, by = ann, terms = policy) => {
    const events = gateEvents(view, scored(score, more), by, NOW, terms);
    commit(view, { events, result: undefined });
    const { status, failure_reason, log, ...task } = taskOf(view, 'a');
    const { eval_gate } = fieldsOf(task);
    return { ops: events.map(({ op }) => op), status, failure_reason, eval_gate, said: log?.at(-1)?.message };
  };
  const failed = {
    ...{ status: 'failed', failure_reason: 'evaluation rejected: score 0.65 below threshold 0.70' },
  };
  expect(made(waits(), 0.65)).toMatchObject(failed);
  expect(made(waits(), 0.7)).toMatchObject({ ops: [], status: 'pending-validation', eval_gate: 0.7 });
  expect(made(waits({ verify: 'read it' }), 0.7)).toMatchObject({
    ...{ status: 'pending-validation', eval_gate: undefined, said: 'evaluation passed: score 0.70, threshold 0.70' },
  });
  expect(made(waits({ verify: 'read it' }), 0.7).ops, 'as a note in its log').toEqual(['log']);
  expect(made(waits({ validation: 'external' }), 0.9)).toMatchObject({ eval_gate: undefined });
  expect(made(waits(), 0.1, { source: 'ci' }).ops).toEqual([]);
  expect(made(done(), 0.1).ops, 'without the tag').toEqual([]);
  expect(made(done({ tags: ['eval-gate'] }), 0.65)).toMatchObject(failed);
  expect(made(done(), 0.65, {}, ann, { threshold: 0.7, all: true })).toMatchObject(failed);
  expect(made(done({ tags: ['eval-gate'] }), 0.9).ops).toEqual([]);
  expect(gateEvents(done({ tags: ['eval-gate'] }), scored(0), ann, NOW, undefined)).toEqual([]);
  expect(made(done({ status: 'failed', tags: ['eval-gate'] }), 0.1).ops).toEqual([]);
  expect(made(waits(), 0.1, {}, run('other')).ops, 'another run').toEqual([]);
  expect(made(waits(), 0.65, {}, run('evaluate-a'))).toMatchObject(failed);
});

test('who is at work on what was rejected too late', () => {
  const view = graphOf(
    { id: 'a', status: 'done' },
    { id: 'c', after: ['a'], status: 'in-progress' },
    { id: 'b', after: ['a'], status: 'in-progress' },
    { id: 'd', after: ['a'] },
  );
  expect(startedAfter(view, 'a')).toEqual(['b', 'c'].map((id) => `${id} is already running on the rejected work.`));
});

const low = { evaluation: 'e-1', score: 0.2, attempt: 2, state: 'low' as const };

test('a low comparison puts its task in doubt, a better one out of it', () => {
  const patch = (more: object, task: object = {}, by = ann, threshold: number | undefined = 0.5) =>
    flipPatch(taskOf(done(task), 'a'), scored(0.2, { id: 'e-1', source: 'flip', ...more }), by, threshold);
  expect(patch({})).toEqual([{ id: 'a', set: { flip_check: low } }]);
  expect(patch({ score: 0.5 })).toEqual([]);
  expect(patch({ score: 0.5 }, { flip_check: low })).toEqual([{ id: 'a', unset: ['flip_check'] }]);
  expect(patch({}, { flip_check: low }, ann, Number.NaN)).toEqual([{ id: 'a', unset: ['flip_check'] }]);
  expect(patch({ source: 'llm' })).toEqual([]);
  expect([patch({}, {}, run('other')), patch({}, {}, run('evaluate-a'))]).toEqual([[], [expect.anything()]]);
});

test('what is in doubt is looked into once, by the task that is there for it or a person', () => {
  const verifier = { id: '.verify-flip-a', status: 'in-progress', assigned: 'agent-2', fence: 1 } as const;
  const view = (task: object, own: object = { tags: ['evaluation'] }) =>
    graphOf({ id: 'a', status: 'done', fence: 2, ...task }, { ...verifier, ...own }, { id: 'b' });
  const doubt = (task: object, by: Parameters<typeof flipDoubt>[2] = ann, own?: object) =>
    flipDoubt(view(task, own), 'a', by);
  expect(doubt({ flip_check: low })).toEqual(low);
  expect(doubt({ flip_check: low }, run('.verify-flip-a'))).toEqual(low);
  expect(codeOf(() => doubt({}))).toBe('not_evaluable');
  expect(codeOf(() => doubt({ flip_check: low }, run('b')))).toBe('not_yours');
  expect(codeOf(() => doubt({ flip_check: low }, run('.verify-flip-a'), { tags: [] }))).toBe('not_yours');
  expect(codeOf(() => doubt({ flip_check: low }, run('.verify-flip-a', { fence: 0 })))).toBe('stale_attempt');
  for (const state of ['confirmed', 'rejected'])
    expect(doubt({ flip_check: { ...low, state } })).toEqual({ moot: `its score was ${state} already` });
  expect(doubt({ flip_check: low, fence: 3 })).toEqual({
    moot: 'it is done, and the score is of what was done before',
  });
});

test('work that is confirmed stays as it is, work that is rejected fails with the reason', () => {
  const verified = (verdict: 'confirmed' | 'rejected', question = low) => {
    const view = graphOf(
      { id: 'a', status: 'done', fence: 2, flip_check: low },
      { id: 'b', after: ['a'], status: 'in-progress' },
    );
    const result = commit(view, verifyFlip(view, 'a', question, { verdict, reason: 'read' }, { by: ann, now: NOW }));
    const { status, log, ...task } = taskOf(view, 'a');
    return { result, status, flip_check: fieldsOf(task)['flip_check'], said: log?.at(-1)?.message };
  };
  expect(verified('confirmed')).toEqual({
    result: { task_id: 'a', verdict: 'confirmed', reason: 'read', status: 'done', warnings: [] },
    ...{ status: 'done', flip_check: { ...low, state: 'confirmed' } },
    said: 'flip verification confirmed: score 0.20: read',
  });
  expect(verified('rejected')).toMatchObject({
    result: { verdict: 'rejected', status: 'failed', warnings: ['b is already running on the rejected work.'] },
    ...{ status: 'failed', flip_check: { ...low, state: 'rejected' } },
  });
  expect(verified('rejected', { ...low, evaluation: 'e-0' })).toEqual({
    result: {
      ...{
        task_id: 'a',
        verdict: 'moot',
        reason: 'another score was recorded meanwhile',
        status: 'done',
        warnings: [],
      },
    },
    ...{ status: 'done', flip_check: low, said: undefined },
  });
});

test('what a model says of it, and what it is asked about', () => {
  expect(verificationIn('{"verdict":"confirm","reason":" read it "}')).toEqual({
    verdict: 'confirmed',
    reason: 'read it',
  });
  expect(verificationIn('{"verdict":"reject","reason":"no"}')).toEqual({ verdict: 'rejected', reason: 'no' });
  for (const answer of [
    '{"verdict":"maybe","reason":"x"}',
    '{"verdict":"confirm","reason":" "}',
    '{"verdict":"confirm"}',
  ])
    expect(verificationIn(answer)).toBeUndefined();
  expect(lowScoreText(low, { notes: 'N', dimensions: { fit: 1 } })).toBe('score: 0.2\nnotes: N\ndimensions: {"fit":1}');
  expect([lowScoreText(low, {}), lowScoreText(low, 'x')]).toEqual(['score: 0.2', 'score: 0.2']);
});

test('references of a file are those that can be one, filled up with what they leave out', () => {
  const whole = { score: 1, task_id: 't', timestamp: 'x', context_id: 'c', evaluation_id: 'e', source: 's' };
  const kept = performanceOf({
    ...{ task_count: 99, avg_score: 9 },
    evaluations: [
      whole,
      { ...whole, more: 1 },
      { score: 0, task_id: 't', timestamp: 7, source: 's' },
      { score: 2 },
      'x',
    ],
  });
  expect(kept).toEqual({
    ...{ task_count: 3, avg_score: expect.closeTo(2 / 3) },
    evaluations: [whole, whole, { score: 0, task_id: 't', timestamp: '', context_id: '', source: 's' }],
  });
  expect(performanceOf({ evaluations: 'x' })).toEqual({ task_count: 0, avg_score: null, evaluations: [] });
});

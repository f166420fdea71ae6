import { expect } from 'vitest';
import { fieldsOf } from '#core/graph/task-field.js';
import { TroupeError } from '#kernel/errors.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { evaluationRun } from '#operations/agency/model-evaluations.js';
import { bothPorts } from '../../both-ports.js';
import { verifies } from '../../verifies.js';
import { stage } from './place.js';

verifies(
  'gate.eval-first',
  'the score that was awaited fails the work or lets it through; no other score does',
  async () => {
    const { call, put, as, store } = await stage({
      runs: async () => ({ identity: async () => undefined }) as never,
      ...bothPorts(
        async () =>
          ({ list: async () => [], changes: async () => Promise.reject(new TroupeError('not_found')) }) as never,
      ),
    });
    const statusOf = async (id: string) => (await store.view()).task(id);
    for (const id of ['low', 'edge', 'ci', 'both'])
      await put(id, {
        status: 'pending-validation',
        eval_gate: 0.7,
        assigned: 'agent-1',
        fence: 1,
        ...(id === 'both' ? { verify: 'look' } : {}),
      });
    await call(evaluationRecord, { id: 'ci', score: 0.1, source: 'ci:unit' });
    expect((await statusOf('ci'))?.status).toBe('pending-validation');
    await put('elsewhere', { status: 'in-progress', assigned: 'agent-9', fence: 1 });
    as({ kind: 'run', name: 'agent-9', taskId: 'elsewhere', fence: 1 });
    for (const [id, score] of [
      ['low', 0.1],
      ['edge', 1],
    ])
      await call(evaluationRecord, { id, score, source: 'llm' });
    for (const id of ['low', 'edge']) expect((await statusOf(id))?.status).toBe('pending-validation');
    as({ kind: 'person', name: 'ann' });
    await call(evaluationRecord, { id: 'low', score: 0.62, source: 'llm' });
    expect(await statusOf('low')).toMatchObject({
      status: 'failed',
      failure_reason: 'evaluation rejected: score 0.62 below threshold 0.70',
    });
    await call(evaluationRecord, { id: 'edge', score: 0.7, source: 'llm' });
    expect((await statusOf('edge'))?.status).toBe('done');
    await call(evaluationRecord, { id: 'both', score: 0.9, source: 'llm' });
    expect(await statusOf('both')).toMatchObject({ status: 'pending-validation' });
    expect(fieldsOf(await statusOf('both'))['eval_gate']).toBeUndefined();
    await expect(call(evaluationRun, { id: 'ci' })).rejects.toThrow(
      expect.objectContaining({ code: 'model_required' }),
    );
    await store.close();
  },
);

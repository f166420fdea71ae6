import { expect } from 'vitest';
import type { Output } from '#operations/map.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

verifies(
  'web.run',
  'a run of a workflow is shown over time, and what comes later in a cycle holds nothing up',
  async () => {
    const own = world();
    const begun = own.clock.now();
    const at = (minute: number) => new Date(begun + minute * 60_000).toISOString();
    const step = (node: string, fields: object = {}) =>
      own.add(`fix-${node}`, { workflow: { id: 'bug-fix', run: 'fix', node }, ...fields });
    await step('dev', { after: ['fix-gate'], cycle_config: { max_iterations: 3 } });
    await step('gate', { after: ['fix-dev'], workflow: { id: 'bug-fix', run: 'fix', node: 'gate', role: 'gate' } });
    await step('end', { after: ['fix-gate'] });
    const after = async (minutes: number, id: string, fields: object) => {
      own.pass(minutes * 60_000);
      await own.set(id, { ...fields });
    };
    await after(1, 'fix-dev', { status: 'in-progress' });
    await after(4, 'fix-dev', { status: 'done', completed_at: at(5) });
    await after(2, 'fix-gate', { status: 'in-progress' });
    await after(1, 'fix-gate', { status: 'done', completed_at: at(8) });
    const { rows, ...head } = (await own.call('run.timeline', { run: 'fix' })) as Output<'run.timeline'>;
    expect(head).toEqual({
      seq: expect.any(Number),
      at: at(8),
      run: 'fix',
      kind: 'workflow',
      playbook: 'bug-fix',
      outcome: 'running',
      over: false,
    });
    expect(
      rows.map(({ step, after, free_at, spans, verdicts }) => ({ step, after, free_at, spans, verdicts })),
    ).toEqual([
      {
        ...{ step: 'dev', after: ['gate'], free_at: at(0), verdicts: [] },
        spans: [{ state: 'in-progress', from: at(1), to: at(5) }],
      },
      {
        ...{ step: 'gate', after: ['dev'], free_at: at(5), verdicts: [{ at: at(8), verdict: 'passed' }] },
        spans: [{ state: 'in-progress', from: at(7), to: at(8) }],
      },
      // The cycle goes round once more, so the gate is open again.
      { step: 'end', after: ['gate'], free_at: undefined, spans: [], verdicts: [] },
    ]);
    // Asked again, only what is new is read.
    await after(3, 'fix-end', { status: 'in-progress' });
    const again = (await own.call('run.timeline', { run: 'fix' })) as Output<'run.timeline'>;
    expect(again.rows.at(-1)?.spans).toEqual([{ state: 'in-progress', from: at(11) }]);
    await expect(own.call('run.timeline', { run: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
  },
);

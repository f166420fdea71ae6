import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { taskAttempts } from '#operations/history/attempts.js';
import { show } from '#operations/review/worktrees.js';
import { runSteps } from '#operations/runs/run-steps.js';
import { prompt } from '#operations/runs/show-prompt.js';
import { attempted, SHORT_RUN, withClient } from '../../e2e/attempts.js';
import { world } from '../../e2e/world.js';
import { repository } from '../../repository.js';
import { verifies } from '../../verifies.js';

/** A task of which the first attempt was rejected and the second waits for a review. */
async function reviewed() {
  const own = world();
  const folder = repository({ 'a.ts': 'one\n', 'b.ts': 'one\n' });
  mkdirSync(path.join(folder, '.workgraph'));
  own.workIn(folder);
  await own.add('a', { title: 'A', verify: 'It is two' });
  await attempted(own, {
    task: 'a',
    run: 'agent-1',
    attempt: 1,
    exit: 2,
    files: { 'a.ts': 'three\n', 'b.ts': 'two\n' },
  });
  await own.call('task.reject', { id: 'a', reason: 'a.ts:1\n> three\nTwo, not three.' });
  await attempted(own, { task: 'a', run: 'agent-2', attempt: 2, files: { 'a.ts': 'two\n' }, events: SHORT_RUN });
  return own;
}

verifies(
  ['web.review', 'web.review.compare'],
  'changes of an attempt, since an earlier one, of single files; of merged work as well, when its worktree is gone',
  async () => {
    const own = await reviewed();
    const paths = ({ changes }: { changes: { files: readonly { path: string }[] } }) =>
      changes.files.map(({ path }) => path);
    const whole = await show.run(own.context, { task: 'a', patch: true });
    expect(whole).toMatchObject({ attempt: 2, attempts: [1, 2], patch_cut: false });
    expect(paths(whole)).toEqual(['a.ts', 'b.ts']);
    const since = await show.run(own.context, { task: 'a', since: 1, patch: true });
    expect(paths(since)).toEqual(['a.ts']);
    expect(since.patch).toMatch(/^-three\n\+two\n/m);
    const one = await show.run(own.context, { task: 'a', path: ['b.ts'] });
    expect(one.patch).toContain('+++ b/b.ts');
    expect(one.patch).not.toContain('a.ts');
    await expect(show.run(own.context, { task: 'a', since: 9 })).rejects.toMatchObject({ code: 'not_found' });
    await own.call('task.approve', { id: 'a' });
    const merged = await show.run(own.context, { task: 'a', patch: true });
    expect(merged).toMatchObject({ branch: 'wg/integration', attempts: [1], attempt: 2, ahead: 1 });
    expect(merged.patch).toBe(whole.patch);
    expect((await show.run(own.context, { task: 'a', path: ['b.ts'] })).patch).toBe(one.patch);
    await own.add('other');
    await expect(show.run(own.context, { task: 'other' })).rejects.toMatchObject({ code: 'not_found' });
  },
);

verifies(
  ['web.review.comments', 'web.review.compare'],
  'each attempt has its number, its check, its commits and the decision; the reason is in the next prompt',
  async () => {
    const own = await reviewed();
    const { runs } = await taskAttempts.run(own.context, { id: 'a' });
    expect(runs).toMatchObject([
      {
        ...{ run: 'agent-1', attempt: 1, check: { command: 'npm test', passed: false, text: 'exit 2 after 3s' } },
        verdict: { by: 'you', approved: false, reason: 'a.ts:1\n> three\nTwo, not three.' },
      },
      {
        run: 'agent-2',
        attempt: 2,
        check: { passed: true, text: 'passed in 3s' },
        commit: expect.stringMatching(/^\w{40}$/),
      },
    ]);
    expect(runs[1]?.verdict).toBeUndefined();
    await own.call('task.reject', { id: 'a', reason: 'a.ts:1\n> two\nOne, after all.' });
    const { text } = await prompt.run(withClient(own.context), { id: 'a' });
    expect(text).toContain('a.ts:1\n> two\nOne, after all.');
  },
);

verifies(
  'web.run',
  'steps of the latest run of a task, or of a run by its name; without a client there are none',
  async () => {
    const own = await reviewed();
    const latest = await runSteps.run(own.context, { id: 'a' });
    expect(latest).toMatchObject({ task: 'a', run: 'agent-2', running: false, cut: false, model: 'claude-opus-4-8' });
    expect(latest.steps.filter(({ kind }) => kind === 'answer')).toHaveLength(3);
    expect(latest.steps.find(({ kind }) => kind === 'answer')?.cost_usd).toBeGreaterThan(0);
    own.atWork.add('agent-2');
    expect(await runSteps.run(own.context, { id: 'agent-2' })).toMatchObject({ run: 'agent-2', running: true });
    await own.add('other');
    expect(await runSteps.run(own.context, { id: 'other' })).toMatchObject({ run: null, steps: [] });
    for (const id of ['agent-9', '../agent-2'])
      await expect(runSteps.run(own.context, { id })).rejects.toMatchObject({ code: 'unknown_task' });
  },
);

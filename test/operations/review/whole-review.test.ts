import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { withEvidence } from '#core/graph/evidence.js';
import { doneTask } from '#core/graph/moves.js';
import type { Report } from '#core/review/report.js';
import { Finishing } from '#operations/coordinator/finishing.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import type { ReviewSummary } from '#operations/review/shapes.js';
import { commitAll, git, repository, treeDigest, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { reviewContext, runTasks } from '../review-context.js';

/** Has the shape of a token; put together here, so that this file does not look like a leak itself. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

const FILES = {
  'README.md': '# Shop\n\nSee [the guide](docs/guide.md) and [nothing](docs/nothing.md).\n',
  'docs/guide.md': '# Guide\n',
  'src/cart.js': '// TODO: taxes\nexport const cart = [];\n',
  'src/keys.js': `export const key = "${TOKEN}";\n`,
  'package.json': JSON.stringify({
    name: 'shop',
    license: 'MIT',
    scripts: {
      lint: 'node -e "process.exit(3)"',
      'test:unit':
        "node -e \"require('fs').writeFileSync('node_modules/left/written', 'x'); require('fs').writeFileSync('made.txt', 'x')\"",
    },
    dependencies: { left: '1.0.0' },
  }),
};

function shop(): string {
  const folder = repository(FILES, 'shop');
  write(folder, { 'src/cart.js': '// TODO: taxes\nexport const cart = [1];\n' });
  commitAll(folder, 'second');
  write(folder, {
    'node_modules/left/package.json': JSON.stringify({ name: 'left', version: '1.0.0', license: 'GPL-3.0' }),
  });
  return folder;
}

verifies(
  'workflow.repository-review',
  'the shipped workflow becomes tasks, evidence, a report and a gate; nothing of the user changes',
  async () => {
    const folder = shop();
    const review = reviewContext(folder);
    await review.cast();
    const before = treeDigest(folder);
    const started = await review.call<{ review: string; task_ids: string[]; report_folder: string }>('workflow.run', {
      id: 'repository-review',
    });
    expect(started.review).toBe('review');
    expect(started.task_ids).toContain('review-command-npm-lint');
    const statuses = await runTasks(review);
    expect([...statuses.values()].every((status) => status === 'done')).toBe(true);
    const summary = await review.call<ReviewSummary>('review.summary');
    expect(summary.first[0]).toMatchObject({ rule: 'leaked-secret', severity: 'critical' });
    expect(summary.steps.with_result).toBe(summary.steps.total);
    const report = JSON.parse(readFileSync(path.join(folder, summary.files.json), 'utf8')) as Report;
    const rules = report.findings.map((item) => item.rule);
    expect(rules).toEqual(
      expect.arrayContaining([
        'leaked-secret',
        'command-lint-failed',
        'broken-link',
        'missing-ci',
        'no-lockfile',
        'todo',
        'copyleft-licence',
      ]),
    );
    expect(report.steps.find((step) => step.node === 'command-npm-lint')).toMatchObject({
      exit_code: 3,
      status: 'done',
    });
    expect(report.steps.find((step) => step.node === 'command-npm-test-unit')).toMatchObject({ exit_code: 0 });
    for (const file of Object.values(summary.files)) {
      expect(readFileSync(path.join(folder, file), 'utf8')).not.toContain(TOKEN);
    }
    expect(treeDigest(folder)).toBe(before);
    expect(existsSync(path.join(folder, started.report_folder, 'worktree'))).toBe(false);
    expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    await expect(review.call('review.check')).resolves.toMatchObject({ review: 'review', warnings: [] });
  },
);

verifies(
  'review.outcome',
  'a command that failed is done, and shows with what: in the graph and so in every live view',
  async () => {
    const review = reviewContext(shop());
    await review.cast();
    await review.call('workflow.run', { id: 'repository-review' });
    await review.call('review.inspect', { name: 'prepare' });
    await review.call('review.inspect', { name: 'command', command: 'npm-lint' });
    const { context } = review;
    const store = await context.graph();
    const options = { now: context.clock.now(), by: { name: 'agent-1' } };
    const id = 'review-command-npm-lint';
    const task = (await store.view()).task(id);
    if (task === undefined) throw new Error('no such step');
    const { evidence } = await new Finishing(context, () => undefined, NO_WORKERS).finish(task, {
      id: 'agent-1',
      taskId: id,
    } as RunFact);
    expect(evidence).toMatchObject({ verify_cmd: expect.stringContaining('lint'), exit: 3 });
    await store.commit((view) => withEvidence(doneTask(view, id, { ...options, force: true }), id, evidence));
    const { tasks } = await review.call<{ tasks: { id: string; state: string; check?: string }[] }>('graph.picture');
    expect(tasks.filter((row) => row.check !== undefined)).toMatchObject([{ id, state: 'done', check: 'exit 3' }]);
  },
);

verifies('workflow.repository-review', 'a dry run shows the steps of the checks that were asked for', async () => {
  const review = reviewContext(shop());
  await review.cast();
  const steps = async (run: 'fast' | 'none') => {
    const wish = { id: 'repository-review', run, dry_run: true };
    const { task_ids } = await review.call<{ task_ids: string[] }>('workflow.run', wish);
    return task_ids.filter((id) => /command|prepare/.test(id));
  };
  expect(await steps('fast')).toContain('review-command-npm-lint');
  expect(await steps('none')).toEqual([]);
});

verifies('review.quick', 'the report is written before anything is cleared away; the gate clears', async () => {
  const folder = shop();
  const review = reviewContext(folder);
  await review.cast();
  const { report_folder: reports } = await review.call<{ report_folder: string }>('workflow.run', {
    id: 'repository-review',
  });
  const scratch = path.join(folder, reports, 'worktree');
  await review.call('review.inspect', { name: 'prepare' });
  await review.call('review.report');
  expect([existsSync(scratch), existsSync(path.join(folder, reports, 'report.html'))]).toEqual([true, true]);
  await review.call('review.check');
  expect(existsSync(scratch)).toBe(false);
});

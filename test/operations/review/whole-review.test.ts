import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Report } from '#core/review/report.js';
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
    await expect(review.call('review.check')).resolves.toMatchObject({ review: 'review' });
  },
);

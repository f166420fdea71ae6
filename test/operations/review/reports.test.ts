import { expect } from 'vitest';
import type { ReviewPlan } from '#core/review/plan.js';
import type { Report } from '#core/review/report.js';
import { TroupeError } from '#kernel/errors.js';
import { check, report, summary } from '#operations/review/report.js';
import { summaryOf } from '#operations/review/shapes.js';
import { checks, describeRepository } from '#operations/review/start-review.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const step = (node: string, type: 'run' | 'fan_in' | 'check' = 'run') => ({
  ...{ node, task_id: `review-${node}`, title: `Step ${node}`, member: 'Ada', role: 'Engineer', type },
});
const COMMAND = { id: 'lint', title: 'Lint', kind: 'lint', program: 'npm', args: ['run', 'lint'], folder: '' } as const;
const PLAN: ReviewPlan = {
  ...{ version: 1, review: 'review', workflow: 'repository-review', name: 'shop', repository: '/shop' },
  ...{ dependencies_from: '/shop', run: 'fast', head: 'c0', started_at: '2026-03-01T09:00:00.000Z', leader: 'Ada' },
  ...{ facts: [], commands: [{ ...COMMAND, args: [...COMMAND.args], install: 'npm ci' }] },
  steps: [step('todos'), step('command-lint'), step('gate', 'check')],
} as ReviewPlan;
const evidence = (node: string, exit_code: number | null = 0) => ({
  node,
  evidence: {
    ...{ node, title: `Step ${node}`, member: 'Ada', command: node, exit_code, duration_ms: 5 },
    ...{ started_at: '2026-03-01T09:30:00.000Z', output_excerpt: '', findings: [], facts: {} },
  },
});

/** A review whose files are in memory. */
function stage(found: readonly object[] = [evidence('todos'), evidence('command-lint')]) {
  const own = world();
  const asked: unknown[] = [];
  const files: { report?: Report; markdown?: string; html?: string } = {};
  let failure: Error | undefined;
  const folder = {
    latest: async () => 'review',
    readPlan: async (review: string) => {
      asked.push(['plan', review]);
      if (review !== 'review') throw new TroupeError('unknown_review');
      return PLAN;
    },
    readEvidence: async (...words: unknown[]) => {
      asked.push(['evidence', ...words]);
      return found;
    },
    writeReport: async (written: Report, pages: object) => void Object.assign(files, { report: written, ...pages }),
    readReport: async () => files,
    path: (review: string, file: string) => `reports/${review}/${file}`,
    worktree: (review: string) => `/scratch/${review}`,
  };
  const git = {
    removeWorktree: async (...words: unknown[]) => {
      asked.push(['removed', ...words]);
      if (failure) throw failure;
    },
  };
  const context = { ...own.context, inspector: async () => ({ folder }) as never, git: async () => git as never };
  const fail = (error: Error | undefined) => {
    failure = error;
  };
  return { ...own, context, asked, files, fail };
}

verifies(
  'workflow.repository-review',
  'a report is made of the evidence of the steps that run, and its summary counts it',
  async () => {
    const { context, asked, files, addAll } = stage();
    await addAll([
      { id: 'review-todos', status: 'done' },
      { id: 'review-command-lint', status: 'done' },
    ]);
    const answer = await report.run(context, {});
    expect(asked).toEqual([
      ['plan', 'review'],
      ['evidence', 'review', ['todos', 'command-lint']],
    ]);
    expect(answer).toEqual({
      ...{ review: 'review', name: 'shop', counts: files.report?.counts, first: files.report?.first },
      ...{ steps: { total: 2, with_result: 2 }, checks: { total: 1, finished: 1 }, took_ms: 3_600_000 },
      files: {
        html: 'reports/review/report.html',
        markdown: 'reports/review/report.md',
        json: 'reports/review/report.json',
      },
    });
    expect(files.report?.steps.map(({ node, status }) => [node, status])).toEqual([
      ['todos', 'done'],
      ['command-lint', 'done'],
      ['gate', expect.any(String)],
    ]);
    expect(await summary.run(context, {})).toEqual(answer);
    const late = { ...files.report, started_at: '2026-03-02T09:00:00.000Z' } as Report;
    expect(summaryOf(late, { path: () => '' } as never).took_ms).toBe(0);
    const bare = stage();
    await expect(summary.run(bare.context, {})).rejects.toMatchObject({ code: 'review_incomplete' });
    await expect(summary.run(bare.context, { review: 'other' })).rejects.toMatchObject({ code: 'unknown_review' });
  },
);

verifies(
  'workflow.repository-review',
  'the gate approves a complete report, and warns of what is not complete',
  async () => {
    const { context, asked, addAll, fail } = stage();
    await addAll([
      { id: 'review-todos', status: 'done' },
      { id: 'review-command-lint', status: 'done' },
    ]);
    await report.run(context, {});
    const good = { review: 'review', steps: 3, findings: 0, warnings: [] };
    expect(await check.run(context, {})).toEqual(good);
    expect(asked.at(-1)).toEqual(['removed', '/shop', '/scratch/review']);
    fail(new TroupeError('git_failed', { what: 'It failed.' }));
    const stays = (why: string) => ({
      ...good,
      warnings: [`The scratch copy of this review could not be removed: ${why}`],
    });
    expect(await check.run(context, {})).toEqual(stays('It failed.'));
    fail(new TroupeError('git_failed', { what: 'It failed.', why: 'It is locked.' }));
    expect(await check.run(context, {})).toEqual(stays('It is locked.'));
    const odd = new Error('odd');
    fail(odd);
    await expect(check.run(context, {})).rejects.toBe(odd);
    const cut = stage([evidence('todos')]);
    await cut.addAll([
      { id: 'review-todos', status: 'done' },
      { id: 'review-command-lint', status: 'done' },
    ]);
    await report.run(cut.context, {});
    expect(await check.run(cut.context, {})).toEqual({ ...good, findings: 1, warnings: ['0 of 1 check finished.'] });
  },
);

verifies('workflow.repository-review', 'the gate names the problems of a report, the first one apart', async () => {
  const { context, asked, files, addAll } = stage();
  const refused = async () =>
    await check.run(context, {}).catch(({ code, message, why, details }: TroupeError) => ({
      ...{ code, message, why, details },
    }));
  const none = 'There is no report.json, or it cannot be parsed.';
  expect(await refused()).toEqual({
    ...{ code: 'review_incomplete', message: `The review “review” is not complete: ${none}`, why: undefined },
    details: { problems: [none] },
  });
  expect(asked.at(-1), 'the scratch copy goes in any case').toEqual(['removed', '/shop', '/scratch/review']);
  await addAll([
    { id: 'review-todos', status: 'done' },
    { id: 'review-command-lint', status: 'done' },
  ]);
  await report.run(context, {});
  files.markdown = 'other';
  delete files.html;
  const problems = ['report.md does not match report.json.', 'report.html is missing.'];
  expect(await refused()).toEqual({
    ...{ code: 'review_incomplete', message: `The review “review” is not complete: ${problems[0]}`, why: problems[1] },
    details: { problems },
  });
});

verifies('workflow.repository-review', 'a repository without files to review is refused, with its folder', async () => {
  const { context } = stage();
  const described = async (facts: object) =>
    await describeRepository({ ...context, git: async () => ({ describe: async () => facts }) as never }).catch(
      ({ code, message }: TroupeError) => [code, message],
    );
  expect(await described({ kind: 'repository', top: '/shop', head: 'c0', more: 1 })).toEqual({
    top: '/shop',
    head: 'c0',
  });
  expect(await described({ kind: 'none' })).toEqual(['not_a_repository', '/project is not in a git repository.']);
  expect(await described({ kind: 'bare' })).toEqual([
    ...['bare_repository', 'The repository at /project is bare: it has no files to work on.'],
  ]);
  expect(await described({ kind: 'empty' })).toEqual([
    ...['empty_repository', 'The repository at /project has no commit yet.'],
  ]);
});

verifies(
  'workflow.repository-review',
  'the commands that a review would run are listed, and whether it is trusted',
  async () => {
    const { context } = stage();
    const asked: unknown[] = [];
    const manifest = JSON.stringify({ name: 'shop', scripts: { lint: 'eslint .' } });
    const inspector = {
      trackedFiles: async () => ['package.json'],
      readNamed: async (top: string, files: string[]) => {
        asked.push([top, files]);
        return new Map([['package.json', manifest]]);
      },
    };
    const git = {
      describe: async () => ({ kind: 'repository', top: '/shop', head: 'c0' }),
      output: async (...words: unknown[]) => {
        asked.push(words);
        return '2\n';
      },
    };
    const of = async (run: 'fast' | 'none' | undefined, trusted?: object) =>
      await checks.run(
        {
          ...context,
          inspector: async () => inspector as never,
          git: async () => git as never,
          trust: async () => ({ read: async () => trusted }) as never,
        },
        { run },
      );
    expect(await of(undefined)).toEqual({
      ...{ trusted: false, checks: [{ title: expect.any(String), command: 'npm run lint', folder: '' }] },
    });
    expect(asked).toEqual([
      ['/shop', ['package.json']],
      ['/shop', ['rev-list', '--count', '--max-count=2', 'HEAD', '--']],
    ]);
    expect(await of('none', { at: 'now' })).toEqual({ trusted: true, checks: [] });
  },
);

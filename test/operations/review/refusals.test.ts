import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '#core/review/report.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { ReviewSummary } from '#operations/review/shapes.js';
import { git, repository, treeDigest } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { reviewContext, runTasks } from '../review-context.js';

const start = (folder: string, more: object = {}) =>
  reviewContext(folder).call('workflow.run', { id: 'repository-review', ...more });
const startWith = (review: ReturnType<typeof reviewContext>, more: object = {}) =>
  review.call<{ review: string; task_ids: string[]; warnings: string[] }>('workflow.run', {
    id: 'repository-review',
    run: 'none',
    ...more,
  });

test('no repository, an empty one, a bare one, no team, an unknown workflow, a bad mode: coded errors, nothing written', async () => {
  const plain = room();
  await expect(start(plain)).rejects.toMatchObject({ code: 'not_a_repository' });
  const empty = room();
  git(empty, 'init', '--quiet');
  await expect(start(empty)).rejects.toMatchObject({ code: 'empty_repository' });
  const bare = room();
  git(bare, 'init', '--quiet', '--bare');
  await expect(start(bare)).rejects.toMatchObject({ code: 'bare_repository' });
  const folder = repository({ 'a.md': '# A\n' });
  await expect(start(folder)).rejects.toMatchObject({ code: 'no_team' });
  await expect(start(folder, { run: 'everything' })).rejects.toMatchObject({ code: 'bad_input' });
  await expect(reviewContext(folder).call('workflow.run', { id: 'nothing' })).rejects.toMatchObject({
    code: 'unknown_workflow',
  });
  await expect(reviewContext(folder).call('review.summary')).rejects.toMatchObject({ code: 'unknown_review' });
  await expect(reviewContext(folder).call('review.report', { review: '../x' })).rejects.toMatchObject({
    code: 'bad_input',
  });
  for (const untouched of [plain, empty, bare, folder])
    expect(existsSync(path.join(untouched, '.workgraph'))).toBe(false);
});

test('each run has a name of its own; one with dependencies from nowhere, and one that cannot be committed, leave nothing', async () => {
  const folder = repository({ 'a.md': '# A\n' });
  const review = reviewContext(folder);
  await review.cast();
  await expect(startWith(review, { dependenciesFrom: '/nowhere/clone' })).rejects.toMatchObject({ code: 'not_found' });
  expect(existsSync(path.join(folder, '.workgraph/reports'))).toBe(false);
  expect((await startWith(review)).review).toBe('review');
  const second = await startWith(review);
  expect(second).toMatchObject({ review: 'review-2' });
  expect(second.task_ids).toContain('review-2-gate');
  expect(second.task_ids.some((id) => id.includes('command') || id.includes('prepare'))).toBe(false);
  await review.store.close();
  await expect(startWith(review)).rejects.toThrow();
  expect(readdirSync(path.join(folder, '.workgraph/reports')).sort()).toEqual(['review', 'review-2']);
});

test('a step that times out and a step that fails become findings; the report and the gate still come', async () => {
  const folder = repository({ 'a.md': '# A\n' });
  const review = reviewContext(folder);
  await review.cast();
  const { review: id } = await startWith(review);
  const statuses = await runTasks(review, (task) => task.id === 'review-secrets');
  expect(statuses.get('review-secrets')).toBe('failed');
  expect(statuses.get('review-gate')).toBe('done');
  const { files } = await review.call<ReviewSummary>('review.summary', { review: id });
  const report = JSON.parse(readFileSync(path.join(folder, files.json), 'utf8')) as Report;
  expect(report.findings.find((item) => item.rule === 'step-without-result')).toMatchObject({
    node: 'secrets',
    severity: 'medium',
    detail: expect.stringContaining('Agent exceeded hard timeout'),
  });
});

verifies('wrap.timeout', 'a command that hangs is a finding when its time box is over', async () => {
  const lint = 'sleep 600 & sleep 600';
  const folder = repository({ 'package.json': JSON.stringify({ name: 'hangs', scripts: { lint } }) });
  const boxes: number[] = [];
  const review = reviewContext(folder, process.env, (programs) => ({
    command: (command, options) => programs.command(command, options),
    run: (program, args, options) => {
      boxes.push(options.timeMs);
      return programs.run(program, args, { ...options, timeMs: 500 });
    },
  }));
  await review.cast();
  const before = treeDigest(folder);
  await startWith(review, { run: 'fast' });
  const statuses = await runTasks(review);
  expect(statuses.get('review-command-npm-lint')).toBe('done');
  expect(boxes).toEqual([SURFACE_LIMITS.commandFastMs]);
  const { files, checks } = await review.call<ReviewSummary>('review.summary');
  expect(checks).toEqual({ total: 1, finished: 0 });
  expect(readFileSync(path.join(folder, files.json), 'utf8')).toMatch(
    /npm run lint.* took longer than 3m and was stopped/,
  );
  expect(treeDigest(folder)).toBe(before);
});

test('the gate refuses a report that was changed, cut short, or belongs to nothing', async () => {
  const folder = repository({ 'a.md': '# A\n' });
  const review = reviewContext(folder);
  await review.cast();
  await startWith(review);
  await expect(review.call('review.check')).rejects.toMatchObject({ code: 'review_incomplete', exitCode: 1 });
  await runTasks(review);
  await review.call('review.check');
  const page = path.join(folder, '.workgraph/reports/review/report.md');
  writeFileSync(page, readFileSync(page, 'utf8').replace('# Review', '# No review'));
  await expect(review.call('review.check')).rejects.toMatchObject({
    details: { problems: ['report.md does not match report.json.'] },
  });
  writeFileSync(path.join(folder, '.workgraph/reports/review/report.json'), '{"version": 1');
  await expect(review.call('review.check')).rejects.toMatchObject({ code: 'review_incomplete' });
  await expect(review.call('review.summary')).rejects.toMatchObject({ code: 'review_incomplete' });
});

test('an inspection of an unknown command or review is refused; evidence is one file a step', async () => {
  const folder = repository({ 'a.md': '# A\n' });
  const review = reviewContext(folder);
  await review.cast();
  await startWith(review);
  await expect(review.call('review.inspect', { name: 'command', command: 'npm-lint' })).rejects.toMatchObject({
    code: 'unknown_command',
  });
  await expect(review.call('review.inspect', { name: 'todos', review: 'other' })).rejects.toMatchObject({
    code: 'unknown_review',
  });
  await expect(review.call('review.inspect', { name: 'constructor' })).rejects.toMatchObject({ code: 'bad_input' });
  await review.call('review.inspect', { name: 'todos' });
  await review.call('review.inspect', { name: 'todos' });
  expect(readdirSync(path.join(folder, '.workgraph/reports/review/evidence'))).toEqual(['todos.json']);
});

test('a repository full of odd names is reviewed like any other', async () => {
  const odd = ['with space.md', 'line\nbreak.ts', '$(touch x).md', '😀.md', '-n.md', '<b>.md', 'a`b.md'];
  const folder = repository({
    ...Object.fromEntries(odd.map((name) => [name, '# T\n\n[l](gone.md)\n// FIXME: x\n'])),
    '😀/$(id)/package.json': '{"scripts":{"lint":"exit 2"}}',
  });
  const review = reviewContext(folder);
  await review.cast();
  const before = treeDigest(folder);
  const { task_ids } = await startWith(review, { run: 'fast' });
  for (const id of task_ids) expect(id).toMatch(/^[a-z0-9-]+$/);
  const statuses = await runTasks(review);
  expect([...statuses.values()].filter((status) => status !== 'done')).toEqual([]);
  const { files, counts } = await review.call<ReviewSummary>('review.summary');
  expect(counts.medium).toBeGreaterThan(0);
  expect(readFileSync(path.join(folder, files.html), 'utf8')).not.toContain('<b>.md');
  expect(treeDigest(folder)).toBe(before);
});

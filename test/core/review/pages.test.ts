import path from 'node:path';
import { expect, test } from 'vitest';
import { finding, type Severity } from '#core/review/finding.js';
import { ticks } from '#core/review/html/charts.js';
import { renderHtml } from '#core/review/html-report.js';
import { renderMarkdown } from '#core/review/markdown-report.js';
import type { PlanStep, ReviewPlan, StepEvidence } from '#core/review/plan.js';
import { buildReport, type Report, type TaskFacts } from '#core/review/report.js';
import { randomFrom } from '#kernel/random.js';

/** Pages that were looked at and found good; whoever changes one looks again. `vitest -u` writes them. */
const GOLDEN = path.join(import.meta.dirname, 'golden');
const AT = Date.parse('2026-03-01T10:00:00.000Z');
const time = (seconds: number) => new Date(AT + seconds * 1_000).toISOString();

const step = (node: string, member: string, type: PlanStep['type'] = 'run'): PlanStep => ({
  ...{
    node,
    task_id: `review-${node}`,
    title: `Look at ${node}`,
    member,
    role: member === 'Neo' ? '' : 'QA engineer',
    type,
  },
});
const command = (id: string) => ({ id, label: id, command: `npm run ${id}`, kind: 'test', from: 'package.json' });
const PLAN: ReviewPlan = {
  ...{ version: 1, review: 'review', workflow: 'repository-review', name: 'shop & sons', repository: '/shop' },
  ...{ dependencies_from: '/shop', run: 'fast', head: 'abcdef0123456789'.repeat(2), started_at: time(0) },
  ...{ leader: 'Morpheus', facts: [], commands: ['unit', 'lint', 'types'].map(command) as never },
  steps: [
    ...[step('todos', 'Trinity'), step('hotspots', 'Trinity'), step('inventory', 'Neo'), step('presence', 'Neo')],
    ...[
      step('command-unit', 'Trinity'),
      step('command-lint', 'Neo'),
      step('command-types', 'Tank'),
      step('links', 'Neo'),
    ],
    ...[step('report', 'Morpheus', 'fan_in'), step('gate', 'Morpheus', 'check')],
  ],
};

const made = (severity: Severity, rule: string, more: object = {}) =>
  finding({
    severity,
    title: `A ${rule}`,
    detail: `Seen:\n${rule} <here>`,
    rule,
    remedy: `Mend the \`${rule}\`.`,
    ...more,
  });
const secrets = ['b.env', 'a.env'].map((file) => made('critical', 'leaked-secret', { file, line: 3 }));
const todos = Array.from({ length: 52 }, (_, at) => made('low', 'todo', { file: `src/${at}.ts`, line: at + 1 }));

function evidence(node: string, more: Partial<StepEvidence> = {}): { node: string; evidence: StepEvidence } {
  return {
    node,
    evidence: {
      ...{ node, title: `Look at ${node}`, member: 'Trinity', command: `look --at ${node}`, exit_code: 0 },
      ...{ duration_ms: 1_200, started_at: time(1), output_excerpt: '', findings: [], facts: {} },
      ...more,
    },
  };
}

const SPOTS = [
  { file: 'src/deep/engine.ts', commits: 40, churn: 900, lines: 1_200, authors: 4 },
  { file: 'src/engine-room.ts', commits: 39, churn: 400, lines: 1_190, authors: 2 },
  { file: 'src/small.ts', commits: 30, churn: 90, lines: 40, authors: 1 },
  { file: 'src/long-and-quiet-with-a-name-that-goes-on.ts', commits: 2, churn: 10, lines: 1_100, authors: 1 },
  { file: 'README.md', commits: 3, churn: 12, lines: 60, authors: 3 },
];
const LICENCES = Array.from({ length: 12 }, (_, at) => ({ licence: `Licence-${at}`, count: 20 - at }));

const task = (status: TaskFacts['status'], from?: number, to?: number, more: object = {}): TaskFacts => ({
  status,
  ...(from === undefined ? {} : { started_at: time(from) }),
  ...(to === undefined ? {} : { completed_at: time(to) }),
  ...more,
});

/** One of everything a page can show. */
function full(): Report {
  return buildReport({
    plan: PLAN,
    now: time(130),
    evidence: [
      evidence('todos', { findings: todos, facts: { total: 52, counts: { TODO: 50, FIXME: 2, HACK: 0 } } }),
      evidence('hotspots', { findings: secrets, facts: { spots: SPOTS }, output_excerpt: '<b>fine</b>\nyes' }),
      evidence('inventory', {
        findings: [made('info', 'copyleft-licence'), made('medium', 'no-lockfile', { file: 'package.json' })],
        facts: {
          licences: LICENCES,
          ecosystems: [
            { ecosystem: 'npm', count: 30 },
            { ecosystem: 'pip', count: 2 },
          ],
        },
      }),
      evidence('presence', {
        exit_code: null,
        findings: [
          made('high', 'missing-tests', { confidence: 'likely' }),
          made('medium', 'no-lockfile', { file: 'a' }),
        ],
        facts: {
          rows: [
            { id: 'readme', said: 'A readme', file: 'README.md' },
            { id: 'ci', said: 'CI', file: null },
          ],
        },
      }),
      evidence('command-unit', { exit_code: 1, duration_ms: 65_000, findings: [made('high', 'command-unit-failed')] }),
      { node: 'links', problem: 'it left no evidence' },
    ],
    tasks: new Map([
      ['review-todos', task('done', 0, 2)],
      ['review-hotspots', task('done', 1, 30, { member: 'Switch' })],
      ['review-inventory', task('done', 2, 60)],
      ['review-presence', task('done', 3)],
      ['review-command-unit', task('done', 31, 96)],
      ['review-command-lint', task('failed', 60, 70, { failure_reason: 'no npm' })],
      ['review-command-types', task('open')],
      ['review-links', task('done', 70, 71)],
      ['review-report', task('in-progress', 125)],
    ]),
  });
}

/** As little as there can be. */
function bare(): Report {
  const [only] = PLAN.steps;
  const plan = { ...PLAN, run: 'none' as const, commands: [], steps: only ? [only] : [] };
  const findings = [made('medium', 'odd-rule'), made('info', 'todo', { file: 'a.ts' })];
  const tasks = new Map([['review-todos', task('done', 0, 400)]]);
  return buildReport({ plan, now: time(0), evidence: [evidence('todos', { findings })], tasks });
}

/** So many of everything that not all has room, in the order in which nothing stands already. */
function crowded(): Report {
  const next = randomFrom(3);
  const below = (most: number) => Math.floor(next() * most);
  const members = ['Neo', 'Trinity', 'A member with quite a long name', 'Tank'];
  const steps = Array.from({ length: 22 }, (_, at) => step(`step-${22 - at}`, members[at % 4] ?? ''));
  const spots = Array.from({ length: 40 }, (_, at) => ({
    ...{ file: `src/${'deep/'.repeat(at % 3)}${'name-'.repeat(1 + below(6))}${at}.ts`, commits: 1 + below(60) },
    ...{ churn: below(900), lines: below(2_000), authors: 1 + below(5) },
  }));
  const found = steps.map(({ node }, at) => {
    const findings = Array.from({ length: below(4) }, (_, number) =>
      made((['critical', 'high', 'medium', 'low', 'info'] as const)[below(5)] ?? 'low', `rule-${below(9)}`, {
        ...(below(3) > 0 ? { file: `src/\`${number}\`/${below(5)}.ts` } : {}),
        ...(below(2) > 0 ? { line: below(90) } : {}),
        confidence: (['certain', 'likely', 'possible'] as const)[below(3)],
      }),
    );
    const output_excerpt = at % 3 === 0 ? `${'`'.repeat(at % 6)} printed` : '';
    const ends = {
      exit_code: at % 5 === 0 ? null : at % 2,
      duration_ms: below(9_000),
      facts: at === 0 ? { spots } : {},
    };
    const more = at % 7 === 0 ? { facts: { ...ends.facts, end: 'timed-out' }, command: '' } : {};
    return evidence(node, { findings, output_excerpt, ...ends, ...more });
  });
  const tasks = new Map(
    steps.map(({ task_id: id }, at): [string, TaskFacts] => {
      const from = at % 3 === 0 ? 10 : below(500);
      const status = (['done', 'done', 'failed', 'in-progress', 'waiting'] as const)[below(5)] ?? 'done';
      return [
        id,
        task(status, at % 9 === 8 ? undefined : from - (at % 10), at % 4 === 3 ? undefined : from + below(90)),
      ];
    }),
  );
  return buildReport({
    plan: { ...PLAN, name: '`shop`', run: 'all', steps },
    now: time(550),
    evidence: found.slice(2),
    tasks,
  });
}

test.each([
  ['full', full],
  ['bare', bare],
  ['crowded', crowded],
])('%s: the pages look as they were found good, and hold what the data holds', async (name, report) => {
  const data = report();
  const html = renderHtml(data)
    .replace(/<style>[\s\S]*<\/style>/, '<style></style>')
    .replace(/(<(?:details|circle|rect|text|line|li|svg))/g, '\n$1');
  await expect(html).toMatchFileSnapshot(path.join(GOLDEN, `${name}.html.txt`));
  await expect(renderMarkdown(data)).toMatchFileSnapshot(path.join(GOLDEN, `${name}.md.txt`));
  const { findings: _, ...rest } = data;
  await expect(`${JSON.stringify(rest, undefined, 1)}\n`).toMatchFileSnapshot(path.join(GOLDEN, `${name}.json.txt`));
});

test('marks of an axis are round numbers, no more than asked for', () => {
  expect([ticks(10, 4), ticks(43, 8), ticks(1_296, 4), ticks(3, 8)]).toEqual([
    [5, 10],
    [10, 20, 30, 40],
    [500, 1_000],
    [1, 2, 3],
  ]);
  expect([ticks(1, 4), ticks(2.5, 1), ticks(0.5, 1), ticks(1_000_000, 3)]).toEqual([[1], [], [], [500_000, 1_000_000]]);
  expect([ticks(0, 4), ticks(8, 8), ticks(16, 8)]).toEqual([
    [],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [2, 4, 6, 8, 10, 12, 14, 16],
  ]);
});

import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { STATUS_LOOK } from '#core/graph/status-look.js';
import { type Finding, finding, SEVERITIES, SEVERITY_LOOK } from '#core/review/finding.js';
import { judgeReport } from '#core/review/gate.js';
import { renderHtml } from '#core/review/html-report.js';
import { renderMarkdown } from '#core/review/markdown-report.js';
import type { ReviewPlan, StepEvidence } from '#core/review/plan.js';
import { buildReport, type Report, reportSchema, type TaskFacts } from '#core/review/report.js';
import { contrast } from '../../contrast.js';

const AT = '2026-03-01T10:00:00.000Z';
const HOSTILE =
  '</pre><script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) `` ``` \u001b[31m\u202e"\'';

const step = (node: string, type: 'run' | 'fan_in' | 'check' = 'run') => ({
  node,
  task_id: `review-${node}`,
  title: `Step ${node}`,
  member: 'Trinity',
  role: 'QA engineer',
  type,
});

const PLAN: ReviewPlan = {
  version: 1,
  review: 'review',
  workflow: 'repository-review',
  name: 'shop',
  repository: '/shop',
  dependencies_from: '/shop',
  run: 'fast',
  head: 'a'.repeat(40),
  started_at: AT,
  leader: 'Morpheus',
  facts: [],
  commands: [],
  steps: [step('todos'), step('hotspots'), step('report', 'fan_in'), step('gate', 'check')],
};

function evidence(
  node: string,
  findings: Finding[] = [],
  facts: Record<string, unknown> = {},
): { node: string; evidence: StepEvidence } {
  return {
    node,
    evidence: {
      node,
      title: `Step ${node}`,
      member: 'Trinity',
      command: 'git ls-files',
      exit_code: 0,
      duration_ms: 1_200,
      started_at: AT,
      output_excerpt: 'fine',
      findings,
      facts,
    },
  };
}

const DONE: TaskFacts = { status: 'done', started_at: AT, completed_at: '2026-03-01T10:00:02.000Z' };

function report(
  more: {
    read?: Parameters<typeof buildReport>[0]['evidence'];
    tasks?: [string, TaskFacts][];
    plan?: Partial<ReviewPlan>;
  } = {},
): Report {
  return buildReport({
    plan: { ...PLAN, ...more.plan },
    evidence: more.read ?? [evidence('todos'), evidence('hotspots')],
    tasks: new Map(
      more.tasks ?? [
        ['review-todos', DONE],
        ['review-hotspots', DONE],
      ],
    ),
    now: '2026-03-01T10:02:10.000Z',
  });
}

const made = (severity: Finding['severity'], text = 'Title', file = 'a.ts'): Finding =>
  finding({ severity, title: text, detail: text, file, line: 3, rule: `rule-${severity}`, remedy: 'Do it.' });

test('a step that failed, left nothing, or whose task is gone is a finding, never a crash', () => {
  const all = report({
    read: [
      { node: 'todos', problem: 'it left no evidence' },
      { node: 'hotspots', problem: 'it left no evidence' },
    ],
    tasks: [['review-todos', { status: 'failed', failure_reason: 'Agent exceeded hard timeout' }]],
  });
  expect(all.findings.map((item) => [item.rule, item.node, item.detail])).toEqual(
    expect.arrayContaining([
      ['step-without-result', 'todos', 'Trinity could not finish this step: it failed: Agent exceeded hard timeout.'],
      ['step-without-result', 'hotspots', 'Trinity could not finish this step: its task is no longer in the graph.'],
    ]),
  );
  expect(all.counts.medium).toBe(2);
  expect(all.first).toEqual([]);
  expect(reportSchema.safeParse(JSON.parse(JSON.stringify(all))).success).toBe(true);
});

test('the same finding of two steps counts once; facts that make no sense are left out', () => {
  const same = made('low');
  const all = report({
    read: [evidence('todos', [same]), evidence('hotspots', [same], { spots: [{ file: 1 }, 'x'] })],
  });
  expect(all.findings).toHaveLength(1);
  expect(all.hotspots).toEqual([]);
});

const rich = (text: string): Report =>
  report({
    plan: {
      name: text,
      leader: text,
      steps: [{ ...step('todos'), title: text, member: text, role: text }, step('hotspots')],
    },
    read: [
      evidence(
        'todos',
        SEVERITIES.map((severity) => made(severity, text, text)),
      ),
      {
        node: 'hotspots',
        evidence: {
          ...evidence('hotspots', [], { spots: [{ file: text, commits: 3, churn: 9, lines: 40, authors: 1 }] })
            .evidence,
          command: text,
          output_excerpt: text,
        },
      },
    ],
  });

test('foreign text in a report is only text: no tag, attribute, script, link or control of it acts', () => {
  const html = renderHtml(rich(HOSTILE));
  expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>(?!&)|javascript:alert\(1\)["']/);
  expect(html).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  expect([...html.matchAll(/<([a-z][a-z0-9-]*)/g)].map((match) => match[1])).not.toContain('script');
  expect(html).not.toMatch(/\s(src|href|on\w+)\s*=\s*["']/);
  const markdown = renderMarkdown(rich(HOSTILE));
  expect(markdown).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  const kinds = new Set<string>();
  const visit = (node: { type: string; children?: unknown[] }): void => {
    kinds.add(node.type);
    for (const child of node.children ?? []) visit(child as { type: string });
  };
  visit(fromMarkdown(markdown) as never);
  for (const kind of ['html', 'link', 'image']) expect([...kinds], kind).not.toContain(kind);
});

test('a page stands alone: one file, nothing fetched, nothing run, both themes, a chart for desk and hand', () => {
  const html = renderHtml(rich('plain'));
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html.match(/<svg /g)).toHaveLength(6);
  expect(html).not.toContain('NaN');
  expect(html).not.toContain('undefined');
  expect(html.indexOf('to do first')).toBeLessThan(html.indexOf('Findings'));
  expect(html.indexOf('Findings')).toBeLessThan(html.indexOf('How the review was done'));
});

test('an empty review makes sound pages too', () => {
  const empty = report({ tasks: [], plan: { steps: [] }, read: [] });
  for (const page of [renderHtml(empty), renderMarkdown(empty)]) {
    expect(page).toContain('Nothing is urgent.');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test('the gate asks for every step, for evidence or a reason, and for files that agree', () => {
  const good = report();
  const pages = { markdown: renderMarkdown(good), html: renderHtml(good) };
  expect(judgeReport({ plan: PLAN, report: good, ...pages, expected: pages })).toEqual([]);
  expect(judgeReport({ plan: PLAN })).toHaveLength(1);
  for (const other of [{ head: 'f'.repeat(40) }, { review: 'another' }])
    expect(judgeReport({ plan: { ...PLAN, ...other }, report: good, ...pages, expected: pages })).toEqual([
      'The report belongs to another review.',
    ]);
  expect(judgeReport({ plan: PLAN, report: good, html: pages.html, expected: pages })).toEqual([
    'report.md is missing.',
  ]);
  expect(judgeReport({ plan: PLAN, report: good, ...pages, html: `${pages.html} `, expected: pages })).toEqual([
    'report.html does not match report.json.',
  ]);
  const forged = { ...good, steps: good.steps.map((row) => ({ ...row, has_evidence: false })) };
  expect(judgeReport({ plan: PLAN, report: forged, ...pages, expected: pages })).toHaveLength(2);
  const short = { ...good, steps: good.steps.slice(1) };
  expect(judgeReport({ plan: PLAN, report: short, ...pages, expected: pages })).toEqual([
    '“Step todos” is missing from the report.',
  ]);
});

test('severities are readable in both themes and told apart by more than colour', () => {
  for (const severity of SEVERITIES) {
    expect(contrast(SEVERITY_LOOK[severity].light, '#F6F7F9'), severity).toBeGreaterThanOrEqual(4.5);
    expect(contrast(SEVERITY_LOOK[severity].dark, '#171B22'), severity).toBeGreaterThanOrEqual(4.5);
  }
  const looks = SEVERITIES.map((severity) => SEVERITY_LOOK[severity]);
  const states = Object.values(STATUS_LOOK);
  for (const part of ['glyph', 'ascii'] as const) {
    expect(new Set([...looks, ...states].map((look) => look[part])).size).toBe(looks.length + states.length);
  }
});

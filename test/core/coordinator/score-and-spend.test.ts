import path from 'node:path';
import { expect, test } from 'vitest';
import { Ledger } from '#core/coordinator/budget.js';
import { decide } from '#core/coordinator/parts.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { TaskFields } from '../graph/graph.js';
import { type Fields, fact, graphOf, held, NOW, type StagedAgency, snapshot } from './stage.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const ago = (ms: number) => timestamp(NOW - ms);

/** What one tick decides, a line for each decision and each change it makes. */
function linesOf(tasks: readonly (TaskFields & { id: string })[], fields: Fields): string[] {
  return decide(snapshot(graphOf(...tasks), { maxAgents: 0, ...fields }), NOW).flatMap(({ events, ...decision }) => [
    `    ${JSON.stringify(decision)}`,
    ...events.map(
      ({ op, task_id, detail, patch }) =>
        `      ${op} ${task_id} ${JSON.stringify(detail ?? {})} ${JSON.stringify(patch)}`,
    ),
  ]);
}

const EVALUATION = { id: 'evaluate-x', tags: ['evaluation'], exec: 'true' };
const LOW = { flip_check: { evaluation: 'eval-1', score: 0.31, attempt: 1, state: 'low' }, fence: 1 };
const PROJECTS: Readonly<Record<string, readonly (TaskFields & { id: string })[]>> = {
  'a task that begins': [{ id: 'x' }],
  'one that begins, gated': [{ id: 'x', tags: ['eval-gate'] }],
  'one that waits for its score already': [
    { id: 'x', tags: ['eval-gate'], eval_gate: 0.7 } as TaskFields & { id: 'x' },
  ],
  'one that waits for a lower score': [{ id: 'x', tags: ['eval-gate'], eval_gate: 0.5 } as TaskFields & { id: 'x' }],
  'one whose time has not come': [{ id: 'x', not_before: timestamp(NOW + 60_000) }],
  'its evaluation is to come': [
    { id: 'x', tags: ['eval-gate'] },
    { ...EVALUATION, after: ['x'] },
  ],
  'its evaluation ended': [
    { id: 'x', tags: ['eval-gate'] },
    { ...EVALUATION, status: 'done', after: ['x'] },
  ],
  'its evaluation failed, after nothing': [
    { id: 'x', tags: ['eval-gate'] },
    { ...EVALUATION, status: 'failed' },
  ],
  'its evaluation was given up': [
    { id: 'x', tags: ['eval-gate'] },
    { ...EVALUATION, status: 'abandoned' },
  ],
  'at work, its evaluation ended': [
    held('x', 'agent-1', { tags: ['eval-gate'] }),
    { ...EVALUATION, status: 'done', completed_at: ago(9) },
  ],
  'at work': [held('x', 'agent-1', { tags: ['eval-gate'] })],
  'awaits its score without an evaluation': [
    { id: 'x', status: 'pending-validation', eval_gate: 0.7, started_at: ago(60_000) } as TaskFields & { id: 'x' },
  ],
  'awaits its score since an earlier evaluation': [
    { id: 'x', status: 'pending-validation', eval_gate: 0.7, started_at: ago(60_000) } as TaskFields & { id: 'x' },
    { ...EVALUATION, status: 'done', completed_at: ago(60_001) },
  ],
  'was scored as it began': [
    { id: 'x', status: 'pending-validation', eval_gate: 0.7, started_at: ago(60_000) } as TaskFields & { id: 'x' },
    { ...EVALUATION, status: 'done', completed_at: ago(60_000) },
  ],
  'awaits its score while it is evaluated': [
    { id: 'x', status: 'pending-validation', eval_gate: 0.7, started_at: ago(60_000) } as TaskFields & { id: 'x' },
    { ...EVALUATION, status: 'in-progress', assigned: 'agent-9', fence: 1 },
  ],
  'awaits a check only': [{ id: 'x', status: 'pending-validation' }],
  'done and never scored': [{ id: 'x', status: 'done' }],
  'of a person': [{ id: 'x', human: true, tags: ['eval-gate'] } as TaskFields & { id: 'x' }],
  'scored low': [{ id: 'x', status: 'done', ...LOW } as TaskFields & { id: 'x' }],
  'scored low, of a person': [{ id: 'x', status: 'done', human: true, ...LOW } as TaskFields & { id: 'x' }],
  'scored low, with an evaluation': [
    { id: 'x', status: 'done', ...LOW } as TaskFields & { id: 'x' },
    { ...EVALUATION, status: 'done' },
  ],
  ...Object.fromEntries(
    (['open', 'done', 'failed', 'abandoned', 'waiting'] as const).map((status) => [
      `scored low again, looked into before: ${status}`,
      [
        { id: 'x', status: 'done', ...LOW } as TaskFields & { id: 'x' },
        { ...EVALUATION, status: 'done' },
        { id: '.verify-flip-x', status, tags: ['evaluation'], exec: 'true', after: ['x'] },
      ] as const,
    ]),
  ),
  'scored low again, looked into after both': [
    { id: 'x', status: 'done', ...LOW } as TaskFields & { id: 'x' },
    { ...EVALUATION, status: 'done' },
    { id: '.verify-flip-x', status: 'done', tags: ['evaluation'], exec: 'true', after: ['x', 'evaluate-x'] },
  ],
};

const BASE: StagedAgency = {
  agents: new Map(),
  autoEvaluate: true,
  verifyBelow: 0.5,
  gate: { threshold: 0.7, all: false },
};
const AGENCIES: Readonly<Record<string, StagedAgency>> = {
  'with a model': { ...BASE, unscored: ['x'] },
  'with a new model': { ...BASE, judgeIsNew: true },
  'without a model': { ...BASE, unjudged: 'There is no key.', judgeIsNew: true, unscored: ['x'] },
};

test('what is scored, scored again and looked into, by how the work and its evaluation stand', async () => {
  const told = Object.entries(PROJECTS).flatMap(([title, tasks]) => [
    `# ${title}`,
    ...Object.entries(AGENCIES).flatMap(([name, agency]) => {
      const runs = tasks.some(({ assigned }) => assigned === 'agent-1') ? [fact('agent-1', 'x')] : [];
      return [`  ${name}`, ...linesOf(tasks, { agency, runs })];
    }),
  ]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'scores-of-work.txt'));
});

test('at one tick as many tasks are made as may be, and no more', () => {
  const many = Array.from({ length: TEAM_LIMITS.metaTasksAtOnce + 2 }, (_, index) => `t${index}`);
  const count = (tasks: readonly (TaskFields & { id: string })[], agency: Partial<StagedAgency>) =>
    decide(snapshot(graphOf(...tasks), { maxAgents: 0, agency: { agents: new Map(), ...agency } }), NOW).filter(
      (one) => one.do === 'add-task',
    ).length;
  expect([
    count(
      many.map((id) => ({ id })),
      { autoEvaluate: true },
    ),
    count(
      many.map((id) => ({ id, status: 'done' as const })),
      { autoEvaluate: true, unscored: many },
    ),
    count(
      many.map((id) => ({ id, status: 'done' as const, ...LOW })),
      { verifyBelow: 0.5 },
    ),
    count(
      many.map((id) => ({ id })),
      { autoAssign: true, agents: new Map([['bot', { human: false, capacity: 1, executor: 'codex' }]]) },
    ),
  ]).toEqual([
    TEAM_LIMITS.metaTasksAtOnce,
    TEAM_LIMITS.metaTasksAtOnce,
    TEAM_LIMITS.metaTasksAtOnce,
    TEAM_LIMITS.metaTasksAtOnce,
  ]);
});

test('who is at work and has nearly used its part gets more, as far as the caps leave it, or is ended', async () => {
  const executors = ['codex', 'claude'];
  const capsOf: Readonly<Record<string, Budget['caps']>> = {
    'no cap': {},
    'a day': { usdPerDay: 3 },
    'in total, nearly gone': { usdTotal: 1.52 },
    'a little left': { usdTotal: 1.55 },
    'of a task': { usdPerTask: 2 },
    'by an option': { usdByOption: 1 },
    tokens: { tokensPerDay: 300_000 },
    'tokens in total': { tokensTotal: 100_000 },
  };
  const usages = [
    {},
    { cost_usd: WORK_LIMITS.topUpFrom - 0.01, input_tokens: 100_000 * WORK_LIMITS.topUpFrom - 1 },
    { cost_usd: WORK_LIMITS.topUpFrom, input_tokens: 100_000 * WORK_LIMITS.topUpFrom },
    { cost_usd: 1.01, input_tokens: 99_000, output_tokens: 1_001 },
    { cost_usd: 1.01, estimated_usd: 0.5 },
    { input_tokens: 400_000 },
  ];
  const told = executors.flatMap((executor) =>
    Object.entries(capsOf).flatMap(([name, caps]) => [
      `# ${executor}: ${name}`,
      ...usages.flatMap((usage) =>
        [undefined, 'budget' as const].flatMap((ended) => {
          const run = fact('agent-1', 'a', {
            ...{ progressAt: NOW, leaseUntil: NOW + 60_000, usage },
            executor,
            ...(ended === undefined ? {} : { ended, alive: false, exit: { code: 1 } }),
          });
          const budget: Budget = {
            caps,
            reserve: { usd: 1, tokens: 100_000 },
            spent: { ...NOTHING_SPENT, usdTotal: 0.5, usdByTask: new Map([['a', 0.25]]), tokensToday: 10 },
            reserved: new Map([['agent-1', { taskId: 'a', usd: 1, tokens: 100_000 }]]),
          };
          const lines = linesOf([held('a', 'agent-1')], { runs: [run], budget, paused: true });
          const used = `  ${JSON.stringify(usage)}`;
          // Of one that was ended only what its session needs to go on is of interest here.
          const next = /"reserve_next":\{[^}]*\}/.exec(lines.join())?.[0];
          return ended === undefined ? [used, ...lines.slice(0, 1)] : [`    ended for it: ${next ?? '-'}`];
        }),
      ),
    ]),
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'more-for-runs.txt'));
});

test('of several caps the one that leaves least is the one that refuses, and an option counts from when it is said', () => {
  const task = graphOf({ id: 'a' }).task('a') ?? expect.unreachable();
  const spent = { ...NOTHING_SPENT, usdTotal: 2, usdToday: 1, tokensTotal: 100_000, tokensToday: 50_000 };
  const weighed = (caps: Budget['caps']) => {
    const ledger = new Ledger({ caps, reserve: { usd: 1, tokens: 50_000 }, spent, reserved: new Map() });
    const { cap, wanted } = ledger.refusal(task) ?? {};
    return [ledger.grant(task)?.limit ?? 'nothing', cap ?? '-', wanted ?? '-'];
  };
  expect([
    weighed({ usdTotal: 2.5, usdPerDay: 1.75 }),
    weighed({ usdTotal: 2.75, usdPerDay: 1.5 }),
    weighed({ usdTotal: 2, usdPerDay: 1.5 }),
    weighed({ usdTotal: 9, usdPerDay: 1 }),
    weighed({ usdByOption: 2, usdTotal: 9 }),
    weighed({ tokensTotal: 100_000 }),
    weighed({ tokensPerDay: 50_000 }),
    weighed({ tokensPerDay: 90_000, usdPerTask: 0.5 }),
  ]).toEqual([
    [{ usd: 0.5 }, '-', '-'],
    [{ usd: 0.5 }, '-', '-'],
    ['nothing', 'usd_total', 3],
    ['nothing', 'usd_per_day', 2],
    ['nothing', '--budget-usd', 1],
    ['nothing', '--budget-tokens', 50_000],
    ['nothing', 'tokens_per_day', 100_000],
    [{ usd: 0.5, tokens: 40_000 }, '-', '-'],
  ]);
});

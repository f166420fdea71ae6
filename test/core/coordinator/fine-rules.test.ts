import { expect, test } from 'vitest';
import { Ledger } from '#core/coordinator/budget.js';
import { decide, NO_FACTS } from '#core/coordinator/parts.js';
import { missedGate } from '#core/coordinator/run-end.js';
import { REST } from '#core/coordinator/sessions.js';
import { type Budget, NOTHING_SPENT, type RunFact } from '#core/coordinator/snapshot.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import type { Task } from '#core/graph/task.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { type Fields, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const decided = (tasks: Parameters<typeof graphOf>, fields: Fields) =>
  said(decide(snapshot(graphOf(...tasks), fields), NOW));
const budgetOf = (caps: Budget['caps'], reserved: Budget['reserved'] = new Map()): Budget => ({
  ...{ caps, reserve: { usd: 1, tokens: 100_000 }, spent: NOTHING_SPENT, reserved },
});
const ago = (ms: number) => new Date(NOW - ms).toISOString();

test('the facts of a pass in which nothing is known', () => {
  expect(NO_FACTS).toMatchInlineSnapshot(`
    {
      "agency": {
        "agents": Map {},
        "autoAssign": false,
        "autoCreate": false,
        "autoEvaluate": false,
        "gate": undefined,
        "judgeIsNew": false,
        "matches": [Function],
        "unjudged": undefined,
        "unscored": [],
        "verifyBelow": undefined,
      },
      "autoTriage": false,
      "backOff": undefined,
      "compaction": false,
      "completed": true,
      "conversations": [],
      "elsewhere": {
        "follow": "project",
        "fullMode": "full",
        "notHere": Set {},
        "rooms": [],
        "silent": [],
        "trees": {
          "isolation": "off",
          "repository": "none",
        },
        "unused": [],
        "worksHere": true,
        "worries": [],
      },
      "escalation": {
        "plan": "when_unsure",
        "review": "when_unsure",
      },
      "executor": undefined,
      "executors": Set {},
      "files": Map {},
      "finishes": false,
      "followed": undefined,
      "inbox": Map {},
      "issues": {
        "due": false,
      },
      "lastSession": undefined,
      "mail": Map {},
      "maxAgents": 0,
      "nextRun": 1,
      "notices": {
        "channels": [],
        "everyMs": 0,
        "kinds": Set {},
        "news": {
          "happenings": [],
          "to": 0,
        },
        "quiet": undefined,
        "zone": "UTC",
      },
      "people": {
        "byAgent": Map {},
        "claimed": [],
        "lookAgain": false,
      },
      "placing": false,
      "prepares": false,
      "providers": {
        "holds": Map {},
        "proven": Set {},
      },
      "sessions": [],
      "standIns": [],
      "teams": Map {},
      "tiers": [],
      "triggers": {
        "workflows": [],
        "zone": "UTC",
      },
      "unread": [],
    }
  `);
});

verifies('hold.budget.cap', 'a grant is kept while it limits each unit that is capped', () => {
  const task = graphOf({ id: 'a' }).task('a') as Task;
  const reserve = { usd: 0.1, tokens: 10 };
  const covers = (caps: Budget['caps'], limit: object) => new Ledger(budgetOf(caps)).covers(task, { reserve, limit });
  const both = { usdTotal: 1, tokensTotal: 1_000 };
  expect([
    covers({}, {}),
    covers(both, { usd: 0.1 }),
    covers(both, { tokens: 10 }),
    covers(both, { usd: 0.1, tokens: 10 }),
    covers({ usdTotal: 0.05 }, { usd: 0.1 }),
  ]).toEqual([true, false, false, true, false]);
});

verifies(
  'budget.reserve',
  'under a cap a session to continue comes first, then the task that has been ready longest',
  () => {
    const ready = (id: string, since: number, more: object = {}) => ({ id, ready_after: ago(since), ...more });
    const tasks = [
      ready('a', 1_000),
      ready('b', 3_000),
      ready('c', 500, { reserve_next: { usd: 1, tokens: 0 } }),
      ready('d', 2_000),
    ];
    const ids = (fields: Fields) =>
      decided(tasks, { executor: 'claude', maxAgents: 9, ...fields }).map((line) => line.split(' ')[1]);
    expect(ids({ budget: budgetOf({ usdTotal: 9 }) })).toEqual(['c', 'b', 'd', 'a']);
    expect(ids({})).toEqual(['b', 'd', 'a', 'c']);
  },
);

test('how a dead run died is told in the order of what is known', () => {
  const reason = (run: Partial<RunFact>) =>
    decide(
      snapshot(graphOf(held('a', 'agent-1')), { runs: [fact('agent-1', 'a', { alive: false, ...run })] }),
      NOW,
    ).map((decision) => `${decision.do}: ${decision.reason}`)[0];
  const result = { outcome: 'failed', reason: 'It ended' } as const;
  expect([
    reason({}),
    reason({ result }),
    reason({ result: { ...result, signal: 'SIGSEGV' } }),
    reason({ started: false }),
    reason({ started: false, startError: 'no memory', result: { ...result, signal: 'SIGSEGV' } }),
    reason({ garbledEnd: 'no exit code', startError: 'no memory' }),
    reason({ ended: 'stopped', garbledEnd: 'no exit code' }),
  ]).toEqual([
    'mark-dead: It died without a word',
    'mark-dead: It died without a word',
    'mark-dead: It was ended by SIGSEGV, which was not ours',
    'mark-dead: It never began',
    'mark-dead: It could not be started: no memory',
    'mark-dead: It ended, and the report of its worker about that is not valid: no exit code',
    'mark-dead: Stopped',
  ]);
});

verifies(
  'session.state',
  'only a run that is under way, of a task that does not wait, takes a place of its session',
  () => {
    const web = { ...REST, id: 1, name: 'web', scope: { tags: ['web'], roots: [] }, max_agents: 1 };
    const begun = (more: Partial<RunFact>, fields: object = {}) =>
      decided([held('a2', 'agent-1', { tags: ['web'], ...fields }), { id: 'a1', exec: 'true', tags: ['web'] }], {
        sessions: [REST, web],
        runs: [fact('agent-1', 'a2', more)],
      });
    expect([
      begun({}),
      begun({ exit: { code: 0 } }),
      begun({ alive: false, exit: { code: 0 } }),
      begun({ alive: false }),
      begun({}, { status: 'waiting' }),
    ]).toEqual([
      [],
      ['settle-exit a2 agent-1', 'dispatch a1 agent-10'],
      ['settle-exit a2 agent-1', 'dispatch a1 agent-10'],
      ['mark-dead a2 agent-1', 'dispatch a1 agent-10'],
      ['dispatch a1 agent-10'],
    ]);
  },
);

test('a phase missed its gate if its client ended by itself and the check did not pass', () => {
  const check = (code: number) =>
    ({ outcome: 'succeeded', reason: '', check: { code, ms: 1, lastLines: '' } }) as const;
  const phase = graphOf({ id: 'a', tags: ['formation:20260321-one-1f0c', 'lane:crew', 'phase:dev'] }).task('a') as Task;
  const other = graphOf({ id: 'a' }).task('a') as Task;
  const missed = (run: Partial<RunFact>, task = phase) => missedGate(fact('agent-1', 'a', run), task);
  expect([
    missed({ result: check(1) }),
    missed({ result: check(1) }, other),
    missed({ result: check(0) }),
    missed({ result: check(1), ended: 'timeout' }),
    missed({ result: check(0), ended: 'timeout' }),
    missed({ result: { outcome: 'failed', reason: '' } }),
    missed({}),
  ]).toEqual([true, false, false, false, false, false, false]);
});

verifies('fleet.code', 'a task that finds no place leaves it to those after it', () => {
  const trees = { isolation: 'auto', repository: 'work-tree' } as const;
  const rooms = [{ name: 'w1', executors: ['claude'], labels: [], free: 1 }];
  const tasks = [
    { id: 'a', exec: 'true' },
    { id: 'b', exec: 'true' },
    { id: 'c', status: 'done', merged: 'f00d' },
    { id: 'd', exec: 'true', after: ['c'] },
  ] as const;
  const follow = 'integration' as const;
  const elsewhere = { ...NO_WORKER_FACTS, rooms, trees, follow, worksHere: false };
  expect(decided([...tasks] as never, { elsewhere })).toEqual(['dispatch d agent-10']);
});

verifies('dispatch.cap', 'an agent at its capacity begins no client, and holds up no command', () => {
  const bot = { human: false, capacity: 1, executor: 'codex' };
  const tasks = [
    { id: 'busy', status: 'in-progress', assigned: 'agent-1', fence: 1, agent: 'bot' },
    { id: 'client', agent: 'bot' },
    { id: 'command', agent: 'bot', exec: 'true' },
  ];
  const fields = { executor: 'claude', agency: { agents: new Map([['bot', bot]]) } };
  const run = fact('agent-1', 'busy', { executor: 'codex', progressAt: NOW, leaseUntil: NOW + 60_000 });
  expect(decided(tasks as never, { ...fields, runs: [run] })).toEqual(['dispatch command agent-10']);
  expect(decided(tasks.slice(1) as never, fields)).toEqual(['dispatch client agent-10', 'dispatch command agent-11']);
});

verifies('meta.evaluate', 'tasks whose evaluation is there already do not use up what one pass may add', () => {
  const known = Array.from({ length: TEAM_LIMITS.metaTasksAtOnce }, (_, number) => `a${number}`);
  const tasks = [
    ...known.flatMap((id) => [{ id }, { id: `evaluate-${id}`, tags: ['evaluation'], exec: 'true', after: [id] }]),
    { id: 'b' },
  ];
  const agency = { agents: new Map(), autoEvaluate: true };
  const graph = graphOf(...tasks);
  const added = decide(snapshot(graph, { agency, maxAgents: 0 }), NOW);
  expect(added.map((one) => ('task' in one ? `${one.do} ${one.task}` : one.do))).toEqual(['add-task evaluate-b']);
});

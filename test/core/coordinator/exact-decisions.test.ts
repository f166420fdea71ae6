import { expect, test } from 'vitest';
import { ZERO_OUTPUT_TAG } from '#core/coordinator/breakers.js';
import { BudgetBook } from '#core/coordinator/budget-book.js';
import { decide } from '#core/coordinator/parts.js';
import { endingOf } from '#core/coordinator/run-end.js';
import { changeSession, createSession, NO_SESSIONS } from '#core/coordinator/sessions.js';
import { type Budget, NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const SPENT = NOTHING_SPENT;
const client = { executor: 'claude', progressAt: NOW, leaseUntil: NOW + 60_000 };

test('without sessions a run belongs to none', () => {
  const [run] = decide(snapshot(graphOf({ id: 'a', exec: 'true' })), NOW);
  expect(run).toMatchObject({ do: 'dispatch', task: 'a' });
  expect(run).not.toHaveProperty('session');
});

test('the cap of a task holds for the first run of it as well', () => {
  const budget: Budget = { caps: { usdPerTask: 1 }, reserve: { usd: 1, tokens: 1 }, spent: SPENT, reserved: new Map() };
  const over = (cost_usd: number) => {
    const runs = [fact('agent-1', 'a', { ...client, usage: { cost_usd } })];
    return said(decide(snapshot(graphOf(held('a', 'agent-1')), { runs, budget }), NOW));
  };
  expect([over(1), over(1.01)]).toEqual([[], ['kill a agent-1']]);
});

test('what is allowed beyond what was spent is a cap only when somebody said it', () => {
  const book = new BudgetBook();
  book.open();
  const caps = (more: object) => book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 }, ...more }, NOW).caps;
  expect(caps({})).toEqual({});
  expect(caps({ moreUsd: 2 })).toEqual({ usdByOption: 2 });
  expect(caps({ moreTokens: 9 })).toEqual({ tokensTotal: 9 });
});

test('a run that was stopped has failed, also when it had reported its task', () => {
  const reported = { at: new Date(NOW).toISOString(), fence: 1 };
  const task = graphOf(held('a', 'agent-1', { reported } as TaskFields)).task('a') as Task;
  const ending = (more: object) => endingOf(fact('agent-1', 'a', { alive: false, exit: { code: 0 }, ...more }), task);
  expect(ending({ ended: 'stopped' })).toBe('failed');
  expect(ending({ ended: 'timeout' })).toBe('finished');
});

test('a second run that says nothing leaves the task its own tags', () => {
  const graph = graphOf(held('a', 'agent-1', { silent_runs: 1, tags: ['mine'] } as TaskFields));
  const run = fact('agent-1', 'a', { ...client, alive: false, ended: 'silent', exit: { code: 143 } });
  apply(graph, decide(snapshot(graph, { runs: [run], paused: true }), NOW));
  expect(graph.task('a')).toMatchObject({ status: 'failed', tags: ['mine', ZERO_OUTPUT_TAG] });
});

test('one follower that has begun is enough for a task of its own to answer', () => {
  const finished = new Date(NOW - 5_000).toISOString();
  const graph = graphOf(
    { id: 'x', status: 'done', completed_at: finished },
    { id: 'y', after: ['x'], status: 'done' },
    { id: 'z', after: ['x'] },
  );
  const unread = [{ task: 'x', number: 1, at: NOW - 1_000, from: 'person' as const }];
  apply(graph, decide(snapshot(graph, { unread, paused: true }), NOW));
  expect(graph.task('x')?.status).toBe('done');
});

test('sessions stand in the order of their numbers, whichever was changed last', () => {
  let file = NO_SESSIONS;
  for (const name of ['one', 'two', 'three']) [file] = createSession(file, { name }, 9);
  [file] = changeSession(file, 1, { paused: true });
  expect(file.coordinators.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('what has a check, has to be committed or left files is looked at before it is done; anything else is done at once', () => {
  const end = (fields: TaskFields) => {
    const graph = graphOf(held('a', 'agent-1', fields));
    const run = fact('agent-1', 'a', { alive: false, exit: { code: 0 } });
    const errands = { underWay: new Set<string>(), answers: new Map() };
    return said(decide(snapshot(graph, { runs: [run], paused: true, errands } as never), NOW));
  };
  const looked = [{ verify_cmd: 'true' }, { require_commit: true }, { artifacts: ['out.md'] }].map(end);
  expect(new Set(looked.map((one) => one.join()))).toEqual(new Set(['finish a agent-1']));
  expect(end({}).join()).not.toContain('finish a');
});

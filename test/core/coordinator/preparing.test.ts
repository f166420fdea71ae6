import { describe, expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { PREPARE } from '#core/coordinator/preparing.js';
import { promptTime } from '#core/coordinator/prompt-time.js';
import { type Budget, NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import type { GraphState } from '#core/graph/state.js';
import { verifies } from '../../verifies.js';
import { type Answer, apply, type Fields, graphOf, NOW, said, snapshot } from './stage.js';

const READY = { of: 'prepared', run: 'agent-7', fence: 1, executor: 'claude', at: NOW - 5 } as const;

function picture(view: GraphState, answers: Record<string, Answer> = {}, fields: Fields = {}) {
  const named = Object.entries(answers).map(([task, answer]) => [PREPARE.key(task), answer] as const);
  const errands = { underWay: new Set<string>(), answers: new Map(named) };
  return snapshot(view, { executor: 'claude', prepares: true, errands, ...fields });
}

function budget(usdTotal: number): Budget {
  return {
    caps: { usdTotal },
    reserve: { usd: 1, tokens: 0 },
    spent: NOTHING_SPENT,
    reserved: new Map(),
  };
}

verifies('dispatch.prepare', 'what a client needs is set down first; nothing of the task changes by that', () => {
  const graph = graphOf({ id: 'a' }, { id: 'b', exec: 'true' });
  const decisions = decide(picture(graph), NOW);
  expect(said(decisions)).toEqual(['prepare a agent-10', 'dispatch b agent-11']);
  expect(decisions[0]).toMatchObject({ fence: 1, executor: 'claude', events: [] });
});

verifies('tree.names', 'a command that comes after merged work is claimed when its worktree is there', () => {
  const graph = graphOf({ id: 'a', status: 'done', merged: 'f00d' }, { id: 'b', exec: 'true', after: ['a'] });
  expect(said(decide(picture(graph), NOW))).toEqual(['prepare b agent-10']);
  const refused = { of: 'unprepared', text: 'no room', until: NOW + 1 } as const;
  expect(said(decide(picture(graph, { b: refused }), NOW))).toEqual([]);
  const made = { ...READY, executor: 'shell' };
  expect(said(decide(picture(graph, { b: made }), NOW))).toEqual(['dispatch b agent-7']);
  expect(said(decide(picture(graph, { b: made }, { budget: budget(3) }), NOW))).toEqual(['dispatch b agent-7']);
});

verifies(
  'dispatch.prepare',
  'its task is claimed by the tick that hears that all is there, and knows since when',
  () => {
    const graph = graphOf({ id: 'a' });
    const decisions = decide(picture(graph, { a: READY }), NOW);
    expect(said(decisions)).toEqual(['dispatch a agent-7']);
    apply(graph, decisions);
    expect(graph.task('a')).toMatchObject({ status: 'in-progress', fence: 1, assigned: 'agent-7' });
    expect(promptTime(graph.task('a') ?? expect.unreachable())).toBe(NOW - 5);
  },
);

verifies(
  'dispatch.prepare',
  'what failed leaves the task open, lets others pass, and is tried again when its pause is over',
  () => {
    const graph = graphOf({ id: 'a' }, { id: 'b' });
    const failed = { of: 'unprepared', text: 'no room', until: NOW + 5 } as const;
    const at = (now: number) => said(decide(picture(graph, { a: failed }, { maxAgents: 1 }), now));
    expect(at(NOW)).toEqual(['prepare b agent-10']);
    expect(at(NOW + 4)).toEqual(['prepare b agent-10']);
    expect(at(NOW + 5)).toEqual(['drop-prepared']);
    apply(graph, decide(picture(graph, { a: failed }), NOW));
    expect(graph.task('a')).toMatchObject({ status: 'open' });
    expect(graph.task('a')?.log ?? []).toEqual([]);
  },
);

describe('what is ready and not claimed is thrown away', () => {
  test.each<[string, Fields]>([
    ['while all is paused', { paused: true }],
    ['when no slot is free any more', { maxAgents: 0 }],
    ['when the client is another one', { executor: 'codex' }],
    ['when the caps leave it less than it was told', { budget: budget(3) }],
  ])('%s', (_, fields) => {
    const answer = { ...READY, grant: { reserve: { usd: 5, tokens: 0 }, limit: { usd: 5 } } };
    expect(decide(picture(graphOf({ id: 'a' }), { a: answer }, fields), NOW)).toEqual([
      expect.objectContaining({ do: 'drop-prepared', task: 'a', run: 'agent-7', events: [] }),
    ]);
  });

  test('when somebody else claimed the task meanwhile, and when it is gone', () => {
    const taken = graphOf({ id: 'a', status: 'in-progress', assigned: 'ann', fence: 1 });
    expect(said(decide(picture(taken, { a: READY }), NOW))).toEqual(['drop-prepared a agent-7']);
    expect(said(decide(picture(graphOf(), { a: READY }), NOW))).toEqual(['drop-prepared a agent-7']);
    const again = graphOf({ id: 'a', fence: 1 });
    expect(said(decide(picture(again, { a: READY }), NOW))).toEqual(['drop-prepared a agent-7']);
  });
});

test('what is being prepared has a slot and its part of the budget', () => {
  const graph = graphOf({ id: 'a' }, { id: 'b' }, { id: 'c' });
  const errands = { underWay: new Set([PREPARE.key('a')]), answers: new Map() };
  expect(said(decide(picture(graph, {}, { errands, maxAgents: 2 }), NOW))).toEqual(['prepare b agent-10']);
  const decisions = decide(picture(graph, {}, { errands, budget: budget(1.5) }), NOW);
  expect(decisions).toEqual([expect.objectContaining({ do: 'prepare', task: 'b' })]);
  expect(decisions[0]).toMatchObject({ grant: { reserve: { usd: 0.5 }, limit: { usd: 0.5 } } });
});

test('a claim of somebody else after that of a run is not measured by what the run was told', () => {
  const task = {
    kind: 'task',
    id: 'a',
    title: 'a',
    status: 'open',
    fence: 2,
    started_at: new Date(NOW).toISOString(),
  } as const;
  const before = { ...task, told: { fence: 1, at: new Date(NOW - 60_000).toISOString() } };
  expect(promptTime(before)).toBe(NOW);
});

import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { PREPARE } from '#core/coordinator/preparing.js';
import {
  fullWorkers,
  NO_WORKER_FACTS,
  unmetNeeds,
  type WorkerFacts,
  type WorkerRoom,
} from '#core/coordinator/worker-facts.js';
import type { GraphState } from '#core/graph/state.js';
import { verifies } from '../../verifies.js';
import { type Answer, type Fields, fact, graphOf, held, NOW, snapshot } from './stage.js';

const room = (name: string, fields: Partial<WorkerRoom> = {}): WorkerRoom => ({
  ...{ name, executors: ['claude'], labels: [], free: 1 },
  ...fields,
});

function elsewhere(rooms: readonly WorkerRoom[], fields: Partial<WorkerFacts> = {}): WorkerFacts {
  return {
    ...NO_WORKER_FACTS,
    rooms,
    trees: { isolation: 'auto', repository: 'work-tree' },
    follow: 'integration',
    ...fields,
  };
}

/** What is prepared or started, and where. */
function placed(view: GraphState, fields: Fields, answers: Record<string, Answer> = {}): string[] {
  const named = Object.entries(answers).map(([task, answer]) => [PREPARE.key(task), answer] as const);
  const errands = { underWay: new Set<string>(), answers: new Map(named) };
  const decisions = decide(snapshot(view, { executor: 'claude', prepares: true, errands, ...fields }), NOW);
  return decisions.map((decision) =>
    decision.do === 'prepare' || decision.do === 'dispatch'
      ? `${decision.do} ${decision.task} ${decision.machine ?? 'here'}`
      : decision.do,
  );
}

verifies(
  'fleet.code',
  'what works in a worktree goes to a worker that has room, then here; the rest works here',
  () => {
    const graph = graphOf(
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
      { id: 'command', exec: 'true' },
      { id: 'light', exec_mode: 'light' },
      { id: 'merged', status: 'done', merged: 'f00d' },
      { id: 'next', exec: 'true', after: ['merged'] },
    );
    const at = (rooms: readonly WorkerRoom[], maxAgents: number) =>
      placed(graph, { elsewhere: elsewhere(rooms), maxAgents });
    expect(at([room('w1'), room('w2')], 9)).toEqual([
      'prepare a worker',
      'prepare b worker',
      'prepare c here',
      'dispatch command here',
      'prepare light here',
      'prepare next here',
    ]);
    expect(at([room('w1', { free: 9 })], 0)).toEqual([
      'prepare a worker',
      'prepare b worker',
      'prepare c worker',
      'prepare next worker',
    ]);
    expect(at([room('w1', { executors: ['codex'], free: 9 })], 1)).toEqual(['prepare a here', 'prepare next worker']);
    expect(placed(graph, { maxAgents: 2 })).toEqual(['prepare a here', 'prepare b here']);
    const inProject = elsewhere([room('w1')], { trees: { isolation: 'off', repository: 'work-tree' } });
    expect(placed(graphOf({ id: 'a' }), { elsewhere: inProject })).toEqual(['prepare a here']);
    const readers = elsewhere([room('w1')], { fullMode: 'light' });
    expect(placed(graphOf({ id: 'a' }), { elsewhere: readers })).toEqual(['prepare a here']);
  },
);

test('slots of this machine are for its own runs, and a client that it has not is started at workers only', () => {
  const graph = graphOf(held('x', 'agent-1'), held('y', 'agent-2'), { id: 'a' }, { id: 'b' });
  const runs = [fact('agent-1', 'x', { elsewhere: true }), fact('agent-2', 'y', { elsewhere: true })];
  expect(placed(graph, { runs, maxAgents: 1, elsewhere: elsewhere([room('w1', { free: 0 })]) })).toEqual([
    'prepare a here',
  ]);
  const missing = elsewhere([room('w1')], { notHere: new Set(['claude']) });
  expect(placed(graph, { runs, maxAgents: 4, elsewhere: missing })).toEqual(['prepare a worker']);
});

test('what was prepared for one machine is not claimed for another', () => {
  const ready = { of: 'prepared', run: 'agent-7', fence: 1, executor: 'claude', at: NOW - 5 } as const;
  const graph = graphOf({ id: 'a' });
  const far = { ...ready, machine: 'worker' } as const;
  const fields = { elsewhere: elsewhere([room('w1')]) };
  expect(placed(graph, fields, { a: far })).toEqual(['dispatch a worker']);
  expect(placed(graph, fields, { a: ready })).toEqual(['drop-prepared']);
  expect(placed(graph, {}, { a: far }), 'the worker is gone').toEqual(['drop-prepared']);
});

verifies(
  'fleet.labels',
  'a task that needs labels waits for a worker that has them, and keeps no other from starting',
  () => {
    const graph = graphOf({ id: 'a', needs: ['gpu'] }, { id: 'b' }, { id: 'c', exec: 'true', needs: ['gpu'] });
    const at = (...rooms: WorkerRoom[]) => placed(graph, { maxAgents: 1, elsewhere: elsewhere(rooms) });
    expect(at()).toEqual(['prepare b here']);
    expect(at(room('w1'))).toEqual(['prepare b worker']);
    expect(at(room('w1', { labels: ['gpu', 'big'] }), room('w2'))).toEqual(['prepare a worker', 'prepare b worker']);
    expect(at(room('w1', { labels: ['gpu'] }))).toEqual(['prepare a worker', 'prepare b here']);
    const command = graphOf({ id: 'c', exec: 'true', needs: ['gpu'] });
    expect(placed(command, { elsewhere: elsewhere([room('w1', { labels: ['gpu'] })]) })).toEqual(['prepare c worker']);
  },
);

verifies(['fleet.labels', 'fleet.see'], 'why no worker can take a task is told with the command that helps', () => {
  const graph = graphOf(
    ...[{ id: 'a', needs: ['gpu'] }, { id: 'b' }, { id: 'c', exec: 'true', needs: ['gpu', 'big'] }],
    { id: 'd', exec: 'true', needs: ['gpu'], in: 'project' },
  );
  const told = (id: string, executor: string, ...rooms: WorkerRoom[]) => {
    const task = graph.task(id) ?? expect.unreachable();
    const unmet = unmetNeeds(graph, elsewhere(rooms), task, executor);
    return unmet && `${unmet.cause}: ${unmet.command}`;
  };
  expect(told('b', 'claude')).toBeUndefined();
  expect(told('a', 'claude')).toBe('it needs label gpu; no worker has it: troupe worker start --label gpu');
  expect(told('c', 'shell', room('w1', { labels: ['gpu'] }))).toBe(
    'it needs labels gpu, big; no worker has them: troupe worker start --label gpu --label big',
  );
  expect(told('a', 'claude', room('w1', { labels: ['gpu'], free: 0 })), 'it only waits').toBeUndefined();
  expect(told('a', 'codex', room('w1', { labels: ['gpu'] }))).toBe(
    'it needs label gpu; no worker that has it can start codex: troupe worker start --label gpu',
  );
  expect(told('c', 'shell', room('w1', { labels: ['gpu', 'big'] })), 'it works on committed files').toBeUndefined();
  expect(told('d', 'shell', room('w1', { labels: ['gpu'] }))).toBe(
    'it needs label gpu, and it works in the project itself, which no worker has: troupe edit d --clear needs',
  );
});

verifies('fleet.see', 'where only workers run tasks, nothing works here, and what no worker can take says why', () => {
  const graph = graphOf({ id: 'a' }, { id: 'b', exec: 'true' });
  const only = (...rooms: WorkerRoom[]) => elsewhere(rooms, { worksHere: false });
  expect(placed(graph, { elsewhere: only(), maxAgents: 4 })).toEqual([]);
  expect(placed(graph, { elsewhere: only(room('w1')), maxAgents: 4 })).toEqual(['prepare a worker']);
  const told = (id: string, executor: string, ...rooms: WorkerRoom[]) =>
    unmetNeeds(graph, only(...rooms), graph.task(id) ?? expect.unreachable(), executor)?.command;
  expect(told('a', 'claude')).toBe('troupe worker start');
  expect(told('a', 'claude', room('w1'))).toBeUndefined();
  expect(told('b', 'shell', room('w1'))).toBe('troupe config set database.work anywhere');
});

verifies(
  'fleet.see',
  'a task for which all workers are full says so, and one that can wait for this machine does not',
  () => {
    const graph = graphOf({ id: 'a', needs: ['gpu'] }, { id: 'b' }, { id: 'c', exec: 'true', in: 'project' });
    const task = (id: string) => graph.task(id) ?? expect.unreachable();
    const told = (id: string, rooms: readonly WorkerRoom[], fields: Partial<WorkerFacts> = {}) =>
      fullWorkers(graph, elsewhere(rooms, fields), task(id), id === 'c' ? 'shell' : 'claude');
    const [full, other] = [room('w1', { labels: ['gpu'], free: 0 }), room('w2', { free: 0 })];
    expect(told('a', [full, room('w2')])).toBe('all slots of w1, the only worker that can take it, are taken');
    expect(told('a', [full, room('w2', { labels: ['gpu'] })])).toBeUndefined();
    expect(told('a', [])).toBeUndefined();
    expect(told('b', [full, other])).toBeUndefined();
    expect(told('b', [full, other], { worksHere: false })).toBe(
      'all slots of the 2 workers that can take it are taken',
    );
    expect(told('b', [full, other], { notHere: new Set(['claude']) })).toContain('all slots of the 2 workers');
    expect(told('c', [full, other], { worksHere: false }), 'no worker ever can').toBeUndefined();
  },
);

verifies('fleet.see', 'where no remote is chosen, that is why no worker takes a task', () => {
  const graph = graphOf({ id: 'a', needs: ['gpu'] }, { id: 'b' });
  const told = (id: string, fields: Partial<WorkerFacts> = {}) =>
    unmetNeeds(graph, elsewhere([], { unused: ['w1'], ...fields }), graph.task(id) ?? expect.unreachable(), 'claude');
  const command = 'troupe config set database.remote origin';
  expect(told('a')).toMatchObject({ cause: expect.stringMatching(/^it needs label gpu, and no remote/), command });
  expect(told('b')).toBeUndefined();
  expect(told('b', { worksHere: false })).toMatchObject({ cause: expect.stringContaining('no remote'), command });
});

test('tasks whose label no worker has room for keep no other task out, however many they are', () => {
  const many = Array.from({ length: 100 }, (_, number) => ({ id: `gpu-${number}`, needs: ['gpu'] }));
  const graph = graphOf(...many, { id: 'other' });
  const rooms = [room('busy', { labels: ['gpu'], free: 0 }), room('idle')];
  expect(placed(graph, { elsewhere: elsewhere(rooms), maxAgents: 0 })).toEqual(['prepare other worker']);
});

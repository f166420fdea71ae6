import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { PREPARE } from '#core/coordinator/preparing.js';
import type { WorkerRoom } from '#core/coordinator/vacancies.js';
import {
  FreePlaces,
  fullWorkers,
  isForWorktree,
  machineForRequest,
  NO_WORKER_FACTS,
  unmetNeeds,
  type WorkerFacts,
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

verifies('fleet.code', 'places here and at workers are counted down as they are taken', () => {
  const graph = graphOf({ id: 'a' }, { id: 'gpu', needs: ['gpu'] }, { id: 'command', exec: 'true', in: 'project' });
  const task = (id: string) => graph.task(id) ?? expect.unreachable();
  const places = new FreePlaces(2, graph, elsewhere([room('w1', { free: 1 })]));
  const take = (id: string, executor = 'claude') => {
    const place = places.find(task(id), executor);
    place?.take();
    return `${place?.machine ?? 'none'} ${places.free}`;
  };
  expect([places.free, places.mayHave([]), places.mayHave(['gpu'])]).toEqual([3, true, false]);
  expect([take('gpu'), take('command', 'shell'), take('a'), take('a'), take('a')]).toEqual([
    ...['none 3', 'here 2', 'worker 1', 'here 0', 'none 0'],
  ]);
  const only = new FreePlaces(2, graph, elsewhere([room('w1', { labels: ['gpu'] })], { worksHere: false }));
  expect([only.free, only.find(task('command'), 'shell'), only.mayHave(['gpu'])]).toEqual([1, undefined, true]);
  const away = new FreePlaces(2, graph, elsewhere([], { notHere: new Set(['claude']) }));
  expect([away.find(task('a'), 'claude'), away.find(task('a'), 'codex')?.machine, away.mayHave([])]).toEqual([
    ...[undefined, 'here', true],
  ]);
});

verifies(
  'fleet.code',
  'what works in a worktree: not trials, not phases of a crew, not what has to run in the project',
  () => {
    const graph = graphOf(
      { id: 'full' },
      { id: 'light', exec_mode: 'light' },
      { id: '.trial-e', trial: { base: 'a'.repeat(40) } },
      { id: 'merged', status: 'done', merged: 'f00d' },
      { id: 'next', after: ['merged'] },
      { id: 'inside', after: ['merged'], in: 'project' },
      { id: 'beside', after: ['merged'], in: 'integration' },
    );
    const facts = elsewhere([room('w1')]);
    const at = (id: string, executor: string, more: Partial<WorkerFacts> = {}) =>
      isForWorktree(graph, graph.task(id) ?? expect.unreachable(), executor, { ...facts, ...more });
    expect([at('full', 'claude'), at('full', 'shell'), at('light', 'claude'), at('.trial-e', 'claude')]).toEqual([
      ...[true, false, false, false],
    ]);
    expect([
      at('full', 'claude', { fullMode: 'light' }),
      at('full', 'claude', { trees: NO_WORKER_FACTS.trees }),
    ]).toEqual([...[false, false]]);
    expect(['next', 'inside', 'beside'].map((id) => at(id, 'shell'))).toEqual([true, false, true]);
    expect(['next', 'inside', 'beside'].map((id) => at(id, 'shell', { follow: 'project' }))).toEqual([
      ...[false, false, true],
    ]);
  },
);

verifies('fleet.code', 'a run that is requested is carried out here if it can be, else at a worker', () => {
  const graph = graphOf(
    { id: 'a' },
    { id: 'gpu', needs: ['gpu'] },
    { id: 'c', exec: 'true', needs: ['gpu'], in: 'project' },
  );
  const at = (id: string, executor: string, more: Partial<WorkerFacts> = {}) =>
    machineForRequest(graph, elsewhere([], more), graph.task(id) ?? expect.unreachable(), executor);
  const worker = { machine: 'worker' };
  expect([at('a', 'claude'), at('gpu', 'claude'), at('c', 'shell')]).toEqual([{}, worker, {}]);
  expect(at('a', 'claude', { worksHere: false })).toEqual(worker);
  expect(at('a', 'claude', { notHere: new Set(['claude']) })).toEqual(worker);
  expect(at('a', 'codex', { notHere: new Set(['claude']) })).toEqual({});
});

verifies(
  ['fleet.see', 'fleet.trust'],
  'a worker that has not agreed to the leader is named where no other would do',
  () => {
    const graph = graphOf(...[{ id: 'a', needs: ['gpu', 'big'] }, { id: 'one', needs: ['gpu'] }, { id: 'b' }], {
      id: 'in',
      needs: ['gpu'],
      in: 'project',
    });
    const unagreed = (name: string, ...labels: string[]) => ({ kind: 'unagreed', name, labels }) as const;
    const garbled = { kind: 'garbled', name: 'w0', run: 'agent-1', why: 'x' } as const;
    const told = (id: string, facts: Partial<WorkerFacts>, ...rooms: WorkerRoom[]) =>
      unmetNeeds(graph, elsewhere(rooms, facts), graph.task(id) ?? expect.unreachable(), 'claude');
    const agree = { command: 'troupe worker agree', effect: ' on its machine asks for that' };
    const start = (labels: string) => ({ command: `troupe worker start${labels}`, effect: ' starts one' });
    const worries = [garbled, unagreed('w1', 'gpu'), unagreed('w2', 'gpu', 'big')];
    expect(told('a', { worries })).toEqual({
      ...{ cause: 'it needs labels gpu, big; w2, which has them, has not agreed to this leader', ...agree },
    });
    expect(told('one', { worries })?.cause).toBe('it needs label gpu; w1, which has it, has not agreed to this leader');
    expect(told('a', { worries: worries.slice(0, 2) })).toEqual({
      ...{ cause: 'it needs labels gpu, big; no worker has them', ...start(' --label gpu --label big') },
    });
    expect(told('one', { worries }, room('w3', { labels: ['gpu'] }))).toBeUndefined();
    const only = { worksHere: false };
    const cause = 'only workers run tasks of this project (`database.work`)';
    expect(told('b', { ...only, worries: worries.slice(0, 2) })).toEqual({
      ...{ cause: `${cause}, and w1 has not agreed to this leader`, ...agree },
    });
    expect(told('b', { ...only, worries: [garbled] })).toEqual({ cause: `${cause}, and there is none`, ...start('') });
    expect(told('b', { ...only, worries }, room('w3'))).toBeUndefined();
    expect(told('b', { ...only, unused: ['w1'] })).toEqual({
      ...{ cause: `${cause}, and no remote is chosen for their work` },
      ...{ command: 'troupe config set database.remote origin', effect: ' chooses one' },
    });
    expect(told('b', { ...only, fullMode: 'light' }, room('w3'))).toEqual({
      ...{ cause: `${cause}, and it works in the project itself` },
      ...{ command: 'troupe config set database.work anywhere', effect: ' lets it run here' },
    });
    expect(told('in', { fullMode: 'light' }, room('w3', { labels: ['gpu'] }))).toEqual({
      cause: 'it needs label gpu, and it works in the project itself, which no worker has',
      ...{ command: 'troupe edit in --clear needs', effect: ' lets it run here' },
    });
  },
);

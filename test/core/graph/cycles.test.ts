import { describe, expect, test } from 'vitest';
import { findCycles } from '#core/graph/cycles.js';
import { GraphState } from '#core/graph/state.js';
import type { CycleConfig, Task } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';

/** `a<b` reads: a comes after b. A `!` behind a name gives it a config. */
function tasks(...words: string[]): Task[] {
  return words.map((word) => {
    const [name = '', list] = word.split('<');
    const id = name.replace('!', '');
    const config: CycleConfig = { max_iterations: 3 };
    return {
      kind: 'task',
      id,
      title: id,
      status: 'open',
      ...(list ? { after: list.split(',') } : {}),
      ...(name.endsWith('!') ? { cycle_config: config } : {}),
    };
  });
}

function found(...words: string[]) {
  return [...findCycles(tasks(...words)).byHeader.values()].map(({ header, members, parent, reducible }) => ({
    header,
    members: members.join(''),
    ...(parent ? { parent } : {}),
    reducible,
  }));
}

verifies('graph.cycle.scc', 'components of two or more and edges to oneself are cycles, chains are not', () => {
  expect(found('a', 'b<a', 'c<b')).toEqual([]);
  expect(found('a<b', 'b<a', 'c<b')).toEqual([{ header: 'a', members: 'ab', reducible: true }]);
  expect(found('a<a', 'b<a')).toEqual([{ header: 'a', members: 'a', reducible: true }]);
  expect(found('a<ghost', 'ghosts<a')).toEqual([]);
});

verifies('graph.cycle.scc', '100,000 in a row need no deep stack, nor does a ring of them', () => {
  const chain: Task[] = [];
  for (let number = 0; number < 100_000; number++) {
    chain.push({ kind: 'task', id: `t${number}`, title: 't', status: 'open', after: [`t${number - 1}`] });
  }
  expect(findCycles(chain).byHeader.size).toBe(0);
  chain[0] = { kind: 'task', id: 't0', title: 't', status: 'open', after: ['t99999'] };
  expect(findCycles(chain).byHeader.get('t0')?.members).toHaveLength(100_000);
});

describe('headers', () => {
  verifies('graph.cycle.header', 'the carrier; else the only one entered from outside; else the smallest id', () => {
    expect(found('a<c', 'b!<a', 'c<b')[0]?.header).toBe('b');
    expect(found('x', 'a<c', 'b<a', 'c<b,x')[0]?.header).toBe('c');
    expect(found('x', 'a<c,x', 'b<a', 'c<b,x')[0]).toMatchObject({ header: 'a', reducible: false });
    expect(found('B<a', 'a<B')[0]?.header).toBe('B');
  });

  verifies('graph.cycle.header', 'of several carriers the one entered from outside, then the smallest', () => {
    expect(found('x', 'a!<c', 'b<a', 'c!<b,x')[0]?.header).toBe('c');
    expect(found('a!<c', 'b!<a', 'c<b')[0]?.header).toBe('a');
    const { byHeader } = findCycles(tasks('a!<c', 'b!<a', 'c<b'));
    expect(byHeader.get('a')?.carriers).toEqual(['a', 'b']);
  });

  test('a predecessor that does not exist is no way in', () => {
    expect(found('a<c', 'b<a,ghost', 'c<b')[0]).toMatchObject({ header: 'a', reducible: true });
  });
});

verifies('graph.cycle.nested', 'what still goes round without the back edges is a cycle inside', () => {
  expect(found('a!<d', 'b!<a,c', 'c<b', 'd<c')).toEqual([
    { header: 'a', members: 'abcd', reducible: true },
    { header: 'b', members: 'bc', parent: 'a', reducible: true },
  ]);
  const index = findCycles(tasks('a!<d', 'b!<a,c', 'c<b', 'd<c'));
  expect(index.byHeader.get('a')?.inner).toEqual(['b']);
});

test('everything after everything ends too', () => {
  const names = Array.from({ length: 60 }, (_, number) => `t${number}`);
  const cycles = findCycles(tasks(...names.map((name) => `${name}<${names.join(',')}`)));
  expect(cycles.byHeader.size).toBe(32);
});

describe('in the state', () => {
  const put = (state: GraphState, seq: number, ...list: Task[]) =>
    state.apply({
      seq,
      id: String(seq),
      timestamp: '',
      op: 'x',
      patch: list.map((task) => ({ id: task.id, put: { ...task } as never })),
    });

  test('cycles follow every change of edges and configs', () => {
    const state = new GraphState();
    state.load([], 0);
    expect([...state.candidates()]).toEqual([]);
    put(state, 1, ...tasks('a', 'b<a', 'c<b'));
    expect([...state.cycles()]).toEqual([]);
    expect([...state.candidates()]).toEqual(['a']);
    put(state, 2, ...tasks('a!<c'));
    expect(state.cycle('a')?.members).toEqual(['a', 'b', 'c']);
    expect([...state.candidates()]).toEqual(['a']);
    put(state, 3, ...tasks('a<c'));
    expect(state.cycle('a')?.configured).toBe(false);
    expect([...state.candidates()]).toEqual([]);
    put(state, 4, ...tasks('b!<a'));
    expect([...state.candidates()]).toEqual(['b']);
    state.apply({ seq: 5, id: '5', timestamp: '', op: 'x', patch: [{ id: 'c', del: true }] });
    expect([...state.cycles()]).toEqual([]);
    expect([...state.candidates()]).toEqual(['a']);
    put(state, 6, ...tasks('c<b'));
    expect(state.cyclesOf('c').map(({ header }) => header)).toEqual(['b']);
    expect(state.mayIterate()).toBe(true);
  });

  test('what a frozen picture knows of cycles stays as it was', () => {
    const state = new GraphState();
    state.load(tasks('a!<b', 'b<a'), 0);
    const picture = state.freeze();
    put(state, 1, ...tasks('b'));
    expect(picture.cyclesOf('b')).toHaveLength(1);
    expect(state.cyclesOf('b')).toHaveLength(0);
  });
});

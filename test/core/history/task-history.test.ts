import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { abandonTask, claimTask, doneTask } from '#core/graph/moves.js';
import { isTask, type Task } from '#core/graph/task.js';
import { frameLayers, framesOf } from '#core/history/replay-frames.js';
import { entriesOf, humanInterventions, tasksOfRuns, totalsOf, treeOf } from '#core/history/task-history.js';
import { timelineOf } from '#core/history/timeline.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import { History } from './entries.js';

const ann = { name: 'ann' };
const tree = (history: History, id: string) =>
  treeOf(history.state, history.state.task(id) as Task, tasksOfRuns(history.entries));

verifies(
  'graph.trace.show',
  'the tree holds what comes after, what is a part, and what its runs made; each once',
  () => {
    const history = new History()
      .put('root')
      .put('b', { after: ['root'] })
      .put('a', { after: ['root'] })
      .put('both', { after: ['a', 'b'] })
      .put('part', { parent: 'a' })
      .put('elsewhere')
      .event({ op: 'spawn_agent', task_id: 'b', actor: 'agent-1', detail: { run: 'agent-1' }, patch: [] })
      .put('made', { created_by: 'agent-1' });
    expect(tree(history, 'root').map(({ task, depth, above, link }) => [task.id, depth, above, link])).toEqual([
      ['root', 0, undefined, undefined],
      ['a', 1, 'root', 'after'],
      ['both', 2, 'a', 'after'],
      ['part', 2, 'a', 'parent'],
      ['b', 1, 'root', 'after'],
      ['made', 2, 'b', 'created'],
    ]);
  },
);

test('trees, layers and frames end on every cycle and on the longest chain', () => {
  const history = new History();
  const count = mass(25_000, 100_000);
  for (let index = 0; index < count; index++) {
    history.put(`t${index}`, { after: [`t${(index + count - 1) % count}`, `t${index}`, `nobody-${index}`] });
  }
  const nodes = tree(history, 't0');
  expect(nodes).toHaveLength(count);
  expect(nodes.at(-1)?.depth).toBe(count - 1);
  const layers = frameLayers(nodes.map((node) => node.task));
  expect(layers.get('t0')).toBe(0);
  expect(layers.get(`t${count - 1}`)).toBe(count - 1);
  const { frames, left_out } = framesOf(history.entries, new Set(['t0', 't1', 't2']));
  expect(frames.map((frame) => frame.tasks.length)).toEqual([1, 2, 3]);
  expect(left_out).toBe(0);
});

verifies(
  'graph.trace.show',
  'times of a tree: from first start to last end, all work, runs, and hands of people',
  () => {
    const history = new History().put('root').put('next', { after: ['root'] });
    const options = () => ({ now: history.now, by: ann });
    history.do(claimTask(history.state, 'root', options()));
    history.do(doneTask(history.state, 'root', options()));
    history.event({ op: 'spawn_agent', task_id: 'next', actor: 'agent-1', detail: { run: 'agent-1' }, patch: [] });
    history.do(claimTask(history.state, 'next', { now: history.now, by: { name: 'agent-1' } }));
    history.now += 5_000;
    history.do(doneTask(history.state, 'next', { now: history.now, by: { name: 'agent-1', fence: 1 } }));
    history.event({ op: 'edit', task_id: 'next', actor: 'coordinator', patch: [] });
    history.event({ op: 'hand_edit', patch: [{ id: 'next', set: { title: 'By hand' } }] });
    const nodes = tree(history, 'root');
    const ids = new Set(nodes.map((node) => node.task.id));
    const entries = entriesOf(history.entries, (id) => ids.has(id));
    expect(totalsOf(nodes, entries)).toEqual({
      tasks: 2,
      wall_clock_seconds: 9,
      work_seconds: 7,
      runs: 1,
      human_interventions: 3, // claim, done, and the hand
    });
    expect(humanInterventions(entriesOf(history.entries, (id) => id === 'root'))).toBe(2);
  },
);

verifies('graph.trace.show', 'no two bars of a lane overlap, and there are as many lanes as went on at once', () => {
  const at = (second: number) => `2026-03-21T10:00:${String(second).padStart(2, '0')}.000Z`;
  const bar = (id: string, from: number, to?: number) =>
    ({
      kind: 'task',
      id,
      title: id,
      status: 'done',
      started_at: at(from),
      ...(to === undefined ? {} : { completed_at: at(to) }),
    }) as const;
  const line = timelineOf([bar('a', 0, 10), bar('b', 5, 15), bar('c', 10, 20), bar('d', 15), bar('e', 3, 3)], at(30));
  expect(line.lanes.map((lane) => lane.map((one) => one.id))).toEqual([
    ['a', 'c'],
    ['e', 'b', 'd'],
  ]);
  expect([line.from, line.to]).toEqual([at(0), at(30)]);
  const almost = timelineOf([bar('a', 0, 10), { ...bar('b', 0, 20), started_at: '2026-03-01T00:00:09.999Z' }], at(30));
  expect(almost.lanes, 'one millisecond too early').toHaveLength(2);
  expect(timelineOf([], at(0))).toEqual({ from: null, to: null, lanes: [] });
});

verifies(
  'graph.trace.animate',
  'each event gives the graph as it was then, and the last ones are kept of a long history',
  () => {
    const history = new History()
      .put('root')
      .put('next', { after: ['root', 'other'] })
      .put('other');
    history.do(claimTask(history.state, 'root', { now: history.now, by: ann }));
    history.do(abandonTask(history.state, 'other', { now: history.now, by: ann }));
    history.do(doneTask(history.state, 'root', { now: history.now, by: ann }));
    const { frames } = framesOf(history.entries, new Set(['root', 'next']));
    expect(frames.map((frame) => [frame.op, frame.tasks.map((task) => `${task.id} ${task.status}`)])).toEqual([
      ['add_task', ['root open']],
      ['add_task', ['root open', 'next open']],
      ['claim', ['root in-progress', 'next open']],
      ['done', ['root done', 'next open']],
    ]);
    expect(frames.at(-1)?.tasks[1]?.after).toEqual(['root']);
    for (let index = 0; index < TEAM_LIMITS.traceFrames; index++) {
      history.event({ op: 'log', task_id: 'root', actor: 'ann', patch: [{ id: 'root', log_at: index, log: [] }] });
    }
    const long = framesOf(history.entries, new Set(['root', 'next']));
    expect(long.frames).toHaveLength(TEAM_LIMITS.traceFrames);
    expect(long.left_out).toBe(4);
    expect(long.frames[0]?.tasks.map((task) => task.status)).toEqual(['done', 'open']); // what was left out still counts
    expect([...history.state.nodes()].filter(isTask)).toHaveLength(3);
  },
);

verifies('who.export', 'what is booked for a question to a model is no intervention of a person', () => {
  const entry = (op: string, actor = 'person') => ({ op, actor, task_id: 't' }) as unknown as Entry;
  expect(humanInterventions(['add_task', 'model_call', 'model_settled'].map((op) => entry(op)))).toBe(0);
  expect(humanInterventions([entry('claim'), entry('edit'), entry('done', 'agent-3')])).toBe(2);
});

import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { Entry } from '#core/graph/event.js';
import { claimTask, doneTask, failTask, logTask } from '#core/graph/moves.js';
import { isOneLine, LogHistory, mainLine } from '#core/history/log-history.js';
import { mergeHeads } from '#core/history/merge-heads.js';
import { verifies } from '../../verifies.js';
import { ann, NOW } from '../graph/graph.js';
import { Branch } from './branches.js';

const add = (title: string) => (view: Parameters<typeof addTask>[0]) => addTask(view, { title }, { now: NOW });
const edit = (id: string, change: Parameters<typeof editTask>[2]) => (view: Parameters<typeof addTask>[0]) =>
  editTask(view, id, change, { by: ann });
const log = (id: string, message: string, second: number) => (view: Parameters<typeof addTask>[0]) =>
  logTask(view, id, message, { now: NOW + second * 1_000, by: ann });

function base(): Branch {
  return new Branch().commit(add('A'), 0).commit(add('B'), 1);
}

verifies('graph.store.merge', 'two heads of a log come together in one event that the log goes on from', () => {
  const left = base().commit(edit('a', { title: 'L' }), 2);
  const right = new Branch(left.entries.slice(0, 2))
    .commit(edit('a', { add_tags: ['r'] }), 3)
    .commit((view) => doneTask(view, 'b', { now: NOW + 4_000, by: ann }), 4);
  const union = left.union(right);
  expect(new LogHistory(union.entries).heads).toHaveLength(2);
  const size = union.entries.length;
  union.settle(5);
  expect(union.entries.slice(size).map((entry) => entry.op)).toEqual(['merge']);
  expect(new LogHistory(union.entries).heads).toHaveLength(1);
  expect(union.nodes()).toMatchObject({ a: { title: 'L', tags: ['r'] }, b: { status: 'done' } });
  const line = mainLine(union.entries);
  expect(line.map((entry) => entry.seq)).toEqual(line.map((_, index) => index + 1));
  expect(isOneLine(line, undefined)).toBe(true);
  const size2 = union.entries.length;
  expect(union.settle(6).entries).toHaveLength(size2);
});

verifies('graph.store.merge', 'the order in the file decides whose id stays, not whose changes count', () => {
  const start = base();
  const left = start
    .fork()
    .commit(add('New one'), 2)
    .commit(edit('a', { title: 'L' }), 7);
  const right = start
    .fork()
    .commit(edit('a', { title: 'R' }), 3)
    .commit(log('b', 'seen', 4), 4);
  const one = left.union(right).settle(9);
  const other = right.union(left).settle(9);
  expect(one.nodes()).toEqual(other.nodes());
  expect(one.nodes()['a']).toMatchObject({ title: 'L' });
  expect(JSON.stringify(one.nodes()['a'])).toContain('title was R');
  const merge = one.entries.at(-1);
  expect(merge?.detail).toMatchObject({ lost: [{ id: 'a', field: 'title', value: 'R' }] });
});

verifies('graph.store.merge', 'a rebase puts upstream first and loses nothing', () => {
  const start = base();
  const upstream = start
    .fork()
    .commit(edit('b', { add_tags: ['up'] }), 2)
    .commit(log('a', 'upstream', 3), 3);
  const mine = start
    .fork()
    .commit(log('a', 'mine', 4), 4)
    .commit(edit('a', { title: 'Mine' }), 5);
  const rebased = upstream
    .union(mine)
    .settle(6)
    .commit(log('b', 'after', 7), 7);
  expect(rebased.nodes()).toMatchObject({
    a: { title: 'Mine', log: [{ message: 'upstream' }, { message: 'mine' }] },
    b: { tags: ['up'], log: [{ message: 'after' }] },
  });
});

verifies('graph.store.merge', 'a command in the middle of a rebase does no harm', () => {
  const start = base();
  const upstream = start.fork().commit(edit('b', { add_tags: ['up'] }), 2);
  const first = start.fork().commit(log('a', 'one', 3), 3);
  const second = first.fork().commit(log('a', 'two', 4), 4);
  const halfway = upstream.union(first).settle(5);
  const whole = halfway.union(second).settle(6);
  expect(whole.nodes()).toMatchObject({ a: { log: [{ message: 'one' }, { message: 'two' }] }, b: { tags: ['up'] } });
  expect(new LogHistory(whole.entries).heads).toHaveLength(1);
});

verifies('graph.store.merge', 'merged crosswise, and merged again, nothing is lost or doubled', () => {
  const start = base();
  const left = start
    .fork()
    .commit(edit('a', { title: 'L', add_tags: ['l'] }), 2)
    .commit(log('b', 'left', 3), 3);
  const right = start
    .fork()
    .commit(edit('a', { title: 'R', add_tags: ['r'] }), 4)
    .commit(add('New one'), 5);
  const mine = left
    .union(right)
    .settle(6)
    .commit(log('a', 'after mine', 7), 7);
  const theirs = right
    .union(left)
    .settle(8)
    .commit(edit('b', { add_tags: ['late'] }), 9);
  const both = mine.union(theirs).settle(10);
  const nodes = both.nodes();
  expect(new LogHistory(both.entries).heads).toHaveLength(1);
  expect(nodes['a']).toMatchObject({ title: 'R' });
  expect([...(nodes['a'] as unknown as { tags: string[] }).tags].sort()).toEqual(['l', 'r']);
  expect(nodes['b']).toMatchObject({ tags: ['late'], log: [{ message: 'left' }] });
  expect(nodes['new-one']).toMatchObject({ title: 'New one' });
  expect(Object.keys(nodes)).toEqual(['a', 'b', 'new-one']);
  const messages = (nodes['a'] as unknown as { log: { message: string }[] }).log.map((entry) => entry.message);
  expect(messages.filter((message) => message === 'after mine')).toHaveLength(1);
  expect(messages.filter((message) => message.includes('title was L'))).toHaveLength(1);
});

verifies('graph.store.merge', 'three branches at once come together in one event', () => {
  const start = base();
  const sides = ['one', 'two', 'three'].map((word, index) =>
    start
      .fork()
      .commit(edit('a', { add_tags: [word] }), index + 2)
      .commit(add(`Task ${word}`), index + 3),
  );
  const all = sides.reduce((union, side) => union.union(side)).settle(9);
  expect(all.entries.filter((entry) => entry.op === 'merge')).toHaveLength(1);
  expect(new Set(all.nodes()['a']?.['tags'] as string[])).toEqual(new Set(['one', 'two', 'three']));
  expect(Object.keys(all.nodes())).toHaveLength(5);
});

verifies('graph.store.merge', 'the later event decides about a status, and its fields come along', () => {
  const start = base();
  const left = start
    .fork()
    .commit((view) => claimTask(view, 'b', { now: NOW + 2_000, by: ann }), 2)
    .commit((view) => failTask(view, 'b', { now: NOW + 8_000, by: ann, reason: 'no disk' }), 8);
  const right = start.fork().commit((view) => doneTask(view, 'b', { now: NOW + 5_000, by: ann }), 5);
  const merged = left.union(right).settle(9).nodes()['b'];
  expect(merged).toMatchObject({ status: 'failed', failure_reason: 'no disk', fence: 1 });
  expect(JSON.stringify(merged?.['log'])).toContain('status was');
});

verifies('graph.task.id-once', 'an id that was given and taken back on a branch is not given again', () => {
  const start = base();
  const left = start.fork().commit(add('Gone soon'), 2);
  left.append([{ op: 'remove', patch: [{ id: 'gone-soon', del: true }] }], 3);
  const right = start
    .fork()
    .commit(log('a', 'x', 4), 4)
    .commit(log('a', 'y', 5), 5)
    .commit(log('a', 'z', 6), 6);
  const merged = right.union(left).settle(7);
  expect(merged.state.wasUsed('gone-soon')).toBe(true);
  expect(merged.nodes()).not.toHaveProperty('gone-soon');
});

verifies('sec.parse', 'a history that bites its tail, or names what is not there, ends all the same', () => {
  const entry = (seq: number, id: string, prev: string, extra: object = {}): Entry => ({
    ...{ seq, id, prev, timestamp: '2026-01-01T00:00:00.000Z', op: 'note', patch: [] },
    ...extra,
  });
  const circle = [entry(1, 'a', 'b'), entry(2, 'b', 'c'), entry(3, 'c', 'a'), entry(3, 'd', 'nowhere')];
  const heads = entry(4, 'm', 'c', { op: 'merge', detail: { heads: ['m', 'later', 'd', 7] } });
  const history = new LogHistory([...circle, heads, entry(5, 'later', 'm'), entry(2, 'b', 'c', { op: 'other' })]);
  expect(history.heads.map((head) => head.id)).toEqual(['later']);
  expect(history.conflictingIds).toEqual(['b']);
  expect(history.line('later').length).toBeGreaterThan(2);
  const many = Array.from({ length: 20_000 }, (_, index) => entry(20_000 - index, `x${index}`, 'nowhere'));
  expect(mergeHeads(new LogHistory([...many.slice(0, 50)]))).toBeDefined();
  expect(new LogHistory(many).heads.length).toBeGreaterThan(0);
});

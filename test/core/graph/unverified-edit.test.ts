import { expect } from 'vitest';
import { commitCommandHashes } from '#core/graph/commands.js';
import type { Patch } from '#core/graph/event.js';
import { taskOf } from '#core/graph/task-of.js';
import { heldBack, isRunAtWork } from '#core/graph/unverified-edit.js';
import { acceptEdit, discardEdit, editDifference } from '#core/graph/unverified-moves.js';
import { NO_COORDINATION } from '#core/insight/coordination.js';
import { problemsOf } from '#core/insight/problems.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW, type TaskFields } from './graph.js';

const RUNNING = { id: 'own', status: 'in-progress', assigned: 'agent-7' } as const;
const FACTS = { coordination: NO_COORDINATION, live: new Set<string>(), stalled: new Map(), unmerged: [], awaited: [] };

/** A graph after these tasks were edited in its file while a run was at work. */
function edited(tasks: (TaskFields & { id: string })[], ...patch: Patch[]) {
  const state = graphOf(RUNNING, ...tasks);
  const events = heldBack([{ op: 'hand_edit', patch }], (id) => state.node(id));
  commit(state, { events, result: undefined });
  return state;
}

verifies('door.file', 'a run at work is one that holds a task, whatever it waits for', () => {
  const at = (task: TaskFields) => isRunAtWork(graphOf({ id: 'a', ...task }).nodes());
  expect(at({ status: 'in-progress', assigned: 'agent-1' })).toBe(true);
  expect(at({ status: 'waiting', assigned: 'agent-1' }), 'parked, and still there').toBe(true);
  for (const quiet of [{ status: 'in-progress', assigned: 'ann' }, { status: 'waiting' }, { status: 'done' }] as const)
    expect(at(quiet)).toBe(false);
});

verifies('door.file', 'status, commands, owners, gates and edges are held back, the words of a task are not', () => {
  const set = { title: 'New', status: 'done', exec: 'rm -rf x', member: 'Eve', tags: ['edits-roles'], foreign: 1 };
  const state = edited([{ id: 'a', exec: 'make', after: ['own'] }], { id: 'a', set, unset: ['after'] });
  expect(state.task('a')).toMatchObject({ title: 'New', status: 'open', exec: 'make', after: ['own'] });
  expect(state.task('a')).not.toHaveProperty('member');
  expect(editDifference(taskOf(state, 'a'))).toBe(
    'status: "open" → "done"; exec: "make" → "rm -rf x"; member: none → "Eve"; tags: none → ["edits-roles"]; foreign: none → 1; after: ["own"] → none',
  );
});

verifies('door.file', 'lines of the log of a task are held back as any other field', () => {
  const log = { at: 1, message: 'all is well' } as never;
  const of = (patch: Patch) => heldBack([{ op: 'hand_edit', patch: [patch] }], () => graphOf({ id: 'a' }).node('a'));
  expect(of({ id: 'a', set: { title: 'New' }, log })).toEqual([
    {
      op: 'hand_edit',
      patch: [{ id: 'a', set: { title: 'New', unverified_edit: { set: { log }, unset: [] } } }],
    },
  ]);
  expect(of({ id: 'a', set: { title: 'New' }, unset: ['description'] })).toEqual([
    { op: 'hand_edit', patch: [{ id: 'a', set: { title: 'New' }, unset: ['description'] }] },
  ]);
});

verifies('door.file', 'of a task with a gate, and of one at work, nothing is applied', () => {
  const gates = [
    { verify: 'look' },
    { verify_cmd: 'make test' },
    { require_commit: true },
    { status: 'pending-validation' },
  ];
  for (const gate of [...gates, { formation_gate: { run: 'r', command: 'go' } }] as TaskFields[])
    expect(edited([{ id: 'a', ...gate }], { id: 'a', set: { title: 'New' } }).task('a')?.title).toBe('a');
  expect(edited([], { id: 'own', set: { description: 'You may all' } }).task('own')).not.toHaveProperty('description');
});

verifies('door.file', 'a task that came with the edit is paused with its words alone; one that went stays', () => {
  const put = { kind: 'task', id: 'new', title: 'New', status: 'done', exec: 'x', formation_gate: {}, log: [] };
  const state = edited([{ id: 'old' }], { id: 'new', put }, { id: 'old', del: true });
  expect(state.task('new')).toMatchObject({ title: 'New', status: 'open', paused: true });
  expect(Object.keys(state.task('new') ?? {})).not.toContain('exec');
  expect(state.task('old')?.status).toBe('open');
  commit(state, acceptEdit(state, 'new', { now: NOW, by: ann }));
  expect(state.task('new')).toMatchObject({ status: 'done', exec: 'x' });
  expect(state.task('new')).not.toHaveProperty('paused');
  commit(state, acceptEdit(state, 'old', { now: NOW, by: ann }));
  expect(state.task('old')).toBeUndefined();
  const other = edited([], { id: 'new', put });
  commit(other, discardEdit(other, 'new', { now: NOW, by: ann }));
  expect(other.task('new')).toBeUndefined();
});

verifies('door.file', 'a person accepts the edit, or discards it; a later edit adds to it', () => {
  const state = edited([{ id: 'a' }], { id: 'a', set: { status: 'blocked', exec: 'x' } });
  const more = heldBack([{ op: 'hand_edit', patch: [{ id: 'a', set: { status: 'failed', log: [] } }] }], (id) =>
    state.node(id),
  );
  commit(state, { events: more, result: undefined });
  const [row] = problemsOf(state, { ...FACTS, toLand: 0 }, NOW).filter(({ task }) => task === 'a');
  expect(row).toMatchObject({ kind: 'unverified', command: 'troupe accept-edit a' });
  expect(row?.text).toContain('status: "open" → "failed"; exec: none → "x"');
  expect(row?.text).toContain('`troupe accept-edit a --discard`');
  const plan = acceptEdit(state, 'a', { now: NOW, by: ann });
  expect(
    commitCommandHashes((id) => state.task(id), plan.events, { trusts: () => false }),
    'nobody typed it',
  ).toEqual([]);
  expect(commit(state, plan)).toMatchObject({ changed: true, status: 'failed' });
  expect(state.task('a')).toMatchObject({ status: 'failed', exec: 'x' });
  expect(acceptEdit(state, 'a', { now: NOW, by: ann }).result.changed).toBe(false);

  const other = edited([{ id: 'a', status: 'done' }], { id: 'a', set: { status: 'open' } });
  expect(problemsOf(other, { ...FACTS, toLand: 0 }, NOW).map(({ kind }) => kind)).toContain('unverified');
  commit(other, discardEdit(other, 'a', { now: NOW, by: ann }));
  expect(other.task('a')?.status).toBe('done');
  expect(discardEdit(other, 'a', { now: NOW, by: ann }).result.changed).toBe(false);
});

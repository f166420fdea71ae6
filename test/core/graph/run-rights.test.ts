import { describe, expect, test } from 'vitest';
import { addTask, type TaskDraft } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { approveTask } from '#core/graph/review.js';
import { EDITS_ROLES } from '#core/graph/run-rights.js';
import type { Task } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from './graph.js';
import { codeOf, graphOf, NOW, Play } from './graph.js';

const held = (id: string, run: string, more: TaskFields = {}) =>
  ({ id, status: 'in-progress', assigned: run, fence: 1, ...more }) as const;
const runOf = (id: string, number: number) => ({ name: `agent-${number}`, taskId: id, fence: 1 });
const add = (play: Play, draft: Partial<TaskDraft> & { id: string }, by: ReturnType<typeof runOf>) =>
  play.move((view, { now }) => addTask(view, { title: draft.id, ...draft }, { now, actor: by.name, by }));

describe('runs of one project together', () => {
  const many = (runs: number) => new Play(...Array.from({ length: runs }, (_, n) => held(`t${n}`, `agent-${n}`)));

  verifies(['guard.children', 'sec.spawn'], 'make only so many tasks within a minute, whoever of them', () => {
    const runs = WORK_LIMITS.seededTasksPerMinute / WORK_LIMITS.childTasksPerAgent + 1;
    const play = many(runs);
    let made = 0;
    let code = 'none';
    for (let run = 0; run < runs && code === 'none'; run++) {
      for (let child = 0; child < WORK_LIMITS.childTasksPerAgent && code === 'none'; child++) {
        play.now = NOW; // all at once
        code = codeOf(() => add(play, { id: `t${run}-${child}` }, runOf(`t${run}`, run)));
        if (code === 'none') made += 1;
      }
    }
    expect({ code, made }).toEqual({ code: 'child_limit', made: WORK_LIMITS.seededTasksPerMinute });
    play.now = NOW + WORK_LIMITS.seededRateMs;
    add(play, { id: 'a-minute-later' }, runOf(`t${runs - 1}`, runs - 1));
    const copy = graphOf(...(JSON.parse(JSON.stringify([...play.state.nodes()])) as Task[]));
    expect(copy.growth()).toEqual(play.state.growth());
    expect(codeOf(() => play.move((view, { now }) => addTask(view, { title: 'by a person' }, { now })))).toBe('none');
  });

  verifies(['guard.children', 'sec.spawn'], 'have only so many tasks that have not ended', () => {
    const made = Array.from({ length: WORK_LIMITS.seededTasksUnfinished }, (_, n) => ({
      ...{ id: `c${n}`, parent: 't0', created_by: `agent-${100 + n}`, created_at: '2026-03-01T00:00:00.000Z' },
    }));
    const play = new Play(held('t0', 'agent-0'), ...made);
    expect(codeOf(() => add(play, { id: 'more' }, runOf('t0', 0)))).toBe('child_limit');
    play.claim('c0');
    play.done('c0');
    expect(codeOf(() => add(play, { id: 'more' }, runOf('t0', 0)))).toBe('none');
  });
});

verifies('roles.writer.agents', 'no run gives a task the tag that lets it edit role files', () => {
  const play = new Play(held('a', 'agent-1'));
  expect(codeOf(() => add(play, { id: 'b', tags: ['x', EDITS_ROLES] }, runOf('a', 1)))).toBe('not_yours');
  add(play, { id: 'b', tags: ['x'] }, runOf('a', 1));
  for (const id of ['a', 'b']) {
    const edit = (by: object) =>
      codeOf(() =>
        play.move((view) => editTask(view, id, { add_tags: [EDITS_ROLES] }, { by: { name: 'ann', ...by } })),
      );
    expect([edit(runOf('a', 1)), edit({})]).toEqual(['not_yours', 'none']);
  }
});

describe('what judges a task', () => {
  test('has an id that no run gives', () => {
    const play = new Play(held('a', 'agent-1'));
    for (const id of ['evaluate-a', 'assign-a', '.verify-flip-a'])
      expect(codeOf(() => add(play, { id, after: ['a'] }, runOf('a', 1)))).not.toBe('none');
    add(play, { id: 'evaluate-the-results' }, runOf('a', 1));
  });

  test('is no task that a run made, be it older than what it speaks of', () => {
    const play = new Play(held('p', 'agent-1'));
    add(play, { id: 'evaluate-a' }, runOf('p', 1));
    add(play, { id: 'a', verify: 'read it' }, runOf('p', 1));
    const set = (id: string, fields: object) => ({ op: 'x', patch: [{ id, set: fields as never }] });
    play.move(() => ({
      events: [
        set('a', { status: 'pending-validation', assigned: 'agent-2', fence: 1 }),
        set('evaluate-a', { status: 'in-progress', assigned: 'agent-3', fence: 1, after: ['a'] }),
      ],
      result: undefined,
    }));
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: runOf('evaluate-a', 3) }))).toBe('not_yours');
    for (const run of [runOf('a', 2), runOf('p', 1)])
      expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: run }))).toBe('own_work');
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: { ...runOf('a', 9), fence: 2 } }))).not.toBe(
      'none',
    );
  });
});

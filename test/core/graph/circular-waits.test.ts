import { expect } from 'vitest';
import { dueEvents } from '#core/graph/consequences.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from './graph.js';
import { graphOf, NOW } from './graph.js';

const on = (task_id: string, more: object = {}) => ({ type: 'task-status', task_id, status: 'done', ...more });
const human = { type: 'human-input' };
const waits = (id: string, mode: 'all' | 'any', ...conditions: object[]) =>
  ({ id, status: 'waiting', wait_condition: { mode, conditions } }) as unknown as TaskFields & { id: string };
/** What becomes of these tasks at once: the operation, its task, and the reason. */
const due = (...tasks: (TaskFields & { id: string })[]) =>
  dueEvents(graphOf(...tasks).fork(), NOW, new Map()).map(({ op, task_id, patch }) => {
    const reason = patch.flatMap((part) => ('set' in part ? [part.set?.['failure_reason']] : []))[0];
    return `${op} ${task_id} ${reason ?? ''}`.trim();
  });

verifies('graph.wait.circular', 'tasks that only one another could wake fail, each with its chain', () => {
  expect([
    due(waits('a', 'all', on('b')), waits('b', 'all', on('a'))),
    due(waits('a', 'any', on('b')), waits('b', 'all', on('a'))),
    due(waits('a', 'any', on('b'), on('c')), waits('b', 'any', on('a')), waits('c', 'all', on('b'))),
    due(waits('a', 'all', on('a'))),
    due(waits('c', 'all', on('a')), waits('a', 'all', on('b')), waits('b', 'all', on('a'))),
  ]).toMatchInlineSnapshot(`
    [
      [
        "fail a Circular wait: a → b → a",
        "fail b Circular wait: b → a → b",
      ],
      [
        "fail a Circular wait: a → b → a",
        "fail b Circular wait: b → a → b",
      ],
      [
        "fail a Circular wait: a → b → a",
        "fail b Circular wait: b → a → b",
        "fail c Circular wait: c → b → a → b",
      ],
      [
        "fail a Circular wait: a → a",
      ],
      [
        "fail a Circular wait: a → b → a",
        "fail b Circular wait: b → a → b",
        "fail c Circular wait: c → a → b → a",
      ],
    ]
  `);
});

verifies('graph.wait.circular', 'a task that something else can wake holds up no other', () => {
  expect([
    due(waits('a', 'any', on('b'), human), waits('b', 'all', on('a'))),
    due(waits('a', 'all', on('b'), human), waits('b', 'all', human)),
    due(waits('a', 'any', on('b'), on('c')), waits('b', 'all', on('a')), waits('c', 'all', human)),
    due(waits('a', 'all', on('b', { seen: true }), human), waits('b', 'all', on('a'))),
    due(waits('a', 'any', human), waits('b', 'all', on('a'))),
    due(waits('a', 'all', on('b')), { id: 'b' }),
    due({ id: 'a' }, { id: 'b' }),
  ]).toEqual([[], [], [], [], [], [], []]);
  // With another condition that could be met, but not alone.
  expect(due(waits('a', 'all', on('b'), human), waits('b', 'all', on('a')))).toMatchInlineSnapshot(`
    [
      "fail a Circular wait: a → b → a",
      "fail b Circular wait: b → a → b",
    ]
  `);
});

import { expect, test } from 'vitest';
import { addTask, type TaskDraft } from '#core/graph/add.js';
import { formatReadinessReason, readiness } from '#core/graph/ready.js';
import type { Task, WaitCondition, WaitSpec } from '#core/graph/task.js';
import { evaluateWait, parseWait, wake } from '#core/graph/wait.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { graphOf, NOW, task } from './graph.js';

/** What is thrown, in words; the answer where nothing is. */
function said(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

test('what can be waited for, and how far each wait has come', () => {
  const graph = graphOf({ id: 'open' }, { id: 'done', status: 'done' }, { id: 'failed', status: 'failed' });
  const parse = (until: string) =>
    said(() => {
      const { mode, conditions } = parseWait(graph, until, {
        now: NOW,
        files: new Map([['f', { mtime: 5, size: 6 }]]),
      });
      return `${mode}: ${conditions.map((one) => Object.values(one).join(' ')).join(', ')}`;
    });
  const long = 'x'.repeat(90);
  const words = [
    'human-input',
    ' message , timer:5m ',
    'file:f|file:g',
    'task:open=done',
    'task:opne=done',
    'task:zzzz=done',
    'task:open=odd',
    'task:=done',
    'task:open',
    'task:a=b=done',
    `odd:${long}`,
    `task:${long}=odd`,
    'timer:x',
    'a,b|c',
    'message,',
    '',
    'message',
  ];
  expect(words.map((until) => `${until} -> ${parse(until)}`)).toMatchInlineSnapshot(`
    [
      "human-input -> all: human-input",
      " message , timer:5m  -> all: message, timer 2026-03-21T10:05:00.000Z",
      "file:f|file:g -> any: file-changed f 5 6, file-changed g 0 0",
      "task:open=done -> all: task-status open done",
      "task:opne=done -> usage: There is no task opne to wait for.",
      "task:zzzz=done -> usage: There is no task zzzz to wait for.",
      "task:open=odd -> usage: Not a status to wait for: "open=odd"",
      "task:=done -> usage: Not a status to wait for: "=done"",
      "task:open -> usage: Not a status to wait for: "open"",
      "task:a=b=done -> usage: There is no task a=b to wait for.",
      "odd:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx -> usage: Not a condition: "odd:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"",
      "task:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=odd -> usage: Not a status to wait for: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"",
      "timer:x -> usage: Invalid duration: "x"",
      "a,b|c -> usage: Commas (all) and bars (any) cannot be mixed.",
      "message, -> usage: A condition is empty.",
      " -> usage: A condition is empty.",
      "message -> all: message",
    ]
  `);
  const look = (mode: WaitSpec['mode'], ...conditions: (WaitCondition & { seen?: boolean })[]) => {
    const files = new Map([['f', { mtime: 5, size: 6 }]]);
    const settled = ({ id }: Task) => id !== 'failed';
    const { met, hopeless, progress } = evaluateWait(
      graph,
      { mode, since: '', conditions },
      { now: NOW, files, settled },
    );
    return [met, hopeless ?? '-', progress?.conditions.map((one) => (one as { seen?: boolean }).seen ?? false) ?? '-'];
  };
  const status = (task_id: string, of: Task['status']) => ({ type: 'task-status', task_id, status: of }) as const;
  const timer = (ms: number) => ({ type: 'timer', resume_after: timestamp(NOW + ms) }) as const;
  const file = (path: string, mtime: number, size?: number) =>
    ({
      type: 'file-changed',
      path,
      mtime_at_wait: mtime,
      ...(size === undefined ? {} : { size_at_wait: size }),
    }) as WaitCondition;
  const [person, message] = [{ type: 'human-input' }, { type: 'message' }] as const;
  expect({
    'a status that is': look('all', status('done', 'done')),
    'a status to come': look('all', status('open', 'done')),
    'a status that cannot come': look('all', status('done', 'failed')),
    'one that is not settled': look('all', status('failed', 'done')),
    'of a task that is gone': look('all', status('gone', 'done')),
    'now, and later': look('all', timer(0), timer(1)),
    'now, or later': look('any', timer(1), timer(0)),
    'a file as it was': look('all', file('f', 5, 6)),
    'a file without its size': look('all', file('f', 5)),
    'a larger file': look('all', file('f', 5, 5)),
    'a newer file': look('all', file('f', 4, 6)),
    'no file': look('all', file('g', 0, 0)),
    'seen before, and a person': look('all', { ...status('open', 'done'), seen: true }, person),
    'one of two that cannot come': look('any', status('gone', 'done'), status('done', 'failed')),
    'one of two that can': look('any', status('gone', 'done'), message),
    'both, one that cannot': look('all', status('gone', 'done'), timer(0)),
  }).toMatchInlineSnapshot(`
    {
      "a file as it was": [
        false,
        "-",
        "-",
      ],
      "a file without its size": [
        false,
        "-",
        "-",
      ],
      "a larger file": [
        true,
        "-",
        "-",
      ],
      "a newer file": [
        true,
        "-",
        "-",
      ],
      "a status that cannot come": [
        false,
        "done is done, not failed",
        "-",
      ],
      "a status that is": [
        true,
        "-",
        "-",
      ],
      "a status to come": [
        false,
        "-",
        "-",
      ],
      "both, one that cannot": [
        false,
        "gone no longer exists",
        [
          false,
          true,
        ],
      ],
      "no file": [
        false,
        "-",
        "-",
      ],
      "now, and later": [
        false,
        "-",
        [
          true,
          false,
        ],
      ],
      "now, or later": [
        true,
        "-",
        "-",
      ],
      "of a task that is gone": [
        false,
        "gone no longer exists",
        "-",
      ],
      "one of two that can": [
        false,
        "-",
        "-",
      ],
      "one of two that cannot come": [
        false,
        "gone no longer exists",
        "-",
      ],
      "one that is not settled": [
        false,
        "-",
        "-",
      ],
      "seen before, and a person": [
        false,
        "-",
        "-",
      ],
    }
  `);
  const woken = (fields: object) =>
    wake(task({ status: 'waiting', ...fields }), 'it is there', { now: NOW, by: { name: 'ann' } }).patch;
  expect([woken({}), woken({ assigned: 'agent-1' })].map((one) => JSON.stringify(one))).toMatchInlineSnapshot(`
    [
      "[{"id":"a","set":{"status":"open"},"log_at":0,"log":[{"timestamp":"2026-03-21T10:00:00.000Z","actor":"ann","message":"Goes on: it is there"}]}]",
      "[{"id":"a","set":{"status":"in-progress"},"log_at":0,"log":[{"timestamp":"2026-03-21T10:00:00.000Z","actor":"ann","message":"Goes on: it is there"}]}]",
    ]
  `);
});

test('why a task does not run, whatever keeps it back', () => {
  const later = timestamp(NOW + 1);
  const graph = graphOf(
    ...[{ id: 'done', status: 'done' as const }, { id: 'failed', status: 'failed' as const }, { id: 'open' }],
    { id: 'free', after: ['done', 'failed', 'gone'] },
    { id: 'now', not_before: timestamp(NOW), ready_after: timestamp(NOW) },
    { id: 'later', not_before: timestamp(NOW), ready_after: later },
    { id: 'paused', paused: true, after: ['open', 'done'], after_success: ['done'] },
    { id: 'needs', after: ['failed', 'done', 'gone'], after_success: ['failed', 'done', 'gone'] },
    { id: 'unplaced', unplaced: true, status: 'waiting' },
  );
  const why = (id: string) => readiness(graph, id, NOW).reasons.map(formatReadinessReason).join('; ');
  const ids = ['free', 'now', 'later', 'paused', 'needs', 'unplaced', 'nobody'];
  expect(Object.fromEntries(ids.map((id) => [id, why(id)]))).toMatchInlineSnapshot(`
    {
      "free": "",
      "later": "not before 2026-03-21T10:00:00.001Z",
      "needs": "needs failed to be done",
      "nobody": "it is not open",
      "now": "",
      "paused": "it is paused; waits for open",
      "unplaced": "it is not open; it waits for its place in the graph",
    }
  `);
  expect(
    (['time', 'predecessor', 'cycle-restart', 'needs-success', 'line-up'] as const).map((code) =>
      formatReadinessReason({ code }),
    ),
  ).toMatchInlineSnapshot(`
    [
      "not before later",
      "waits for ",
      "the cycle of  is about to restart",
      "needs  to be done",
      "its line-up is not accepted",
    ]
  `);
});

test('a task with everything one can say of it, and with nothing', () => {
  const graph = graphOf({ id: 'a' }, { id: 'b' });
  const put = (draft: Partial<TaskDraft>, context: object = {}) =>
    said(() => {
      const { events, result } = addTask(graph, { title: ' T ', ...draft } as TaskDraft, { now: NOW, ...context });
      return [events.map(({ patch }) => patch), result];
    });
  const all: Partial<TaskDraft> = {
    ...{ id: 'x', after: ['a', 'a', ''], after_success: ['b'], tags: ['t', 't', ''], skills: ['s'], inputs: ['i'] },
    ...{ deliverables: ['d'], environment: { A: '1' }, paused: true, place_near: ['a'], team: 'red', parent: 'a' },
    ...{ human: true, hands_in: true, plan_required: true, plan_of: 'a', conversation: 'a:b' },
  };
  expect(JSON.stringify(put(all, { actor: 'ann', autoPlace: true }), null, 1)).toMatchInlineSnapshot(`
    "[
     [
      [
       {
        "id": "x",
        "put": {
         "kind": "task",
         "id": "x",
         "title": "T",
         "status": "open",
         "after": [
          "a",
          "b"
         ],
         "after_success": [
          "b"
         ],
         "tags": [
          "t"
         ],
         "skills": [
          "s"
         ],
         "inputs": [
          "i"
         ],
         "deliverables": [
          "d"
         ],
         "environment": {
          "A": "1"
         },
         "created_at": "2026-03-21T10:00:00.000Z",
         "paused": true,
         "unplaced": true,
         "place_near": [
          "a"
         ],
         "created_by": "ann",
         "team": "red",
         "parent": "a",
         "human": true,
         "hands_in": true,
         "plan_required": true,
         "plan_of": "a",
         "conversation": "a:b"
        }
       }
      ]
     ],
     {
      "id": "x",
      "warnings": []
     }
    ]"
  `);
  expect(
    [
      put({}),
      put({ environment: {}, no_place: true, place_near: ['a'] }, { autoPlace: true }),
      put({ title: ' ' }),
      put({ id: 'a' }),
      put({ id: '.own' }),
      put({ id: '.own' }, { ownId: true }),
      put({ id: 'x', after: ['x'] }),
      put({ id: 'x', after: ['x', 'bb'] }, { coming: new Set(['bb']) }),
      put({ after: ['bb'] }, { coming: new Set(['bb']) }),
      put({ after: ['bb'] }),
      put({ after: ['bb'] }, { unknown: 'refuse' }),
      put({ after: ['zzzzzz'] }, { unknown: 'never' }),
      put({ after: ['zzzzzz'] }),
    ].map((one) => JSON.stringify(one)),
  ).toMatchInlineSnapshot(`
    [
      "[[[{"id":"t","put":{"kind":"task","id":"t","title":"T","status":"open","created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":"t","warnings":[]}]",
      "[[[{"id":"t","put":{"kind":"task","id":"t","title":"T","status":"open","created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":"t","warnings":[]}]",
      ""bad_input: A task needs a title."",
      ""id_taken: The id a is or was in use."",
      ""bad_input: Not an id: \\".own\\""",
      "[[[{"id":".own","put":{"kind":"task","id":".own","title":"T","status":"open","created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":".own","warnings":[]}]",
      ""bad_input: Task x cannot depend on itself."",
      ""bad_input: Task x cannot depend on itself."",
      "[[[{"id":"t","put":{"kind":"task","id":"t","title":"T","status":"open","after":["bb"],"created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":"t","warnings":[]}]",
      "[[[{"id":"t","put":{"kind":"task","id":"t","title":"T","status":"open","after":["bb"],"created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":"t","warnings":["There is no task bb: it blocks nothing. Did you mean b?"]}]",
      ""unknown_task: There is no task bb, so nothing would wait for it."",
      ""unknown_task: There is no task zzzzzz, so nothing would wait for it."",
      "[[[{"id":"t","put":{"kind":"task","id":"t","title":"T","status":"open","after":["zzzzzz"],"created_at":"2026-03-21T10:00:00.000Z"}}]],{"id":"t","warnings":["There is no task zzzzzz: it blocks nothing."]}]",
    ]
  `);
});

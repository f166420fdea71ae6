import { expect, test } from 'vitest';
import { checkedTag, evaluationPrefix, importTrace, tagOfFile } from '#core/history/import-trace.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const TASK = { id: 'a', title: 'A', status: 'done' };
const trace = (rest: object) => JSON.stringify({ metadata: { version: 1 }, tasks: [TASK], ...rest });

verifies('graph.trace.import', 'tasks and evaluations get names of their own, and nothing that could run', () => {
  const content = trace({
    tasks: [
      { ...TASK, exec: 'rm -rf /', verify_cmd: 'x', log: [], assigned: 'eve', visibility: 'public', unheard_of: 1 },
      {
        id: '../b',
        title: 'B',
        status: 'open',
        after: ['a', 'nobody'],
        cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'a', status: 'done' } } },
        artifacts: ['/etc/passwd', 'out.md'],
      },
    ],
    evaluations: [
      { id: 'eval-1', task_id: 'a', score: 0.5, source: 'ci:tests', dimensions: { correctness: 1 }, path: '/x' },
    ],
  });
  const found = importTrace(content, 'peer-a');
  expect(found.tasks).toEqual([
    { id: 'imported/peer-a/a', title: 'A', status: 'done' },
    {
      id: 'imported/peer-a/../b',
      title: 'B',
      status: 'open',
      after: ['imported/peer-a/a'],
      cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'imported/peer-a/a', status: 'done' } } },
      artifacts: ['out.md'],
    },
  ]);
  const [evaluation] = found.evaluations;
  expect(evaluation).toEqual({
    id: evaluation?.['id'],
    task_id: 'imported/peer-a/a',
    score: 0.5,
    dimensions: { correctness: 1 },
    source: 'import:peer-a',
    origin_source: 'ci:tests',
    origin_id: 'eval-1',
  });
  expect(evaluation?.['id']).toMatch(/^imported-[a-f0-9]{12}-[a-f0-9]{20}$/);
  expect(importTrace(content, 'peer-a').evaluations[0]?.['id']).toBe(evaluation?.['id']);
  expect(importTrace(content, 'peer').evaluations[0]?.['id']).not.toBe(evaluation?.['id']);
  expect(evaluationPrefix('peer').startsWith(evaluationPrefix('peer-a'))).toBe(false);
});

verifies('graph.trace.import', 'a file with anything wrong in it is refused, and the place is named', () => {
  const many = Array.from({ length: TEAM_LIMITS.traceTasks + 1 }, (_, index) => ({ ...TASK, id: `t${index}` }));
  const wrong: Record<string, string> = {
    'not JSON': '{',
    'not an object': '[]',
    'no metadata': '{"tasks":[]}',
    'another version': '{"metadata":{"version":2}}',
    'tasks no list': trace({ tasks: {} }),
    'a task no object': trace({ tasks: [TASK, 7] }),
    'no id': trace({ tasks: [{ title: 'A', status: 'open' }] }),
    'an endless id': trace({ tasks: [{ ...TASK, id: 'x'.repeat(500) }] }),
    'no title': trace({ tasks: [{ id: 'a', status: 'open' }] }),
    'an unknown status': trace({ tasks: [{ ...TASK, status: 'great' }] }),
    'an endless title': trace({ tasks: [{ ...TASK, title: 'x'.repeat(301) }] }),
    'an endless description': trace({ tasks: [{ ...TASK, description: 'x'.repeat(300_000) }] }),
    'the same id twice': trace({ tasks: [TASK, TASK] }),
    'too many tasks': trace({ tasks: many }),
    'a score out of bounds': trace({ evaluations: [{ id: 'e', task_id: 'a', score: 1.5 }] }),
    'a score that is no number': trace({ evaluations: [{ id: 'e', task_id: 'a', score: '1' }] }),
    'an evaluation of nothing': trace({ evaluations: [{ id: 'e', score: 1 }] }),
    'functions no list': trace({ functions: 'x' }),
    'a prototype': trace({}).replace('"tasks"', '"__proto__":{"x":1},"tasks"'),
    'a byte order mark': `\ufeff${trace({})}`,
  };
  for (const [name, content] of Object.entries(wrong)) {
    let thrown: unknown;
    try {
      importTrace(content, 'x');
    } catch (error) {
      thrown = error;
    }
    expect(thrown, name).toBeInstanceOf(TroupeError);
    expect((thrown as TroupeError).code, name).toBe('bad_trace');
  }
  expect(() => importTrace(trace({ tasks: [TASK, { ...TASK, id: 'b', title: 7 }] }), 'x')).toThrow('tasks[1].title');
});

test('a tag is a plain word, and comes from the name of the file when nobody says it', () => {
  for (const tag of ['a', 'peer-a', 'A.b_c-1']) expect(checkedTag(tag)).toBe(tag);
  for (const tag of ['', '.', '..', 'a..b', '../a', 'a/b', 'a\\b', '/a', '-a', 'a b', 'a\0', 'é', 'x'.repeat(65)]) {
    expect(() => checkedTag(tag), JSON.stringify(tag)).toThrow(TroupeError);
  }
  const names = { 'trace.json': 'trace', 'a b..json': 'a-b', '../../x': 'x', '.json': 'import', '…': 'import' };
  for (const [name, tag] of Object.entries(names)) {
    expect(tagOfFile(name), name).toBe(tag);
    expect(checkedTag(tagOfFile(name))).toBe(tag);
  }
});

import { expect, test } from 'vitest';
import { evaluationsOf, notesByTask } from '#core/agency/list-evaluations.js';

const record = (id: string, task: string, timestamp: string, score: unknown = 0.5) =>
  ({ id, task_id: task, score, timestamp }) as never;

test('the newest come first; a name is a task or an evaluation; what is no evaluation is left out', () => {
  const records = [
    record('e1', 'a', '2026-01-01T00:00:00Z'),
    record('e2', 'b', '2026-01-03T00:00:00Z'),
    record('e3', 'a', '2026-01-02T00:00:00Z'),
    record('e4', 'a', '2026-01-04T00:00:00Z', 2),
    record('e5', 'a', '2026-01-04T00:00:00Z', 'good'),
    {},
  ];
  const ids = (id?: string) => evaluationsOf(records, { id }).map((one) => one.id);
  expect(ids()).toEqual(['e2', 'e3', 'e1']);
  expect(ids('a')).toEqual(['e3', 'e1']);
  expect(ids('e2')).toEqual(['e2']);
  expect(evaluationsOf(records, { id: 'e2' })[0]).toMatchObject({
    source: 'llm',
    evaluator: '',
    notes: '',
    dimensions: {},
  });
});

test('the notes of tasks: those with words, of work done here, the newest of each task first', () => {
  const said = (id: string, task_id: string, notes: string, more: object = {}) =>
    ({ ...(record(id, task_id, `2026-01-0${id}T00:00:00Z`) as object), notes, source: 'ci', ...more }) as never;
  const records = [
    said('1', 'a', 'Slow'),
    said('2', 'a', 'Right', { score: 1 }),
    said('3', 'b', '  '),
    said('4', 'c', 'Of no task that is asked for'),
    said('5', 'a', 'Of elsewhere', { foreign: true }),
  ];
  expect([...notesByTask(records, new Set(['a', 'b']))]).toEqual([
    ['a', ['1.00 from ci: Right', '0.50 from ci: Slow']],
  ]);
});

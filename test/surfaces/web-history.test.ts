import { expect, test } from 'vitest';
import { eventWords, type Moment, type StageBox, stageOf } from '../../web/app/pages/tasks/history.js';
import { verifies } from '../verifies.js';

const box = (id: string, after: string[] = []): StageBox => ({ id, after });
const moment = (more: Partial<Moment>): Moment => ({
  ...{ first: 1, seq: 7, timestamp: '2026-03-01T10:00:00Z', op: 'claim' },
  ...more,
});

verifies(
  'web.run',
  'boxes stay where they are while the time moves: also those and the edges that were only then',
  () => {
    const now = [box('a'), box('b', ['a']), box('new', ['b'])];
    expect(stageOf(now, [box('a'), box('b', ['a'])])).toEqual(now);
    expect(stageOf(now, [box('a'), box('b', ['gone']), box('gone', ['a'])])).toEqual([
      ...[box('a'), box('b', ['a', 'gone']), box('new', ['b']), box('gone', ['a'])],
    ]);
    const many = Array.from({ length: 300 }, (_, index) => box(`then-${index}`));
    expect(stageOf([...now, ...many.map(({ id }) => box(`now-${id}`))], many)).toEqual(many);
  },
);

test('an event is said in words', () => {
  const about = { task: 'parser', title: 'Write the parser' };
  expect(eventWords(moment({ ...about, actor: 'agent-7', status: 'in-progress' }))).toBe(
    'agent-7: "Write the parser" is in progress',
  );
  expect(eventWords(moment({ ...about, op: 'add_task', status: 'open' }))).toBe('"Write the parser" was added');
  expect(eventWords(moment({ ...about, op: 'model_call' }))).toBe('model call: "Write the parser"');
  expect(eventWords(moment({ op: 'graph_import', actor: 'you' }))).toBe('you: graph import');
});

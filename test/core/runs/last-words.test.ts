import { expect } from 'vitest';
import type { ExecutorEvent } from '#core/runs/event.js';
import { LastWords, lastBytes } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const heard = (...events: ExecutorEvent[]) => {
  const words = new LastWords();
  for (const event of events) words.take(event);
  return words.text;
};
const turn = (number: number): ExecutorEvent => ({ type: 'progress', turn: number });
const says = (text: string): ExecutorEvent => ({ type: 'text', text });

verifies('hold.last-words', 'are the last message: its blocks, its pieces, and nothing of the messages before', () => {
  expect(heard(turn(1), says('I look.'), turn(2), says('One.'), turn(2), says('Two.'))).toBe('One.\nTwo.');
  expect(heard(turn(1), says('All is done.'), turn(2), { type: 'tool', name: 'x', state: 'started' })).toBe(
    'All is done.',
  );
  expect(heard(turn(1))).toBe('');
  const pieces = [
    { type: 'message', role: 'assistant', content: 'Which fi', delta: true },
    { type: 'message', role: 'assistant', content: 'le?', delta: true },
  ];
  const gemini = parserOf(EXECUTORS.gemini.reader());
  expect(heard(...gemini.feed(pieces.map((piece) => `${JSON.stringify(piece)}\n`).join('')))).toBe('Which file?');
});

verifies('hold.last-words', 'have a bound, at which their end is kept and no character is broken', () => {
  const long = `${'ä'.repeat(5_000)} Which file?`;
  const kept = lastBytes(heard(says(long))) ?? '';
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(TEAM_LIMITS.lastWordsBytes);
  expect(kept).toMatch(/^\[cut\] … ä+ Which file\?$/);
  expect(lastBytes('')).toBeUndefined();
});

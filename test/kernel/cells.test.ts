import { expect, test } from 'vitest';
import { cellsOf, cutTo, padTo } from '#kernel/cells.js';

test('a text takes the cells that terminals give it', () => {
  const cells = { plain: 5, Übung: 5, 日本語: 6, '👩‍👩‍👧': 2, '❤️': 2, 'e\u0301': 1, '…←─': 3, ｗ: 2, '': 0 };
  expect(Object.fromEntries(Object.keys(cells).map((text) => [text, cellsOf(text)]))).toEqual(cells);
});

test('what is cut or padded fits its cells exactly, and no character is torn apart', () => {
  expect(cutTo('日本語', 6)).toBe('日本語');
  expect(cutTo('日本語', 5)).toBe('日本…');
  expect(cutTo('日本語', 4)).toBe('日…');
  expect(cutTo('a 👩‍👩‍👧 b', 4)).toBe('a…');
  expect(cutTo('abc', 0)).toBe('');
  expect(cutTo('abcdef', 5, '...')).toBe('ab...');
  expect(padTo('日本', 6)).toBe('日本  ');
  expect(padTo('日本', 6, true)).toBe('  日本');
  expect(padTo('日本語', 2)).toBe('日本語');
});

import { expect, test } from 'vitest';
import { matchesPattern } from '#kernel/text.js';

test('a star stands for any text, also for none; everything else for itself', () => {
  const fitting = (pattern: string, ...texts: string[]) => texts.filter((text) => matchesPattern(text, pattern));
  const texts = ['review', 'review-a', 'a-review-b', 'a.b', 'a*b', ''];
  expect(fitting('review', ...texts)).toEqual(['review']);
  expect(fitting('*', ...texts)).toEqual(texts);
  expect(fitting('review*', ...texts)).toEqual(['review', 'review-a']);
  expect(fitting('*-*', ...texts)).toEqual(['review-a', 'a-review-b']);
  expect(fitting('*view*b', ...texts)).toEqual(['a-review-b']);
  expect(fitting('a?b', ...texts)).toEqual([]);
  expect(fitting('ab*ba', 'aba', 'abba', 'abxba')).toEqual(['abba', 'abxba']);
  expect(fitting('a*bc*c', 'abc', 'abcc')).toEqual(['abcc']);
});

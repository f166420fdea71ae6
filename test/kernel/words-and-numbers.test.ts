import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '#kernel/decimal.js';
import { formatDuration, parseDuration } from '#kernel/duration.js';
import { parseJsonObject, sameJson } from '#kernel/json.js';
import { cut, didYouMean, editDistance, inert, inSentence } from '#kernel/text.js';
import { anyText } from '../any-text.js';
import { verifies } from '../verifies.js';

describe('durations', () => {
  test.each([
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    [' 90s ', 90_000],
  ])('%s is read', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(['', '5', 'm', '-5m', '1.5h', '5 m', '1w', '1h30m', '1e3s', '99999999999s', '٣m'])(
    '%j is refused with a hint',
    (text) => {
      expect(() => parseDuration(text)).toThrowError(expect.objectContaining({ code: 'bad_input' }));
    },
  );

  test('durations are said in their two largest units', () => {
    const said = [0, 850, 12_000, 60_000, 130_000, 3_600_000, 11_100_000, 86_400_000, 187_200_000].map(formatDuration);
    expect(said).toEqual(['0ms', '850ms', '12s', '1m', '2m 10s', '1h', '3h 5m', '1d', '2d 4h']);
  });

  test('whatever was written whole is read back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), fc.constantFrom('s', 'm', 'h', 'd'), (count, unit) => {
        const milliseconds = parseDuration(`${count}${unit}`);
        expect(milliseconds % 1_000).toBe(0);
        expect(formatDuration(milliseconds)).not.toMatch(/NaN|undefined|-/);
      }),
    );
  });
});

describe('foreign text', () => {
  verifies('graph.task.bounds', 'escapes, controls, bidi and zero-width marks are shown, not obeyed', () => {
    expect(inert('\u001b[31mred\u001b]0;title\u0007')).toBe('\\u{1b}[31mred\\u{1b}]0;title\\u{7}');
    expect(inert('a\u202eb\u200bc\ufeffd\u2066e')).toBe('a\\u{202e}b\\u{200b}c\\u{feff}d\\u{2066}e');
    expect(inert('tag\u{e0041}')).toBe('tag\\u{e0041}');
    expect(inert('\u009b31m')).toBe('\\u{9b}31m');
  });

  test('lines stay lines only where they may', () => {
    expect(inert('one\r\ntwo\tthree')).toBe('one two three');
    expect(inert('one\ntwo\tthree\r', true)).toBe('one\ntwo\tthree\\u{d}');
  });

  test('nothing that a terminal obeys is ever left, and plain text stays as it is', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 10 }), (text) => {
        expect(inert(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
        expect(inert(inert(text))).toBe(inert(text));
      }),
    );
    expect(inert('Grüße, 世界 🎭 – naïve')).toBe('Grüße, 世界 🎭 – naïve');
  });

  test('a cut text has the width asked for and says that it was cut', () => {
    expect(cut('short', 5)).toBe('short');
    expect(cut('🎭🎭🎭🎭', 3)).toBe('🎭🎭…');
    expect(cut('long', 0)).toBe('…');
    expect(inSentence('a\nb\u202e')).toBe('a b\\u{202e}');
    expect([inSentence('x'.repeat(200)), inSentence('x'.repeat(201))]).toEqual([
      'x'.repeat(200),
      `${'x'.repeat(199)}…`,
    ]);
  });
});

describe('did you mean', () => {
  test.each([
    ['lsit', 'list'],
    ['eidt', 'edit'],
    ['add', 'add'],
    ['cla', 'claim'],
    ['claiming', 'claim'],
    ['SHOW', 'show'],
    ['frobnicate', undefined],
    ['x', undefined],
    ['start', undefined], // two edits of five letters are another word
    ['listen-here', undefined], // more than half of it is something else
  ])('%s → %s', (word, meant) => {
    expect(didYouMean(word, ['list', 'edit', 'add', 'claim', 'show', 'retry', 'stats'])).toBe(meant);
  });

  test('of two equally near words the first by name is named, whatever their order', () => {
    expect(didYouMean('bat', ['cat', 'hat'])).toBe('cat');
    expect(didYouMean('bat', ['hat', 'cat'])).toBe('cat');
    expect(didYouMean('up', ['gc', 'us'])).toBeUndefined();
  });

  test('the distance is symmetric and gives up past its limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (left, right) => {
        expect(editDistance(left, right, 20)).toBe(editDistance(right, left, 20));
        expect(editDistance(left, right, 20)).toBeLessThanOrEqual(Math.max(left.length, right.length));
        expect(editDistance(left, left, 2)).toBe(0);
      }),
    );
    expect(editDistance('a', 'abcdef', 2)).toBe(3);
    expect(editDistance('lsit', 'list', 2)).toBe(1);
    expect(editDistance('kitten', 'sitting', 5)).toBe(3);
  });
});

describe('JSON from outside', () => {
  test.each(['', '[]', '"text"', '1', 'null', '{', '{"a":1}x', '{"__proto__":{"x":1}}'])('%j is no object', (text) => {
    expect(parseJsonObject(text)).toBeUndefined();
  });

  test('a word in a value is no key', () => {
    expect(parseJsonObject('{"title":"\\"__proto__\\""}')).toEqual({ title: '"__proto__"' });
  });

  test('sameness knows lists from objects and ignores the order of keys', () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson({ a: undefined }, {})).toBe(false);
    expect(sameJson([], {})).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});

test('a number that is typed is decimal and finite; whatever else could be read as one is none', () => {
  for (const [typed, number] of [
    ['0.5', 0.5],
    [' 7 ', 7],
    ['-1', -1],
    ['+2', 2],
    ['.5', 0.5],
    ['1e3', 1_000],
    ['-0', -0],
    ['0e9', 0],
  ] as const)
    expect(parseDecimal(typed), typed).toBe(number);
  for (const typed of [
    '',
    ' ',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e309',
    '1e-400',
    '0x1',
    '0b1',
    '0o7',
    '1_000',
    '0,5',
    '1 2',
    'one',
    '--1',
    '.',
  ])
    expect(parseDecimal(typed), typed).toBeUndefined();
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { typedList, typedSkill, typedText } from '#core/agency/entity-edits.js';
import { agentText, idOf, personText, roleText, scalar, tradeoffText } from '#core/agency/entity-text.js';
import { verifies } from '../../verifies.js';

const careful = {
  acceptable_tradeoffs: ['Slow', 'Verbose'],
  unacceptable_tradeoffs: ['Unreliable', 'Untested'],
  description: 'Prioritizes reliability and correctness above speed.',
};

verifies(['hash.algorithm', 'hash.layout'], 'the known contents have the known bytes and ids', () => {
  expect(tradeoffText(careful)).toBe(
    'acceptable_tradeoffs:\n- Slow\n- Verbose\nunacceptable_tradeoffs:\n- Unreliable\n- Untested\ndescription: Prioritizes reliability and correctness above speed.\n',
  );
  const carefulId = idOf(tradeoffText(careful));
  expect(carefulId).toBe('1caa4c3cf3d982cfc9e191da340d39b8b831f0b9bda2c740352b93f43fb64542');
  const fast = {
    acceptable_tradeoffs: ['Less documentation', 'Simpler solutions'],
    unacceptable_tradeoffs: ['Broken code'],
    description: 'Prioritizes speed and shipping over polish.',
  };
  expect(idOf(tradeoffText(fast))).toBe('4f502daeaa45e68d1cf0a6e11bfc02b91b3b4657de69d648d4a761ab0bf851db');
  expect(idOf(agentText('52335de1552416c62475caf94552e3090340c762afb21ae82894c67ff6cd1925', carefulId))).toBe(
    'f51439356729d112a6c404803d88015d5b44832c6c584c62b96732b63c2b0c7e',
  );
  const role = {
    skills: [{ name: 'code-writing' }, { inline: 'Keep functions small: one job each.' }],
    desired_outcome: 'Merged, tested code',
    description: 'Writes and tests code.',
  };
  expect(roleText(role)).toBe(
    "skills:\n- !name code-writing\n- !inline 'Keep functions small: one job each.'\ndesired_outcome: Merged, tested code\ndescription: Writes and tests code.\n",
  );
  expect(idOf(roleText(role))).toBe('6d81bf5d4e9e60c4d50fa3ecd4821e89ce8f2abe1c9f3b9ec1649237c752eab6');
  expect(idOf(roleText({ ...role, skills: [...role.skills].reverse() }))).not.toBe(idOf(roleText(role)));
  expect(roleText({ ...role, skills: [] }).startsWith('skills: []\n')).toBe(true);
  expect(idOf(personText('Ann', 'email'))).toBe(createHash('sha256').update('human-agent:Ann:email').digest('hex'));
});

verifies('hash.scalar', 'each row of the table, by example', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', "''"],
    ['a\tb', '"a\\tb"'],
    ['a\u0007b', '"a\\x07b"'],
    ['a\u0085b', '"a\\x85b"'],
    ['\ufeffa', '"\\uFEFFa"'],
    ['a😀', '"a\\U0001F600"'],
    ['say "hi"\\\u0001', '"say \\"hi\\"\\\\\\x01"'],
    ['a \nb', '"a \\nb"'],
    ['a\nb ', '"a\\nb "'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\n\nb\n', '|\n  a\n\n  b'],
    ['a\n\n', '|+\n  a\n'],
    ['\n', '|2+\n'],
    ['  a\nb', '|2-\n    a\n  b'],
    ['\na', '|2-\n\n  a'],
    ...[
      '~',
      'null',
      'True',
      'NO',
      'y',
      'On',
      '12',
      '-3',
      '+4',
      '0x1F',
      '0o7',
      '0b1',
      '1.5',
      '.5',
      '1e9',
      '.inf',
      '.NaN',
      '007',
    ].map((word) => [word, `'${word}'`] as const),
    ...[
      '#a',
      ',a',
      '[a',
      '{a',
      '&a',
      '*a',
      '!a',
      '|a',
      '>a',
      '%a',
      '@a',
      '`a',
      '---a',
      '...',
      '-',
      '- a',
      '? a',
      ':',
      ': a',
    ].map((word) => [word, `'${word}'`] as const),
    ["'a'", "'''a'''"],
    ['a: b', "'a: b'"],
    ['a #b', "'a #b'"],
    ['a:', "'a:'"],
    [' a', "' a'"],
    ["it's fine", "it's fine"],
    ['-a', '-a'],
    ['a:b', 'a:b'],
    ['a#b', 'a#b'],
    ['x'.repeat(500), 'x'.repeat(500)],
    ['1a', '1a'],
    ['é', 'é'],
  ];
  for (const [text, written] of rows) expect(scalar(text), JSON.stringify(text)).toBe(written);
});

verifies('hash.own-emitter', 'whatever the text, a YAML reader gets it back', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '-', "'", '"', '0', '\t', '~', '\\') }),
  );
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      const document = `a: ${scalar(text)}\nb:\n- ${scalar(other)}\n`;
      expect(parse(document)).toEqual({ a: text, b: [other] });
    }),
    { numRuns: 2_000 },
  );
});

verifies('hash.normalise', 'typed text has one form before it is hashed', () => {
  expect(typedText('x', '  cafe\u0301\r\nb\u2028c\u2029d\re  ')).toBe('café\nb\nc\nd\ne');
  expect(() => typedText('x', ' \n ')).toThrow(expect.objectContaining({ code: 'bad_input' }));
  expect(() => typedText('x', 'é'.repeat(9000))).toThrow(expect.objectContaining({ code: 'too_large' }));
  // stored text is hashed as it is
  expect(idOf(tradeoffText({ ...careful, description: 'cafe\u0301' }))).not.toBe(
    idOf(tradeoffText({ ...careful, description: 'café' })),
  );
});

test('skills as typed', () => {
  expect(['rust', 'file:a/b.md', 'url:https://x.org', 'inline:A: b', 'name:file:x'].map(typedSkill)).toEqual([
    { name: 'rust' },
    { file: 'a/b.md' },
    { url: 'https://x.org' },
    { inline: 'A: b' },
    { name: 'file:x' },
  ]);
  expect(() =>
    typedList(
      'x',
      Array.from({ length: 101 }, () => 'a'),
    ),
  ).toThrow();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fileText } from '#core/agency/entity-text.js';
import { performanceFrom } from '#core/agency/read.js';
import { evaluationText } from '#core/agency/record-evaluation.js';
import { ownRecord } from '#core/agency/record-text.js';
import { role, tradeoff } from './people.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(..."a '|-:#!\n[]{}~2", '\\', '"') }),
  fc.constantFrom('yes', '|-', '- a', "'", 'a\n\n', '\n', '  a\nb', ' #', '0x1f', '!name x'),
);
const TAGS = ['name', 'file', 'url', 'inline'].map((kind) => ({
  tag: `!${kind}`,
  resolve: (value: string) => ({ [kind]: value }),
}));
const byLibrary = (file: string): unknown => parse(file, { customTags: TAGS });

test('what we write is read back as a YAML library reads it, or left to that', () => {
  fc.assert(
    fc.property(text, text, text, (description, outcome, item) => {
      const skills = [{ name: item }, { inline: description }];
      for (const entity of [
        role('One', { description, desired_outcome: outcome, skills, more: { colour: item } }),
        tradeoff('Two', { description, acceptable_tradeoffs: [item, outcome] }),
      ]) {
        const file = fileText(entity);
        const own = ownRecord(file);
        if (own === undefined) continue;
        expect(own).toEqual(byLibrary(file));
      }
    }),
    { numRuns: 60 },
  );
});

test('what is written in words and punctuation is never left to the library', () => {
  const words = fc.string({ unit: fc.constantFrom(..."abc ÄÖü漢.,;()'-:#!"), minLength: 1 });
  fc.assert(
    fc.property(words, words, (description, item) => {
      for (const entity of [
        role('One', { description: `It ${description}.`, skills: [{ name: `a${item}z` }, { inline: `a${item}z` }] }),
        tradeoff('Two', { description: `It ${description}.`, acceptable_tradeoffs: [`a${item}z`] }),
      ])
        expect(ownRecord(fileText(entity))).toEqual(byLibrary(fileText(entity)));
    }),
  );
});

test('scores are read back as a YAML library reads them, or left to that', () => {
  const score = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.5, 1e-7));
  const word = fc.oneof(text, fc.string({ unit: fc.constantFrom(...'a-1:.é') }));
  const reference = fc.record(
    { score, task_id: word, timestamp: word, context_id: word, evaluation_id: word, source: word },
    { requiredKeys: ['score', 'task_id', 'timestamp', 'context_id'] },
  );
  fc.assert(
    fc.property(fc.array(reference, { maxLength: 4 }), (references) => {
      const file = fileText({ ...role('One'), performance: performanceFrom(references) });
      const own = ownRecord(file);
      if (own !== undefined) expect(own).toEqual(byLibrary(file));
    }),
    { numRuns: 150 },
  );
});

test('one byte of a score that is not ours leaves the file to the library', () => {
  const scored = { score: 0.5, task_id: 't', timestamp: '2026', context_id: 'c', evaluation_id: 'e', source: 'llm' };
  const own = fileText({ ...role('One'), performance: performanceFrom([scored, { ...scored, score: 0.25 }]) });
  expect(ownRecord(own)).toMatchObject({ performance: { task_count: 2, evaluations: [scored, { score: 0.25 }] } });
  for (const [from, to] of [
    ['"score":0.5', '"score":0.50'],
    ['"score":0.5', '"score":.5'],
    ['"score":0.5', '"score": 0.5'],
    ['"score":0.5', '"score":0x1'],
    ['"score":0.5', '"score":0.5,"score":0.9'],
    ['"task_id":"t"', '"task_id":"t","task_id":"u"'],
    ['"task_id":"t"', '"task_id":"\\u0074"'],
    ['"task_count":2', '"task_count":02'],
    ['"task_count":2', '"task_count":2,"task_count":3'],
    ['"avg_score":0.375', '"avg_score":0.3750'],
    ['}]}', '},]}'],
    ['}]}', '}]} '],
  ] as const) {
    const changed = own.replace(from, to);
    expect(changed, to).not.toBe(own);
    expect(ownRecord(changed), to).toBeUndefined();
  }
});

test('a record of somebody else, or one that was changed by hand, is no record of ours', () => {
  const own = fileText(role('One', { description: 'Two\nlines', skills: [{ inline: 'a\nb' }] }));
  expect(ownRecord(own)).toMatchObject({ name: 'One', description: 'Two\nlines', skills: [{ inline: 'a\nb' }] });
  for (const changed of [
    own.slice(0, -1),
    own.replace('name: "One"', 'name: One'),
    own.replace('name: "One"', 'name: "One", "two": 1'),
    own.replace('name: "One"', 'name: "One"\nname: "Two"'),
    own.replace('name: "One"', '__proto__: {}'),
    own.replace('name: "One"', `more: ${'['.repeat(70)}${']'.repeat(70)}`),
    own.replace('name: "One"', 'more: {"a":1,"a":2}'),
    own.replace('desired_outcome: Done.', 'desired_outcome: yes'),
    own.replace('desired_outcome: Done.', 'desired_outcome: &a Done.'),
    own.replace('!inline', '!other'),
    own.replace('  lines', ' lines'),
    `# a comment\n${own}`,
  ]) {
    expect(changed).not.toBe(own);
    expect(ownRecord(changed)).toBeUndefined();
  }
  const evaluation = { id: 'e', task_id: 't', notes: 'a: "b"\n', dimensions: { efficiency: 0.2 }, score: 0.5 };
  expect(ownRecord(evaluationText(evaluation as never))).toEqual(evaluation);
});

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeIssue, explainIssue } from '#kernel/issues.js';

const schema = z.strictObject({
  mode: z.optional(z.enum(['fast', 'all'])),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
  size: z.optional(z.number()),
  words: z.optional(z.array(z.string()).check(z.maxLength(1))),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(3))),
  form: z.optional(z.string().check(z.regex(/^a/))),
  really: z.optional(z.boolean()),
});

function said(input: unknown): string {
  const parsed = schema.safeParse(input);
  const issue = parsed.error?.issues[0];
  if (!issue) throw new Error('Nothing is wrong with it');
  return describeIssue(explainIssue(issue, input), 'the input');
}

test.each([
  [{ mode: 'nonsense' }, 'mode must be one of fast, all, not "nonsense"'],
  [{ count: 'x' }, 'count must be a number, not "x"'],
  [{ count: 1.5 }, 'count must be a whole number, not 1.5'],
  [{ count: 0 }, 'count must be at least 1'],
  [{ count: 9 }, 'count must be at most 5'],
  [{ size: Number.NaN }, 'size must be a number, not NaN'],
  [{ words: 'x' }, 'words must be a list, not "x"'],
  [{ words: [1] }, 'words.0 must be text, not 1'],
  [{ words: ['a', 'b'] }, 'words must have at most 1 entry'],
  [{ name: '' }, 'name must have at least 1 character'],
  [{ name: 'long' }, 'name must have at most 3 characters'],
  [{ form: 'b' }, 'form is not valid: "b"'],
  [{ really: 'yes' }, 'really must be true or false, not "yes"'],
  [{ colour: 1 }, 'colour is an unknown field'],
  [[], 'the input must be an object'],
])('%j: %s', (input, sentence) => {
  expect(said(input)).toBe(sentence);
});

test('foreign text in it is cut and harmless', () => {
  const text = said({ mode: `\u001b[31m${'x'.repeat(500)}` });
  expect(text.length).toBeLessThan(120);
  expect(text).not.toContain('\u001b');
  expect(said({ [`\u001b[31m${'y'.repeat(500)}`]: 1 }).length).toBeLessThan(160);
});

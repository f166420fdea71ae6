import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { commentsOf } from './comments.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** A relative clause without a subject: a reader has to guess what it is about. */
const OPENING = /^(What|How|Where|Who|Whoever|Whom|Whose|Which|Why|Of|Those|By|That)\b/;
const INDEFINITE = /\b(whoever|whomever|whatever|somebody|nobody)\b/i;

verifies('one.words', 'comments open with a noun or a verb, and name who or what they are about', () => {
  const files = ['src', 'web/app', 'tooling', 'bench'].flatMap((folder) =>
    filesBelow(path.join(HOME, folder), /\.(tsx?|mjs)$/),
  );
  const comments = files.flatMap((file) => commentsOf(syntaxOf(file)));
  expect(comments.length).toBeGreaterThan(9_000);
  const wrong = comments.filter(({ text, isDoc }) => (isDoc && OPENING.test(text)) || INDEFINITE.test(text));
  expect(wrong.map(({ file, line, text }) => `${path.relative(HOME, file)}:${line} ${text}`)).toEqual([]);
});

verifies('one.words', 'the check of comments sees both kinds', () => {
  const text = '/** What is kept. */\nexport const kept = [1, /* two */ 2]; // Whoever asks.\n';
  expect(commentsOf(ts.createSourceFile('kept.ts', text, ts.ScriptTarget.Latest, true))).toMatchObject([
    { text: 'What is kept.', isDoc: true },
    { text: 'two', isDoc: false },
    { text: 'Whoever asks.', isDoc: false },
  ]);
});

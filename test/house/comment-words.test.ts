import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** A relative clause without a subject: a reader has to guess what it is about. */
const OPENING = /^(What|How|Where|Who|Whoever|Whom|Whose|Which|Why|Of|Those|By|That)\b/;
const INDEFINITE = /\b(whoever|whomever|whatever|somebody|nobody)\b/i;

interface Comment {
  readonly where: string;
  readonly text: string;
  readonly isDoc: boolean;
}

/** Every comment of a file; consecutive lines of `//` count one by one. */
function commentsOf(source: ts.SourceFile): Comment[] {
  const found = new Map<number, Comment>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0 && node.kind !== ts.SyntaxKind.JsxText) {
      const from = node.getFullStart();
      for (const [raw, at] of commentsIn(source.text.slice(from, node.getStart(source, false))))
        found.set(from + at, {
          where: `${path.relative(HOME, source.fileName)}:${source.getLineAndCharacterOfPosition(from + at).line + 1}`,
          text: raw.replace(/^\/\*\*?|\*\/$|^\/\/|^[ \t]*\* ?/gm, ' ').trim(),
          isDoc: raw.startsWith('/**'),
        });
    }
    children.forEach(visit);
  };
  visit(source);
  return [...found.values()];
}

/** Comments in the text between two tokens, where nothing else than blanks can stand, and their positions. */
function commentsIn(trivia: string): [text: string, at: number][] {
  return [...trivia.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)].map(({ 0: text, index }) => [text, index]);
}

verifies('one.words', 'comments open with a noun or a verb, and name who or what they are about', () => {
  const files = ['src', 'web/app', 'tooling', 'bench'].flatMap((folder) =>
    filesBelow(path.join(HOME, folder), /\.(tsx?|mjs)$/),
  );
  const comments = files.flatMap((file) => commentsOf(syntaxOf(file)));
  expect(comments.length).toBeGreaterThan(9_000);
  const wrong = comments.filter(({ text, isDoc }) => (isDoc && OPENING.test(text)) || INDEFINITE.test(text));
  expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
});

verifies('one.words', 'the check of comments sees both kinds', () => {
  const text = '/** What is kept. */\nexport const kept = [1, /* two */ 2]; // Whoever asks.\n';
  expect(commentsOf(ts.createSourceFile('kept.ts', text, ts.ScriptTarget.Latest, true))).toMatchObject([
    { text: 'What is kept.', isDoc: true },
    { text: 'two', isDoc: false },
    { text: 'Whoever asks.', isDoc: false },
  ]);
});

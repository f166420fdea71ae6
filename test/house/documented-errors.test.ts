import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { errorCodes } from '#kernel/errors.js';
import { verifies } from '../verifies.js';
import { commentsOf } from './comments.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const SOURCE = path.join(HOME, 'src');
const CODES = new Set(Object.keys(errorCodes()));
/** The tables themselves, where every code stands. */
const TABLES = /kernel\/(team-)?error-codes\.ts$/;

/** A code that a doc comment names after `Errors:`. */
interface DocumentedCode {
  readonly code: string;
  /** Whether the comment belongs to an interface, whose errors come from what implements it. */
  readonly isOfInterface: boolean;
}

function documentedIn(source: ts.SourceFile): DocumentedCode[] {
  const interfaces: ts.Node[] = source.statements.filter((one) => ts.isInterfaceDeclaration(one));
  return commentsOf(source).flatMap(({ text, isDoc, at }) => {
    const [, list = ''] = isDoc ? (/\bErrors: ([\s\S]*)/.exec(text) ?? []) : [];
    const isOfInterface = interfaces.some((one) => one.getFullStart() <= at && at < one.getEnd());
    const words = [...list.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);
    return words.filter((word) => word.includes('_') || CODES.has(word)).map((code) => ({ code, isOfInterface }));
  });
}

/** Codes that stand in a file as texts or names of properties. */
function writtenIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isIdentifier(node)) && CODES.has(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Files of the source that a file imports, also later and as types. */
function importsOf(source: ts.SourceFile): string[] {
  const named = [...source.text.matchAll(/(?:from|import\() ?'(#|\.{1,2}\/)([^']+)\.js'/g)].map(
    ([, start = '', rest = '']) =>
      path.resolve(start === '#' ? SOURCE : path.join(path.dirname(source.fileName), start), `${rest}.ts`),
  );
  return named.map((file) => (existsSync(file) ? file : `${file}x`)).filter((file) => existsSync(file));
}

verifies('one.words', 'errors that a comment names are in the table, and can come from what the file uses', () => {
  const files = filesBelow(SOURCE, /\.tsx?$/).filter((file) => !TABLES.test(file));
  const trees = new Map(files.map((file) => [file, syntaxOf(file)]));
  const documented = new Map([...trees].map(([file, tree]) => [file, documentedIn(tree)]));
  const written = new Map([...trees].map(([file, tree]) => [file, new Set(writtenIn(tree))]));
  const imports = new Map([...trees].map(([file, tree]) => [file, importsOf(tree)]));
  expect([...documented.values()].flat().length).toBeGreaterThan(400);
  /** Whether a code is written in the file or in one that it uses, or documented by an interface among those. */
  const comesFrom = (start: string, code: string) => {
    const seen = new Set([start]);
    for (const file of seen) {
      const promised = documented.get(file)?.some((one) => one.isOfInterface && one.code === code);
      if (promised === true || written.get(file)?.has(code)) return true;
      for (const next of imports.get(file) ?? []) seen.add(next);
    }
    return false;
  };
  const anywhere = new Set([...written.values()].flatMap((codes) => [...codes]));
  const wrong = [...documented].flatMap(([file, codes]) =>
    codes
      .filter(({ code, isOfInterface }) => !(isOfInterface ? anywhere.has(code) : comesFrom(file, code)))
      .map(({ code }) => `${path.relative(HOME, file)}: ${code}`),
  );
  expect(wrong).toEqual([]);
});

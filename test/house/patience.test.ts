import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, syntaxOf } from './files.js';

const TESTS = path.resolve(import.meta.dirname, '..');
const WAITS = new Set(['vi.waitFor', 'vi.waitUntil', 'expect.poll']);

/** Calls that wait for as long as the library waits by itself, which is one second. */
function hurried(file: string): string[] {
  const found: string[] = [];
  const tree = syntaxOf(file);
  const visit = (node: ts.Node) => {
    if (
      ts.isCallExpression(node) &&
      node.arguments.length < 2 &&
      WAITS.has(node.expression.getText().replace(/\s/g, ''))
    )
      found.push(`${path.relative(TESTS, file)}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

test('tests wait for events as long as a busy machine may need', () => {
  const waiting = filesBelow(TESTS, /\.ts$/).filter((file) =>
    /waitFor|waitUntil|\.poll/.test(readFileSync(file, 'utf8')),
  );
  expect(waiting.length).toBeGreaterThan(20);
  expect(waiting.flatMap(hurried), 'give them PATIENCE of test/patience.ts').toEqual([]);
});

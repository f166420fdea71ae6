import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
/** What every file of a kind exports under one name, since a table names the file. */
const BY_TABLE: ReadonlySet<string> = new Set(['execute', 'main', 'renderers']);

/** Names that a file exports, but for operations: the table names these, and the export is their verb. */
function namesOf(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        ts.isIdentifier(name) && !isOperation(initializer, tree) ? [name.text] : [],
      );
    const { name } = statement as ts.DeclarationStatement;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function isOperation(initializer: ts.Expression | undefined, tree: ts.SourceFile): boolean {
  return (
    initializer !== undefined &&
    ts.isCallExpression(initializer) &&
    /operation$/i.test(initializer.expression.getText(tree))
  );
}

/** Names that more than one file exports, with these files. */
function shared(files: ReadonlyMap<string, ts.SourceFile>): string[] {
  const owners = new Map<string, Set<string>>();
  for (const [file, tree] of files)
    for (const name of namesOf(tree)) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return [...owners]
    .filter(([name, { size }]) => size > 1 && !BY_TABLE.has(name))
    .map(([name, places]) => `${name}: ${[...places].join(', ')}`);
}

verifies('one.name', 'no exported name stands for two things', () => {
  const files = filesBelow(path.join(HOME, 'src'), /\.ts$/);
  const trees = new Map(files.map((file) => [path.relative(HOME, file), syntaxOf(file)]));
  expect(shared(trees)).toEqual([]);
  const parsed = (text: string) => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const three = new Map([
    ['a.ts', parsed("export interface Team {}\nexport const list = operation({ name: 'a.list' });\nconst own = 1;")],
    ['b.ts', parsed('export type Team = string;\nexport const list = operation({});\nexport const own = 2;')],
    ['c.ts', parsed('export function list() {}\nexport class Own {}')],
  ]);
  expect(shared(three)).toEqual(['Team: a.ts, b.ts']);
});

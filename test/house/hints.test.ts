import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { ERROR_CODES } from '#kernel/error-codes.js';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
/** What a person has to choose or to make up: no place that throws an error knows it. */
const CHOSEN = new Set(
  'NAME NEXT NEW VALUE KEY COMMAND AMOUNT FILE PATH TEXT TITLE GOAL FOCUS TARGET AGENT EVENT BRANCH'.split(' '),
);

interface Thrown {
  readonly where: string;
  readonly hint: string;
  /** Whether the sentence names something, and what the details are. */
  readonly namesSomething: boolean;
  readonly details: readonly string[];
}

/** Every error of the program as it stands in the source, with the hint it shows; those with a computed hint are left out. */
function thrownErrors(): Thrown[] {
  return filesBelow(path.join(HOME, 'src'), /\.ts$/).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('TroupeError(')) return [];
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found: Thrown[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'TroupeError') {
        const one = asThrown(node);
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        if (one !== undefined) found.push({ ...one, where: `${path.relative(HOME, file)}:${line}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function asThrown(node: ts.NewExpression): Omit<Thrown, 'where'> | undefined {
  const [code, facts] = node.arguments ?? [];
  const fields = facts !== undefined && ts.isObjectLiteralExpression(facts) ? facts.properties : [];
  const field = (name: string) => fields.find((one) => one.name?.getText() === name);
  const valueFor = (name: string) => {
    const one = field(name);
    return one !== undefined && ts.isPropertyAssignment(one) ? one.initializer : undefined;
  };
  const general =
    code !== undefined && ts.isStringLiteral(code)
      ? ERROR_CODES[code.text as keyof typeof ERROR_CODES]?.hint
      : undefined;
  const hint = field('hint') === undefined ? general : textOf(valueFor('hint'));
  if (hint === undefined) return undefined;
  const details = valueFor('details');
  const keys =
    details !== undefined && ts.isObjectLiteralExpression(details)
      ? details.properties.map((one) => one.name?.getText() ?? '*')
      : field('details') === undefined
        ? []
        : ['*'];
  const what = valueFor('what');
  return { hint, details: keys, namesSomething: what !== undefined && ts.isTemplateExpression(what) };
}

function textOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…');
}

const placeholdersOf = (hint: string) =>
  [...hint.matchAll(/`troupe [^`]*`/g)].flatMap(([command]) => command.match(/(?<![\w-])[A-Z]{2,}(?![\w-])/g) ?? []);

verifies('say.untrue', 'no error that knows what it is about has a placeholder for it in its hint', () => {
  const errors = thrownErrors();
  expect(errors.length).toBeGreaterThan(700);
  const open = errors.flatMap(({ where, hint, details, namesSomething }) =>
    placeholdersOf(hint)
      .filter((name) => !CHOSEN.has(name) && namesSomething)
      .filter((name) => !details.includes(name.toLowerCase()) && !details.includes('*'))
      .map((name) => `${where}: ${name}: ${hint}`),
  );
  expect(open).toEqual([]);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import type { ErrorCode } from '#kernel/error-codes.js';
import { errorCodes } from '#kernel/errors.js';
import { OPERATIONS } from '#operations/table.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { isUnderstood } from '#surfaces/cli/understood.js';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';
import { withoutGlobals, wordsOf } from './quoted-commands.js';

const HOME = path.resolve(import.meta.dirname, '../..');
/** What a person has to choose or to make up: no place that throws an error knows it. */
const CHOSEN = new Set(
  'NAME NEXT NEW VALUE ADDRESS KEY COMMAND AMOUNT FILE PATH TEXT TITLE GOAL FOCUS TARGET AGENT EVENT BRANCH'.split(' '),
);

interface Thrown {
  readonly where: string;
  readonly hint: string;
  /** Whether the sentence names something, and what the details are. */
  readonly namesSomething: boolean;
  readonly details: readonly string[];
}

/** Every error of the program as it stands in the source, once for each hint it may show; those whose hint a function makes are left out. */
function thrownErrors(): Thrown[] {
  return filesBelow(path.join(HOME, 'src'), /\.ts$/).flatMap((file) => {
    const source = syntaxOf(file);
    if (!source.text.includes('TroupeError(')) return [];
    const found: Thrown[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'TroupeError') {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        for (const one of asThrown(node)) found.push({ ...one, where: `${path.relative(HOME, file)}:${line}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function asThrown(node: ts.NewExpression): Omit<Thrown, 'where'>[] {
  const [code, facts] = node.arguments ?? [];
  const fields = facts !== undefined && ts.isObjectLiteralExpression(facts) ? facts.properties : [];
  const field = (name: string) => fields.find((one) => one.name?.getText() === name);
  const valueFor = (name: string) => {
    const one = field(name);
    return one !== undefined && ts.isPropertyAssignment(one) ? one.initializer : undefined;
  };
  const general =
    code !== undefined && ts.isStringLiteral(code) ? errorCodes()[code.text as ErrorCode]?.hint : undefined;
  const hints = field('hint') === undefined ? [general ?? ''] : textsOf(valueFor('hint'));
  const details = valueFor('details');
  const keys =
    details !== undefined && ts.isObjectLiteralExpression(details)
      ? details.properties.map((one) => one.name?.getText() ?? '*')
      : field('details') === undefined
        ? []
        : ['*'];
  const what = valueFor('what');
  const namesSomething = what !== undefined && ts.isTemplateExpression(what);
  return hints.map((hint) => ({ hint, details: keys, namesSomething }));
}

/** Both branches of a choice, and what stands in for nothing. */
function textsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left), ...textsOf(node.right)];
  if (!ts.isTemplateExpression(node)) return [];
  return [[node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…')];
}

/** Commands that texts of the program recommend, as they stand in its sources. Synopses of the help are none. */
function recommended(): { readonly where: string; readonly command: string }[] {
  return filesBelow(path.join(HOME, 'src'), /\.ts$/)
    .filter((file) => !/(?:\/|-)(?:rows|help|scripts)\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(?:\*|\/[/*])/.test(line)
            ? []
            : [...line.matchAll(/`(troupe [a-z][^`\\]*)/g), ...line.matchAll(/'(troupe [a-z][^'\\]*)/g)].map(
                ([, command = '']) => ({ where: `${path.relative(HOME, file)}:${index + 1}`, command }),
              ),
        ),
    );
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

verifies('say.untrue', 'no recommended command does something else when a shell reads it', () => {
  const commands = recommended();
  expect(commands.length).toBeGreaterThan(300);
  // Of what a template puts in, the words that stand there themselves.
  const words = (_: string, inner: string) => [...inner.matchAll(/'([^']*)'/g)].map(([, word]) => word).join(' ');
  const isRead = (command: string) =>
    /[|;<>&]/.test(command.replaceAll(/\$\{([^}]*)\}/g, words).replaceAll(/"[^"]*"/g, ''));
  expect(commands.filter(({ command }) => isRead(command)).map(({ where, command }) => `${where}: ${command}`)).toEqual(
    [],
  );
});

verifies('say.untrue', 'a recommended command has all its arguments', async () => {
  const short: string[] = [];
  for (const { where, command } of recommended()) {
    const [, ...words] = wordsOf(command.replaceAll(/\$\{[^}]*\}?/g, 'TEMPLATE'));
    const found = await findEntry(withoutGlobals(words));
    if (found !== undefined && !isUnderstood(found)) short.push(`${where}: ${command}`);
  }
  expect(short).toEqual([]);
});

verifies('say.untrue', 'a recommended command has the name of today, in the dashboard too', async () => {
  const examples = new Set(OPERATIONS.flatMap((one) => one.examples));
  const copied = filesBelow(path.join(HOME, 'web'), /\.tsx$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/"(troupe [a-z][^"]*)"/g)].map(([, command = '']) => ({
      where: path.relative(HOME, file),
      command,
    })),
  );
  expect(copied.length).toBeGreaterThan(3);
  const older: string[] = [];
  for (const { where, command } of [...recommended(), ...copied]) {
    const [, ...words] = wordsOf(command.replaceAll(/\$\{[^}]*\}?/g, 'TEMPLATE'));
    const found = await findEntry(withoutGlobals(words));
    if (found?.replaced && !examples.has(command)) older.push(`${where}: ${command}`);
  }
  expect(older).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { errorCodes } from '#kernel/errors.js';
import { OPERATIONS } from '#operations/table.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const LINES_MOST = 400;
const sources = [...filesBelow(path.join(HOME, 'src'), /\.ts$/), ...filesBelow(path.join(HOME, 'web'), /\.tsx?$/)];
const ROOT = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', 'AGENTS.md'],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'biome.json',
    '.dependency-cruiser.mjs',
  ],
  ...['.gitignore', '.gitattributes', '.ci', '.git', '.npmrc', 'knip.json'],
  ...[
    'bench',
    'data',
    'docs',
    'src',
    'test',
    'tooling',
    'web',
    'dist',
    'node_modules',
    '.cache',
    '.workgraph',
    '.squad',
  ],
];

verifies('sec.shell.none', 'no source hands text to a shell', () => {
  const guilty = sources.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return (
      /shell:\s*(true|process|environment)/.test(text) ||
      /\b(exec|execSync)\s*\(/.test(text.replace(/\.exec\(/g, '')) ||
      /from 'shelljs'/.test(text)
    );
  });
  expect(guilty).toEqual([]);
  expect(sources.length).toBeGreaterThan(150);
});

/**
 * Who speaks to a network, and where it goes: only the first asks an address that stands in a text of others, and it asks
 * public ones only. The next two ask what the user's own settings name, and follow nothing. The rest is this machine.
 */
const SPEAKING = [
  'src/adapters/files/https-web.ts',
  'src/adapters/models/sdk-model.ts',
  'src/adapters/notify/json-request.ts', // to the homeserver or the webhook that the person at this machine chose
  'src/adapters/git/remote-repositories.ts', // by git, to the repository that a person named
  'src/adapters/git/remote-exchange.ts', // by git, to the repository that attempts and results share
  'src/adapters/postgres/connection.ts', // to the database that the person at this machine chose
  'src/adapters/workers/s3-blobs.ts', // to the object store that the person at this machine chose
  'src/surfaces/http/client.ts', // for the programs of others, to the server that they name
  'src/surfaces/http/fronts.ts',
  'src/surfaces/socket/client.ts',
  'src/surfaces/socket/server.ts',
];

verifies('sec.ssrf', 'one part alone asks addresses that others write: there is no second way out', () => {
  const network =
    /(?:^import (?!type)[^;]*? from|import\(|getBuiltinModule\()\s*'(?:node:)?(?:https?|http2|net|tls|dgram|dns(?:\/promises)?|undici|aws4fetch)'|(?<![.\w])fetch\(|new WebSocket\(/m;
  const speaking = sources
    .map((file) => path.relative(HOME, file))
    .filter((file) => file.startsWith('src/') && network.test(readFileSync(path.join(HOME, file), 'utf8')));
  expect(speaking.sort()).toEqual([...SPEAKING].sort());
});

test('files can be read in one sitting', () => {
  const long = sources.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n').length;
    return lines > LINES_MOST
      ? `${path.relative(HOME, file)} has ${lines} lines, at most ${LINES_MOST} are read: split it by what it is about`
      : [];
  });
  expect(long).toEqual([]);
});

test('no file hides what it is, and no promise is left for later', () => {
  const names = sources.filter((file) =>
    /(^|\/)(utils|helpers|common|misc)\.tsx?$|-v\d+\.|-(new|old|legacy)\./.test(file),
  );
  expect(names).toEqual([]);
  const later = sources.filter(
    (file) => !file.endsWith('todos.ts') && /\b(TODO|FIXME|XXX)\b/.test(withoutStrings(readFileSync(file, 'utf8'))),
  );
  expect(later.map((file) => path.relative(HOME, file))).toEqual([]);
});

verifies('test.bites', 'no condition chooses between two equal branches', () => {
  const equal = sources.flatMap((file) => equalBranches(syntaxOf(file)));
  expect(equal).toEqual([]);
  expect(equalBranches(sample("const word = changed ? 'is unchanged' : 'is unchanged';"))).toEqual(['sample.ts:1']);
  expect(equalBranches(sample('if (a) b();\nelse b();'))).toEqual(['sample.ts:1']);
  expect(equalBranches(sample('const word = a ? b : c;\nif (a) b();\nelse c();'))).toEqual([]);
});

test('the root holds only what the architecture shows', () => {
  expect(readdirSync(HOME).filter((name) => !ROOT.includes(name))).toEqual([]);
});

test('every code has a sentence and a hint that end like sentences', () => {
  for (const [code, row] of Object.entries(errorCodes())) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(row.sentence, code).toMatch(/[.:]$/);
    expect(row.hint.length, code).toBeGreaterThan(10);
  }
});

test('every operation is described and loads under its own name, and whatever prints one is of an operation that there is', async () => {
  const commands = ALL_COMMANDS.map((entry) => entry.command);
  expect(new Set(commands).size).toBe(commands.length);
  for (const spec of OPERATIONS) {
    const operation = await spec.load();
    expect(operation.name).toBe(spec.name);
    expect(spec.examples.length, spec.name).toBeGreaterThanOrEqual(2);
    const keys = Object.keys((operation.input as unknown as { def: { shape: object } }).def.shape);
    const fields = [...(spec.arguments ?? []), ...(spec.options ?? [])].map((part) => part.field);
    expect(
      fields.filter((field) => !keys.includes(field)),
      `${spec.name}: flags without a field`,
    ).toEqual([]);
  }
});

function withoutStrings(text: string): string {
  return text.replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`|\/[^/\n]+\/[a-z]*/g, '');
}

const sample = (text: string) => ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);

/** Places, as `file:line`, where both branches of a condition have the same text. */
function equalBranches(source: ts.SourceFile): string[] {
  const { fileName: file } = source;
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    const branches = ts.isConditionalExpression(node)
      ? [node.whenTrue, node.whenFalse]
      : ts.isIfStatement(node) && node.elseStatement
        ? [node.thenStatement, node.elseStatement]
        : [];
    const [one, other] = branches.map((branch) => branch.getText(source));
    if (one !== undefined && one === other) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      places.push(`${path.isAbsolute(file) ? path.relative(HOME, file) : file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

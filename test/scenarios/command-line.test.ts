import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, installed, project, start, troupe } from './program.js';

const ERROR = /^error\[[a-z_]+\]: [^\n]+\nhint: [^\n]+\n$/;

describe('the task commands', () => {
  verifies('command.older', 'an older name does the same, and says the new one to people alone', async () => {
    const cwd = await project();
    await asked(['add', 'Cut'], { cwd });
    const now = await troupe(['analyze', '--only', 'critical-path'], { cwd });
    const older = await troupe(['critical-path'], { cwd });
    expect(older.stdout).toBe(now.stdout);
    expect(older.stderr).toContain('`troupe critical-path` is called `troupe analyze --only critical-path` now.');
    const { code, stdout, stderr } = await troupe(['critical-path', '--json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const report = await asked<{ critical_path: object }>(['analyze', '--only', 'critical-path'], { cwd });
    expect(JSON.parse(stdout)).toEqual(report.critical_path);
    expect((await troupe(['velocity', '--quiet'], { cwd })).stderr).toBe('');
    expect((await troupe(['foreca'], { cwd })).stderr).toContain('Did you mean `troupe analyze --only forecast`?');
  });

  verifies('ui.cli.quiet', 'each does its work, tells people in a line and programs in one JSON value', async () => {
    const cwd = await project();
    const said = async (...words: string[]) => {
      const { code, stdout, stderr } = await troupe(words, { cwd });
      expect([words, code, stderr]).toEqual([words, 0, '']);
      return stdout;
    };
    expect(await said('add', 'Write the parser', '-t', 'core,new', '-d', 'By hand.')).toMatch(
      /write-the-parser {2}Write the parser\n$/,
    );
    expect(
      await asked(['add', 'Run the tests', '--after', 'write-the-parser', '--exec', 'npm test'], { cwd }),
    ).toMatchObject({ id: 'run-the-tests', title: 'Run the tests', warnings: [], seq: 2 });
    expect(await said('ready')).toContain('write-the-parser');
    expect(await asked(['ready'], { cwd })).toMatchObject({
      tasks: [{ id: 'write-the-parser', tags: ['core', 'new'] }],
    });
    expect(await said('claim', 'write-the-parser', '--actor', 'ann')).toMatch(/claimed {2}write-the-parser/);
    expect(await said('log', 'write-the-parser', 'numbers work')).toContain('numbers work');
    expect(await asked(['log', 'write-the-parser'], { cwd })).toMatchObject({
      log: [{ actor: 'tess', message: 'numbers work' }],
    });
    expect(await said('artifact', 'write-the-parser', 'src/parser.ts', 'b.ts')).toBe('src/parser.ts\nb.ts\n');
    expect(await said('artifact', 'write-the-parser', '--remove', 'b.ts')).toBe('src/parser.ts\n');
    expect(await said('edit', 'run-the-tests', '--timeout', '5m', '--title', 'Run all')).toContain('run-the-tests');
    const shown = await said('show', 'run-the-tests');
    expect(shown).toContain('waits for write-the-parser');
    expect(await asked(['show', 'write-the-parser'], { cwd })).toMatchObject({
      task: { status: 'in-progress', assigned: 'ann', fence: 1 },
      before: [{ id: 'run-the-tests', status: 'open' }],
    });
    expect(await said('done', 'write-the-parser')).toMatch(/done {2}write-the-parser/);
    expect(await said('done', 'write-the-parser')).toContain('unchanged');
    expect(await said('fail', 'run-the-tests', '--reason', 'two are red')).toMatch(/failed {2}run-the-tests/);
    expect(await asked(['list', '--status', 'failed'], { cwd })).toMatchObject({
      tasks: [{ id: 'run-the-tests', status: 'failed' }],
      total: 2,
    });
    expect(await said('retry', 'run-the-tests')).toMatch(/ready {2}run-the-tests/);
    expect(await asked(['claim', 'run-the-tests'], { cwd })).toMatchObject({ fence: 1, changed: true });
    expect(await said('unclaim', 'run-the-tests')).toMatch(/ready {2}run-the-tests/);
    expect(await said('abandon', 'run-the-tests')).toMatch(/abandoned {2}run-the-tests/);
    expect(await said('list')).toMatch(/ID +STATUS +WHO +TITLE\nrun-the-tests +⊘ abandoned/);
    expect(await asked(['status'], { cwd })).toMatchObject({ counts: { done: 1, abandoned: 1 } });
  });

  verifies('ui.cli.error', 'a refusal is one error and one hint on stderr, nothing on stdout, exit 1', async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    await asked(['add', 'Beta', '--after', 'alpha'], { cwd });
    await asked(['claim', 'alpha', '--actor', 'ann'], { cwd });
    const cases: [string[], string][] = [
      [['claim', 'alpha'], 'wrong_status'],
      [['claim', 'beta'], 'not_ready'],
      [['done', 'beta'], 'unresolved'],
      [['show', 'alhpa'], 'unknown_task'],
      [['add', 'X', '--id', 'alpha'], 'id_taken'],
      [['add', 'X', '--after', 'nobody'], 'unknown_task'],
      [['output', 'nobody'], 'unknown_task'],
      [['service', 'stop'], 'service_not_running'],
      [['dashboard'], 'service_not_running'],
      [['team', 'show'], 'no_team'],
    ];
    for (const [words, code] of cases) {
      const plain = await troupe(words, { cwd });
      expect([words, plain.code, plain.stdout]).toEqual([words, 1, '']);
      expect(plain.stderr, words.join(' ')).toMatch(ERROR);
      expect(plain.stderr).toContain(`error[${code}]`);
      const json = await troupe([...words, '--json'], { cwd });
      expect([json.code, json.stdout]).toEqual([1, '']);
      expect(JSON.parse(json.stderr)).toMatchObject({
        error: { code, message: expect.any(String), hint: expect.any(String), details: expect.any(Object) },
      });
    }
    expect((await troupe(['claim', 'alpha'], { cwd })).stderr).toMatch(/in-progress, held by ann/);
    expect((await troupe(['service', 'stop'], { cwd })).stderr).toMatch(/nothing to stop(?![\s\S]*service start)/);
    expect((await troupe(['service', 'pause'], { cwd })).stderr).toMatch(/nothing to pause(?![\s\S]*service start)/);
    expect((await troupe(['show', 'alhpa'], { cwd })).stderr).toContain('Did you mean alpha?');
  });

  verifies('ui.cli.help', 'wrong words are a usage error: exit 2, with the word that was meant', async () => {
    const cwd = await project();
    const cases: [string[], RegExp][] = [
      [['lsit'], /Did you mean `troupe list`/],
      [['service', 'strat'], /Did you mean `troupe service start`/],
      [['config', 'sett'], /Did you mean `troupe config set`/],
      [['add', 'X', '--tga', 'y'], /--tag/],
      [['add'], /title/i],
      [['add', ''], /title/],
      [['show', 'a', 'b'], /argument/],
      [['add', 'X', '--hours', 'many'], /--hours must be a number/],
      [['add', 'X', '--hours', '-1'], /0 or more/],
      [['add', 'X', '--delay', 'soon'], /duration/],
      [['add', 'X', '--delay', '1h', '--not-before', '2026-01-01'], /not both/],
      [['add', 'X', '--not-before', 'eventually'], /Not a time/],
      [['add', 'X', '--not-before', '2026-02-30T10:00:00Z'], /Not a time/],
      [['add', 'X', '--timeout', '0s'], /longer than nothing/],
      [['add', 'X', '--hours', '99999999999999999999'], /too large to keep/],
      [['init', '--dir', '.workgraph/graph.jsonl'], /is not a folder/],
      [['add', 'X', '--exec-mode', 'wild'], /exec_mode|exec-mode/],
      [['add', 'X', '--id', '../x'], /Not an id/],
      [['list', '--status', 'opne'], /Did you mean open/],
      [['agency', 'show', 'nope'], /KIND must be one of role, tradeoff, agent, not "nope"/],
      [['agency', 'show', 'role'], /ID/],
      [['add', '-'], /standard input, which is not read here[\s\S]*troupe add "\$\(cat\)"/],
      [['--frobnicate'], /no flag/],
      [['service', 'start', '--max-agents', '0'], /max-agents/],
      [['list', '--dir'], /--dir/],
    ];
    for (const [words, wanted] of cases) {
      const { code, stdout, stderr } = await troupe(words, { cwd });
      expect([words, code, stdout]).toEqual([words, 2, '']);
      expect(stderr).toMatch(ERROR);
      expect(stderr, words.join(' ')).toMatch(wanted);
    }
  });

  verifies(
    'graph.task.bounds',
    'foreign text never acts on the terminal, and bounds are refused, not cut',
    async () => {
      const cwd = await project();
      const evil = '\u001b]0;owned\u0007\u001b[2J\u202eevil';
      await asked(['add', evil, '--id', 'evil', '-d', evil, '-t', evil, '--exec', evil], { cwd });
      await asked(['log', 'evil', evil], { cwd });
      for (const words of [
        ['list'],
        ['show', 'evil'],
        ['log', 'evil'],
        ['status'],
        ['ready'],
        [],
        ['show', '\u001b[2Jx'],
        ['\u001b[2J'],
      ]) {
        const { stdout, stderr } = await troupe(words, { cwd });
        expect(stdout + stderr, words.join(' ')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u009b\u202e]/);
      }
      expect((await troupe(['add', 'x'.repeat(301)], { cwd })).stderr).toContain('error[too_large]');
    },
  );
});

describe('the words around them', () => {
  verifies('ui.cli.help', 'each command has a line of purpose, its flags, and two examples that parse', async () => {
    const cwd = await project();
    const entries = ALL_COMMANDS;
    for (const entry of entries) {
      const { code, stdout } = await troupe([...entry.command.split(' '), '--help'], { cwd });
      expect(code).toBe(0);
      // Lines are broken at the width of a page, those for a shell as a shell takes them.
      const whole = stdout.replace(/ \\\n/g, ' ').replace(/\s+/g, ' ');
      expect(whole).toContain(`troupe ${entry.command}: ${entry.summary} troupe ${entry.command}`);
      for (const option of entry.options ?? []) expect(stdout, entry.command).toContain(`--${option.flag}`);
      expect(entry.examples.length).toBeGreaterThanOrEqual(2);
      for (const example of entry.examples) {
        expect(whole).toContain(example);
        expect(example).toMatch(/^troupe [^|;&<>$`]+$/);
      }
    }
    const overview = (await troupe(['help', '--all'], { cwd })).stdout;
    for (const entry of entries) expect(overview).toContain(entry.command);
    expect((await troupe(['help', 'claim'], { cwd })).stdout).toContain('troupe claim: ');
    for (const words of [['service'], ['service', '--help'], ['service', '-h'], ['help', 'service']])
      expect((await troupe(words, { cwd })).stdout, words.join(' ')).toMatch(/service start[\s\S]*service stop/);
  });

  verifies('ui.cli.help', 'the examples of the task commands work when pasted, in order', async () => {
    const cwd = await project();
    mkdirSync(path.join(path.dirname(cwd), 'other'));
    const pasted = [
      'init',
      'add',
      'edit',
      'show',
      'list',
      'ready',
      'claim',
      'unclaim',
      'log',
      'artifact',
      'status',
      'graph picture',
      'done',
      'retry',
      'fail',
      'abandon',
    ];
    const optional = new Set(['wrong_status', 'not_ready']); // the second of two claims, a retry of what has not failed
    for (const command of pasted) {
      const entry = OPERATIONS.find((spec) => spec.command === command);
      for (const example of entry?.examples ?? []) {
        const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '').slice(1);
        const { code, stderr } = await troupe([...words, ...(words.includes('--json') ? [] : ['--json'])], { cwd });
        if (code !== 0) expect([example, optional.has(JSON.parse(stderr).error.code)]).toEqual([example, true]);
      }
    }
  });

  verifies(
    'ui.cli.bare',
    'alone: how to begin outside a project; the three answers, at most 20 lines, inside one',
    async () => {
      const outside = room();
      const begin = await troupe([], { cwd: outside });
      expect(begin.code).toBe(0);
      expect(begin.stdout).toMatch(/troupe trial[\s\S]*troupe init/);
      const cwd = await project();
      for (let number = 0; number < 7; number++) await asked(['add', `Thing ${number}`, '--exec', 'true'], { cwd });
      await asked(['fail', 'thing-1', '--reason', 'it broke'], { cwd });
      expect(await asked([], { cwd })).toMatchObject({ counts: { ready: 6, failed: 1 }, paused: false });
      expect(JSON.parse((await troupe(['--json'], { cwd: outside })).stderr).error.code).toBe('not_initialized');
      const { stdout } = await troupe([], { cwd });
      expect(stdout).toMatch(
        /Needs you[\s\S]*thing-1[\s\S]*Running[\s\S]*Next[\s\S]*and 2 more[\s\S]*Next: `troupe service start`/,
      );
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    },
  );

  verifies('ui.cli.colour', 'colour only where it is wanted', async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    const coloured = async (env: Record<string, string>, ...words: string[]) =>
      (await troupe(['list', ...words], { cwd, env })).stdout.includes('\u001b[');
    expect(await coloured({})).toBe(false);
    expect(await coloured({ FORCE_COLOR: '1' })).toBe(true);
    expect(await coloured({ FORCE_COLOR: '0' })).toBe(false);
    expect(await coloured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await coloured({ FORCE_COLOR: '1', NO_COLOR: '' })).toBe(true);
    expect(await coloured({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
    const onTerminal = async (env: Record<string, string>) => {
      const program: [string, ...string[]] = [
        'script',
        '-qec',
        `'${process.execPath}' '${path.resolve(import.meta.dirname, '../../dist/cli.cjs')}' list`,
        '/dev/null',
      ];
      return (await start([], { cwd, env: { TERM: 'xterm', ...env }, program }).finished).stdout.includes('\u001b[');
    };
    expect(await onTerminal({})).toBe(true);
    expect(await onTerminal({ NO_COLOR: '1' })).toBe(false);
    expect(await onTerminal({ TERM: 'dumb' })).toBe(false);
    expect((await troupe(['list'], { cwd, env: { LANG: 'C' } })).stdout).toContain('[.] ready');
  });

  verifies('ui.cli.quiet', '--quiet prints results only', async () => {
    const cwd = await project();
    const loud = await troupe(['add', 'Alpha', '--after', 'nobody', '--allow-missing'], { cwd });
    expect(loud.stderr).toMatch(/warning:.*nobody/);
    const quiet = await troupe(['add', 'Beta', '--after', 'nobody', '--allow-missing', '--quiet'], { cwd });
    expect(quiet).toMatchObject({ code: 0, stderr: '' });
    expect(quiet.stdout).toContain('beta');
  });

  test('`wg` is the same program, and both find the project from below or by --dir', async () => {
    const cwd = await project();
    const bin = installed();
    const wg = await start(['add', 'Alpha', '--json'], { cwd, program: [path.join(bin, 'wg')] }).finished;
    expect(JSON.parse(wg.stdout)).toMatchObject({ id: 'alpha' });
    mkdirSync(path.join(cwd, 'a/b'), { recursive: true });
    expect(
      (await start(['list'], { cwd: path.join(cwd, 'a/b'), program: [path.join(bin, 'troupe')] }).finished).stdout,
    ).toContain('alpha');
    expect((await troupe(['list', '--dir', cwd], { cwd: '/' })).stdout).toContain('alpha');
    expect((await troupe(['list', `--dir=${cwd}`], { cwd: '/' })).stdout).toContain('alpha');
    expect((await troupe(['list', '--dir', '../project'], { cwd })).stdout).toContain('alpha');
    expect((await troupe(['list'], { cwd: room() })).stderr).toMatch(
      /^error\[not_initialized\].*\nhint: .*troupe init/,
    );
    expect((await troupe(['list', '--dir', 'nowhere'], { cwd })).stderr).toMatch(/There is no folder .*nowhere\./);
    expect((await troupe(['show', ''], { cwd })).stderr).toContain('The id of the task is empty.');
    const { stdout: version } = await troupe(['--version'], { cwd: '/' });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await asked(['--version'], { cwd: '/' })).toEqual({ version: version.trim() });
  });

  test('words after -- are taken as they are', async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    expect((await troupe(['log', 'alpha', '--', '--json'], { cwd })).stdout).toContain('--json');
    expect((await troupe(['add', '--id', 'dashed', '--', '-title-'], { cwd })).stdout).toContain('-title-');
  });

  verifies('ui.cli.error', 'no stack trace, unless it is asked for', async () => {
    const cwd = await project();
    writeFileSync(path.join(cwd, '.workgraph/service/snapshot.json'), '{');
    expect((await troupe(['show', 'x'], { cwd })).stderr).not.toMatch(/\n\s+at /);
    expect((await troupe(['show', 'x'], { cwd, env: { TROUPE_DEBUG: '1' } })).stderr).toMatch(/\n\s+at /);
  });

  test('a reader that goes away early is no error', async () => {
    const cwd = await project();
    for (let number = 0; number < 3; number++)
      await asked(['add', `Thing ${number}`, '-d', 'x'.repeat(100_000)], { cwd });
    const program: [string, ...string[]] = [
      'bash',
      '-c',
      'set -o pipefail; "$0" "$@" | head -c 10',
      process.execPath,
      path.resolve(import.meta.dirname, '../../dist/cli.cjs'),
    ];
    const { code, stderr } = await start(['show', 'thing-0'], { cwd, program }).finished;
    expect([code, stderr]).toEqual([0, '']);
  });
});

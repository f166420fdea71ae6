import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { room } from '../room.js';
import { asked, CLI, endEverything, environment, project, start, textOf, troupe, until } from './program.js';

/** A client that does what the tiny task says, or does not. */
function clientThat(act: string, name = 'claude'): string {
  const folder = room('clients');
  const usage =
    '"usage":{"input_tokens":100,"output_tokens":20,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}';
  const lines = [
    '#!/bin/bash',
    'if [ "$1" = --version ]; then echo 2.1.330; exit 0; fi',
    'cat > "$WG_RUN/prompt-seen"',
    `echo '{"type":"system","subtype":"init","session_id":"11111111-2222-4333-8444-555555555555","model":"x","tools":[],"mcp_servers":[]}'`,
    `echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I am at it."}],${usage}}}'`,
    act,
    '"$TROUPE_BIN" done "$WG_TASK_ID" > "$WG_RUN/said" 2>&1',
    `echo '{"type":"result","subtype":"success","is_error":false,"result":"over","num_turns":1,"total_cost_usd":0.03,${usage},"session_id":"11111111-2222-4333-8444-555555555555"}'`,
  ];
  writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`, { mode: 0o755 });
  return folder;
}

const withClients = (...folders: string[]) => ({
  PATH: [...folders, '/usr/bin', '/bin', path.dirname(process.execPath)].join(':'),
});
const configOf = (cwd: string) => textOf(path.join(cwd, '.workgraph/config.toml'));
const WRITES = 'echo ready > ready.txt';

test('without a client it names each with how to install it, and what works all the same', async () => {
  const cwd = room();
  const { code, stdout } = await troupe(['setup'], { cwd, env: withClients() });
  expect(code).toBe(1);
  for (const one of ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'pi'])
    expect(stdout).toContain(`  ${one}: not installed`);
  expect(stdout).toContain('npm install -g @openai/codex');
  expect(stdout).toContain('`troupe trial`');
  expect(readdirSync(cwd)).toEqual([]);
});

test('where nobody answers it wants flags; with them it writes what it shows, and again proposes what is there', async () => {
  const cwd = room();
  const env = withClients(clientThat(WRITES), clientThat(WRITES, 'codex'));
  const refused = await troupe(['setup'], { cwd, env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('`troupe setup --yes --executor NAME')]);
  const unclear = await troupe(['setup', '--yes'], { cwd, env });
  expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('--executor NAME')]);
  const absent = await troupe(['setup', '--yes', '--client', 'pi'], { cwd, env });
  expect(absent.stderr).toMatch(/executor_missing[\s\S]*earendil-works/);
  expect(readdirSync(cwd)).toEqual([]);

  const words = ['setup', '--yes', '--client', 'codex', '--max-agents', '2', '--budget-usd-per-day', '3'];
  const written = await troupe(words, { cwd, env });
  expect([written.code, written.stdout]).toEqual([0, expect.stringContaining('  budget.usd_per_day = 3')]);
  expect(configOf(cwd)).toContain('executor = "codex"');
  const file = configOf(cwd);
  const again = await asked<{ changes: [] }>(['setup', '--yes', '--executor', 'codex'], { cwd, env });
  expect([again.changes, configOf(cwd)]).toEqual([[], file]);
});

test('a try is a real attempt in a folder of its own, which is gone afterwards', async () => {
  const cwd = room();
  const spare = environment()['TMPDIR'] ?? '';
  const tried = async (act: string) => {
    const finished = await troupe(['setup', '--yes', '--try'], { cwd, env: withClients(clientThat(act)) });
    expect(readdirSync(spare).filter((name) => name.startsWith('troupe-'))).toEqual([]);
    return finished;
  };
  const worked = await tried(WRITES);
  expect([worked.code, worked.stdout]).toEqual([0, expect.stringMatching(/It works: claude[\s\S]*Spent: \$0\.03/)]);
  expect(existsSync(path.join(cwd, 'ready.txt'))).toBe(false);
  const refusal = '"is_error":true,"api_error_status":401,"terminal_reason":"api_error","result":"API Error: 401"';
  const keyless = await tried(`echo '{"type":"result","subtype":"success",${refusal},"total_cost_usd":0}'; exit 1`);
  expect([keyless.code, keyless.stdout]).toEqual([1, expect.stringMatching(/the key is refused[\s\S]*type \/login/)]);
  const failed = await tried('echo never > ready.txt');
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('It did not work')]);
});

test('an executor of the project is not tried in a folder without its file: nothing is written, and what helps is said', async () => {
  const cwd = await project();
  const folder = path.join(cwd, '.workgraph/executors');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'own.toml'), '[executor]\ncommand = "true"\n');
  await asked(['executor', 'trust', 'own'], { cwd, env: withClients() });
  const { code, stderr } = await troupe(['setup', '--yes', '--try'], { cwd, env: withClients() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('`troupe service start --executor own`')]);
  expect(existsSync(path.join(cwd, '.workgraph/config.toml'))).toBe(false);
  const chosen = await troupe(['setup', '--yes'], { cwd, env: withClients() });
  expect([chosen.code, configOf(cwd)]).toEqual([0, expect.stringContaining('executor = "own"')]);
});

/** Types at a terminal, each answer once its question stands there. */
async function typed(
  cwd: string,
  env: Record<string, string>,
  answers: readonly (readonly [question: string, keys: string])[],
) {
  const running = start(['-qefc', `"${process.execPath}" "${CLI}" setup; echo "ended with $?"`, '/dev/null'], {
    cwd,
    program: ['script'],
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
    input: 'pipe',
  });
  onTestFinished(() => void running.child.kill());
  for (const [question, keys] of answers) {
    await until(question, () => running.stdout().includes(question));
    running.child.stdin?.write(keys);
  }
  await until('its end', () => running.stdout().includes('ended with'));
  running.child.stdin?.end();
  return (await running.finished).stdout;
}

test('on a terminal each is asked, a wrong answer again; Ctrl-C leaves everything as it was', async () => {
  const cwd = path.join(room(), 'project');
  mkdirSync(cwd);
  onTestFinished(() => endEverything(cwd));
  const env = withClients(clientThat(WRITES), clientThat(WRITES, 'codex'));
  const stopped = await typed(cwd, env, [
    ['Which client should do the work? [claude]', '2\r'],
    ['at once? [4]', '\u0003'],
  ]);
  expect(stopped).toContain('ended with 130');
  expect(readdirSync(cwd)).toEqual([]);

  const shown = await typed(cwd, env, [
    ['Which client should do the work? [claude]', '2\r'],
    ['at once? [4]', '0\r'],
    ['must be at least 1', ''],
    ['at least 1', '3\r'],
    ['daily budget in US dollars (none: unlimited)? [5]', '\r'],
    ['(when-clean)? [manual]', '\r'],
    ['Write it? [Y/n]', 'y\r'],
    ['tiny task now', '\r'],
  ]);
  expect(shown).toContain('2  codex, 2.1.330, no key or login found');
  expect(shown).toContain('ended with 0');
  expect(configOf(cwd)).toMatch(/executor = "codex"\nmax_agents = 3/);
  await typed(cwd, env, [
    ['Which client should do the work? [codex]', '\r'],
    ['at once? [3]', '\u0003'],
  ]);
  expect(configOf(cwd)).toMatch(/max_agents = 3/);
});

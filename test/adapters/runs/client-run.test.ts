import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { writeLimit } from '#adapters/runs/client-files.js';
import { runClient } from '#adapters/runs/client-run.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));
const USED = { input_tokens: 10, output_tokens: 5 };
const line = (value: object) => `printf '%s\\n' '${JSON.stringify(value)}'`;
const RESULT = line({
  ...{ type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 's-1', num_turns: 1 },
  ...{ usage: USED, total_cost_usd: 0.25 },
});
const SAID = line({ type: 'assistant', message: { id: 'm-1', usage: USED, content: [{ type: 'text', text: 'hi' }] } });

/** What a run is given, with a shell as its client; and what it left. */
function given(script: string, order: object = {}, words: readonly string[] = []) {
  const folder = room('run');
  const work = room('work');
  const at = (name: string) => path.join(folder, name);
  const stored = {
    ...{
      executor: 'claude',
      program: 'bash',
      args: ['--norc', '-c', script],
      folder: work,
      environment: { MINE: '1' },
    },
    ...{ passes: ['PATH', 'KEY', 'GONE'], secrets: ['KEY', 'X_HEADERS', 'GONE'], beatMs: 60_000, capsItself: false },
    ...order,
  };
  writeFileSync(at('run.json'), JSON.stringify(stored));
  writeFileSync(at('sandbox.json'), JSON.stringify({ words }));
  writeFileSync(at('prompt.txt'), 'Do it.\n');
  const output = openSync(at('output.log'), 'a');
  const table = new ProcessTable();
  const asked: unknown[] = [];
  const processes = {
    signalGroup: (group: number, signal: 'SIGTERM' | 'SIGKILL') => {
      asked.push(signal);
      return table.signalGroup(group, signal);
    },
    belongingTo: (mark: { sessions: ReadonlySet<number> }) => {
      asked.push({ ...mark, sessions: mark.sessions.size });
      return [];
    },
  } as unknown as Processes;
  const environment = {
    ...process.env,
    KEY: 'k3y-words',
    X_HEADERS: 'One: Bearer abc-1-and-more\nTwo: plain-2-and-more',
    OTHER: 'o',
  };
  const read = (name: string) => readFileSync(at(name), 'utf8');
  const run = async () => {
    try {
      return await runClient({ folder, environment, processes, output });
    } finally {
      closeSync(output);
    }
  };
  const result = () => JSON.parse(read('result.json'));
  const events = () =>
    read('stream.jsonl')
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => JSON.parse(row));
  return { folder, work, asked, run, read, result, events };
}

test('a client is run where it was told, with what it may know, in its sandbox; nothing is left of it', async () => {
  const before = listeners();
  const script = `cat; pwd; echo "$MINE $KEY [$GONE$OTHER] $BOXED $WG_RUN"; echo "abc-1-and-more plain-2-and-more Bearer" >&2`;
  const { folder, work, run, read, result, asked } = given(script, {}, ['env', 'BOXED=yes']);
  expect(await run()).toBe(true);
  expect(read('output.log').split('\n').sort()).toEqual(
    ['', 'Do it.', work, `1 ******** [] yes ${folder}`, '******** ******** Bearer'].sort(),
  );
  expect(result()).toMatchObject({ outcome: 'succeeded', turns: 0 });
  for (const field of ['signal', 'check', 'trouble', 'resets_at', 'spent']) expect(result()).not.toHaveProperty(field);
  expect(JSON.parse(read('heartbeat.json'))).toMatchObject({ turns: 0 });
  const look = { name: 'WG_RUN', values: new Set([folder]), sessions: 1 };
  expect(asked).toEqual(['SIGKILL', look, 'SIGKILL', look]);
  expect(listeners()).toEqual(before);
  expect(openBelow(folder).filter((file) => !file.endsWith('/stream.jsonl'))).toEqual([]);
});

test('a client that fails is said with its code or its signal, one that does not start with why', async () => {
  for (const [script, more, words] of [
    ['exit 3', {}, /3/],
    ['kill -9 $$', { signal: 'SIGKILL' }, /./],
    ['kill -15 $$', { signal: 'SIGTERM' }, /./],
    ['exit 137', { signal: 'SIGKILL' }, /137/],
    ['exit 138', {}, /138/],
  ] as const) {
    const { run, result } = given(script);
    expect(await run(), script).toBe(false);
    expect(result(), script).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(words), ...more });
    expect('signal' in result(), script).toBe('signal' in more);
  }
  const gone = given('', { program: 'no-such-program', check: 'exit 0' });
  const before = listeners();
  expect(await gone.run()).toBe(false);
  expect(gone.result()).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/^no-such-program could not be started: spawn no-such-program E(NOENT|ACCES)$/),
  });
  expect(gone.read('output.log')).toMatch(
    /^no-such-program could not be started: spawn no-such-program E(NOENT|ACCES)\n$/,
  );
  expect(gone.result()).not.toHaveProperty('check');
  expect(listeners()).toEqual(before);
});

test('the last event of a client is its verdict; what it printed stands in its stream, with prices', async () => {
  const price = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { run, result, events, read } = given(`${SAID}; ${RESULT}`, { stream: 'claude', price });
  expect(await run()).toBe(true);
  expect(result()).toMatchObject({ outcome: 'succeeded', session_id: 's-1', usage: { ...USED, cost_usd: 0.25 } });
  const usage = events().filter(({ type }) => type === 'usage');
  expect(usage.length).toBeGreaterThan(0);
  for (const { usage: used } of usage) expect(used.cost_usd).toEqual(expect.any(Number));
  expect(JSON.parse(read('heartbeat.json')).usage).toBeDefined();
  const late = given(`${RESULT}; exit 4`, { stream: 'claude' });
  expect(await late.run(), 'its own last word counts').toBe(true);
  const error = line({ type: 'result', subtype: 'error_during_execution', is_error: true, session_id: 's-1' });
  for (const [end, words] of [
    ['exit 4', /^Agent exited with code 4: ./],
    ['exit 0', /^(?!Agent exited)./],
    ['kill -9 $$', /^(?!Agent exited)./],
  ] as const) {
    const failed = given(`${error}; ${end}`, { stream: 'claude' });
    expect(await failed.run(), end).toBe(false);
    expect(failed.result().reason, end).toMatch(words);
  }
  const silent = given('exit 4');
  expect(await silent.run()).toBe(false);
  expect(silent.result().reason, 'a code that is all there is to say is said once').toBe('Agent exited with code 4');
  const unpriced = given(`${SAID}; exit 1`, { stream: 'claude' });
  expect(await unpriced.run()).toBe(false);
  expect(unpriced.result().usage).not.toHaveProperty('estimated_usd');
});

test('a client that fails before its first answer may tell its limit on standard error alone', async () => {
  const limit = `echo "You've hit your usage limit. Try again at 3:00 PM." >&2`;
  const told = given(`${limit}; exit 1`);
  expect(await told.run()).toBe(false);
  expect(told.result()).toMatchObject({ trouble: expect.any(String), resets_at: expect.any(String) });
  const fine = given(limit);
  expect(await fine.run()).toBe(true);
  expect(fine.result()).not.toHaveProperty('trouble');
  const worked = given(`${SAID}; ${limit}; exit 1`, { stream: 'claude' });
  await worked.run();
  expect(worked.result()).not.toHaveProperty('trouble');
  const long = given(`${limit}; head -c ${WORK_LIMITS.lastLinesBytes} /dev/zero | tr '\\0' x >&2; exit 1`);
  await long.run();
  expect(long.result()).not.toHaveProperty('trouble');
});

test('where a check was asked for it decides, after a client that succeeded', async () => {
  const check = (script: string, client = 'exit 0') =>
    given(client, { check: script, environment: { MINE: 'own' } }, ['env', 'BOXED=yes']);
  const good = check('echo "$MINE $BOXED"; pwd; seq 9 >&2; sleep 0.05');
  expect(await good.run()).toBe(true);
  const { check: seen, outcome } = good.result();
  expect([outcome, seen.code, seen.ms]).toEqual(['succeeded', 0, expect.any(Number)]);
  expect(good.read('output.log')).toContain(`own yes\n${good.work}\n`);
  expect(seen.last_lines.split('\n')).toHaveLength(WORK_LIMITS.lastLines);
  for (const [script, words] of [
    ['echo bad; exit 4', 'The check of the task ended with 4'],
    ['kill -9 $$', 'The check of the task ended with SIGKILL'],
  ] as const) {
    const bad = check(script);
    expect(await bad.run(), script).toBe(false);
    expect(bad.result(), script).toMatchObject({ outcome: 'failed', reason: words });
    expect(bad.events().at(-1)).toMatchObject({ type: 'error', message: words });
  }
  expect(check('exit 4').result).toThrow();
  const killed = check('kill -9 $$');
  await killed.run();
  expect(killed.result().check).toMatchObject({ code: 128, last_lines: '' });
  const failed = check('echo never', 'exit 5');
  expect(await failed.run()).toBe(false);
  expect(failed.result()).not.toHaveProperty('check');
  expect(failed.read('output.log')).not.toContain('never');
});

test('told to end, a client is told, once, and still has its last word', async () => {
  const { run, result, asked, read } = given(
    'trap "echo ended; exit 6" TERM; echo begun; while :; do sleep 0.01; done',
  );
  const running = run();
  while (!read('output.log').includes('begun')) await new Promise((resolve) => setImmediate(resolve));
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  expect(await running).toBe(false);
  expect(asked.filter((what) => what === 'SIGTERM')).toEqual(['SIGTERM']);
  expect([result().outcome, read('output.log').includes('ended')]).toEqual(['failed', true]);
});

test('one that has used more than it may is ended after a while, unless it was allowed more meanwhile', async () => {
  const client = `trap "exit 7" TERM; ${SAID}; while [ ! -e "$WG_RUN/on" ]; do sleep 0.01; done; exit 9`;
  for (const [more, ends] of [
    [undefined, true],
    [{ tokens: 14 }, true],
    [{ tokens: 15 }, false],
  ] as const) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { run, result, folder, asked } = given(client, { stream: 'claude', limit: { tokens: 14 } });
    const running = run();
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    if (more) writeLimit(folder, more);
    vi.advanceTimersByTime(WORK_LIMITS.topUpWaitMs - 1);
    expect(asked).not.toContain('SIGTERM');
    vi.advanceTimersByTime(1);
    expect(asked.includes('SIGTERM'), JSON.stringify(more)).toBe(ends);
    writeFileSync(path.join(folder, 'on'), '');
    expect(await running).toBe(false);
    if (ends)
      expect(result()).toMatchObject({ spent: true, reason: expect.stringMatching(/^It has used 15 tokens, .*\.$/) });
    else expect(result()).not.toHaveProperty('spent');
    expect(result()).not.toHaveProperty('signal');
  }
  vi.useRealTimers();
  const within = given(`${SAID}; ${RESULT}`, { stream: 'claude', limit: { tokens: 15, usd: 0.25 } });
  expect(await within.run()).toBe(true);
});

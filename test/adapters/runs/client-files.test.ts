import { closeSync, openSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClientResult,
  HeartbeatFile,
  heartbeatLine,
  readLimit,
  readOrder,
  readResult,
  readSandbox,
  readSession,
  resultLine,
  writeLimit,
  writeOrder,
  writeSandbox,
} from '#adapters/runs/client-files.js';
import { ClientRecord } from '#adapters/runs/client-record.js';
import type { ExecutorEvent } from '#core/runs/event.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';

const USAGE = { input_tokens: 5, output_tokens: 4, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };

function place() {
  const folder = room('client');
  const file = (name: string) => path.join(folder, name);
  const write = (name: string, value: unknown) =>
    writeFileSync(file(name), typeof value === 'string' ? value : JSON.stringify(value));
  const read = (name: string) => readFileSync(file(name), 'utf8');
  return { folder, file, write, read };
}

function ordered(more: object = {}) {
  const own = place();
  const client = { request: { sessionId: 's-1', prompt: 'Do it' }, check: 'make', ...more };
  const here = {
    invocation: { program: 'claude', args: ['-p'], folder: '/project', environment: {}, capsItself: true },
    ...{ prompt: 'Do it', files: [{ path: 'sub/settings.json', content: '{}' }], resumes: true },
    passed: { API_KEY: 'k', KEY_FILE: 'f', HTTP_HEADERS: 'h', HOME_DIR: 'd', MODEL: 'm' },
  };
  const decided = { id: 'agent-1', executor: 'claude', environment: { IN_X: 'x' }, client } as never;
  const placed = { id: 'agent-1', environment: { IN_X: 'x' }, client: { ...client, here } } as never;
  writeOrder(own.folder, { decided, placed }, { runProgram: "/opt/it's/run.cjs", beatMs: 7 });
  return { ...own, decided };
}

test('an order says what the run program needs, and which values it must not write', () => {
  const { folder, file, read, decided } = ordered();
  const order = readOrder(folder);
  const { passes, ...rest } = order;
  expect(rest).toEqual({
    ...{ program: 'claude', args: ['-p'], folder: '/project', environment: {}, capsItself: true },
    ...{ secrets: ['WG_RUN_TOKEN', 'API_KEY', 'HTTP_HEADERS'], beatMs: 7, check: 'make' },
  });
  expect(passes).toEqual(
    expect.arrayContaining(['PATH', 'WG_TASK_ID', 'TROUPE_PORT_BASE', 'IN_X', 'KEY_FILE', 'MODEL']),
  );
  expect(passes.filter((name) => name === 'API_KEY')).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(['plan.json', 'prompt.txt', 'run.json', 'run.sh', 'settings.json']);
  expect(JSON.parse(read('plan.json')), 'as it was decided').toEqual(decided);
  expect([read('prompt.txt'), read('settings.json')]).toEqual(['Do it', '{}']);
  expect(read('run.sh')).toMatch(
    /^#!.*\nunset CLAUDECODE .*\nWG_RUN=.*\nexport WG_RUN\nprogram='\/opt\/it'\\''s\/run.cjs'\nexec .*\n$/,
  );
  const modes = ['plan.json', 'prompt.txt', 'run.json', 'settings.json', 'run.sh'].map(
    (name) => statSync(file(name)).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600, 0o700]);
  expect(readOrder(ordered({ check: undefined }).folder).check).toBeUndefined();
});

test('what holds no order, no words of a sandbox, or is too large is not gone by', () => {
  const { folder, write } = place();
  expect(() => readOrder(folder)).toThrow('holds no run of a client');
  const sound = { program: 'p', folder: '/', args: [], passes: [], secrets: [] };
  write('run.json', sound);
  expect(readOrder(folder)).toEqual(sound);
  for (const odd of [{ program: 7 }, { folder: 7 }, { args: 'x' }, { passes: 'x' }, { secrets: 'x' }]) {
    write('run.json', { ...sound, ...odd });
    expect(() => readOrder(folder), JSON.stringify(odd)).toThrow('holds no run of a client');
  }
  write('run.json', JSON.stringify(sound).padEnd(WORK_LIMITS.runFileBytes + 1));
  expect(() => readOrder(folder)).toThrow('holds no run of a client');
  expect(() => readSandbox(folder)).toThrow('holds no words of a sandbox');
  writeSandbox(folder, ['bwrap', '--']);
  expect(readSandbox(folder)).toEqual(['bwrap', '--']);
  expect(() => writeSandbox(folder, [])).toThrow('EEXIST');
  write('sandbox.json', { words: ['a', 7] });
  expect(() => readSandbox(folder)).toThrow('holds no words of a sandbox');
});

test('what a run may use is what was allowed last', () => {
  const { folder, file, write } = place();
  expect(readLimit(folder)).toBeUndefined();
  writeLimit(folder, { usd: 1.5, tokens: 7 });
  writeLimit(folder, { usd: 2.5 });
  expect(readLimit(folder)).toEqual({ usd: 2.5 });
  expect(statSync(file('limit.json')).mode & 0o777).toBe(0o600);
  write('limit.json', { usd: -1, tokens: 'many' });
  expect(readLimit(folder)).toEqual({});
});

test('a pulse and a last word are read as they were written', () => {
  const { folder, file, write } = place();
  const heartbeat = new HeartbeatFile(folder);
  expect([heartbeat.read(), readResult(folder)]).toEqual([undefined, undefined]);
  const beat = {
    at: 1_000,
    progressAt: 900,
    turns: 2,
    toolCalls: 3,
    usage: { ...USAGE, cost_usd: 0.5, estimated_usd: 0.4 },
  };
  const at = (seconds: number) => utimesSync(file('heartbeat.json'), seconds, seconds);
  write('heartbeat.json', heartbeatLine(beat));
  at(1);
  expect(heartbeat.read()).toEqual(beat);
  write('heartbeat.json', heartbeatLine({ at: 2_000, turns: 0, toolCalls: 0 }));
  at(1);
  expect(heartbeat.read(), 'the same file as before').toEqual(beat);
  at(2);
  expect(heartbeat.read()).toEqual({ at: 2_000, turns: 0, toolCalls: 0 });
  write('heartbeat.json', { at: 'soon', turns: 9 });
  at(3);
  expect(heartbeat.read()).toEqual({ at: 2_000, turns: 0, toolCalls: 0 });
  const result: ClientResult = {
    ...{ outcome: 'failed', reason: 'no', usage: USAGE, sessionId: 's-1', turns: 2, toolCalls: 1, trouble: 'limited' },
    ...{ resetsAt: 5_000, spent: true, signal: 'SIGTERM', check: { code: 1, ms: 20, lastLines: 'x' } },
    ...{ lastWords: 'I tried', cumulative: { ...USAGE, cost_usd: 1 } },
  };
  write('result.json', resultLine(result));
  expect(readResult(folder)).toEqual(result);
  write('result.json', resultLine({ outcome: 'succeeded', reason: '' }));
  expect(readResult(folder)).toEqual({
    ...{ outcome: 'succeeded', reason: '', turns: 0, toolCalls: 0 },
    usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  });
});

test('figures of a last word that are none are left out, and no outcome is no word', () => {
  const { folder, write } = place();
  write('result.json', { outcome: 'maybe' });
  expect(readResult(folder)).toBeUndefined();
  const odd = {
    ...{
      outcome: 'failed',
      reason: 7,
      session_id: 7,
      turns: -1,
      tool_calls: 'x',
      usage: [],
      trouble: 'sad',
      spent: 'yes',
    },
    ...{ resets_at: 'soon', signal: 9, cumulative: null, last_words: 7, check: { code: 1 } },
  };
  write('result.json', odd);
  expect(readResult(folder)).toEqual({ outcome: 'failed', reason: '' });
  const long = 'x'.repeat(2 * Math.max(TEAM_LIMITS.executorReasonCharacters, WORK_LIMITS.lastLinesBytes));
  write('result.json', {
    outcome: 'failed',
    reason: long,
    check: { code: 0, ms: 0, last_lines: `${long}!` },
    usage: { input_tokens: -1 },
  });
  const read = readResult(folder);
  expect(read?.reason).toHaveLength(TEAM_LIMITS.executorReasonCharacters);
  expect(read?.check?.lastLines).toBe(`${long}!`.slice(-WORK_LIMITS.lastLinesBytes));
  expect(read?.usage).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  });
});

test('the session of a run is that of its last word, else the one it was started with', () => {
  const own = ordered();
  expect(readSession(place().folder)).toBeUndefined();
  const common = { executor: 'claude', folder: '/project' };
  expect(readSession(own.folder)).toEqual({ id: 's-1', ...common, progressed: false });
  own.write('heartbeat.json', heartbeatLine({ at: 1, turns: 1, toolCalls: 0, usage: USAGE }));
  expect(readSession(own.folder)).toEqual({ id: 's-1', ...common, progressed: true, before: USAGE });
  const again = ordered({ before: USAGE });
  expect(readSession(again.folder)).toEqual({ id: 's-1', ...common, progressed: false, before: USAGE });
  again.write('heartbeat.json', heartbeatLine({ at: 1, turns: 1, toolCalls: 0, usage: USAGE }));
  expect(readSession(again.folder)?.before?.input_tokens).toBe(10);
  const cumulative = { ...USAGE, input_tokens: 9 };
  again.write('result.json', resultLine({ outcome: 'failed', reason: '', sessionId: 's-2', turns: 0, cumulative }));
  expect(readSession(again.folder)).toEqual({ id: 's-2', ...common, progressed: false, before: cumulative });
  again.write('result.json', { outcome: 'failed', session_id: '--help' });
  expect(readSession(again.folder)).toBeUndefined();
});

test('a run leaves its output, events, pulse and last word without secrets', () => {
  const { folder, file, read } = place();
  const output = openSync(file('output.log'), 'a');
  const record = new ClientRecord(folder, output, ['hush-hush-value'], 3_600_000);
  expect(JSON.parse(read('heartbeat.json'))).toMatchObject({ turns: 0, tool_calls: 0 });
  const events: ExecutorEvent[] = [
    { type: 'progress', turn: 2 },
    { type: 'tool', name: 'Bash', state: 'started' },
    { type: 'tool', name: 'Bash', state: 'succeeded' },
    { type: 'usage', usage: USAGE },
    { type: 'text', text: ' I said hush-hush-value ' },
    { type: 'progress', turn: 1 },
  ];
  record.events(events.slice(0, 1));
  expect(JSON.parse(read('heartbeat.json'))).toMatchObject({ turns: 2, progress_at: expect.any(String) });
  record.events(events.slice(1));
  record.print('out hush-hush', 'out');
  record.print('err', 'err');
  record.print('-value more', 'out');
  record.end({ outcome: 'failed', reason: 'hush-hush-value', check: { code: 1, ms: 2, lastLines: 'hush-hush-value' } });
  closeSync(output);
  expect(JSON.parse(read('heartbeat.json'))).toMatchObject({ turns: 2, tool_calls: 1, usage: USAGE });
  const lines = read('stream.jsonl').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(events.map(({ type }) => type));
  expect(read('output.log')).toMatch(/more/);
  for (const name of readdirSync(folder)) expect(read(name), name).not.toContain('hush-hush-value');
  const result = readResult(folder);
  expect(result).toMatchObject({ outcome: 'failed', check: { code: 1, ms: 2 } });
  expect(result?.lastWords).toMatch(/^I said \*+$/);
  expect(statSync(file('stream.jsonl')).mode & 0o777).toBe(0o600);
});

test('a pulse is written at the first sign of work, soon after more of it, and each time its turn comes, until the end', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { folder, file, read } = place();
  const output = openSync(file('output.log'), 'a');
  const record = new ClientRecord(folder, output, [], 60_000);
  const seen = () => {
    const { at, progress_at: progressAt, ...beat } = JSON.parse(read('heartbeat.json'));
    return [Date.parse(at) - 1_000_000, progressAt && Date.parse(progressAt) - 1_000_000, beat.turns, beat.tool_calls];
  };
  expect(seen()).toEqual([0, undefined, 0, 0]);
  vi.advanceTimersByTime(10);
  record.events([{ type: 'usage', usage: USAGE }]);
  expect(seen(), 'what is counted is no sign of work').toEqual([0, undefined, 0, 0]);
  record.events([{ type: 'progress', turn: 1 }]);
  expect(seen()).toEqual([10, 10, 1, 0]);
  vi.advanceTimersByTime(10);
  record.events([{ type: 'tool', name: 'Bash', state: 'started' }]);
  record.events([{ type: 'progress', turn: 3 }]);
  record.events([]);
  expect(seen(), 'not at each sign').toEqual([10, 10, 1, 0]);
  vi.advanceTimersByTime(WORK_LIMITS.progressWriteMs - 11);
  expect(seen()).toEqual([10, 10, 1, 0]);
  vi.advanceTimersByTime(1);
  expect(seen()).toEqual([10 + WORK_LIMITS.progressWriteMs, 20, 3, 1]);
  vi.advanceTimersByTime(WORK_LIMITS.progressWriteMs);
  expect(vi.getTimerCount(), 'the pulse alone').toBe(1);
  record.events([{ type: 'progress', turn: 4 }]);
  expect(seen(), 'at once when the last is long ago').toEqual([
    ...[10 + 2 * WORK_LIMITS.progressWriteMs, 10 + 2 * WORK_LIMITS.progressWriteMs, 4, 1],
  ]);
  vi.advanceTimersByTime(60_000 - 10 - 2 * WORK_LIMITS.progressWriteMs);
  expect(seen()[0]).toBe(60_000);
  record.events([{ type: 'progress', turn: 5 }]);
  expect(vi.getTimerCount()).toBe(2);
  vi.advanceTimersByTime(5);
  record.end({ outcome: 'succeeded', reason: '' });
  expect([seen(), vi.getTimerCount()]).toEqual([[60_005, 60_000, 5, 1], 0]);
  closeSync(output);
  expect(readResult(folder)?.lastWords, 'nothing was said').toBeUndefined();
});

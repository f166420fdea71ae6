import { expect, test } from 'vitest';
import { taskOf } from '#core/graph/task-of.js';
import { formatDuration } from '#kernel/duration.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { agentRow, agents, kill, orphans, spawnRequest, spawnRun, stallReason } from '#operations/runs/agents.js';
import { lastLineOf, readableOutput, runOutput } from '#operations/runs/run-output.js';
import { graphOf } from '../../core/graph/graph.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';

const AT = Date.parse('2026-03-01T10:00:00Z');
const row = (id: string, status = 'working', more: object = {}) => ({
  ...{ id, task_id: 'a', executor: 'shell', status, started_at: '2026-03-01T09:59:00.000Z' },
  ...more,
});

function stage(listed: object[], live?: object[]) {
  const calls: unknown[] = [];
  const { context, add, set } = world();
  const runs = {
    ...NO_RUNS,
    listed: async () => listed as never,
    end: async (run: string, force: boolean) => {
      calls.push(['end', run, force]);
      return run !== 'agent-9';
    },
  };
  const coordinator = {
    agents: () => live ?? [],
    kill: (run: unknown) => {
      calls.push(['kill', run]);
      return { run: 'agent-7', task: 'a' };
    },
    spawn: async (request: unknown) => {
      calls.push(['spawn', request]);
      return { agent_id: 'agent-8' };
    },
  };
  const own = {
    ...context,
    runs: async () => runs,
    ...(live === undefined ? {} : { coordinator: () => coordinator as never }),
  };
  return { calls, context: own, add, set };
}
const RUN = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as const;

test('runs at work, or all of them, in the order of their numbers, as the coordinator knows them', async () => {
  const listed = [row('agent-10'), row('agent-9', 'done'), row('agent-2', 'stopping'), row('agent-1', 'starting')];
  const of = async (input: object, live?: object[]) =>
    (await agents.run(stage(listed, live).context, input)).agents.map(({ id, status }) => `${id} ${status}`);
  expect(await of({})).toEqual(['agent-1 starting', 'agent-2 stopping', 'agent-10 working']);
  expect(await of({ all: true })).toEqual(['agent-1 starting', 'agent-2 stopping', 'agent-9 done', 'agent-10 working']);
  expect(await of({ all: false }, [row('agent-1', 'working')])).toContain('agent-1 working');
  expect(agentRow(row('agent-1', 'working', { pid: 7, last_heartbeat: 't' }) as never, AT)).toEqual({
    ...row('agent-1'),
    ...{ pid: 7, last_heartbeat: 't', uptime: 60 },
  });
  expect(agentRow(row('agent-1') as never, 0)).toMatchObject({ pid: null, last_heartbeat: null, uptime: 0 });
});

test('a run is told to end by the coordinator, else by its folder', async () => {
  const listed = [row('agent-3', 'working', { pid: 33 }), row('agent-9')];
  const alone = stage(listed);
  expect(await kill.run(alone.context, { run: 'agent-3' })).toEqual({ run: 'agent-3', task: 'a', signal: 'TERM' });
  expect(await kill.run(alone.context, { run: '33', force: true })).toMatchObject({
    run: 'agent-3',
    signal: 'TERM, then KILL',
  });
  expect(alone.calls).toEqual([
    ['end', 'agent-3', false],
    ['end', 'agent-3', true],
  ]);
  for (const run of ['agent-4', '34', 'agent-9'])
    await expect(kill.run(alone.context, { run }), run).rejects.toMatchObject({
      code: 'not_found',
      hint: 'Run `troupe agents`.',
    });
  const unborn = stage([row('agent-5', 'starting'), row('agent-6', 'working', { pid: 66 })]);
  await expect(
    kill.run(unborn.context, { run: 'nobody' }),
    'no name is the missing number of a process',
  ).rejects.toThrow();
  expect(unborn.calls).toEqual([]);
  const led = stage(listed, []);
  expect(await kill.run(led.context, { run: '33' })).toEqual({ run: 'agent-7', task: 'a', signal: 'TERM' });
  await kill.run(led.context, { run: 'agent-3', force: true });
  expect(led.calls).toEqual([
    ['kill', 33],
    ['kill', 'agent-3'],
    ['end', 'agent-7', true],
  ]);
  await expect(kill.run({ ...alone.context, caller: RUN }, { run: 'agent-3' })).rejects.toMatchObject({
    code: 'not_yours',
  });
});

test('a run is begun by the coordinator there is, as it was wished', async () => {
  const led = stage([], []);
  expect(await spawnRun.run(led.context, { id: 'a', timeout: '5m' })).toEqual({ agent_id: 'agent-8', pid: null });
  expect(led.calls).toEqual([['spawn', { task: 'a', timeoutMs: 300_000 }]]);
  expect(spawnRequest({ task_id: 'a', executor: 'claude', model: 'opus' })).toEqual({
    task: 'a',
    executor: 'claude',
    model: 'opus',
  });
  await expect(spawnRun.run(stage([]).context, { id: 'a' })).rejects.toMatchObject({ code: 'service_not_running' });
  await expect(spawnRun.run({ ...led.context, caller: RUN }, { id: 'a' })).rejects.toMatchObject({ code: 'not_yours' });
  expect(() => spawnRequest({ task_id: 'a', timeout: 'soon' })).toThrow();
});

test('tasks in progress that nobody is at, each with the reason', async () => {
  const { context, add } = stage([]);
  await add('held', { status: 'in-progress', assigned: 'agent-3' });
  await add('open');
  await add('nobody', { status: 'in-progress' });
  expect(await orphans.run(context, {})).toEqual({
    orphans: [
      { id: 'held', title: 'held', holder: 'agent-3', reason: 'agent-3 is not running' },
      { id: 'nobody', title: 'nobody', holder: '', reason: 'no one holds it' },
    ],
  });
  const why = async (fields: object, state = 'gone') =>
    await stallReason(
      taskOf(graphOf({ id: 'a', status: 'in-progress', ...fields }), 'a'),
      { ...NO_RUNS, state: async () => state as never },
      AT,
    );
  expect([await why({ assigned: 'agent-3' }, 'ended'), await why({ assigned: 'agent-3' }, 'at-work')]).toEqual([
    undefined,
    undefined,
  ]);
  const ago = (ms: number) => new Date(AT - ms).toISOString();
  const lease = WORK_LIMITS.personLeaseMs;
  expect(await why({ assigned: 'ann' })).toBeUndefined();
  expect(await why({ assigned: 'ann', started_at: ago(lease) })).toBeUndefined();
  expect(await why({ assigned: 'ann', started_at: ago(lease + 1_000) })).toBe(
    `ann has shown no sign of life for ${formatDuration(lease + 1_000)}`,
  );
  const log = [{ timestamp: ago(1), message: 'x' }];
  expect(await why({ assigned: 'ann', started_at: ago(2 * lease), log })).toBeUndefined();
  const logged = [
    { timestamp: ago(1), message: 'x' },
    { timestamp: ago(2 * lease), message: 'y' },
  ];
  const latest = { assigned: 'ann', started_at: ago(3 * lease), log: logged };
  expect(await why(latest), 'the last line counts').toMatch(/^ann/);
  const epoch = { assigned: 'ann', started_at: '1970-01-01T00:00:00.000Z' };
  expect(await why(epoch), 'no moment at all').toBeUndefined();
  expect(await why({ assigned: 'ann', started_at: 'odd', log: [{ timestamp: ago(2 * lease), message: 'x' }] })).toMatch(
    /^ann/,
  );
});

test('what a run shows: what its client did in words, else what was printed', async () => {
  const said = (text: string) => JSON.stringify({ type: 'text', text });
  const runs = (parts: { events?: string; output?: string }, state = 'gone') => ({
    ...NO_RUNS,
    state: async () => state as never,
    part: async (_: string, of: 'events' | 'output', { from = 0, most }: { from?: number; most: number }) => {
      const text = parts[of];
      const read = text?.slice(from).slice(-most);
      return read === undefined || text === undefined
        ? undefined
        : { text: read, next: text.length, size: text.length };
    },
  });
  const shown = (parts: object, more: object = {}, state?: string) =>
    runOutput(runs(parts, state), 'agent-1', { most: 20, ...more });
  const events = `${said('Hello')}\n`;
  const size = events.length;
  expect(await shown({ events, output: 'raw' })).toEqual({
    form: 'words',
    text: expect.stringContaining('Hello'),
    next: size,
    size,
    cut: false,
  });
  expect(await shown({ events, output: 'raw' }, { form: 'raw' })).toEqual({
    form: 'raw',
    text: 'raw',
    next: 3,
    size: 3,
    cut: false,
  });
  expect(await shown({ output: 'x'.repeat(30) })).toMatchObject({
    form: 'raw',
    text: 'x'.repeat(20),
    size: 30,
    cut: true,
  });
  expect(await shown({ output: 'x'.repeat(30) }, { from: 25 })).toMatchObject({ text: 'xxxxx', cut: false });
  expect(await shown({ events: '', output: 'raw' })).toMatchObject({ form: 'raw' });
  expect(await shown({ events: '', output: 'raw' }, {}, 'at-work')).toMatchObject({ form: 'words', text: '' });
  expect(await shown({ events: '', output: 'raw' }, { form: 'words' })).toMatchObject({ form: 'words', text: '' });
  expect([await shown({}), lastLineOf('a\n b \n \n'), lastLineOf('')]).toEqual([undefined, 'b', '']);
  const exact = await shown({ output: 'x'.repeat(20) });
  expect([exact?.text.length, exact?.cut]).toEqual([20, false]);
  const window = WORK_LIMITS.outputEventBytes;
  const filled = (size: number) => `${said('x'.repeat(size - said('').length - 1))}\n`;
  expect((await shown({ events: filled(window) }, { form: 'words' }))?.cut).toBe(false);
  expect((await shown({ events: filled(window + 1) }, { form: 'words' }))?.cut).toBe(true);
  const later = await shown({ events: filled(window + 1) }, { form: 'words', from: 0 });
  expect(later?.cut, 'what came since is not cut').toBe(false);
  expect(await shown({ output: 'raw' }, { form: 'words' }), 'it has no words').toMatchObject({
    form: 'raw',
    text: 'raw',
  });
  const lines = `${said('one')}\n${said('two')}\n${said('three')}\n`;
  const end = async (most: number) => (await shown({ events: lines }, { most }))?.text;
  expect([await end(13), await end(12), await end(9), await end(8), await end(5), await end(3)]).toEqual([
    ...['one\ntwo\nthree', 'two\nthree', 'two\nthree', 'three', 'three', 'ree'],
  ]);
  const ended = `${said('one long line\n')}\n`;
  expect((await shown({ events: ended }, { most: 5 }))?.text, 'a line end is no line').toBe('line\n');
  const long = `${said('first line')}\n${said('second')}\n`;
  expect((await shown({ events: long }, { most: 12 }))?.text).not.toContain('first');
});

test('what a program printed is readable: colours, titles and redrawn lines are gone, nothing acts', () => {
  expect(readableOutput('\u001b[31mred\u001b[0m\r\nbar 1%\rbar 2%\nend\r')).toBe('red\nbar 2%\nend');
  expect(readableOutput('\u001b]0;title\u0007a\u001bPx\u001b\\b\u001bMc')).toBe('abc');
  expect(readableOutput('a\u0008b')).not.toContain('\u0008');
});

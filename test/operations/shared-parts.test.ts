import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import type { GraphView } from '#core/graph/view.js';
import { ALWAYS_ESCALATE, USUAL_ESCALATION } from '#core/mail/gates.js';
import { guardedFingerprint, settingsFrom, withoutGuarded } from '#core/settings/settings.js';
import { CAST_TEAM } from '#core/squad/team-rows.js';
import { TroupeError } from '#kernel/errors.js';
import { RUN_TOKEN_PREFIX } from '#kernel/run-token.js';
import { callOperation, refuseBeyondRights } from '#operations/call.js';
import { authenticateRun, callAsRun, maskedTokens } from '#operations/calls-of-runs.js';
import { committedIn } from '#operations/change-mark.js';
import type { CallContext } from '#operations/contexts.js';
import { isForPeopleOnly } from '#operations/declaration.js';
import { argument, option, rowOf } from '#operations/fields.js';
import { followUntil } from '#operations/follow-until.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { compareWithLog, graphOfLog } from '#operations/graph-of-log.js';
import { keepOutput, refuseForeignPlace } from '#operations/keep-output.js';
import { agentNamed, loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { specOf } from '#operations/named.js';
import { type Context, operation } from '#operations/operation.js';
import { asksForFile, type OperationSpec } from '#operations/operation-spec.js';
import { plainLetters } from '#operations/plain-letters.js';
import { projectEscalation } from '#operations/project-escalation.js';
import { refuseLeaks } from '#operations/refuse-leaks.js';
import { requestOf, withInput } from '#operations/request-of.js';
import {
  checkedDuration,
  commitMove,
  earliest,
  moveOptions,
  moverOf,
  personForces,
  unknownPolicy,
} from '#operations/shapes.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { teamsProblem } from '#operations/teams-fault.js';
import { asTyped } from '#surfaces/cli/as-typed.js';
import { contextOf } from '../context-of.js';
import { agent, role, tradeoff } from '../core/agency/people.js';
import { graphOf } from '../core/graph/graph.js';
import { world } from '../e2e/world.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { NO_RUNS } from '../no-runs.js';
import { NO_TREE } from '../no-teams.js';
import { verifies } from '../verifies.js';

const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') };
const by = { name: 'ann' };
const RUN = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as const;
const PERSON = { kind: 'person', name: 'ann' } as const;
const refusal = async (work: () => unknown) =>
  await (async () => work())().then(
    () => 'accepted',
    (error) => (error instanceof TroupeError ? `${error.code}: ${error.message} ${error.hint ?? ''}`.trim() : error),
  );

async function storeWith(...ids: string[]): Promise<GraphInMemory> {
  const store = new GraphInMemory(clock);
  for (const id of ids)
    await store.commit((view) => addTask(view, { id, title: id }, { now: clock.now(), actor: 'ann' }));
  return store;
}

const failing = (code: 'not_initialized' | 'data_corrupt') => async (): Promise<never> => {
  throw new TroupeError(code);
};

test('where there is no graph there is none; any other trouble with it is told', async () => {
  const store = await storeWith();
  expect(await graphIfAny({ graph: async () => store })).toBe(store);
  expect(await graphIfAny({ graph: failing('not_initialized') })).toBeUndefined();
  await expect(graphIfAny({ graph: failing('data_corrupt') })).rejects.toMatchObject({ code: 'data_corrupt' });
  const odd = new Error('odd');
  await expect(graphIfAny({ graph: () => Promise.reject(odd) })).rejects.toBe(odd);
});

test('what is waited for is looked at now, after each entry, and a last time', async () => {
  const store = await storeWith('a');
  expect(await followUntil(store, async () => true, 60_000)).toBe(true);
  const isDone = async () => (await store.view()).task('b') !== undefined;
  const waiting = followUntil(store, isDone, 60_000);
  await store.commit((view) => addTask(view, { id: 'b', title: 'b' }, { now: clock.now(), actor: 'ann' }));
  expect(await waiting).toBe(true);
  expect(await followUntil(store, async () => false, 1)).toBe(false);
  let looks = 0;
  expect(await followUntil(store, async () => ++looks === 2, 1), 'the last look').toBe(true);
});

test('what is waited for is told by the first entry after the look, and nothing is left of the wait', async () => {
  const store = await storeWith('a');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: [from: number, signal: AbortSignal][] = [];
  let looks = 0;
  const watched = {
    view: () => store.view(),
    async *follow(from: number, signal: AbortSignal) {
      asked.push([from, signal]);
      yield* ['first', 'second'];
      throw new Error('it went on');
    },
  } as unknown as GraphInMemory;
  expect(await followUntil(watched, async () => ++looks === 3, 60_000)).toBe(true);
  expect(looks, 'each entry is looked at').toBe(3);
  expect(asked.map(([from, { aborted }]) => [from, aborted])).toEqual([[2, true]]);
  expect(await followUntil(watched, async () => true, 60_000), 'nothing is followed').toBe(true);
  expect(asked).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
  const ending = { ...watched, follow: () => [] } as unknown as GraphInMemory;
  const answers = async (...each: boolean[]) => await followUntil(ending, async () => each.shift() === true, 60_000);
  expect([await answers(false, true), await answers(false, false)], 'the graph is closed').toEqual([true, false]);
});

test('the graph is made again from its log, from the first entry that is there', async () => {
  const store = await storeWith('a', 'b');
  await store.commit((view) => claimTask(view, 'a', { now: clock.now(), by }));
  expect(await compareWithLog(store)).toEqual({ same: true, seq: 3, from: 1, differences: [] });
  const { state, from } = await graphOfLog(store, 2);
  expect([from, state.task('a')?.status, state.task('b')?.status]).toEqual([1, 'open', 'open']);
  expect((await graphOfLog(new GraphInMemory(clock), 0)).from).toBe(1);
  const asked: number[] = [];
  const cutTo = (first: number) => {
    asked.length = 0;
    return {
      view: (at?: number) => {
        if (at !== undefined) asked.push(at);
        return store.view(at);
      },
      entries: () => store.entries(first),
    } as unknown as GraphInMemory;
  };
  for (const [first, before] of [
    [3, [2]],
    [2, [1]],
    [1, []],
  ] as const) {
    expect(await compareWithLog(cutTo(first))).toEqual({ same: first === 1, seq: 3, from: first, differences: [] });
    expect(asked).toEqual([...before, 3]);
  }
  const other = {
    view: async () => graphOf({ id: 'z' }),
    entries: () => store.entries(1, 0),
  } as unknown as GraphInMemory;
  expect(await compareWithLog(other)).toMatchObject({ same: false, from: 1, differences: [{ id: 'z' }] });
});

test('the agency is read with what the log has of its changes', async () => {
  const store = await storeWith('a');
  await store.commit(() => ({ events: [{ op: 'evolve', detail: { change: 'c-1' }, patch: [] }], result: undefined }));
  const committed = committedIn({ graph: async () => store });
  expect([await committed('c-1', 0), await committed('c-1', 1), await committed('c-1', 2)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await committed('c-2', 0)).toBe(false);
  expect(await committedIn({ graph: failing('not_initialized') })('c-2', 0)).toBe(true);
  const records = [role('Builder'), tradeoff('Careful'), agent('Pro')];
  const { context } = world();
  for (const record of records) expect(record.id).toMatch(/^[0-9a-f]{64}$/);
  expect((await loadAgency(context)).all('agent')).toEqual([]);
  expect(await refusal(() => agentNamed(context, 'Pro'))).toMatch(/^not_found: /);
});

test('when a person decides is as the project says; what cannot be read is decided by a person', async () => {
  const escalation = async (project: () => Promise<unknown>) =>
    await projectEscalation({
      projectFolder: '/project',
      rosterConfig: async () => ({ ...NO_TREE, project: project as never }),
    });
  expect(await escalation(async () => ({ escalation: { plan: 'never' } }))).toEqual({
    plan: 'never',
    review: 'when_unsure',
  });
  const refused = (code: 'config_not_found' | 'bad_config') => () => Promise.reject(new TroupeError(code));
  expect(await escalation(refused('config_not_found'))).toEqual(USUAL_ESCALATION);
  expect(await escalation(refused('bad_config'))).toEqual(ALWAYS_ESCALATE);
  const odd = new Error('odd');
  await expect(escalation(() => Promise.reject(odd))).rejects.toBe(odd);
});

test('what holds a secret does not leave, and is named, at most five places', async () => {
  const leaving = async (...leaks: { name: string; kind: string }[]) => {
    const inspector = async () => ({ leaks: async () => leaks }) as never;
    return await refuseLeaks({ inspector }, []).then(
      () => undefined,
      ({ code, why, details }) => ({ code, why, details }),
    );
  };
  const leak = (name: string) => ({ name, kind: 'token' });
  expect(await leaving()).toBeUndefined();
  expect(await leaving(leak('a'), leak('b'), leak('a'))).toEqual({
    ...{ code: 'secret_in_export', why: 'a (token), b (token)', details: { places: ['a (token)', 'b (token)'] } },
  });
  expect((await leaving(...'abcde'.split('').map(leak)))?.why).not.toContain('more');
  expect((await leaving(...'abcdefg'.split('').map(leak)))?.why).toBe(
    'a (token), b (token), c (token), d (token), e (token) and 2 more',
  );
  const long = (await leaving(leak(`\u001b${'x'.repeat(200)}`)))?.why ?? '';
  expect([long.length, long.includes('\u001b')]).toEqual([80 + ' (token)'.length, false]);
});

test('a request is known by its id and what it asks, in whatever order that is written', () => {
  const freshId = () => 'fresh';
  expect(requestOf({ request: {}, freshId })).toEqual({ requestId: 'fresh', input: '' });
  expect(requestOf({ request: { requestId: 'r', input: 'i' }, freshId }, 'two')).toEqual({
    requestId: 'r:two',
    input: 'i',
  });
  const { context } = world();
  expect(withInput(context, 'task.add', {})).toBe(context);
  const request = { requestId: 'r', input: 'before', more: 1 };
  expect(withInput({ ...context, request } as never, 'task.add', {})).toEqual({
    ...context,
    request: { ...request, input: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  const input = (operation: string, value: unknown) =>
    withInput({ ...context, request: { requestId: 'r' } }, operation, value).request;
  expect(input('task.add', { b: [1, { d: 1, c: 2 }], a: 1 })).toEqual(
    input('task.add', { a: 1, b: [1, { c: 2, d: 1 }] }),
  );
  expect(input('task.add', { a: 1 })).not.toEqual(input('task.edit', { a: 1 }));
  expect(input('task.add', { a: [1, 2] })).not.toEqual(input('task.add', { a: [2, 1] }));
});

test('a file goes where whoever asks may write: a run below its own places, a person anywhere', async () => {
  const asked: unknown[] = [];
  const outputs = async () =>
    ({
      write: async (...args: unknown[]) => {
        asked.push(['write', ...args]);
        return '/abs';
      },
      refuse: async (...args: unknown[]) => asked.push(['refuse', ...args]),
    }) as never;
  const runs = async () => ({ ...NO_RUNS, places: async (run: string) => [`/runs/${run}`] });
  const person = contextOf({ caller: PERSON, runs, outputs });
  expect(await keepOutput(person, 'a.txt', 'A', {})).toBe('/abs');
  await keepOutput(person, 'a.txt', 'A', { force: true });
  await keepOutput({ ...person, caller: RUN }, 'a.txt', 'A', { force: true });
  await refuseForeignPlace({ ...person, caller: RUN }, 'b.txt');
  await refuseForeignPlace(person, 'b.txt');
  expect(asked).toEqual([
    ['write', 'a.txt', 'A', { replace: false, within: undefined }],
    ['write', 'a.txt', 'A', { replace: true, within: undefined }],
    ['write', 'a.txt', 'A', { replace: true, within: ['/runs/agent-1'] }],
    ['refuse', 'b.txt', ['/runs/agent-1']],
    ['refuse', 'b.txt', undefined],
  ]);
  const identity = async () => ({ taskId: 'a', fence: 1, tokenHash: 'other' }) as never;
  const stranger = contextOf({ caller: RUN, runs: async () => ({ ...NO_RUNS, identity }), outputs });
  expect([
    await refusal(() => keepOutput(stranger, 'a.txt', 'A', {})),
    await refusal(() => refuseForeignPlace(stranger, 'b.txt')),
  ]).toEqual([expect.stringMatching(/^bad_run_token/), expect.stringMatching(/^bad_run_token/)]);
  expect(asked).toHaveLength(5);
});

test('a run is believed by its token, its task and its attempt; at its own door, or without a token of old, as it says', async () => {
  const hash = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
  const known = (identity: object | undefined) => ({ ...NO_RUNS, identity: async () => identity as never });
  const asks = async (more: object, identity: object | undefined = { taskId: 'a', fence: 1, tokenHash: hash }) =>
    await refusal(() => authenticateRun(known(identity), { ...RUN, ...more }));
  expect(await asks({ token: 'foo' })).toBe('accepted');
  expect(await asks({ token: 'bar' })).toMatch(/^bad_run_token: The caller is not agent-1/);
  expect(await asks({})).toMatch(/^bad_run_token/);
  expect(await asks({ token: 'foo', taskId: 'b' })).toMatch(/^bad_run_token/);
  expect(await asks({ token: 'foo', fence: 2 })).toMatch(/^bad_run_token/);
  expect(await asks({ token: 'foo', fence: 0 })).toBe('accepted');
  expect(await asks({ token: 'bar', atItsDoor: true })).toBe('accepted');
  expect(await asks({}, { taskId: 'a', fence: 1 })).toBe('accepted');
  expect(await asks({}, undefined)).toMatch(/^bad_run_token|accepted/);
});

test('a run changes its own task and those it made; what comes too late is kept', async () => {
  const store = await storeWith('a', 'b');
  await store.commit((view) => addTask(view, { id: 'made', title: 'x' }, { now: clock.now(), actor: 'agent-1' }));
  const kept: unknown[] = [];
  const runs = async () => ({ ...NO_RUNS, keepRefused: async (...args: unknown[]) => void kept.push(args) });
  const context = { ...world().context, clock, graph: async () => store, runs };
  const call = (checked: unknown, more: object = {}, then: () => Promise<string> = async () => 'done') =>
    refusal(async () => {
      const spec = { name: 'task.edit', forRuns: 'own' as const };
      return await callAsRun({ spec, context, caller: RUN, masked: { m: 1 }, checked, ...more }, then);
    });
  const others = { spec: { name: 'task.edit', forRuns: 'any' as const } };
  const trial = { caller: { ...RUN, taskId: '.trial-a' } };
  expect([await call({ id: 'a' }), await call({ id: 'made' }), await call({ id: 'gone' })]).toEqual(
    Array.from({ length: 3 }, () => 'accepted'),
  );
  expect(await call({ id: 'b' })).toMatch(/^not_yours: b is not the task of agent-1\./);
  expect(await call({ id: 'b' }, others)).toBe('accepted');
  expect(await call({ id: 'b' }, { ...others, ...trial })).toMatch(/^not_yours: agent-1 is a trial/);
  for (const words of ['words', null])
    expect(await call(words, { ...others, ...trial })).toMatch(/^not_yours: agent-1 is a trial/);
  expect(await call({ id: '.trial-a' }, trial)).toBe('accepted');
  expect(kept).toEqual([]);
  expect(await call({ id: 'a' }, {}, failing('data_corrupt'))).toMatch(/^data_corrupt/);
  expect(kept).toEqual([]);
  const late = async (): Promise<never> => {
    throw new TroupeError('stale_attempt', { what: 'late' });
  };
  expect(await call({ id: 'a' }, {}, late)).toMatch(/^stale_attempt/);
  expect(kept).toEqual([
    ['agent-1', { at: '2026-03-01T10:00:00.000Z', operation: 'task.edit', fence: 1, input: { m: 1 } }],
  ]);
});

test('tokens are masked wherever they stand in what a run says', () => {
  const token = `${RUN_TOKEN_PREFIX}${'a'.repeat(32)}`;
  const masked = maskedTokens({ a: token, b: [token, { c: `x ${token} y` }], d: 7, e: null });
  expect(JSON.stringify(masked)).not.toContain('aaaa');
  expect(masked).toMatchObject({ d: 7, e: null, b: [expect.any(String), { c: expect.stringMatching(/^x .* y$/) }] });
});

const echo = operation({
  ...{ name: 'echo.it', command: 'echo', group: 'Tasks', kind: 'write', forRuns: 'any', summary: '', examples: [] },
  input: z.strictObject({
    id: argument('', z.string(), { names: 'task' }),
    team: option('', z.optional(z.string()), { flag: 'in-team' }),
    many: z.optional(z.array(z.string())),
  }),
  output: z.unknown(),
  run: async (context: CallContext, input) => ({ input, request: context.request.input }),
});
const ECHO = { ...rowOf(echo as never), load: async () => echo } as unknown as OperationSpec<unknown, unknown, unknown>;

verifies(
  'one.parse',
  'an input is parsed where it is executed, and named as typed by the command line alone',
  async () => {
    const { context } = world();
    const asked = { ...context, request: { requestId: 'r' } };
    expect(await callOperation(ECHO, asked, { id: 'a' })).toEqual({ input: { id: 'a' }, request: expect.any(String) });
    expect(await callOperation({ ...ECHO, kind: 'read' }, asked, { id: 'a' })).toMatchObject({ request: undefined });
    const error = await callOperation(ECHO, context, { id: 'a', team: 8, many: ['x', 7] }).catch(
      (thrown: TroupeError) => thrown,
    );
    expect(error).toMatchObject({ code: 'bad_input', message: expect.stringMatching(/^team must be text/) });
    expect(error).toHaveProperty('hint', 'Run `troupe echo --help`.');
    expect(error).toHaveProperty('details.field', 'team');
    expect(asTyped(error as TroupeError, ECHO)).toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(/^--in-team must be text/),
      details: { field: 'team' },
    });
    expect(error).toMatchObject({ details: { field: 'team', issues: [{ field: 'team' }, { field: 'many.1' }] } });
    const missing = await callOperation(ECHO, context, {}).catch((thrown: TroupeError) => thrown);
    expect(missing).toMatchObject({ message: 'id is missing.' });
    expect(asTyped(missing as TroupeError, ECHO)).toMatchObject({ message: 'ID is missing.' });
    const other = new TroupeError('bad_input', { what: 'Words.', details: { field: 'team' } });
    expect(asTyped(other, ECHO)).toBe(other);
    for (const [said, message, field] of [
      [null, /^The input must be an object/, ''],
      [undefined, /^The input is missing/, ''],
      ['words', /^The input must be an object/, ''],
      [{ id: 'a', many: ['x', 7] }, /^many\.1 must be text/, 'many.1'],
      [{ id: 'a', ['f'.repeat(130)]: 1 }, /^f{20,}.* is an unknown field/, 'f'.repeat(130)],
    ] as const) {
      const refusal = (await callOperation(ECHO, context, said).catch((thrown) => thrown)) as TroupeError;
      expect(refusal, JSON.stringify(said)).toMatchObject({
        code: 'bad_input',
        message: expect.stringMatching(message),
      });
      expect(refusal.details).toMatchObject({ field, issues: [{ field: field.slice(0, 120) }] });
    }
  },
);

test('a run is asked who it is before it changes something, not where it reads; its token goes no further', async () => {
  const asked: string[] = [];
  const identity = async (run: string) => {
    asked.push(run);
    return { taskId: 'a', fence: 1, tokenHash: 'other' } as never;
  };
  const runs = async () => ({ ...NO_RUNS, identity });
  const token = `${RUN_TOKEN_PREFIX}${'a'.repeat(32)}`;
  const context = { ...world().context, caller: { ...RUN, token }, runs };
  const call = (spec: object) =>
    callOperation({ ...ECHO, ...spec } as typeof ECHO, context, { id: `a ${token}` }).catch(({ code }) => code);
  expect(await call({ kind: 'read' })).toEqual({
    input: { id: expect.not.stringContaining(token) },
    request: undefined,
  });
  expect(asked).toEqual([]);
  expect([await call({}), await call({ forRuns: 'own' })]).toEqual(['bad_run_token', 'bad_run_token']);
  expect(asked).toEqual(['agent-1', 'agent-1']);
  expect(await call({ forRuns: undefined })).toBe('not_yours');
  expect(asked).toHaveLength(2);
});

test('the hint of a refusal names the one task, run or team that was named', async () => {
  const { context } = world();
  const hinted = async (hint: string, input: object, spec: object = {}) => {
    const thrown = new TroupeError('wrong_status', { what: 'No.', why: 'Because.', hint, details: { a: 1 } });
    const run = () => Promise.reject(thrown);
    const load = async () => ({ ...echo, input: z.looseObject({}), run });
    const error = await callOperation({ ...ECHO, ...spec, load } as never, context, input).catch(
      (one: TroupeError) => one,
    );
    expect(error).toMatchObject({ code: 'wrong_status', message: 'No.', why: 'Because.', details: { a: 1 } });
    return [(error as TroupeError).hint, error === thrown];
  };
  expect(await hinted('Run `troupe show ID`.', { id: 'a b' })).toEqual(["Run `troupe show 'a b'`.", false]);
  expect(await hinted('Run `troupe show ID`.', {})).toEqual(['Run `troupe show ID`.', true]);
  expect(await hinted('Run `troupe team show TEAM`.', { team: 'crew' })).toEqual([
    'Run `troupe team show crew`.',
    false,
  ]);
  expect(await hinted('Run `troupe kill RUN`.', { run: 'agent-1', id: 'a' })).toEqual([
    'Run `troupe kill agent-1`.',
    false,
  ]);
  expect(await hinted('Run `troupe assign ID AGENT`.', { id: 'a' })).toEqual(['Run `troupe assign a AGENT`.', false]);
  const rest = ['Run `troupe playbook status ID`.', 'Run `troupe show NAME`.'];
  for (const hint of rest) expect(await hinted(hint, { id: 'a', name: 'b' })).toEqual([hint, true]);
  const without = { arguments: undefined };
  expect(await hinted('Run `troupe show ID`.', { id: 'a' }, without)).toEqual(['Run `troupe show ID`.', true]);
  const besides = { arguments: [{ field: 'name', summary: '' }, ...(ECHO.arguments ?? [])] };
  expect(await hinted('Run `troupe show ID`.', { id: 'a', name: 'b' }, besides)).toEqual([
    'Run `troupe show a`.',
    false,
  ]);
  const two = { arguments: [...(ECHO.arguments ?? []), { field: 'other', summary: '', names: 'task' }] };
  expect(await hinted('Run `troupe show ID`.', { id: 'a', other: 'b' }, two)).toEqual(['Run `troupe show ID`.', true]);
});

test('a run changes nothing that no row opens to it', async () => {
  const act = { command: 'trust', kind: 'write' } as const;
  expect([
    isForPeopleOnly(act),
    isForPeopleOnly({ ...act, kind: 'read' }),
    isForPeopleOnly({ ...act, forRuns: 'any' }),
  ]).toEqual([...[true, false, false]]);
  expect(await refusal(() => refuseBeyondRights(act, RUN))).toBe(
    'not_yours: A run may not use `troupe trust`: only a person may. Log in your task why it is needed.',
  );
  expect(await refusal(() => refuseBeyondRights(act, PERSON))).toBe('accepted');
  expect(await refusal(() => refuseBeyondRights({ ...act, forRuns: 'own' }, RUN))).toBe('accepted');
  const spec = {
    options: [{ field: 'to', writes: true }, { field: 'x' }],
    arguments: [{ field: 'folder', writes: true }],
  };
  const asks = (input: unknown) => asksForFile(spec as never, input);
  expect([asks({ to: 1 }), asks({ folder: 1 }), asks({ x: 1 }), asks('to'), asks(null)]).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(asksForFile({} as never, { to: 1 })).toBe(false);
});

test('an operation is found by its name, also one without a command', async () => {
  for (const spec of [...OPERATIONS, ...UNLISTED]) expect(specOf(spec.name)).toBe(spec);
  expect(await refusal(() => specOf('x'.repeat(90)))).toContain(`"${'x'.repeat(60)}".`);
  expect(() => specOf('nothing')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('troupe --help --all') }),
  );
});

test('whoever moves a task, and how', async () => {
  const { context } = world();
  const as = (caller: Context['caller']) => ({ ...context, caller });
  expect(moverOf(as(RUN), 'bo')).toEqual({ name: 'agent-1', fence: 1, taskId: 'a' });
  expect([moverOf(as(PERSON)), moverOf(as(PERSON), 'ann'), moverOf(as(PERSON), 'bo')]).toEqual([
    { name: 'ann' },
    { name: 'ann' },
    { name: 'bo', account: 'ann' },
  ]);
  expect(moveOptions(as(PERSON), { reason: 'why' })).toEqual({ now: clock.now(), by: { name: 'ann' }, reason: 'why' });
  expect([personForces(as(PERSON), true), personForces(as(PERSON), undefined), personForces(as(RUN), false)]).toEqual([
    ...[true, false, false],
  ]);
  expect(await refusal(() => personForces(as(RUN), true))).toMatch(/^not_yours: A run may not use --force\./);
  expect([unknownPolicy({}), unknownPolicy({ allow_missing: true })]).toEqual(['refuse', 'warn']);
  expect([checkedDuration(undefined), checkedDuration('5m')]).toEqual([undefined, '5m']);
  expect(await refusal(() => checkedDuration('soon'))).not.toBe('accepted');
  expect(earliest(context, undefined, undefined)).toBeUndefined();
  expect(earliest(context, undefined, '5m')).toBe('2026-03-01T10:05:00.000Z');
  expect(earliest(context, '2026-04-01T00:00:00Z', undefined)).toBe('2026-04-01T00:00:00.000Z');
  expect(await refusal(() => earliest(context, '2026-04-01T00:00:00Z', '5m'))).toMatch(/^usage/);
});

test('titles of other scripts are written in Latin letters, those of our own stay', async () => {
  expect([await plainLetters('Größe 2'), await plainLetters('Café 2')]).toEqual([
    expect.stringMatching(/^Grosse\s+2$/),
    'Café 2',
  ]);
  expect(await plainLetters('Привет мир')).toMatch(/^Privet\s+mir$/);
  expect(await plainLetters('設計 x')).toMatch(/[a-z]+/i);
  expect(await plainLetters('!')).toBe('!');
});

test('trouble with what is kept of teams is told with what helps', async () => {
  const trouble = async (fault: unknown, tasks: Parameters<typeof graphOf> = [], labels: string[] = []) =>
    await teamsProblem(
      { teams: async () => ({ fault: async () => fault, labels: async () => labels.map((id) => ({ id })) }) as never },
      graphOf(...tasks),
      { thoroughly: true },
    );
  expect(await trouble({ text: 'Broken.', copy: '2026-03-01' })).toEqual({
    ...{ text: 'Broken. There is a copy of 2026-03-01.', command: 'troupe doctor --repair', repairable: true },
  });
  expect(await trouble({ text: 'Broken.', copy: null })).toEqual({
    ...{ text: 'Broken.', command: 'troupe doctor', repairable: false },
  });
  expect(await trouble(undefined)).toBeUndefined();
  const work = (id: string, team: string, status: 'open' | 'done' = 'open') => ({ id, team, status });
  expect(await trouble(undefined, [work('a', 't1'), work('b', CAST_TEAM), { id: 'c' }], ['t1'])).toBeUndefined();
  const unread = (view: GraphView) =>
    teamsProblem({ teams: async () => ({ fault: async () => undefined }) as never }, view, { thoroughly: true });
  for (const none of [work('a', 't1', 'done'), { id: 'a' }, work('a', CAST_TEAM)])
    expect(await unread(graphOf(none)), 'no team is looked for').toBeUndefined();
  // A line of the store that has the word somewhere may have the field.
  const line = { id: 'a', status: 'open', after: [], mayHave: () => true } as const;
  expect(await unread(Object.assign(graphOf({ id: 'a' }), { outlines: () => [line] }))).toBeUndefined();
  expect(await trouble(undefined, [work('a', 't1')])).toMatchObject({ text: expect.stringMatching(/such as a:/) });
  expect(await trouble(undefined, [work('a', 't1'), work('b', 't2'), work('c', 't2')], ['t1'])).toEqual({
    ...{ command: 'troupe doctor', repairable: false },
    text: 'teams.db has nothing of 1 team whose tasks are unfinished, such as b: it was removed, or is on another machine.',
  });
});

test('a move is answered with the task as it is now, how it stands, and the events it made', async () => {
  const store = await storeWith('a');
  const context = { ...world().context, clock, graph: async () => store };
  const added = await commitMove(context, (view) =>
    addTask(view, { id: 'b', title: 'b', after: ['a'] }, { now: clock.now(), actor: 'ann' }),
  );
  expect(added).toMatchObject({
    ...{ id: 'b', seq: 2, task: { id: 'b', status: 'open' }, ready: false, reasons: ['waits for a'] },
    events: [{ seq: 2, op: 'add_task', task_id: 'b' }],
  });
  const claimed = await commitMove(context, (view) => claimTask(view, 'a', { now: clock.now(), by }));
  expect(claimed).toMatchObject({ id: 'a', seq: 3, task: { status: 'in-progress' }, changed: true });
  expect(claimed).not.toHaveProperty('ready');
  const none = await commitMove(context, () => ({ events: [{ op: 'evolve', patch: [] }], result: { id: 'gone' } }));
  expect(none).toEqual({ id: 'gone', seq: 4, events: [{ seq: 4, op: 'evolve' }] });
});

test('an operation that commits twice does so under a request for each step', async () => {
  const store = await storeWith();
  const asked: unknown[] = [];
  const graph = async () =>
    ({
      view: () => store.view(),
      commit: async (decide: never, request: unknown) => {
        asked.push(request);
        return await store.commit(decide);
      },
    }) as unknown as GraphInMemory;
  const nothing = () => ({ events: [], result: { id: 'a' } });
  for (const request of [{}, { requestId: 'r', input: 'i' }])
    for (const step of [undefined, 'two']) await commitMove({ ...world().context, graph, request }, nothing, step);
  expect(asked).toEqual([{}, {}, { requestId: 'r', input: 'i' }, { requestId: 'r:two', input: 'i' }]);
});

test('what a file says of secrets and messages counts when exactly that was agreed to', async () => {
  const content = { notify: { smtp: { host: 'mail.example' } }, coordinator: { max_agents: 3 }, nonsense: 1 };
  const settled = settingsFrom(content);
  const agreed = guardedFingerprint(settled.settings);
  const load = async (file: Readonly<Record<string, unknown>>, trusted: unknown) =>
    await loadSettings({
      settings: async () => ({ read: async () => file }) as never,
      trust: async () => ({ read: async () => trusted }) as never,
    });
  expect(await load(content, { settings: agreed })).toEqual(settled);
  expect(await load({ coordinator: { max_agents: 3 } }, undefined)).toEqual(
    settingsFrom({ coordinator: { max_agents: 3 } }),
  );
  for (const trusted of [undefined, {}, { settings: 'another' }])
    expect(await load(content, trusted)).toEqual({
      ...settled,
      settings: withoutGuarded(settled.settings),
      warnings: [...settled.warnings, expect.stringContaining('run `troupe trust`')],
    });
  expect(settled.warnings).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { builtInExecutor } from '#core/runs/executor-table.js';
import { passedFrom } from '#core/runs/variables.js';
import { settingsFrom } from '#core/settings/settings.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { ModelClients, type ServiceClientOptions } from '#operations/coordinator/model-clients.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import type { Context } from '#operations/operation.js';
import { clientCompletion } from '#operations/runs/client-completion.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../no-clients.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

type File = Record<string, unknown>;
const coded = (code: string) => expect.objectContaining({ code });

/** Clients as the settings of a file say, on a machine that has these programs. */
async function stage(file: File | Error = {}, programs: readonly string[] = ['claude'], wishes?: ServiceClientOptions) {
  const own = world();
  const said = { file };
  const removed: unknown[] = [];
  const variables: unknown[] = [];
  const absentWorktrees = own.context.trees;
  const [trust, squad] = [await own.context.trust(), await own.context.squad()];
  const context: Context = {
    ...own.context,
    freshId: () => 'fresh-0123',
    prices: async () => ({
      ...{ asOf: '', source: '', clients: new Map(), aliases: new Map() },
      models: new Map([['m', { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }]]),
    }),
    trust: async () => ({ ...trust, read: async () => ({ at: '', commands: 0, sha256: '' }) }),
    squad: async () => ({ ...squad, texts: async () => new Map(), member: async () => undefined }) as never,
    settings: async () => ({
      name: 'config.toml',
      read: async () => {
        if (said.file instanceof Error) throw said.file;
        return said.file;
      },
      set: async () => ({ kept: true }),
    }),
    clientPrograms: async () => ({
      ...NO_CLIENTS,
      find: async (name: string) => (programs.includes(name) ? `/bin/${name}` : undefined),
      variables: (passes) => {
        variables.push(passes);
        return { KEY: 'k' };
      },
    }),
    ...bothPorts(
      async () =>
        new Proxy(await absentWorktrees(), {
          get: (target, name) => {
            if (name === 'remove') return async (key: unknown) => removed.push(key);
            const value = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    ),
  };
  const clients = new ModelClients({
    workers: NO_WORKERS,
    context,
    ...(wishes === undefined ? {} : { wishes }),
  });
  return { ...own, context, clients, said, removed, variables };
}
const coordinator = (more: File): File => ({ coordinator: more });

test('wishes come before settings, settings before what is usual', async () => {
  const { clients, said } = await stage(coordinator({ executor: 'codex', model: 'm' }));
  expect(clients.inForce()).toEqual({ executor: 'claude', model: undefined });
  expect(await clients.current()).toMatchObject({
    executor: 'codex',
    settings: { coordinator: { executor: 'codex' } },
  });
  expect(clients.inForce()).toEqual({ executor: 'codex', model: 'm' });
  await clients.configure({ model: 'other' });
  expect(clients.inForce()).toEqual({ executor: 'codex', model: 'other' });
  await clients.configure({ executor: 'gemini' });
  expect(clients.inForce()).toEqual({ executor: 'gemini', model: 'other' });
  await expect(clients.configure({ executor: 'nobody' })).rejects.toThrow(coded('unknown_executor'));
  expect(clients.inForce().executor).toBe('gemini');
  said.file = coordinator({ executor: 'qwen' });
  expect(await clients.areOutdated()).toBe(true);
  expect((await clients.current()).settings.coordinator.executor, 'until somebody reloads').toBe('codex');
  await clients.reload();
  expect([await clients.areOutdated(), (await clients.current()).settings.coordinator.executor]).toEqual([
    false,
    'qwen',
  ]);
  expect((await stage({}, [], { executor: 'pi', model: 'p' })).clients.inForce()).toEqual({
    executor: 'pi',
    model: 'p',
  });
});

test('settings that cannot be read say nothing new; what is no fault of theirs is told', async () => {
  const { clients, said } = await stage();
  await clients.reload();
  said.file = coordinator({ max_agents: 'many' });
  expect(await clients.areOutdated()).toBe(false);
  await expect(clients.reload()).rejects.toThrow(coded('bad_config'));
  const odd = new Error('odd');
  said.file = odd;
  await expect(clients.areOutdated()).rejects.toBe(odd);
});

test('what clients there are is looked at every few seconds, and anew after a change', async () => {
  const { clients, context } = await stage(
    coordinator({ fallback: ['codex', 'gemini', 'shell'], agent_timeout: '9m' }),
    [...['claude', 'codex']],
  );
  let now = 1_000_000;
  Object.assign(context, { clock: { now: () => now } });
  const { terms, standIns, lostStandIns, executor, missing, ...rest } = await clients.facts();
  const { settings } = settingsFrom({});
  expect([executor, missing, standIns]).toEqual(['claude', undefined, ['codex']]);
  expect(lostStandIns).toEqual([
    expect.stringMatching(/^gemini cannot take over: (?!it runs commands)./),
    'shell cannot take over: it runs commands only.',
  ]);
  expect(terms).toEqual({
    ...{ idleMs: expect.any(Number), timeoutMs: 9 * 60_000 },
    checkpointTurns: settings.checkpoint.auto_interval_turns,
    checkpointMs: settings.checkpoint.auto_interval_mins * 60_000,
  });
  expect(rest).toEqual({
    ...{ compaction: settings.agency.compaction, autoTriage: settings.agency.auto_triage },
    allowance: await clients.allowance(),
    notHere: new Set(),
    worksHere: true,
  });
  const first = await clients.facts();
  now += WORK_LIMITS.clientLookMs - 1;
  expect(await clients.facts()).toBe(first);
  now += 1;
  const second = await clients.facts();
  expect(second).not.toBe(first);
  await clients.configure({ executor: 'codex' });
  expect((await clients.facts()).executor).toBe('codex');
  const third = await clients.facts();
  await clients.reload();
  expect(await clients.facts()).not.toBe(third);
  const found: string[] = [];
  const later = (await stage({}, found)).clients;
  expect((await later.facts()).missing).toEqual({ text: expect.any(String), command: 'troupe executor list' });
  found.push('claude');
  expect((await later.facts()).missing, 'within the same seconds').not.toBeUndefined();
  later.lookAgain();
  const usable = await later.facts();
  expect(usable.missing, 'a person has told').toBeUndefined();
  later.lookAgain();
  expect(await later.facts(), 'a client that can start is not looked for again').toBe(usable);
  const { clients: some } = await stage({}, ['claude', 'codex']);
  expect([...(await some.usableAmong(['codex', 'gemini', 'codex', 'shell', 'claude', 'nobody']))]).toEqual([
    ...['codex', 'claude'],
  ]);
});

test('caps under which no client could begin are refused by their name', async () => {
  const usd = WORK_LIMITS.reserveUsdLeast;
  const tokens = WORK_LIMITS.reserveTokensLeast;
  const refusal = async (budget: File, wishes: ServiceClientOptions = {}, executor = 'claude') => {
    const { clients } = await stage({ budget, coordinator: { executor } }, ['claude'], wishes);
    return await clients.refuseUselessCaps().then(
      () => 'fine',
      ({ code, message }) => `${code}: ${message}`,
    );
  };
  for (const [budget, wishes, name] of [
    [{}, { budgetUsd: usd / 2 }, '--budget-usd'],
    [{}, { budgetTokens: tokens - 1 }, '--budget-tokens'],
    [{ usd_per_day: usd / 2 }, {}, 'budget.usd_per_day'],
    [{ usd_total: usd / 2 }, {}, 'budget.usd_total'],
    [{ usd_per_task: usd / 2 }, {}, 'budget.usd_per_task'],
    [{ tokens_per_day: tokens - 1 }, {}, 'budget.tokens_per_day'],
  ] as const) {
    expect(await refusal(budget, wishes), name).toMatch(new RegExp(`^budget_spent: ${name} is `));
    expect(await refusal(budget, wishes, 'shell'), name).toBe('fine');
  }
  const enough = { usd_per_day: usd, usd_total: usd, usd_per_task: usd, tokens_per_day: tokens };
  expect(await refusal(enough, { budgetUsd: usd, budgetTokens: tokens })).toBe('fine');
  expect(await refusal({})).toBe('fine');
});

/** Values of the person's variables at this machine. */
const VALUES = { ANTHROPIC_API_KEY: 'sk-ant-not-to-be-seen', MINE: 'mine-not-to-be-seen' };

verifies(
  'run.plan',
  'the plan of a client has no place of a machine and no value: each machine adds its own',
  async () => {
    const { clients, context, store, add } = await stage({ clients: { claude: { own_hooks: false } } });
    const programs = await context.clientPrograms();
    context.clientPrograms = async () => ({
      ...programs,
      variables: (passes) => passedFrom(passes, VALUES),
      ownParts: async () => ({ hooks: ['Stop'], plugins: [], servers: [] }),
    });
    await add('a', { description: 'Do it.' });
    const attempt = { task: 'a', fence: 1, run: 'agent-1', executor: 'claude' };
    const { client } = await clients.prepare(await store.view(), attempt, new AbortController().signal);
    const travelled: typeof client = JSON.parse(JSON.stringify(client));
    for (const own of ['/project', '/bin/claude', '--mcp-config', 'ANTHROPIC', 'not-to-be-seen', 'Stop'])
      expect(JSON.stringify(client), own).not.toContain(own);
    const machine = (projectFolder: string) =>
      clientCompletion(
        { ...context, projectFolder },
        {
          tools: { command: '/opt/node', args: ['troupe', 'mcp', '--dir', projectFolder] },
          own: { read: async () => ({ allowUnsafe: false, passEnv: ['MINE'], person: undefined }) },
          settings: async () => (await clients.current()).settings,
        },
      );
    const at = (top: string) =>
      machine(top).complete('claude', travelled, { folder: `${top}/tree`, runFolder: `${top}/run` });
    const here = await at('/project');
    expect(here).toMatchObject({
      invocation: { program: '/bin/claude', folder: '/project/tree', stream: 'claude', capsItself: true },
      ...{ prompt: client.request.prompt, passed: VALUES, resumes: false },
    });
    expect(here.invocation.args.join(' ')).toContain(client.request.sessionId);
    const elsewhere = await at('/srv/other');
    expect(JSON.stringify(elsewhere)).not.toContain('/project');
    expect(elsewhere.invocation.folder).toBe('/srv/other/tree');
    expect(JSON.parse(JSON.stringify(elsewhere).replaceAll('/srv/other', '/project'))).toEqual(
      JSON.parse(JSON.stringify(here)),
    );
  },
);

test('a run of a client has its words, its prompt, what it may know, and the session it goes on with', async () => {
  const own = await stage(coordinator({ model: 'm' }));
  const { clients, context, store, add } = own;
  await add('a', { description: 'Do it.', verify_cmd: 'make check' });
  const { signal } = new AbortController();
  const attempt = { task: 'a', fence: 1, run: 'agent-1', executor: 'claude' };
  const view = await store.view();
  const { client, tree } = await clients.prepare(view, attempt, signal);
  expect(tree).toBeUndefined();
  expect(client).toMatchObject({
    request: {
      ...{ taskId: 'a', runId: 'agent-1', mode: 'full', model: 'm', sessionId: expect.any(String), resume: false },
      prompt: expect.stringContaining('Do it.'),
    },
    ...{ price: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, check: 'make check', mail: 'none' },
  });
  for (const field of ['limit', 'before', 'strategy', 'roleParts']) expect(client).not.toHaveProperty(field);
  const before = {
    input_tokens: 1,
    output_tokens: 1,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cost_usd: 0.5,
  };
  const session = { id: 'session-12345678', executor: 'claude', folder: '/project', progressed: true, before };
  Object.assign(context, { runs: async () => ({ ...NO_RUNS, session: async () => session }) });
  await add('b', { last_run: { run: 'agent-0', iteration: 0 } });
  const grant = { limit: { usd: 2 } } as never;
  const later = { ...attempt, task: 'b', grant, model: 'unknown' };
  const { client: goesOn } = await clients.prepare(await store.view(), later, signal);
  expect(goesOn.request).toMatchObject({ sessionId: 'session-12345678', resume: true, budgetUsd: 2.5 });
  expect(goesOn).toMatchObject({ limit: { usd: 2 }, before });
  expect(goesOn).not.toHaveProperty('price');
  expect(goesOn).not.toHaveProperty('check');
  const { before: _, ...cheap } = session;
  Object.assign(context, { runs: async () => ({ ...NO_RUNS, session: async () => cheap }) });
  const { client: withoutCost } = await clients.prepare(await store.view(), later, signal);
  expect(withoutCost.request.budgetUsd).toBe(2);
  expect(withoutCost).not.toHaveProperty('before');
  const tokens = { ...later, grant: { limit: { tokens: 9 } } as never };
  const { client: byTokens } = await clients.prepare(await store.view(), tokens, signal);
  expect(byTokens).toMatchObject({ limit: { tokens: 9 }, request: { budgetUsd: undefined } });
  await expect(clients.prepare(view, { ...attempt, executor: 'codex' }, signal)).rejects.toThrow();
  const ends = async (more: File) => {
    const { clients: others, store: graph, add: put } = await stage(coordinator(more));
    await put('a');
    return (await others.prepare(await graph.view(), attempt, signal)).client.silentEnd;
  };
  expect([await ends({ silent_end: 'ask' }), await ends({ silent_end: 'done' })]).toEqual([
    ...[builtInExecutor('claude')?.silentEnd, 'done'],
  ]);
});

test('of an attempt that nobody claimed its own worktree goes, and no earlier one', async () => {
  const { clients, removed } = await stage();
  const tree = { attempt: 2 } as never;
  await clients.leave({ task: 'a', fence: 3 }, tree);
  expect(removed).toEqual([]);
  await clients.leave({ task: 'a', fence: 2 }, tree);
  expect(removed).toEqual([{ task: 'a', attempt: 2 }]);
});

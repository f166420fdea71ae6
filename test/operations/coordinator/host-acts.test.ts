import { expect, test } from 'vitest';
import { NO_SESSIONS } from '#core/coordinator/sessions.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { checkpointsHost, keepCheckpoint } from '#operations/coordinator/auto-checkpoint.js';
import { decisionRows, decisionText, tickRows } from '#operations/coordinator/decision-rows.js';
import { Errands } from '#operations/coordinator/errands.js';
import { completionHost, waitsHost } from '#operations/coordinator/hosts.js';
import { BreakerHost, ProvidersHost } from '#operations/coordinator/providers-host.js';
import { SessionsHost } from '#operations/coordinator/sessions-host.js';
import { WorkflowsHost } from '#operations/coordinator/workflows-host.js';
import { send } from '#operations/mail/task-talk.js';
import type { Context } from '#operations/operation.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const WITHOUT = { attempts: async () => [1] };
const NO_LOOK = { clients: {} } as never;

test('a decision as a row, as a line, and a tick of them', () => {
  const bare = { do: 'note', reason: 'all is over', events: [] } as never;
  const whole = {
    do: 'dispatch',
    task: 'a',
    run: 'agent-1',
    executor: 'claude',
    reason: 'its turn',
    fence: 1,
    events: [],
  } as never;
  const rows = [
    { do: 'note', reason: 'all is over' },
    { do: 'dispatch', task: 'a', run: 'agent-1', executor: 'claude', reason: 'its turn' },
  ];
  expect(decisionRows([bare, whole])).toStrictEqual(rows);
  expect([decisionText(bare), decisionText(whole)]).toEqual(['note: all is over', 'dispatch a agent-1: its turn']);
  expect(tickRows({ decisions: [bare], consequences: [whole] } as never)).toStrictEqual({
    decisions: [rows[0]],
    consequences: [rows[1]],
  });
});

test('which clients are held and which were seen at work, kept for the next life', async () => {
  const hold = (client: string) =>
    ({ client, trouble: 'weekly-limit', since: 1, until: 2, pauseMs: 1, run: 'agent-1' }) as const;
  const saved: unknown[] = [];
  const runs = {
    facts: () => [
      { executor: 'claude', progressAt: 5 },
      { executor: 'codex' },
      { executor: 'pi', result: { outcome: 'failed', trouble: 'weekly-limit' } },
      { executor: 'gemini', result: { outcome: 'failed' } },
      { progressAt: 5 },
    ],
  };
  const persisted = {
    ...{ holds: [hold('claude')], backOff: { until: 7 } },
    saveHolds: (holds: unknown) => saved.push(holds),
    saveBackOff: (backOff: unknown) => saved.push(backOff),
  };
  const host = new ProvidersHost({ runs, persisted } as never);
  const facts = async () => {
    const { providers } = await host.facts();
    return [[...providers.holds.keys()], [...providers.proven].sort()];
  };
  expect(await facts()).toEqual([['claude'], ['claude', 'gemini']]);
  const hold2 = { do: 'hold-client', reason: '', events: [] } as const;
  expect(host.carryOut['hold-client']({ ...hold2, client: 'pi', hold: hold('pi') }, {} as never)).toBe(0);
  expect(saved.splice(0)).toEqual([[hold('claude'), hold('pi')]]);
  expect(host.carryOut['hold-client']({ ...hold2, client: 'claude' }, {} as never)).toBe(0);
  expect([saved.splice(0), host.holds()]).toEqual([[[hold('pi')]], [hold('pi')]]);
  runs.facts = () => [];
  host.forget();
  expect([await facts(), saved.splice(0)]).toEqual([[[], []], [[]]]);
  const breaker = new BreakerHost({ persisted } as never);
  expect(await breaker.facts()).toEqual({ backOff: { until: 7 } });
  const pause = { until: 9 } as never;
  expect(breaker.carryOut['back-off']({ do: 'back-off', backOff: pause, reason: '', events: [] }, {} as never)).toBe(0);
  expect([saved, await breaker.facts()]).toEqual([[pause], { backOff: pause }]);
});

test('that all is over is news once, and files are looked at only where a task waits', async () => {
  const own = world();
  const look = async () => ({ ...(NO_LOOK as object), view: await own.store.view() }) as never;
  await own.add('a', { status: 'done' });
  const before = completionHost();
  expect(await before.facts(await look()), 'it was over before we came').toEqual({ completed: true });
  await own.add('b');
  expect(await before.facts(await look())).toEqual({ completed: false });
  await own.set('b', { status: 'done' });
  expect(await before.facts(await look())).toEqual({ completed: false });
  before.carryOut.note({} as never, {} as never);
  expect(await before.facts(await look())).toEqual({ completed: true });
  const asked: string[][] = [];
  const waits = waitsHost(async (paths) => {
    asked.push([...paths]);
    return new Map([['x', { mtime: 1, size: 2 }]]) as never;
  });
  expect(await waits.facts(await look())).toEqual({ files: new Map() });
  const condition = { type: 'file-changed', path: 'x', mtime_at_wait: 0 };
  await own.add('c', { status: 'waiting', wait_condition: { mode: 'all', since: '', conditions: [condition] } });
  expect(((await waits.facts(await look())) as { files: Map<string, unknown> }).files.size).toBe(1);
  expect(asked).toEqual([['x']]);
});

verifies(
  'test.bites',
  'how far a run has come: what it said, its figures and what it changed, as one checkpoint at a time',
  async () => {
    const kept: unknown[] = [];
    const errands = new Errands(() => undefined);
    const host = checkpointsHost({ errands }, async (at) => {
      kept.push(at.run);
    });
    expect(await host.facts(NO_LOOK)).toEqual({});
    const decision = {
      do: 'checkpoint',
      run: 'agent-1',
      task: 'a',
      fence: 1,
      turns: 3,
      reason: '',
      events: [],
    } as const;
    expect(host.carryOut.checkpoint(decision, {} as never)).toBe(0);
    await errands.firstOf(['checkpoint agent-1']);
    expect(host.carryOut.checkpoint(decision, {} as never), 'the last one is over').toBe(0);
    await errands.firstOf(['checkpoint agent-1']);
    expect(kept).toEqual(['agent-1', 'agent-1']);

    const own = world();
    await own.add('a', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
    own.outputs.set('agent-1', 'compiling\nlinking\n');
    const stored: { state?: unknown }[] = [];
    const files = Array.from({ length: TEAM_LIMITS.checkpointFiles }, (_, number) => ({ path: `f-${number}` }));
    let worktrees: object = {
      attempts: async () => [1],
      changes: async () => ({ changes: { files }, untracked: ['new'] }),
    };
    const context: Context = {
      ...own.context,
      ...bothPorts(async () => worktrees as never),
      checkpoints: async () =>
        ({
          save: async (of: unknown) => stored.push(of as never),
          prune: async () => undefined,
          list: async () => [],
        }) as never,
    };
    const at = { run: 'agent-1', task: 'a', fence: 1, turns: 3 };
    await keepCheckpoint(context, { ...at, usage: { input_tokens: 1, output_tokens: 2 } as never });
    const text = JSON.stringify(stored.at(-1));
    expect(text).toContain('linking');
    expect([
      text.includes(`f-${TEAM_LIMITS.checkpointFiles - 1}"`),
      text.includes('"new"'),
      text.includes('"input_tokens":1'),
    ]).toEqual([true, false, true]);
    worktrees = { ...WITHOUT, changes: async () => ({ changes: { files: [{ path: 'old' }] }, untracked: ['new'] }) };
    await keepCheckpoint(context, at);
    expect(JSON.stringify(stored.at(-1)), 'those that git does not know come last').toContain('["old","new"]');
    worktrees = { ...WITHOUT, changes: () => Promise.reject(new TroupeError('not_a_repository')) };
    await keepCheckpoint(context, at);
    expect(JSON.stringify(stored.at(-1))).not.toContain('f-0');
    worktrees = { ...WITHOUT, changes: () => Promise.reject(new Error('broken')) };
    await expect(keepCheckpoint(context, at)).rejects.toThrow('broken');
  },
);

verifies(
  'test.bites',
  'which workflows begin by themselves is read when a file changes and from time to time; what could not begin waits',
  async () => {
    let [stamp, now, reads] = ['', 1_000_000, 0];
    const entries = {
      stamp: () => stamp,
      list: async () => {
        reads++;
        return [];
      },
      read: async () => undefined,
    };
    const own = world();
    const context = { ...own.context, clock: { now: () => now }, workflowFiles: async () => entries as never };
    const errands = new Errands(() => undefined);
    const host = new WorkflowsHost(context, { errands });
    const none = { triggers: { workflows: [], zone: 'UTC' } };
    expect(await host.facts()).toEqual(none);
    expect(await host.facts()).toEqual(none);
    expect(reads, 'there is no file').toBe(0);
    const drop = { do: 'drop-workflow', key: 'workflow x', reason: '', events: [] };
    host.carryOut['drop-workflow']({ ...drop, refused: { workflow: 'x', why: 'no inputs' } } as never, {} as never);
    expect(host.refusals()).toEqual(new Map([['x', 'no inputs']]));
    host.carryOut['drop-workflow'](drop as never, {} as never);
    expect(host.refusals().size).toBe(1);
    expect(host.carryOut['run-workflow']({ key: 'workflow x' } as never, {} as never)).toBe(1);
    now += WORK_LIMITS.workflowLookMs * 100;
    await host.facts();
    expect(host.refusals().size, 'the files are the same').toBe(1);
    stamp = 'other';
    await host.facts();
    expect(host.refusals().size, 'a file changed').toBe(0);
  },
);

test('sessions and the chats that have ended, with what a person wrote since', async () => {
  const own = world();
  const coordinator = {
    id: 2,
    name: 'two',
    scope: { tags: [], roots: [] },
    max_agents: null,
    executor: 'codex',
    model: null,
    paused: false,
    status: 'in-progress',
  };
  let file: object = NO_SESSIONS;
  const asked: unknown[] = [];
  const parts = {
    ...own.context,
    sessions: async () => ({ read: async () => file, change: () => expect.unreachable() }) as never,
    note: () => undefined,
  };
  const clients = {
    usableAmong: async (names: readonly string[]) => {
      asked.push(names);
      return new Set(['codex']);
    },
  };
  const host = new SessionsHost({ clients } as never, parts as never);
  const facts = async () => await host.facts({ view: await own.store.view() } as never);
  expect(await facts()).toEqual({ sessions: [], inbox: new Map(), executors: new Set() });
  expect(asked).toEqual([]);
  file = { next_id: 3, coordinators: [coordinator] };
  expect(await facts()).toMatchObject({
    sessions: [{ id: 0 }, { id: 2 }],
    inbox: new Map(),
    executors: new Set(['codex']),
  });
  expect(asked).toEqual([['codex']]);
  const chat = 'chat-2';
  await own.add(chat, { status: 'in-progress', tags: ['coordinator-loop'] });
  await send.run(own.context, { id: chat, text: 'Hello' });
  expect((await facts()).inbox, 'it is at work and reads for itself').toEqual(new Map());
  await own.set(chat, { status: 'done' });
  expect((await facts()).inbox).toEqual(new Map([[2, 1]]));
  await send.run({ ...own.context, freshId: () => 'second' }, { id: chat, text: 'Again' });
  expect((await facts()).inbox).toEqual(new Map([[2, 2]]));
});

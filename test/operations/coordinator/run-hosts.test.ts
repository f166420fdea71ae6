import { expect, test } from 'vitest';
import { CHECKPOINT } from '#core/coordinator/checkpoints.js';
import { FINISH } from '#core/coordinator/finish.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { DispatchHost } from '#operations/coordinator/dispatch-host.js';
import { Errands } from '#operations/coordinator/errands.js';
import { RunsHost } from '#operations/coordinator/runs-host.js';
import { world } from '../../e2e/world.js';
import { NO_ELSEWHERE } from '../../quiet-parts.js';

/** What a host of runs asks of the world. */
function tools(more: object = {}) {
  const did: unknown[] = [];
  const note =
    (name: string) =>
    (...words: unknown[]) => {
      did.push([name, ...words]);
    };
  let answered: () => void = () => undefined;
  const errands = new Errands(() => answered());
  const next = () =>
    new Promise<void>((resolve) => {
      answered = resolve;
    });
  const facts = [
    { id: 'agent-1', taskId: 'a', fence: 2, executor: 'claude', branch: 'wg/a/2', exit: { code: 0 } },
    { id: 'agent-2', taskId: 'b', fence: 1, exit: { code: 1 } },
  ];
  const runs = {
    fact: async (run: string) => facts.find(({ id }) => id === run),
    ...{ allow: note('allow'), end: note('end'), forget: note('forget') },
    ...{
      start: async (plan: object) => note('start')(plan),
      refuse: note('refuse'),
      prepare: async (plan: object) => note('prepare')(plan),
      discard: async (run: string) => note('discard')(run),
    },
  };
  const clients = {
    ...{
      prepare: async () => ({ client: { prompt: 'Do it' } }),
      leave: async (...words: unknown[]) => note('leave')(...words),
    },
    enter: async (_: unknown, ...words: unknown[]) => note('enter')(...words),
  };
  const all = { errands, runs, clients, clock: { now: () => 77 }, onError: note('error'), ...more };
  return { did, errands, next, runs, clients, tools: all as never };
}

test('the end of a run: its turn counts as read under its own claim, its work is tidied up, it is forgotten', async () => {
  const own = tools();
  const finishing = {
    finishWhenReached: async () => ({ of: 'finish', evidence: { exit: 1 } }) as never,
    after: async ({ id }: { id: string }) => void own.did.push(['after', id]),
    begin: async () => void own.did.push(['begin']),
    looksAgain: (now: number): boolean => now === 77,
    land: async () => void own.did.push(['land']),
  };
  const commitTurn = async (...words: unknown[]) => void own.did.push(['turn', ...words]);
  const host = new RunsHost(own.tools, {
    maxAgents: 3,
    finishing,
    commitTurn,
    triage: async () => ({ of: 'triage', verdict: 'restart', reason: 'r' }),
  });
  expect(await host.facts({ clients: { autoTriage: true } } as never)).toEqual({
    maxAgents: 3,
    autoTriage: true,
    finishes: true,
  });
  const done = () => own.did.splice(0);
  const view = (fence: number) => ({ task: (id: string) => ({ id, fence }) }) as never;
  const settle = async (run: string, outcome: string, fence = 2) => [
    await host.carryOut['settle-exit'](
      { do: 'settle-exit', run, task: run === 'agent-1' ? 'a' : 'b', outcome, reason: '', events: [] } as never,
      view(fence),
    ),
    done(),
  ];
  expect(await settle('agent-1', 'done')).toEqual([
    1,
    [
      ['turn', 'a', 2],
      ['after', 'agent-1'],
      ['forget', 'agent-1', 'done'],
    ],
  ]);
  expect(await settle('agent-1', 'kept')).toEqual([
    1,
    [
      ['turn', 'a', 2],
      ['after', 'agent-1'],
      ['forget', 'agent-1', 'done'],
    ],
  ]);
  expect(await settle('agent-1', 'failed')).toEqual([
    1,
    [
      ['after', 'agent-1'],
      ['forget', 'agent-1', 'failed'],
    ],
  ]);
  expect((await settle('agent-1', 'done', 3))[1], 'it was claimed again').toEqual([
    ['after', 'agent-1'],
    ['forget', 'agent-1', 'done'],
  ]);
  expect(await settle('agent-2', 'kept', 1)).toEqual([1, [['forget', 'agent-2', 'failed']]]);
  expect(await settle('agent-2', 'done', 1), 'a command has no mail').toEqual([1, [['forget', 'agent-2', 'done']]]);
  const act = { reason: '', events: [], task: 'a' };
  expect(await host.carryOut.kill({ ...act, do: 'kill', run: 'agent-1', why: 'idle' } as never, view(1))).toBe(0);
  expect(
    await host.carryOut['top-up']({ ...act, do: 'top-up', run: 'agent-1', limit: { usd: 2 } } as never, view(1)),
  ).toBe(0);
  expect(await host.carryOut['mark-dead']({ ...act, do: 'mark-dead', run: 'agent-2' } as never, view(1))).toBe(1);
  expect(done()).toEqual([
    ['end', 'agent-1', 'idle'],
    ['allow', 'agent-1', { usd: 2 }],
    ['forget', 'agent-2', 'dead'],
  ]);
  host.begin();
  host.landAgain();
  await own.errands.firstOf(['tidy']);
  expect(done()).toEqual([['begin'], ['land']]);
  finishing.looksAgain = () => false;
  host.landAgain();
  expect(done()).toEqual([]);
  own.errands.start(FINISH, FINISH.key('agent-2'), async () => ({ of: 'finish', evidence: {} }));
  own.errands.start(CHECKPOINT, CHECKPOINT.key('agent-2'), async () => ({ of: 'checkpoint' }));
  await own.errands.firstOf([FINISH.key('agent-2')]);
  await own.errands.firstOf([CHECKPOINT.key('agent-2')]);
  expect(own.errands.facts().answers.size).toBe(2);
  await host.carryOut['mark-dead']({ ...act, do: 'mark-dead', run: 'agent-2' } as never, view(1));
  expect(own.errands.facts().answers.size, 'what was asked about it is over').toBe(0);
  const answered = own.next();
  expect(await host.carryOut.finish({ ...act, do: 'finish', run: 'agent-9' } as never, view(1))).toBe(0);
  await answered;
  expect(own.errands.facts().answers.get('finish agent-9')).toEqual({ of: 'finish', evidence: {} });
});

/** A decision to run something. */
const request = (more: object = {}) => ({
  run: 'agent-5',
  task: 'a',
  fence: 2,
  timeoutMs: 60,
  executor: 'claude',
  session: 1,
  reason: '',
  events: [],
  ...more,
});

test('a run from its request to its start: prepared, claimed, begun, or given back with the reason', async () => {
  const own = world();
  await own.add('a', { environment: { IN_X: '1', IN_Y: 7 }, exec: 'make', verify_cmd: 'test' });
  await own.add('bare');
  const view = await own.store.view();
  const world2 = tools();
  const host = new DispatchHost(
    world2.tools,
    { enter: async () => undefined, order: async () => undefined },
    NO_ELSEWHERE,
  );
  const look = { view: { lastRun: 3 }, clients: { worksHere: true, executor: 'claude', standIns: ['codex'] } } as never;
  const facts = { executor: 'claude', standIns: ['codex'], elsewhere: NO_WORKER_FACTS, prepares: true };
  expect(await host.facts(look)).toEqual({ ...facts, nextRun: 4, lastSession: undefined });
  const done = () => world2.did.splice(0);
  const prepared = async (more: object = {}) => {
    const answered = world2.next();
    expect(host.carryOut.prepare(request({ do: 'prepare', ...more }) as never, view)).toBe(0);
    await answered;
    return world2.errands.facts().answers.get('prepare a');
  };
  expect(await prepared({ grant: { limit: { usd: 1 } } })).toEqual({
    of: 'prepared',
    run: 'agent-5',
    fence: 2,
    executor: 'claude',
    at: 77,
    grant: { limit: { usd: 1 } },
  });
  const plan = {
    ...{
      id: 'agent-5',
      taskId: 'a',
      fence: 2,
      timeoutMs: 60,
      executor: 'claude',
      command: '',
      check: '',
      environment: { IN_X: '1' },
    },
    ...{ sandboxed: true, client: { prompt: 'Do it' }, startedAt: 77 },
  };
  expect(done()).toEqual([['prepare', plan]]);
  expect((await host.facts(look)).nextRun, 'its number is taken').toBe(6);
  const later = { ...(look as object), view: { lastRun: 8 } } as never;
  expect((await host.facts(later)).nextRun, 'the log has a higher one').toBe(9);
  expect(await host.carryOut.dispatch(request({ do: 'dispatch' }) as never, view)).toBe(0);
  expect(done()).toEqual([['start', plan]]);
  expect(await host.facts(look)).toMatchObject({ lastSession: 1 });
  expect(await host.carryOut.dispatch(request({ do: 'dispatch' }) as never, view), 'there is no plan of it').toBe(1);
  const refused = { id: 'agent-5', taskId: 'a', fence: 2, timeoutMs: 60, startedAt: 77 };
  expect(done()).toEqual([['refuse', { ...refused, executor: 'claude' }, new TroupeError('executor_missing').message]]);

  const shell = { do: 'dispatch', executor: 'shell' };
  expect(await host.carryOut.dispatch(request(shell) as never, view)).toBe(0);
  const command = { id: 'agent-5', taskId: 'a', fence: 2, timeoutMs: 60, startedAt: 77, sandboxed: true };
  expect(done()).toEqual([['start', { ...command, command: 'make', check: 'test', environment: { IN_X: '1' } }]]);
  expect(await host.carryOut.dispatch(request({ ...shell, task: 'bare' }) as never, view)).toBe(0);
  expect(done()).toEqual([['start', { ...command, taskId: 'bare', command: 'false', check: '', environment: {} }]]);
  world2.runs.start = () => Promise.reject(new TroupeError('locked', { what: 'No room.' }));
  expect(await host.carryOut.dispatch(request(shell) as never, view)).toBe(1);
  expect(done()).toEqual([['refuse', refused, 'No room.']]);

  world2.clients.prepare = () =>
    Promise.reject(new TroupeError('locked', { what: 'It is held.', why: 'By another.', hint: 'Wait.' }));
  const failed = { of: 'unprepared', text: 'It is held. By another. Wait.', until: 77 + WORK_LIMITS.prepareAgainMs };
  expect(await prepared()).toEqual(failed);
  expect(host.failures()).toEqual(new Map([['a', failed]]));
  host.tryAgain();
  expect([host.failures().size, world2.errands.facts().answers.size]).toEqual([0, 0]);

  const full = new TroupeError('disk_full', { what: 'It is full.', hint: 'Free it.', details: { retriable: true } });
  world2.clients.prepare = () => Promise.reject(full);
  const until = 77 + SURFACE_LIMITS.remoteAgainMs;
  expect(await prepared(), 'a fault of the database is none of the task').toMatchObject({ of: 'unprepared', until });
});

test('what nobody claimed is left: the folder of its run, and its worktree', async () => {
  const own = world();
  await own.add('a');
  const view = await own.store.view();
  const given = tools();
  const tree = { attempt: 2, mode: 'full', path: '/tree', folder: '/tree', branch: 'wg/a/2' };
  given.clients.prepare = async () => ({ client: {}, tree }) as never;
  const host = new DispatchHost(
    given.tools,
    { enter: async () => undefined, order: async () => undefined },
    NO_ELSEWHERE,
  );
  await host.writePlan(view, request() as never, new AbortController().signal);
  given.did.splice(0);
  const drop = { do: 'drop-prepared', task: 'a', reason: '', events: [] };
  expect(await host.carryOut['drop-prepared']({ ...drop, run: 'agent-5' } as never, view)).toBe(1);
  expect(given.did.splice(0)).toEqual([
    ['leave', { task: 'a', fence: 2, tree }, tree],
    ['discard', 'agent-5'],
  ]);
  expect(await host.carryOut['drop-prepared']({ ...drop, run: 'agent-5' } as never, view)).toBe(1);
  expect(given.did.splice(0), 'once').toEqual([['discard', 'agent-5']]);
  expect(await host.carryOut['drop-prepared'](drop as never, view)).toBe(1);
  expect(given.did.splice(0)).toEqual([]);
  await host.writePlan(view, request() as never, new AbortController().signal);
  await host.carryOut.dispatch(request({ do: 'dispatch' }) as never, view);
  expect(given.did.splice(0).map((act) => (act as string[])[0])).toEqual(['prepare', 'enter', 'start']);
});

test('a command that comes after merged work runs in its worktree, which goes where nobody claims it', async () => {
  const own = world();
  await own.add('before', { status: 'done', merged: 'c0ffee' });
  await own.add('a', { after: ['before'], exec: 'make' });
  await own.add('plain', { exec: 'make' });
  const view = await own.store.view();
  const given = tools();
  const tree = { attempt: 2, mode: 'shell', path: '/tree', folder: '/tree', branch: 'wg/a/2' } as const;
  const host = new DispatchHost(given.tools, { enter: async () => tree, order: async () => undefined }, NO_ELSEWHERE);
  const begin = async (task: string) => {
    await host.carryOut.dispatch(request({ do: 'dispatch', executor: 'shell', task }) as never, view);
    return given.did.splice(0).map((act) => (act as [string, { tree?: object }])[1].tree);
  };
  await host.writePlan(view, request({ executor: 'shell' }) as never, new AbortController().signal);
  const named = { attempt: 2, mode: 'shell' }; // where that is, the machine of the run knows
  expect([await begin('a'), await begin('plain')]).toEqual([[named], [undefined]]);
  await host.drop('agent-5');
  expect(given.did.splice(0), 'it is claimed').toEqual([['discard', 'agent-5']]);
  await host.writePlan(view, request({ executor: 'shell' }) as never, new AbortController().signal);
  await host.drop('agent-5');
  await host.writePlan(view, request({ executor: 'shell', task: 'plain' }) as never, new AbortController().signal);
  await host.drop('agent-5');
  expect(given.did).toEqual([
    ['leave', { task: 'a', fence: 2, tree }, tree],
    ['discard', 'agent-5'],
    ['discard', 'agent-5'],
  ]);
});

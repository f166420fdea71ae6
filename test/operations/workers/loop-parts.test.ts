import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { Masking } from '#operations/workers/masking.js';
import { WorkerLoop } from '#operations/workers/worker-loop.js';
import type { HeartbeatAnswer } from '#ports/worker-gateway.js';
import { verifies } from '../../verifies.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const CARD = { name: 'box', at: 'process 1 on box', version: '0', slots: 2, labels: ['gpu'], executors: ['codex'] };
const SECRET_FIELDS = { command: 'make', check: 'x', environment: {}, client: {}, sandboxed: true };

const order = (number: number) => ({
  plan: {
    ...{
      id: `agent-${number}`,
      taskId: `t-${number}`,
      fence: number,
      startedAt: START,
      timeoutMs: 1,
      ...SECRET_FIELDS,
    },
  },
  tree: { task: `t-${number}`, attempt: number },
  setsUp: false,
});
const fact = (number: number, more: object = {}) => ({
  ...{ id: `agent-${number}`, taskId: `t-${number}`, fence: number, startedAt: START, timeoutMs: 1, outputBytes: 0 },
  ...{ alive: true, started: true, ...more },
});
const over = (number: number) => fact(number, { alive: false, exit: { code: 0 } });

/** A worker whose services are in memory and whose timers are fired by the test. */
function stage({ slots = 2, left = [] as object[], card = {} } = {}) {
  const [calls, events]: [unknown[][], string[]] = [[], []];
  const timers = new Map<number, () => void>();
  const queue: object[] = [];
  const failures = new Map<string, Error>();
  let facts: object[] = [];
  let answer: HeartbeatAnswer = { wishes: [], lost: [], asked: 'work', leader: undefined, now: START };
  const call =
    (name: string, result: (...words: never[]) => unknown = () => undefined) =>
    async (...words: unknown[]) => {
      calls.push([name, ...words]);
      const failure = failures.get(name);
      failures.delete(name);
      if (failure) throw failure;
      return result(...(words as never[]));
    };
  const timer = (milliseconds: number, fire: () => void) => {
    timers.set(milliseconds, fire);
    return () => void timers.delete(milliseconds);
  };
  let heard: () => void = () => undefined;
  const loop = new WorkerLoop({
    desk: {
      registerWorker: call('register'),
      take: call('take', (most: number) => queue.splice(0, most)),
      beat: call('beat', () => answer),
      end: call('end', () => 'taken'),
      unregisterWorker: call('unregister'),
      onWorkAvailable: (listener: () => void) => {
        heard = listener;
        return () => calls.push(['deaf']);
      },
      clock: { now: () => START },
    },
    runs: {
      onChange: () => undefined,
      adopt: call('adopt'),
      prepare: call('prepare'),
      start: call('start'),
      refuse: call('refuse'),
      end: call('stop'),
      allow: call('allow'),
      forget: call('forget'),
      facts: async () => facts,
      listed: async () => [],
    },
    places: {
      make: call('make'),
      publish: call('publish', () => ({ outcome: 'nothing' })),
      park: call('park'),
      clear: call('clear'),
    },
    orders: { all: async () => left, keep: call('keep'), forget: call('unkept') },
    bytes: { read: async () => new Uint8Array() },
    masking: new Masking([]),
    gate: {
      opened: (handed: { refused?: Error }) => {
        if (handed.refused) throw handed.refused;
        return handed;
      },
      limit: ({ limit }: { limit?: unknown }) => {
        if (limit instanceof Error) throw limit;
        return limit;
      },
      keys: () => ['k'],
      knows: () => true,
    },
    card: { ...CARD, slots, ...card },
    ownClock: { now: () => START },
    pace: { now: () => 0, wait: async () => undefined, after: timer, every: timer },
    tell: ({ event, run, text }: { event: string; run?: string; text: string }) =>
      events.push(`${run === undefined ? event : `${event} ${run}`}: ${text}`),
  } as never);
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    loop,
    events,
    failures,
    queue,
    timers,
    settle,
    hear: () => heard(),
    of: (...names: string[]) => calls.filter(([name]) => names.includes(String(name))),
    forget: () => {
      calls.length = 0;
      events.length = 0;
    },
    facts: (...now: object[]) => {
      facts = now;
    },
    answers: (more: Partial<HeartbeatAnswer>) => {
      answer = { ...answer, wishes: [], lost: [], asked: 'work', ...more };
    },
    fire: async (milliseconds: number) => {
      timers.get(milliseconds)?.();
      await settle();
    },
  };
}

type Worker = ReturnType<typeof stage>;

/** The worker has taken these orders, and their runs are alive. */
async function working(numbers: readonly number[], more: Parameters<typeof stage>[0] = {}): Promise<Worker> {
  const worker = stage(more);
  worker.queue.push(...numbers.map(order));
  worker.facts(...numbers.map((number) => fact(number)));
  await worker.loop.start();
  await worker.settle();
  return worker;
}

verifies('fleet.worker', 'a worker takes as many attempts as it has slots, and the next when one is over', async () => {
  const worker = await working([1, 2, 3]);
  expect(worker.events).toEqual([
    ...[
      'arrived: box: 2 at once; codex; labels gpu',
      'took agent-1: attempt 1 at t-1',
      'took agent-2: attempt 2 at t-2',
    ],
    ...['started agent-1: shell', 'started agent-2: shell'],
  ]);
  expect(worker.of('take')).toEqual([['take', 2, []]]);
  expect(worker.of('register')).toEqual([['register', { ...CARD, leaders: ['k'] }]]);
  const steps = worker.of('make', 'prepare', 'start').map(([name]) => name);
  expect(steps.sort()).toEqual(['make', 'make', 'prepare', 'prepare', 'start', 'start']);
  expect(worker.of('start')[0]?.[1]).toMatchObject({ ...order(1).plan, tree: { attempt: 1, mode: 'shell' } });
  expect(worker.loop.attemptOf('agent-1')).toEqual({ task: 't-1', fence: 1, tree: order(1).tree });
  expect(worker.loop.attemptOf('agent-3')).toBeUndefined();
  worker.forget();
  await worker.fire(WORKER_LIMITS.pollMs);
  worker.hear();
  await worker.settle();
  expect(worker.of('take')).toEqual([]);
  worker.facts(over(1), fact(2), fact(3));
  await worker.fire(WORKER_LIMITS.lookMs);
  expect(worker.of('take')).toEqual([['take', 1, ['agent-2']]]);
  expect(worker.of('end').map(([, end]) => (end as { fact: object }).fact)).toEqual([over(1)]);
  expect(worker.of('forget', 'unkept')).toEqual([
    ['forget', 'agent-1', 'done'],
    ['unkept', 'agent-1'],
  ]);
  expect(worker.events).toEqual([
    ...['ended agent-1: done', 'took agent-3: attempt 3 at t-3', 'started agent-3: shell'],
  ]);
  const plain = stage({ card: { labels: [], executors: [] } });
  await plain.loop.start();
  expect(plain.events).toEqual(['arrived: box: 2 at once']);
});

verifies('fleet.worker', 'an attempt that cannot begin is refused with its reason, without its command', async () => {
  const worker = stage();
  worker.failures.set('make', new TroupeError('git_failed', { what: 'No base.' }));
  worker.queue.push(order(1), { run: 'agent-9', task: 't-9', fence: 9, refused: new TroupeError('order_refused') });
  worker.facts(fact(1, { alive: false, started: false, startError: 'No base.' }));
  await worker.loop.start();
  await worker.settle();
  const [[, plan, reason] = []] = worker.of('refuse');
  expect(reason).toBe('No base.');
  for (const name of Object.keys(SECRET_FIELDS)) expect(plan, name).not.toHaveProperty(name);
  expect(worker.of('start', 'prepare')).toEqual([]);
  expect(worker.events).toContain('refused agent-1: No base.');
  expect(worker.events).toContain(`refused agent-9: ${new TroupeError('order_refused').message}`);
  const ends = worker.of('end').map(([, end]) => (end as { fact: { id: string } }).fact.id);
  expect(ends.sort()).toEqual(['agent-1', 'agent-9']);
});

verifies('fleet.worker', 'an attempt that cannot be kept here is refused with the reason', async () => {
  const worker = stage();
  worker.failures.set('keep', new TroupeError('disk_full'));
  worker.queue.push({ ...order(5), run: 'agent-5', task: 't-5', fence: 5 });
  await worker.loop.start();
  await worker.settle();
  expect(worker.of('make', 'start')).toEqual([]);
  expect(worker.loop.attemptOf('agent-5')).toBeUndefined();
  expect(worker.of('end')).toMatchObject([['end', { fact: { id: 'agent-5', fence: 5, started: false } }]]);
  expect(worker.events).toContain(`refused agent-5: ${new TroupeError('disk_full').message}`);
});

verifies('fleet.worker', 'a step that fails while the disk is full is told, and the worker goes on', async () => {
  const worker = await working([1, 2]);
  worker.forget();
  worker.failures.set('stop', new TroupeError('disk_full'));
  worker.answers({ wishes: [1, 2].map((fence) => ({ run: `agent-${fence}`, fence, end: 'killed' })) as never });
  await worker.fire(WORKER_LIMITS.beatMs);
  expect(worker.events).toEqual([`kept: ${new TroupeError('disk_full').message}`]);
  expect(worker.of('stop').map(([, run]) => run)).toEqual(['agent-1', 'agent-2']);
});

verifies('fleet.worker', 'a refused attempt that is not told yet counts as known', async () => {
  const worker = stage();
  worker.failures.set('end', new TroupeError('database_away'));
  worker.queue.push({ run: 'agent-9', task: 't-9', fence: 9, refused: new TroupeError('order_refused') });
  await worker.loop.start();
  await worker.fire(WORKER_LIMITS.pollMs);
  await worker.fire(WORKER_LIMITS.pollMs);
  expect(worker.of('take').map(([, , known]) => known)).toEqual([[], ['agent-9'], []]);
});

verifies(
  'fleet.worker',
  'runs of an earlier process are adopted; one of which nothing is left has not begun',
  async () => {
    const kept = (number: number) => ({ order: order(number), sent: { output: {}, events: {}, prompt: {} } });
    const worker = stage({ left: [kept(1), kept(2)] });
    worker.facts(fact(1));
    await worker.loop.start();
    await worker.settle();
    const adopted = (number: number) => ({
      run: `agent-${number}`,
      taskId: `t-${number}`,
      fence: number,
      startedAt: START,
    });
    expect(worker.of('adopt')).toEqual([['adopt', [adopted(1), adopted(2)]]]);
    expect(worker.events.slice(0, 3)).toEqual([
      ...[
        'arrived: box: 2 at once; codex; labels gpu',
        'took agent-1: of an earlier life',
        'took agent-2: of an earlier life',
      ],
    ]);
    expect(worker.of('end').map(([, end]) => (end as { fact: object }).fact)).toEqual([
      expect.objectContaining({ id: 'agent-2', started: false, startError: 'nothing of it is left here' }),
    ]);
  },
);

verifies('fleet.worker', 'a heartbeat reports the attempts and carries out what the leader asks', async () => {
  const worker = await working([1, 2]);
  worker.forget();
  const limit = { usd: 3 };
  const wishes = [
    { run: 'agent-1', fence: 1, limit },
    { run: 'agent-2', fence: 2, end: 'killed' },
    { run: 'agent-2', fence: 1, end: 'timeout' },
    { run: 'agent-9', fence: 9, end: 'killed' },
  ];
  worker.answers({ wishes: wishes as never });
  await worker.fire(WORKER_LIMITS.beatMs);
  const [[, reports] = []] = worker.of('beat');
  expect((reports as { fact: { id: string } }[]).map((report) => report.fact.id)).toEqual(['agent-1', 'agent-2']);
  expect(worker.of('allow', 'stop')).toEqual([
    ['allow', 'agent-1', limit],
    ['stop', 'agent-2', 'killed'],
  ]);
  const forged = new TroupeError('order_refused', { what: 'Forged.' });
  worker.answers({ wishes: [{ run: 'agent-1', fence: 1, limit: forged }] as never });
  await worker.fire(WORKER_LIMITS.beatMs);
  await worker.fire(WORKER_LIMITS.beatMs);
  expect(worker.events).toEqual(['refused agent-1: Forged.']);
  worker.forget();
  worker.answers({ lost: ['agent-1', 'agent-9'], wishes: [{ run: 'agent-1', fence: 1, end: 'killed' }] as never });
  await worker.fire(WORKER_LIMITS.beatMs);
  await worker.fire(WORKER_LIMITS.beatMs);
  expect(worker.events).toEqual(['lost agent-1: it was given to somebody else, and is ended here']);
  expect(worker.of('stop')).toEqual([['stop', 'agent-1', 'lost']]);
  expect(worker.of('beat').at(-1)?.[1]).toHaveLength(1);
  expect(worker.loop.attemptOf('agent-1')).toBeUndefined();
});

verifies('fleet.worker', 'a worker that was removed from the list registers again and goes on', async () => {
  const worker = await working([]);
  worker.forget();
  worker.failures.set('beat', new TroupeError('not_found'));
  await worker.fire(WORKER_LIMITS.beatMs);
  expect(worker.of('beat', 'register').map(([name]) => name)).toEqual(['beat', 'register', 'beat']);
  worker.forget();
  worker.failures.set('beat', new TroupeError('database_away', { what: 'It is away.' }));
  await worker.fire(WORKER_LIMITS.beatMs);
  await worker.fire(WORKER_LIMITS.beatMs);
  expect(worker.of('register')).toEqual([]);
  expect(worker.events).toEqual(['away: It is away. Runs go on.', 'back: the database answers again']);
});

verifies('fleet.worker', 'a clock that is off is told once, with its direction', async () => {
  const off = WORKER_LIMITS.clockOffMs;
  const told = async (milliseconds: number) => {
    const worker = stage();
    worker.answers({ now: START + milliseconds });
    await worker.loop.start();
    await worker.fire(WORKER_LIMITS.beatMs);
    return worker.events.filter((event) => event.startsWith('clock'));
  };
  expect([await told(off), await told(-off)]).toEqual([[], []]);
  const text = (how: string) => `clock: the clock of this machine is 7 s ${how} that of the database, which counts`;
  expect([await told(7_000), await told(-7_000)]).toEqual([[text('behind')], [text('ahead of')]]);
});

verifies('fleet.end', 'a worker that drains takes nothing, lets its runs end and leaves', async () => {
  const worker = await working([1, 2]);
  worker.forget();
  worker.queue.push(order(3));
  const drained = worker.loop.drain(WORKER_LIMITS.graceMs);
  await worker.settle();
  const slots = (many: number) => ['register', { ...CARD, slots: many, leaders: ['k'] }];
  expect([worker.events, worker.of('register')]).toEqual([['draining: 2 running, for 5m at most'], [slots(2)]]);
  worker.facts(over(1), fact(2));
  await worker.fire(WORKER_LIMITS.lookMs);
  await worker.fire(WORKER_LIMITS.pollMs);
  expect([worker.of('take'), worker.of('register').at(-1)]).toEqual([[], slots(1)]);
  worker.failures.set('unregister', new TroupeError('database_away', { what: 'It is away.' }));
  worker.facts(over(2));
  await worker.fire(WORKER_LIMITS.lookMs);
  await Promise.all([drained, worker.loop.drained]);
  expect(worker.events.slice(-3)).toEqual([
    'ended agent-2: done',
    'away: It is away.',
    'drained: nothing is left here',
  ]);
  expect([worker.of('stop'), worker.timers.size, worker.of('deaf').length]).toEqual([[], 0, 1]);
  const idle = await working([]);
  idle.forget();
  await idle.loop.drain(WORKER_LIMITS.graceMs);
  expect(idle.events).toEqual(['draining: nothing runs', 'drained: nothing is left here']);
  expect(idle.of('register')).toEqual([]);
});

verifies('fleet.end', 'at the end of the grace runs are ended; those that cannot be handed over stay', async () => {
  const worker = await working([1]);
  worker.forget();
  const drained = worker.loop.drain(WORKER_LIMITS.graceMs);
  await worker.settle();
  expect(worker.of('stop')).toEqual([]);
  await worker.fire(WORKER_LIMITS.graceMs);
  expect(worker.of('stop')).toEqual([['stop', 'agent-1', 'stopped']]);
  await worker.fire(WORKER_LIMITS.lastMs);
  await drained;
  expect(worker.events).toEqual(['draining: 1 running, for 5m at most', 'drained: left here: agent-1']);
});

verifies('fleet.end', 'a leader asks a worker to drain or to stop, once', async () => {
  const asked = async (what: 'drain' | 'stop') => {
    const worker = await working([1]);
    worker.forget();
    worker.answers({ asked: what });
    await worker.fire(WORKER_LIMITS.beatMs);
    await worker.fire(WORKER_LIMITS.beatMs);
    return [worker.events, [...worker.timers.keys()].filter((ms) => ms === 0 || ms === WORKER_LIMITS.drainMs)];
  };
  expect(await asked('drain')).toEqual([['draining: 1 running, for 1d at most'], [WORKER_LIMITS.drainMs]]);
  expect(await asked('stop')).toEqual([['draining: 1 running, for 0ms at most'], [0]]);
});

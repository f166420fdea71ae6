import { describe, expect, onTestFinished, vi } from 'vitest';
import type { AttemptBoard } from '#adapters/workers/attempt-board.js';
import { HandedOutRuns, USUAL_ATTEMPT_TERMS } from '#adapters/workers/handed-out-runs.js';
import type { WorkerRoom } from '#core/coordinator/vacancies.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { compareText } from '#kernel/order.js';
import { sealedWords } from '#kernel/sealed-words.js';
import { isSignedBy } from '#kernel/signature.js';
import type { RunPlan } from '#ports/run-host.js';
import type { ListedWorker } from '#ports/storage.js';
import type {
  AttemptEnd,
  AttemptOrder,
  AttemptReport,
  RunPiece,
  WorkerCard,
  WorkerGateway,
} from '#ports/worker-gateway.js';
import { PATIENCE } from '../patience.js';
import { sealFor } from '../seal.js';
import { verifies } from '../verifies.js';

/** Tables of one test. */
interface GatewayPlace {
  /** Opens the board as a new leader; the previous one no longer leads. */
  board(): Promise<AttemptBoard>;
  /** Opens the gateway as a new process, which may have the key of an earlier one. */
  desk(key?: string): Promise<WorkerGateway>;
  /** Makes a worker silent for this time. */
  silence(worker: string, ms: number): Promise<void>;
  /** Makes the offers so far this old. */
  age(ms: number): Promise<void>;
  /** Runs whose results were rejected. */
  refused(): Promise<readonly string[]>;
  kept(run: string, of: RunPiece['of']): Promise<Buffer>;
  standing(): Promise<readonly ListedWorker[]>;
}

const { workerLeaseMs, untakenMs, runBytes, pieceBytes } = DATABASE_LIMITS;
const NOW = 2_000_000_000_000;
/** Seal of all leaders without a key of their own. */
const SEAL = sealFor('shop');
const BRANCH = { path: '/here/wg', folder: '/here/wg/project', branch: 'wg/build/2' };
const card = (name: string, more: Partial<WorkerCard> = {}): WorkerCard => ({
  ...{
    name,
    at: 'process 1 on a box',
    version: '1.0.0',
    slots: 4,
    labels: [],
    executors: [],
    leaders: [SEAL.card.key],
  },
  ...more,
});
const plan = (number: number, more: Partial<RunPlan> = {}): RunPlan => ({
  ...{ id: `agent-${number}`, taskId: `task-${number}`, fence: 2, command: 'make', check: '', environment: {} },
  ...{ timeoutMs: 60_000, startedAt: 1_000, sandboxed: true },
  ...more,
});
/** Report of a worker about the run of an order. */
function reportOf({ plan: { id, taskId, fence } }: AttemptOrder, more: Partial<AttemptReport['fact']> = {}) {
  const at = { startedAt: 1_000, timeoutMs: 60_000 };
  const fact = { id, taskId, fence, ...at, alive: true, started: true, outputBytes: 7, ...more };
  const began = { executor: 'shell', started_at: '2026-01-01T00:00:00.000Z' };
  return { fact, listed: { id, task_id: taskId, ...began, pid: 4711, status: 'working' as const } };
}
function endOf(order: AttemptOrder, code = 0): AttemptEnd {
  const published = {
    outcome: 'published' as const,
    branch: 'wg/build/2',
    commit: 'c0ffee',
    committed: true,
    leftOut: [],
  };
  return { ...reportOf(order, { alive: false, exit: { code } }), publication: published, unpublished: undefined };
}
const sorted = async (rooms: Promise<readonly WorkerRoom[]>) =>
  [...(await rooms)].sort((left, right) => compareText(left.name, right.name));
const names = (orders: readonly AttemptOrder[]) => orders.map(({ plan: { id } }) => id);
const one = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('nothing was taken');
  return item;
};

/** Contract of every gateway and its board, including the leader's runs. */
export function workerGatewayContract(name: string, make: () => Promise<GatewayPlace>): void {
  async function stage() {
    const place = await make();
    const leader = async (labels: readonly string[] = [], seal = SEAL) => {
      const runs = new HandedOutRuns({
        board: await place.board(),
        clock: { now: () => NOW },
        trees: async () => ({ placeOf: async () => BRANCH }),
        terms: USUAL_ATTEMPT_TERMS,
        seal,
      });
      onTestFinished(() => runs.close());
      // The planner of a run assigns it.
      const hand = ({ id, taskId }: RunPlan) =>
        runs.assignRun(id, { tree: { task: taskId, attempt: 2, base: 'abc' }, setsUp: true, labels });
      const prepare = async (of: RunPlan) => {
        hand(of);
        await runs.prepare(of);
      };
      const start = async (of: RunPlan) => {
        if (!runs.has(of.id)) hand(of);
        await runs.start(of);
      };
      return Object.assign(runs, { prepared: prepare, started: start });
    };
    /** Opens orders, as they were signed. */
    const opening = async (key?: string) => {
      const desk = await place.desk(key);
      const known: string[] = [];
      const handed = async (most: number) => {
        const taken = await desk.take(most, known);
        known.push(...taken.map(({ run }) => run));
        return taken;
      };
      const orders = async (most: number) =>
        (await handed(most)).map(({ order }) => JSON.parse(order.text) as AttemptOrder);
      return Object.assign(desk, { handed, orders });
    };
    const worker = async (...of: Parameters<typeof card>) => {
      const desk = await opening();
      onTestFinished(() => desk.unregisterWorker().catch(() => undefined)); // the test may have unregistered it already
      await desk.registerWorker(card(...of));
      return desk;
    };
    const runs = await leader();
    await runs.adopt([]);
    const factOf = async (id: string, of = runs) => (await of.facts()).find((fact) => fact.id === id);
    const seen = (id: string, expected: object, of = runs) =>
      vi.waitFor(async () => expect(await factOf(id, of)).toMatchObject(expected), PATIENCE);
    return { ...place, desk: opening, runs, leader, worker, factOf, seen };
  }

  describe(`the contract of handing attempts out: ${name}`, () => {
    verifies('fleet.offer', 'each attempt is taken once, by one of eight, oldest first', async () => {
      const { runs, worker, seen, standing } = await stage();
      const desks = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => worker(`box-${number}`)));
      expect(await desks[0]?.orders(1)).toEqual([]);
      for (let number = 1; number <= 20; number++) await runs.started(plan(number));
      const taken = await Promise.all(desks.map((desk) => desk.orders(2)));
      expect(taken.map(({ length }) => length)).toEqual(desks.map(() => 2));
      expect(new Set(taken.flatMap(names)).size).toBe(16);
      expect(names((await desks[0]?.orders(9)) ?? []), 'it has four slots').toEqual(['agent-17', 'agent-18']);
      const order = one(taken.flat().filter(({ plan: { id } }) => id === 'agent-1'));
      expect(order).toEqual({ plan: plan(1), tree: { task: 'task-1', attempt: 2, base: 'abc' }, setsUp: true });
      await seen('agent-1', { taskId: 'task-1', fence: 2, startedAt: 1_000, timeoutMs: 60_000, branch: 'wg/build/2' });
      await seen('agent-19', { alive: true, started: true, outputBytes: 0 });
      expect((await standing()).map((of) => [of.name, of.slots, of.attempts.length, of.silent])).toEqual([
        ...[['box-1', 4, 4, false]],
        ...[2, 3, 4, 5, 6, 7, 8].map((number) => [`box-${number}`, 4, 2, false]),
      ]);
    });

    verifies(
      ['fleet.offer', 'fleet.plan'],
      'a prepared attempt is nobody’s until it is offered, and is kept until then',
      async () => {
        const { runs, leader, worker } = await stage();
        const desk = await worker('box');
        const client = { request: { model: 'sonnet' }, silentEnd: 'ask', mail: 'none' } as unknown as RunPlan['client'];
        const prepared = plan(1, { executor: 'claude', ...(client ? { client } : {}) });
        await runs.prepared(prepared);
        await runs.prepared(plan(2, { executor: 'claude' }));
        await runs.prepared(plan(3));
        expect([await desk.orders(9), await runs.facts()]).toEqual([[], []]);
        await runs.discard('agent-2');
        await runs.started({ ...prepared, startedAt: 9_000 });
        expect(await desk.orders(9), 'it has no such client').toEqual([]);
        const able = await worker('able', { executors: ['claude'] });
        expect((await able.orders(9)).map(({ plan: { id, startedAt } }) => [id, startedAt])).toEqual([
          ['agent-1', 9_000],
        ]);
        await runs.prepared(plan(4, { executor: 'claude' }));
        await runs.prepared(plan(5, { executor: 'claude' }));
        const next = await leader();
        expect(await next.adopt([{ run: 'agent-5', taskId: 'task-5', fence: 2, startedAt: 1_000 }])).toBe(5);
        expect((await next.facts()).map(({ id, alive, started }) => [id, alive, started])).toEqual([
          ['agent-1', true, true],
          ['agent-5', false, false], // its task is claimed, and it never began
        ]);
        expect([next.has('agent-4'), next.has('agent-5'), next.has('agent-6')]).toEqual([false, true, false]);
        expect(await next.listed()).toMatchObject([
          { id: 'agent-1', executor: 'claude', model: 'sonnet', worker: 'able', status: 'working' },
          { id: 'agent-5', status: 'dead' },
        ]);
      },
    );

    verifies('fleet.labels', 'a worker takes what asks for no label that it lacks', async () => {
      const { leader, worker, standing } = await stage();
      const runs = await leader(['gpu', 'linux']);
      await runs.adopt([]);
      const without = await worker('small', { labels: ['linux'] });
      const more = await worker('large', { labels: ['arm', 'gpu', 'linux'], executors: ['claude'], slots: 2 });
      await runs.started(plan(1));
      const rooms = [
        { name: 'large', labels: ['arm', 'gpu', 'linux'], executors: ['claude'], free: 1 },
        { name: 'small', labels: ['linux'], executors: [], free: 4 },
      ];
      await vi.waitFor(async () => expect(await sorted(runs.rooms())).toEqual(rooms), PATIENCE);
      expect(await without.orders(1)).toEqual([]);
      expect(names(await more.orders(1))).toEqual(['agent-1']);
      await vi.waitFor(async () => expect(await sorted(runs.rooms())).toEqual(rooms), PATIENCE);
      await more.unregisterWorker();
      await vi.waitFor(async () => expect(await sorted(runs.rooms())).toEqual(rooms.slice(1)), PATIENCE);
      expect((await standing()).map(({ name, labels }) => [name, labels])).toEqual([['small', ['linux']]]);
    });

    verifies('fleet.trust', 'an attempt goes to a worker that knows its leader, to the letter', async () => {
      const { runs, leader, worker, standing } = await stage();
      const desk = await worker('box', { leaders: [], labels: ['gpu'] });
      expect(await desk.leaders()).toEqual([{ ...SEAL.card, leads: true }]);
      expect((await desk.beat([])).leader).toEqual(SEAL.card);
      await runs.started(plan(1));
      expect(await desk.handed(1), 'nobody agreed to that leader there').toEqual([]);
      const worry = { kind: 'unagreed', name: 'box', labels: ['gpu'] };
      await vi.waitFor(
        async () => expect([await runs.rooms(), await runs.workerProblems()]).toEqual([[], [worry]]),
        PATIENCE,
      );
      await desk.registerWorker(card('box'));
      await vi.waitFor(
        async () => expect([(await runs.rooms()).length, await runs.workerProblems()]).toEqual([1, []]),
        PATIENCE,
      );
      const { run, task, fence, order } = one(await desk.handed(1));
      expect([run, task, fence, order.key]).toEqual(['agent-1', 'task-1', 2, SEAL.card.key]);
      expect(isSignedBy(sealedWords('order', 'shop', order.text), order.key, order.signature)).toBe(true);

      await runs.started(plan(2));
      const other = sealFor('shop', 'ben');
      const next = await leader([], other);
      await next.adopt([]);
      await next.started(plan(3));
      expect((await desk.beat([])).leader).toEqual(other.card);
      expect((await desk.leaders()).map(({ name, leads }) => [name, leads])).toEqual([
        ['ben', true],
        ['ann', false],
      ]);
      await vi.waitFor(async () => expect(await next.workerProblems()).toMatchObject([{ kind: 'unagreed' }]), PATIENCE);
      expect((await standing()).map(({ leaders, unagreed }) => [leaders, unagreed])).toEqual([[[SEAL.card.key], true]]);
      expect(names(await desk.orders(4)), 'what a known leader offered is good').toEqual(['agent-2']);
      expect((await next.facts()).map(({ id, alive }) => [id, alive])).toEqual(
        [1, 2, 3].map((n) => [`agent-${n}`, true]),
      );
    });

    verifies(
      'fleet.told',
      'what a worker says in words that are not understood is told with the reason, and kept',
      async () => {
        const { runs, worker, factOf, seen } = await stage();
        const desk = await worker('box');
        await runs.started(plan(1));
        const order = one(await desk.orders(1));
        const spent = { usage: { cost_usd: -1 } };
        await desk.beat([reportOf(order, spent)]);
        const why = 'fact.usage.cost_usd must be at least 0';
        const worry = { kind: 'garbled', name: 'box', run: 'agent-1', why };
        await vi.waitFor(async () => expect(await runs.workerProblems()).toEqual([worry]), PATIENCE);
        expect(await factOf('agent-1'), 'it is at work all the same').toMatchObject({ alive: true });
        await desk.beat([reportOf(order, { usage: { cost_usd: 1 } })]);
        await seen('agent-1', { alive: true, usage: { cost_usd: 1 } });
        expect(await runs.workerProblems()).toEqual([]);
        const end = { ...endOf(order), publication: { outcome: 'published', branch: 7 } } as unknown as AttemptEnd;
        expect(await desk.end(end)).toBe('taken');
        await seen('agent-1', { alive: false, started: true, garbledEnd: 'publication.branch must be text, not 7' });
        expect([await factOf('agent-1'), runs.endOf('agent-1')]).toEqual([
          expect.not.objectContaining({ exit: {} }),
          undefined,
        ]);
        expect((await runs.listed())[0]).toMatchObject({ id: 'agent-1', status: 'dead' });
      },
    );

    verifies('fleet.end', 'an end is told once, with what was published, and is a fact from then on', async () => {
      const { runs, leader, worker, factOf, seen, refused } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      const order = one(await desk.orders(1));
      await desk.beat([reportOf(order, { alive: false, exit: { code: 0 } })]);
      expect(await factOf('agent-1'), 'its work is not handed over yet').toMatchObject({ alive: true });
      expect(await factOf('agent-1')).not.toHaveProperty('exit');
      const end = endOf(order);
      expect([await desk.end(end), await desk.end(end)]).toEqual(['taken', 'taken']);
      await seen('agent-1', { alive: false, started: true, exit: { code: 0 }, outputBytes: 7 });
      const { fact, publication } = end;
      expect(runs.endOf('agent-1')).toMatchObject({ fact, publication });
      expect((await runs.listed())[0]).toMatchObject({ id: 'agent-1', status: 'done', worker: 'box' });
      expect(await desk.end(endOf(order, 1)), 'another end of the same').toBe('refused');
      expect(await runs.beat('agent-1', 2)).toBeUndefined();

      const next = await leader();
      expect(await next.adopt([])).toBe(1);
      expect(next.endOf('agent-1')).toMatchObject({ fact, publication });
      await next.forget('agent-1');
      expect([await next.facts(), next.has('agent-1')]).toEqual([[], false]);
      expect(await desk.end(endOf(order, 2))).toBe('refused');
      expect(await refused()).toEqual(['agent-1', 'agent-1']);
    });

    verifies('fleet.end', 'of ends of one attempt that are told together the first counts', async () => {
      const { runs, worker, seen, refused } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      const order = one(await desk.orders(1));
      const told = [
        endOf(order),
        endOf(order, 1),
        endOf(order),
        endOf({ ...order, plan: { ...order.plan, fence: 1 } }),
      ];
      const answers = await Promise.all(told.map((end) => desk.end(end)));
      expect(answers).toEqual(['taken', 'refused', 'taken', 'refused']);
      await seen('agent-1', { alive: false, exit: { code: 0 } });
      expect(await refused()).toEqual(['agent-1', 'agent-1']);
    });

    verifies('fleet.end', 'what an attempt of another fence says is set aside, and changes nothing', async () => {
      const { runs, worker, factOf, refused } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      const order = one(await desk.orders(1));
      const old = { ...order, plan: { ...order.plan, fence: 1 } };
      expect(await desk.end(endOf(old))).toBe('refused');
      expect(await desk.append('agent-1', 1, { of: 'output', from: 0, bytes: Buffer.from('x') })).toBe(false);
      const other = await worker('other');
      expect(await other.end(endOf(order))).toBe('refused');
      expect(await factOf('agent-1')).toMatchObject({ alive: true });
      expect(await refused()).toEqual(['agent-1', 'agent-1']);
    });

    verifies('fleet.end', 'a wish to end withdraws what nobody took, and reaches whoever took it', async () => {
      const { runs, worker, factOf } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      await runs.end('agent-1', 'stopped');
      expect(await factOf('agent-1')).toMatchObject({ alive: false, started: false });
      expect(await factOf('agent-1')).not.toHaveProperty('startError');
      expect(await desk.orders(9)).toEqual([]);

      await runs.started(plan(2));
      const order = one(await desk.orders(9));
      const heard = vi.fn();
      onTestFinished(desk.onWorkAvailable(heard));
      await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
      heard.mockClear();
      await runs.end('agent-2', 'budget');
      await runs.allow('agent-2', { usd: 3 });
      expect(await factOf('agent-2')).toMatchObject({ alive: true, ended: 'budget' });
      await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
      const { wishes, asked } = await desk.beat([reportOf(order)]);
      const allowed = JSON.stringify({ run: 'agent-2', fence: 2, limit: { usd: 3 } });
      const limit = SEAL.seal('limit', allowed);
      expect([wishes, asked]).toEqual([[{ run: 'agent-2', fence: 2, end: 'budget', limit }], 'work']);
    });

    verifies('fleet.beat', 'a heartbeat tells of all attempts, and answers the time', async () => {
      const { runs, worker, seen } = await stage();
      const desk = await worker('box', { executors: ['claude'] });
      for (const number of [1, 2]) {
        await runs.prepared(plan(number, { executor: 'claude' }));
        await runs.started(plan(number, { executor: 'claude' }));
      }
      const orders = await desk.orders(2);
      const usage = { cost_usd: 0.5, input_tokens: 10 };
      const { lost, now } = await desk.beat(
        orders.map((order) => reportOf(order, { turns: 3, usage, leaseUntil: 8_000, executor: 'claude' })),
      );
      expect([lost, Math.abs(desk.clock.now() - now) < 5_000]).toEqual([[], true]);
      for (const id of ['agent-1', 'agent-2'])
        await seen(id, { alive: true, turns: 3, usage, leaseUntil: 8_000, outputBytes: 7, executor: 'claude' });
      expect(await runs.beat('agent-1', 2)).toBe(NOW + workerLeaseMs);
      expect(await runs.beat('agent-1', 3)).toBeUndefined();
      expect((await runs.listed())[0]).not.toHaveProperty('pid');
    });

    verifies('fleet.lost', 'an attempt whose answer was lost on its way is handed to its worker again', async () => {
      const { runs, worker } = await stage();
      const desk = await worker('box', { slots: 2 });
      const other = await worker('other', { slots: 2 });
      await Promise.all([desk.beat([]), other.beat([])]);
      const runsOf = async (of: WorkerGateway, known: readonly string[]) =>
        (await of.take(2, known)).map(({ run }) => run);
      for (const number of [1, 2, 3]) await runs.started(plan(number));
      expect(await runsOf(desk, [])).toEqual(['agent-1', 'agent-2']);
      expect(await runsOf(other, [])).toEqual(['agent-3']);
      expect(await runsOf(desk, ['agent-2']), 'it has room for no other').toEqual(['agent-1']);
      const [again] = await desk.orders(1);
      expect(await desk.end(endOf(again as AttemptOrder))).toBe('taken');
      expect(await runsOf(desk, ['agent-2']), 'what has ended is over').toEqual([]);
    });

    verifies('fleet.lost', 'what a silent worker had taken is dead, and refused when it wakes', async () => {
      const { runs, worker, silence, seen, refused, standing } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      await runs.started(plan(2));
      const order = one(await desk.orders(1));
      await desk.beat([reportOf(order, { usage: { cost_usd: 2 } })]);
      await silence('box', workerLeaseMs + 1);
      await seen('agent-1', { alive: false, started: true, usage: { cost_usd: 2 } });
      expect((await runs.facts())[0]).not.toHaveProperty('exit');
      expect((await standing())[0]).toMatchObject({ name: 'box', silent: true, attempts: [] });
      expect(await desk.append('agent-1', 2, { of: 'output', from: 0, bytes: Buffer.from('x') })).toBe(false);
      expect(await desk.end(endOf(order))).toBe('refused');
      expect((await desk.beat([reportOf(order)])).lost).toEqual(['agent-1']);
      expect(await refused()).toEqual(['agent-1']);
      await seen('agent-1', { alive: false });
      expect(names(await desk.orders(1)), 'it has its name yet, and goes on').toEqual(['agent-2']);
    });

    verifies(
      'fleet.worker',
      'another life of a worker has its name at once by its key, and what it does not report is lost',
      async () => {
        const { runs, desk, seen } = await stage();
        const first = await desk('key');
        await first.registerWorker(card('box'));
        await runs.started(plan(1));
        await runs.started(plan(2));
        const order = one((await first.orders(2)).slice(0, 1));
        const second = await desk('key');
        onTestFinished(() => second.unregisterWorker());
        await second.registerWorker(card('box'));
        expect((await second.beat([reportOf(order)])).lost).toEqual([]);
        await seen('agent-2', { alive: false, started: true });
        await seen('agent-1', { alive: true });
        await expect(first.beat([])).rejects.toMatchObject({ code: 'not_found' });
        expect(await second.end(endOf(order))).toBe('taken');
      },
    );

    verifies('fleet.lost', 'a worker whose name another has is refused everywhere', async () => {
      const { runs, worker, desk, silence, seen, refused } = await stage();
      const first = await worker('box');
      await runs.started(plan(1));
      const order = one(await first.orders(1));
      const second = await desk();
      onTestFinished(() => second.unregisterWorker());
      await expect(second.registerWorker(card('box'))).rejects.toMatchObject({ code: 'worker_exists' });
      await first.registerWorker(card('box'));
      expect((await first.beat([reportOf(order)])).lost, 'the same process').toEqual([]);
      await silence('box', workerLeaseMs + 1);
      await second.registerWorker(card('box'));
      await second.beat([]);
      await seen('agent-1', { alive: false, started: true });
      await expect(first.beat([reportOf(order)])).rejects.toMatchObject({ code: 'not_found' });
      await expect(first.orders(1)).rejects.toMatchObject({ code: 'not_found' });
      expect(await first.append('agent-1', 2, { of: 'output', from: 0, bytes: Buffer.from('x') })).toBe(false);
      expect(await first.end(endOf(order))).toBe('refused');
      expect(await refused()).toEqual(['agent-1']);
      await first.unregisterWorker();
      expect((await second.beat([])).asked, 'that other one has left nothing').toBe('work');
    });

    verifies('fleet.lost', 'whoever comes in place of a killed process goes on with what it reports', async () => {
      const { runs, leader, worker, desk, silence, seen } = await stage();
      const first = await worker('box');
      for (const number of [1, 2]) await runs.started(plan(number));
      const order = one((await first.orders(2)).slice(0, 1));
      await runs.close(); // the leader does not notice that its lease has expired
      await silence('box', workerLeaseMs + 1);
      const second = await desk();
      onTestFinished(() => second.unregisterWorker());
      await second.registerWorker(card('box'));
      const report = reportOf(order as AttemptOrder);
      expect((await second.beat([report])).lost).toEqual([]);
      expect((await second.beat([report])).lost).toEqual([]);
      const next = await leader();
      await next.adopt([]);
      await seen('agent-1', { alive: true }, next);
      await seen('agent-2', { alive: false, started: true }, next);
      expect(await second.end(endOf(order as AttemptOrder))).toBe('taken');
      await expect(first.beat([report])).rejects.toMatchObject({ code: 'not_found' });
    });

    verifies('fleet.lost', 'a worker that leaves loses what it has not ended', async () => {
      const { runs, worker, seen, standing } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      await desk.orders(1);
      await desk.unregisterWorker();
      await seen('agent-1', { alive: false, started: true });
      expect(await standing()).toEqual([]);
    });

    verifies('fleet.offer', 'what no worker takes is given back with the reason', async () => {
      const { runs, worker, age, seen } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      await age(untakenMs + 1);
      await seen('agent-1', { alive: false, started: false, startError: 'no worker took it' });
      expect(await desk.orders(1)).toEqual([]);
      await runs.refuse(plan(2), 'the base is gone');
      await seen('agent-2', { alive: false, started: false, startError: 'the base is gone' });
      expect((await runs.listed()).map(({ status }) => status)).toEqual(['dead', 'dead']);
    });

    verifies('fleet.offer', 'a leader that begins anew finds what is offered, at work and over', async () => {
      const { runs, leader, worker } = await stage();
      const desk = await worker('box');
      for (const number of [1, 2, 3]) await runs.started(plan(number));
      const [first] = await desk.orders(2);
      if (first) await desk.end(endOf(first, 3));
      await runs.end('agent-2', 'timeout');
      await runs.close();
      const next = await leader();
      const changed = vi.fn();
      next.onChange(changed);
      expect(await next.adopt([])).toBe(3);
      expect((await next.facts()).map(({ id, alive, ended, exit }) => [id, alive, ended, exit?.code])).toEqual([
        ['agent-1', false, undefined, 3],
        ['agent-2', true, 'timeout', undefined],
        ['agent-3', true, undefined, undefined],
      ]);
      expect(names(await desk.orders(2))).toEqual(['agent-3']);
      await vi.waitFor(() => expect(changed).toHaveBeenCalled(), PATIENCE);
      const statuses = async () => (await next.listed()).map(({ status }) => status);
      await vi.waitFor(async () => expect(await statuses()).toEqual(['failed', 'stopping', 'working']), PATIENCE);
    });

    verifies('fleet.outside', 'what a run prints is kept once, in pieces, up to a cap', async () => {
      const { runs, worker, kept } = await stage();
      const desk = await worker('box');
      await runs.started(plan(1));
      await desk.orders(1);
      const append = (of: RunPiece['of'], from: number, bytes: Buffer) =>
        desk.append('agent-1', 2, { of, from, bytes });
      const text = Buffer.from('a line\n'.repeat(20_000));
      expect(await append('output', 0, text)).toBe(true);
      expect(await append('output', text.length - 7, Buffer.from('a line\nthe next\n'))).toBe(true);
      expect((await kept('agent-1', 'output')).equals(Buffer.concat([text, Buffer.from('the next\n')]))).toBe(true);
      expect(await append('prompt', 0, Buffer.from('do it'))).toBe(true);
      const rest = Buffer.alloc(runBytes + pieceBytes, 'x');
      expect(await append('events', 0, rest)).toBe(false);
      expect((await kept('agent-1', 'events')).length).toBe(runBytes - text.length - 9 - 5);
      expect(await append('output', text.length + 9, Buffer.from('more'))).toBe(false);
      expect((await kept('agent-1', 'output')).length).toBe(text.length + 9);
    });
  });
}

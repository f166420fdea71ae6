import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type { PlacementAnswer } from '#core/coordinator/placing.js';
import type { ClientHold, EndReason, RunFact } from '#core/coordinator/snapshot.js';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import { CoordinatorLoop, type CoordinatorOptions } from '#operations/coordinator/coordinator-loop.js';
import { placesHost } from '#operations/coordinator/placing.js';
import type { RunClaim, RunHost, RunPlan } from '#ports/run-host.js';
import { collect } from '../../contract/graph-store.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { quietHosts, quietParts } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';
import { NOW } from './stage.js';

/** Runs without processes: a test says when each ends. Everything else is as the real host promises. */
class StagedRuns implements RunHost {
  readonly started: RunPlan[] = [];
  readonly endings: string[] = [];
  adopted: readonly RunClaim[] = [];
  closed = false;
  /** What every start waits for. */
  gate: Promise<void> = Promise.resolve();
  private readonly live = new Map<string, RunFact>();
  private listener: () => void = () => undefined;

  async prepare(): Promise<void> {
    expect.unreachable('no client is here');
  }
  async discard(): Promise<void> {
    expect.unreachable('nothing was prepared');
  }
  async start(plan: RunPlan): Promise<void> {
    await this.gate;
    this.started.push(plan);
    const { id, taskId, fence, startedAt, timeoutMs } = plan;
    this.live.set(id, { id, taskId, fence, startedAt, timeoutMs, alive: true, started: true, outputBytes: 0 });
  }
  async adopt(claims: readonly RunClaim[]): Promise<number> {
    this.adopted = claims;
    for (const claim of claims) {
      this.live.set(claim.run, {
        id: claim.run,
        taskId: claim.taskId,
        fence: claim.fence,
        startedAt: claim.startedAt,
        timeoutMs: 60_000,
        alive: false,
        started: false,
        outputBytes: 0,
      });
    }
    return 0;
  }
  async refuse(plan: RunPlan, startError: string): Promise<void> {
    const { id, taskId, fence, startedAt, timeoutMs } = plan;
    const none = { alive: false, started: false, outputBytes: 0, startError };
    this.live.set(id, { id, taskId, fence, startedAt, timeoutMs, ...none });
  }
  async facts(): Promise<readonly RunFact[]> {
    return [...this.live.values()];
  }
  async fact(run: string): Promise<RunFact | undefined> {
    return this.live.get(run);
  }
  async listed() {
    return [];
  }
  async beat(run: string): Promise<number | undefined> {
    return this.live.has(run) ? NOW + 60_000 : undefined;
  }
  async allow(): Promise<void> {
    expect.unreachable('nothing costs money here');
  }
  async end(run: string, why: EndReason): Promise<void> {
    this.endings.push(`${run} ${why}`);
    this.change(run, { ended: why, alive: false, exit: { code: 143 } });
  }
  async forget(run: string): Promise<void> {
    this.live.delete(run);
  }
  onChange(listener: () => void): void {
    this.listener = listener;
  }
  async close(): Promise<void> {
    this.closed = true;
  }
  /** The command of a run came to its end. */
  finish(run: string, code = 0): void {
    this.change(run, { alive: false, exit: { code } });
  }
  private change(run: string, fields: Partial<RunFact>): void {
    const present = this.live.get(run);
    if (present) this.live.set(run, { ...present, ...fields });
    setImmediate(() => this.listener());
  }
}

function stage(maxAgents = 2) {
  const clock = { now: () => NOW };
  const store = new GraphInMemory(clock);
  const runs = new StagedRuns();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const place = { answers: true, turns: 0 };
  const placing = async (_: string, signal: AbortSignal): Promise<PlacementAnswer> => {
    for (let turn = 0; turn < place.turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!place.answers) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    return { of: 'place', after: [], before: [] };
  };
  const loop = new CoordinatorLoop({
    ...quietParts({ store, runs }),
    hosts: (tools) => ({ ...quietHosts(tools, maxAgents), places: placesHost(tools, placing) }),
    onError,
  });
  onTestFinished(async () => {
    await loop.stop();
    await store.close();
  });
  const add = (id: string, after: string[] = []) =>
    store.commit((view) =>
      addTask(view, { title: id, id, after, exec: `echo ${id}`, environment: { IN_NAME: id } }, { now: NOW }),
    );
  const status = async (id: string) => (await store.view()).task(id)?.status;
  return { store, runs, loop, place, add, status, errors, log: () => collect(store.entries(1)) };
}

type OptionalKeys<Type> = { [Key in keyof Type]-?: object extends Pick<Type, Key> ? Key : never }[keyof Type];

describe('the loop around the coordinator', () => {
  verifies(
    'hold.nodaemon',
    'no part of a coordinator is optional: whoever leaves one out is refused by the compiler',
    () => {
      expectTypeOf<OptionalKeys<CoordinatorOptions>>().toEqualTypeOf<never>();
    },
  );

  verifies(
    'hold.nodaemon',
    'a tick that is waited for takes in what it began, and waits no longer than it may',
    async () => {
      const { loop, store, runs, place } = stage();
      const add = (id: string) =>
        store.commit((view) => addTask(view, { title: id, id, exec: 'true' }, { now: NOW, autoPlace: true }));
      await add('a');
      place.answers = true;
      await loop.begin();
      const would = await loop.preview();
      const { decisions, consequences } = await loop.tickThrough();
      expect(decisions).toEqual(would);
      expect([decisions, consequences].map((rows) => rows.map((row) => row.do))).toEqual([
        ['ask-place'],
        ['place', 'dispatch'],
      ]);
      expect(runs.started.map(({ taskId }) => taskId)).toEqual(['a']);
      // Also of what answers when the tick that asked is over.
      place.turns = 20;
      await add('later');
      const late = await loop.tickThrough();
      expect(late.decisions.map((row) => row.do)).toEqual(['ask-place']);
      expect(late.consequences.map((row) => row.do)).toEqual(['place', 'dispatch']);
      Object.assign(place, { answers: false, turns: 0 });
      await add('b');
      expect((await loop.tickThrough(1)).consequences).toEqual([]);
    },
  );

  verifies('service.first-tick', 'start finds earlier claims and makes the first tick at once', async () => {
    const { loop, runs, add, store, status } = stage();
    await add('a');
    await add('b');
    await store.commit((view) => claimTask(view, 'b', { now: NOW, by: { name: 'agent-7' } }));
    await loop.start();
    expect(runs.adopted).toEqual([{ run: 'agent-7', taskId: 'b', fence: 1, startedAt: NOW }]);
    expect(runs.started.map((plan) => plan.taskId).sort()).toEqual(['a', 'b']);
    expect(runs.started[0]).toMatchObject({
      command: expect.stringContaining('echo'),
      environment: { IN_NAME: expect.any(String) },
      check: '',
      timeoutMs: 1_800_000,
    });
    expect(await status('a')).toBe('in-progress');
  });

  verifies('coord.tick.single', 'one tick at a time; what asks meanwhile gets a single following one', async () => {
    const { loop, store } = stage();
    await loop.start();
    const before = loop.facts().ticks;
    let inside = 0;
    let most = 0;
    const real = store.commit.bind(store);
    store.commit = async (...words: Parameters<typeof real>) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      const done = await real(...words);
      inside--;
      return done as never;
    };
    const first = loop.tick();
    const others = Array.from({ length: 20 }, () => loop.tick());
    for (let count = 0; count < 20; count++) loop.trigger();
    await Promise.all([first, ...others]);
    expect(most).toBe(1);
    expect(loop.facts().ticks - before).toBe(2);
  });

  verifies('coord.tick.idle', 'ticks without anything to do write nothing and start nothing', async () => {
    const { loop, runs, add, log, store } = stage();
    await add('a');
    await add('b', ['a']);
    await loop.start();
    const [seq, entries] = [(await store.view()).seq, (await log()).length];
    for (let count = 0; count < 10; count++) await loop.tick();
    expect((await store.view()).seq).toBe(seq);
    expect(await log()).toHaveLength(entries);
    expect(runs.started).toHaveLength(1);
  });

  verifies(
    'coord.apply.commit',
    'a chain drains by itself: each end commits and starts the next in one group',
    async () => {
      const { loop, runs, add, status, log } = stage(1);
      await add('a');
      await add('b', ['a']);
      await add('c', ['b']);
      await loop.start();
      const drained = loop.whenDrained();
      for (const id of ['a', 'b', 'c']) {
        await until(() => runs.started.some((plan) => plan.taskId === id));
        expect((await runs.facts()).filter((run) => run.alive)).toHaveLength(1);
        runs.finish(runs.started.at(-1)?.id ?? '', id === 'b' ? 2 : 0);
      }
      await drained;
      expect([await status('a'), await status('b'), await status('c')]).toEqual(['done', 'failed', 'done']);
      const ops = (await log()).slice(3).map((entry) => [entry.op, entry.tx?.[1]]);
      expect(ops).toEqual([
        ...[
          ['claim', 2],
          ['spawn_agent', 2],
        ],
        ...[
          ['done', 4],
          ['agent_complete', 4],
          ['claim', 4],
          ['spawn_agent', 4],
        ],
        ...[
          ['fail', 4],
          ['agent_complete', 4],
          ['claim', 4],
          ['spawn_agent', 4],
        ],
        ...[
          ['done', 2],
          ['agent_complete', 2],
        ],
      ]);
      expect(runs.started.map((plan) => plan.id)).toEqual(['agent-1', 'agent-2', 'agent-3']);
    },
  );

  test('drained at once when there is nothing a command could do', async () => {
    const { loop, store } = stage();
    await store.commit((view) => addTask(view, { title: 'Talk' }, { now: NOW }));
    await loop.start();
    await loop.whenDrained();
  });

  verifies(
    'service.pause',
    'whoever pauses hears of it when nothing that was decided before is still to begin',
    async () => {
      const { loop, runs, add } = stage();
      await loop.begin();
      await add('a');
      let open: () => void = () => undefined;
      runs.gate = new Promise((resolve) => {
        open = resolve;
      });
      const round = loop.tick();
      loop.pause();
      const answered = loop.roundEnd().then(() => runs.started.length);
      open();
      expect(await answered).toBe(1);
      await round;
      await add('b');
      await loop.tick();
      expect(runs.started.map(({ taskId }) => taskId)).toEqual(['a']);
    },
  );

  test('paused: running ones go on and settle, nothing starts until resume', async () => {
    const { loop, runs, add, status } = stage(1);
    await add('a');
    await add('b');
    await loop.start();
    loop.pause();
    runs.finish('agent-1');
    await until(async () => (await status('a')) === 'done');
    await loop.tick();
    expect(runs.started).toHaveLength(1);
    expect(loop.facts().paused).toBe(true);
    loop.resume();
    await until(() => runs.started.length === 2);
  });

  verifies('service.detached', 'endRuns ends all, gives the tasks back and starts nothing new', async () => {
    const { loop, runs, add, status } = stage(2);
    for (const id of ['a', 'b', 'c']) await add(id);
    await loop.start();
    await loop.endRuns();
    expect(runs.endings).toEqual(['agent-1 stopped', 'agent-2 stopped']);
    for (const id of ['a', 'b', 'c']) expect(await status(id)).toBe('open');
    expect(runs.started).toHaveLength(2);
    await loop.stop();
    await loop.stop();
    expect(runs.closed).toBe(true);
  });

  verifies('service.detached', 'endRuns lets a run alone that came to its end by itself a moment before', async () => {
    const { loop, runs, add, status } = stage(2);
    for (const id of ['a', 'b']) await add(id);
    await loop.start();
    runs.finish('agent-1');
    await loop.endRuns();
    expect(runs.endings).toEqual(['agent-2 stopped']);
    expect([await status('a'), await status('b')]).toEqual(['done', 'open']);
  });

  verifies('service.detached', 'what is left unsettled is the commands that worked in the project itself', async () => {
    const { loop, runs, add } = stage(1);
    await add('a');
    await loop.start();
    const [command] = await runs.facts();
    expect(await loop.unsettled()).toEqual(['agent-1']);
    runs.facts = async () => [
      { ...(command as RunFact), id: 'client', executor: 'claude' },
      { ...(command as RunFact), id: 'in-a-tree', branch: 'wg/a/1' },
    ];
    expect(await loop.unsettled()).toEqual([]);
    runs.facts = async () => [];
  });

  verifies('service.detached', 'endRuns ends what a tick under way is just beginning, too', async () => {
    const { loop, runs, add, status } = stage(2);
    for (const id of ['a', 'b', 'c']) await add(id);
    let open: () => void = () => undefined;
    runs.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await loop.begin();
    const ticking = loop.tick();
    await new Promise((resolve) => setImmediate(resolve)); // it has decided to start two
    const ending = loop.endRuns();
    open();
    await Promise.all([ticking, ending]);
    expect(runs.endings).toEqual(['agent-1 stopped', 'agent-2 stopped']);
    expect(await runs.facts()).toEqual([]);
    for (const id of ['a', 'b', 'c']) expect(await status(id)).toBe('open');
  });

  verifies('service.detached', 'endRuns waits for no word that it had already', async () => {
    const { loop, runs, add, status } = stage(1);
    await add('a');
    await loop.start();
    // As a run that never got its ticket: it is over at once, and a tick of somebody else settles it.
    await runs.end('agent-1', 'stopped');
    const ticking = loop.tick();
    await loop.endRuns();
    await ticking;
    expect(await status('a')).toBe('open');
  });

  verifies('coord.apply.effects', 'an effect that fails takes no other with it', async () => {
    const { store, runs, errors } = stage();
    const loop = new CoordinatorLoop({
      ...quietParts({ store, runs }),
      hosts: (tools) => quietHosts(tools, 3),
      onError: (error) => errors.push(error),
    });
    onTestFinished(() => loop.stop());
    for (const id of ['a', 'b'])
      await store.commit((view) => addTask(view, { title: id, id, exec: 'true' }, { now: NOW }));
    await loop.start();
    expect(runs.started.map((plan) => plan.taskId)).toEqual(['a', 'b']);
    runs.end = () => {
      throw new Error('cannot be told');
    };
    await store.commit((view) => addTask(view, { title: 'c', id: 'c', exec: 'true' }, { now: NOW }));
    await store.commit(() => ({
      events: [{ op: 'edit', patch: [{ id: 'a', set: { status: 'abandoned' } }] }],
      result: undefined,
    }));
    await loop.tick();
    expect(errors).toEqual([expect.objectContaining({ message: 'cannot be told' })]);
    expect(runs.started.map((plan) => plan.taskId)).toEqual(['a', 'b', 'c']);
  });

  test('what an earlier life held is held until something changes, and then is tried again', async () => {
    const { store, runs } = stage();
    const backOff = { until: NOW + 60_000, pauseMs: 60_000 };
    const hold: ClientHold = {
      ...{ client: 'claude', trouble: 'overloaded', run: 'agent-1' },
      ...{ since: NOW, until: NOW + 15_000, pauseMs: 15_000 },
    };
    const kept: (readonly ClientHold[])[] = [];
    const parts = quietParts({ store, runs });
    const loop = new CoordinatorLoop({
      ...parts,
      persisted: { ...parts.persisted, backOff, holds: [hold], saveHolds: (holds) => kept.push(holds) },
    });
    onTestFinished(() => loop.stop());
    await loop.start();
    expect(loop.facts()).toMatchObject({ backOffUntil: backOff.until, holds: [hold] });
    loop.configure({ maxAgents: 2 });
    expect(loop.facts()).toMatchObject({ maxAgents: 2, holds: [] });
    expect(kept).toEqual([[]]);
  });

  test('a run that somebody asks for starts whatever the slots say', async () => {
    const { loop, runs, add, status } = stage(1);
    await add('a');
    await add('b');
    await loop.start();
    expect(runs.started.map(({ taskId }) => taskId)).toEqual(['a']);
    expect(await loop.spawn({ task: 'b' })).toEqual({ agent_id: 'agent-2' });
    expect([runs.started.at(-1)?.taskId, await status('b')]).toEqual(['b', 'in-progress']);
    await expect(loop.spawn({ task: 'b' })).rejects.toMatchObject({ code: expect.any(String) });
  });

  test('a run that is told to end is looked at again when it says that it has', async () => {
    const { loop, runs, add, store, log } = stage();
    await add('a');
    await loop.start();
    await store.commit(() => ({
      events: [{ op: 'edit', patch: [{ id: 'a', set: { status: 'abandoned' } }] }],
      result: undefined,
    }));
    const before = loop.facts().ticks;
    await loop.tick();
    expect(loop.facts().ticks - before).toBe(1);
    expect(runs.endings).toHaveLength(1);
    await until(async () => (await log()).some(({ op }) => op === 'agent_complete'));
  });

  test('only the run that holds its task, under its latest claim, is heard', async () => {
    const { loop, add } = stage();
    await add('a');
    await loop.start();
    expect(await loop.beat('agent-1', 1)).toBe(NOW + 60_000);
    for (const [run, fence] of [
      ['agent-1', 2],
      ['agent-9', 1],
    ] as const)
      await expect(loop.beat(run, fence), run).rejects.toMatchObject({ code: 'stale_attempt' });
  });

  test('a tick that cannot commit is told, and the next one goes on', async () => {
    const { loop, runs, add, store, errors } = stage();
    await loop.start();
    await add('a');
    const real = store.commit.bind(store);
    store.commit = async () => {
      throw new Error('the disk is full');
    };
    loop.trigger();
    await until(() => errors.length === 1);
    expect(runs.started).toEqual([]);
    store.commit = real;
    loop.trigger();
    await until(() => runs.started.length === 1);
  });
});

/** Waits, turn by turn of the event loop, until something is so. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 5_000; turns++) {
    if (await check()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('It never became so');
}

import { expect } from 'vitest';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { AttemptAtWork } from '#operations/workers/attempt-at-work.js';
import { AttemptHandover } from '#operations/workers/attempt-handover.js';
import { Masking } from '#operations/workers/masking.js';
import { RefusedOrders } from '#operations/workers/refused-orders.js';
import { NOTHING_SENT, type RunSender } from '#operations/workers/run-sender.js';
import type { WorkerEvent } from '#operations/workers/worker-events.js';
import type { Publication } from '#ports/attempt-trees.js';
import type { ListedRun } from '#ports/run-host.js';
import { verifies } from '../../verifies.js';

const STARTED = Date.parse('2026-03-01T10:00:00Z');
const PLAN = { id: 'agent-1', taskId: 'seal', fence: 3, startedAt: STARTED, timeoutMs: 60_000 };
const FACT: RunFact = { ...PLAN, alive: false, started: true, outputBytes: 12, exit: { code: 0 } } as never;
const LISTED = { id: 'agent-1', task_id: 'seal', executor: 'shell', status: 'done', started_at: 'then' } as const;
const PUBLISHED = { outcome: 'published', branch: 'wg/seal-1', commit: 'c1' } as unknown as Publication;
const HELD = { outcome: 'kept', reason: 'unfinished', text: 'a merge is unfinished' } as const;

type Step = 'send' | 'publish' | 'park' | 'end' | 'clear' | 'forget';
type Answers = Partial<Record<Step, unknown>>;

function attemptAtWork(sender: Partial<RunSender> = {}, plan: object = {}): AttemptAtWork {
  return new AttemptAtWork({ order: { plan: { ...PLAN, ...plan } } as never, sent: NOTHING_SENT }, sender as RunSender);
}

/** Hands an attempt over to services that answer like this: an error is thrown, of a list each is used once. */
async function handed(answers: Answers, fact: object = {}, more: { lost?: true; isHurried?: boolean } = {}) {
  const [calls, events, ends]: [string[], WorkerEvent[], unknown[]] = [[], [], []];
  const step = async (name: Step, ...words: unknown[]) => {
    calls.push([name, ...words].join(' '));
    const given = answers[name];
    const answer = Array.isArray(given) ? given.shift() : given;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const attempt = attemptAtWork({ send: async ({ end }) => Boolean(await step('send', end)) });
  attempt.lost = more.lost === true;
  const handover = new AttemptHandover({
    desk: {
      end: async (end: unknown) => {
        ends.push(end);
        return await step('end', attempt.telling);
      },
    },
    runs: { forget: async (run: string, status: string) => void (await step('forget', run, status)) },
    orders: { forget: async (run: string) => void calls.push(`order ${run}`) },
    places: { publish: () => step('publish'), park: () => step('park'), clear: () => step('clear') },
    masking: new Masking(['hunter2-hunter2']),
    pace: { now: () => 0, wait: async (milliseconds: number) => calls.push(`wait ${milliseconds}`) },
    tell: (event: WorkerEvent) => events.push(event),
    isHurried: () => more.isHurried === true,
  } as never);
  await handover.handOver(attempt, { fact: { ...FACT, ...fact }, listed: LISTED });
  return {
    attempt,
    calls,
    ends,
    told: events.map(({ event, run, task, text }) => [event, run, task, text].join(' | ')),
  };
}

const refused = (code: ErrorCode, why?: string) => new TroupeError(code, { what: `${code}.`, ...(why ? { why } : {}) });
const GOOD = { publish: PUBLISHED, end: 'taken' };
const ENDED = ['forget agent-1 done', 'order agent-1'];

verifies('fleet.worker', 'an attempt that is over is sent, published, reported, cleared and forgotten', async () => {
  const { calls, told, ends, attempt } = await handed(GOOD);
  expect(calls).toEqual(['send true', 'publish', 'end true', 'clear', ...ENDED]);
  expect(told).toEqual(['ended | agent-1 | seal | done, published as wg/seal-1']);
  expect(ends).toEqual([{ fact: FACT, listed: LISTED, publication: PUBLISHED, unpublished: undefined }]);
  expect(attempt.telling).toBe(true);
  const nothing = await handed({ ...GOOD, publish: { outcome: 'nothing', commit: 'c0', before: false } });
  expect(nothing.told).toEqual(['ended | agent-1 | seal | done']);
  const masked = await handed(GOOD, { exit: { code: 1, lastLines: 'hunter2-hunter2' } });
  expect(JSON.stringify(masked.ends)).not.toContain('hunter2');
});

verifies('fleet.worker', 'an end is told as the run ended, and the run is forgotten with that status', async () => {
  const of = async (fact: object) => {
    const { told, calls } = await handed(GOOD, fact);
    return [told[0]?.split(' | ')[3], calls.find((call) => call.startsWith('forget'))];
  };
  const at = ', published as wg/seal-1';
  expect(await of({ exit: { code: 2 } })).toEqual([`failed with 2${at}`, 'forget agent-1 failed']);
  expect(await of({ exit: undefined })).toEqual([`died${at}`, 'forget agent-1 dead']);
  expect(await of({ ended: 'timeout' })).toEqual([`done (told to end: timeout)${at}`, 'forget agent-1 done']);
  expect(await of({ started: false, startError: 'no client' })).toEqual([
    ...['did not begin: no client', 'forget agent-1 dead'],
  ]);
  expect(await of({ started: false })).toEqual(['did not begin: unknown', 'forget agent-1 dead']);
});

verifies('fleet.code', 'work that cannot be published is set aside, and its worktree stays', async () => {
  const stays = 'kept | agent-1 | seal | its worktree stays: what is not published is not removed';
  const failing = { publish: refused('git_failed', 'No space.'), park: 'refs/troupe/seal', end: 'taken' };
  const failed = await handed(failing);
  expect(failed.calls).toEqual(['send true', 'publish', 'park', 'end true', ...ENDED]);
  const why = 'git_failed. No space. Its work is in refs/troupe/seal.';
  expect(failed.told).toEqual([
    'parked | agent-1 | seal | its work is in refs/troupe/seal',
    `ended | agent-1 | seal | done, not published: ${why}`,
    stays,
  ]);
  expect(failed.ends).toMatchObject([{ publication: undefined, unpublished: why }]);
  const held = await handed({ publish: HELD, park: undefined, end: 'taken' });
  expect(held.told).toEqual(['ended | agent-1 | seal | done, not published: a merge is unfinished', stays]);
  expect(held.ends).toMatchObject([{ publication: HELD, unpublished: 'a merge is unfinished' }]);
  const broken = await handed({ ...failing, park: refused('disk_full') });
  expect(broken.told).toEqual([
    'kept | agent-1 | seal | its work stays here, disk_full.',
    'ended | agent-1 | seal | done, not published: git_failed. No space.',
    stays,
  ]);
});

verifies('fleet.code', 'an attempt given to another worker is not reported; its work is set aside', async () => {
  const lost = await handed({ park: 'refs/troupe/seal' }, {}, { lost: true });
  expect(lost.calls).toEqual(['park', 'clear', ...ENDED]);
  expect(lost.told).toEqual(['parked | agent-1 | seal | its work is in refs/troupe/seal']);
  const stays = 'kept | agent-1 | seal | its worktree stays: what is not published is not removed';
  expect((await handed({}, {}, { lost: true })).told).toEqual([stays]);
  const broken = await handed({ park: refused('disk_full') }, {}, { lost: true });
  expect(broken.told).toEqual(['kept | agent-1 | seal | its work stays here, disk_full.', stays]);
  const late = await handed({ ...GOOD, end: 'refused' });
  expect(late.told).toEqual(['lost | agent-1 | seal | its end was refused: it was given to somebody else']);
  expect(late.calls).toEqual(['send true', 'publish', 'end true', 'clear', ...ENDED]);
  const removed = await handed({ ...GOOD, end: refused('not_found') });
  expect([removed.told, removed.attempt.telling]).toEqual([late.told, false]);
  const unbegun = await handed({ end: 'refused' }, { started: false });
  expect(unbegun.calls).toEqual(['send true', 'end true', 'forget agent-1 dead', 'order agent-1']);
  expect(unbegun.told).toEqual([...late.told, stays]);
});

verifies('fleet.faults', 'an end is reported until it arrives, or left to the next process of the worker', async () => {
  const wait = `wait ${WORKER_LIMITS.againMs}`;
  const away = await handed({ ...GOOD, end: [refused('database_away'), refused('database_away'), 'taken'] });
  expect(away.calls.slice(2, -3)).toEqual(['end true', wait, 'end true', wait, 'end true']);
  expect(away.told).toEqual(['ended | agent-1 | seal | done, published as wg/seal-1']);
  const odd = await handed({ ...GOOD, end: [refused('data_corrupt'), refused('data_corrupt'), 'taken'] });
  expect(odd.told).toEqual(['kept | agent-1 | seal | its end is not told yet: data_corrupt.', ...away.told]);
  const hurried = await handed({ ...GOOD, end: refused('database_away') }, {}, { isHurried: true });
  expect(hurried.calls).toEqual(['send true', 'publish', 'end true']);
  expect(hurried.told).toEqual(['kept | agent-1 | seal | its end is not told: database_away.']);
  expect(hurried.attempt.telling).toBe(false);
  const kept = await handed({ ...GOOD, forget: refused('disk_full') });
  expect(kept.told).toEqual([...away.told, 'kept | agent-1 | seal | disk_full.']);
  const unsent = await handed({ ...GOOD, send: refused('data_corrupt') });
  expect(unsent.told).toEqual(['kept | agent-1 | seal | not all of its output is sent: data_corrupt.', ...away.told]);
  const open = await handed({ ...GOOD, clear: refused('git_failed') });
  expect(open.told).toEqual([...away.told, 'kept | agent-1 | seal | its worktree stays: git_failed.']);
  const busy = await handed({ ...GOOD, clear: 'a process is in it' });
  expect(busy.told).toEqual([...away.told, 'kept | agent-1 | seal | its worktree stays: a process is in it']);
});

verifies('fleet.worker', 'until its end is reported an attempt counts as at work', () => {
  const attempt = attemptAtWork();
  expect([attempt.run, attempt.task, attempt.fence]).toEqual(['agent-1', 'seal', 3]);
  const row = {
    ...{ id: 'agent-1', task_id: 'seal', executor: 'shell', status: 'starting' },
    started_at: '2026-03-01T10:00:00.000Z',
  };
  const beginning = { ...PLAN, alive: true, started: true, outputBytes: 0 };
  expect(attempt.row()).toEqual(row);
  expect(attempt.report(undefined, undefined)).toEqual({ fact: beginning, listed: row });
  expect(attempt.unbegun('no client')).toEqual({
    ...{ ...beginning, alive: false, started: false, startError: 'no client' },
  });
  const ended = { ...FACT, result: 'r', startError: 'e', leaseUntil: 9, outputBytes: 7 } as never;
  const listed: ListedRun = {
    ...{ ...LISTED, last_heartbeat: 'now', model: 'opus', usage: { input_tokens: 1 } as never, output: '/a/path' },
  } as never;
  const known = { ...beginning, outputBytes: 7 };
  const { output: _, ...shared } = listed as ListedRun & { output: string };
  expect(attempt.report(ended, listed)).toEqual({ fact: known, listed: { ...shared, status: 'starting' } });
  attempt.stage = 'working';
  expect(attempt.report(ended, listed)).toEqual({
    fact: { ...known, leaseUntil: 9 },
    listed: { ...shared, status: 'done' },
  });
  expect(attempt.report(FACT, undefined).listed).toEqual({ ...row, status: 'working' });
  expect(attempt.report(FACT, undefined).fact).not.toHaveProperty('leaseUntil');
  attempt.stage = 'handing-over';
  expect(attempt.report(ended, LISTED)).toEqual({ fact: known, listed: { ...LISTED, status: 'done' } });
  expect(Object.keys(attempt.report(ended, LISTED).listed)).toEqual(Object.keys(LISTED));
  const client = attemptAtWork({}, { executor: 'claude' });
  expect(client.row()).toEqual({ ...row, executor: 'claude' });
  expect(client.unbegun('x')).toMatchObject({ executor: 'claude' });
  expect(attempt.unbegun('x')).not.toHaveProperty('executor');
});

verifies(
  'fleet.told',
  'orders that are refused are reported until the leader has taken each of them once',
  async () => {
    const [events, ends]: [WorkerEvent[], unknown[]] = [[], []];
    let isAway = true;
    const end = async (one: unknown) => {
      if (isAway) throw refused('database_away');
      ends.push(one);
      return 'taken' as const;
    };
    const orders = new RefusedOrders({
      desk: { end, clock: { now: () => STARTED } },
      tell: (event) => events.push(event),
    });
    expect(await orders.tellAll()).toBe(false);
    orders.refuse({ run: 'agent-1', task: 'seal', fence: 3 } as never, refused('data_corrupt', 'Line 2.'));
    orders.refuse({ run: 'agent-2', task: 'test', fence: 1 } as never, refused('data_corrupt'));
    expect(events).toEqual([
      { event: 'refused', run: 'agent-1', task: 'seal', text: 'data_corrupt. Line 2.' },
      { event: 'refused', run: 'agent-2', task: 'test', text: 'data_corrupt.' },
    ]);
    await expect(orders.tellAll()).rejects.toMatchObject({ code: 'database_away' });
    isAway = false;
    expect(await orders.tellAll()).toBe(true);
    const told = (id: string, taskId: string, fence: number, startError: string) => ({
      fact: {
        ...{ id, taskId, fence, startedAt: STARTED, timeoutMs: 0, outputBytes: 0 },
        ...{ alive: false, started: false, startError },
      },
      listed: {
        ...{ id, task_id: taskId, executor: 'shell', status: 'dead', started_at: '2026-03-01T10:00:00.000Z' },
      },
      ...{ publication: undefined, unpublished: undefined },
    });
    expect(ends).toEqual([
      told('agent-1', 'seal', 3, 'data_corrupt. Line 2.'),
      told('agent-2', 'test', 1, 'data_corrupt.'),
    ]);
    expect(await orders.tellAll()).toBe(false);
    expect(ends).toHaveLength(2);
  },
);

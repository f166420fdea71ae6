import { describe, expect } from 'vitest';
import type { AttemptCard, BoardWorker, PostedAttempt } from '#adapters/workers/attempt-board.js';
import { attemptFact, listedAttempt, roomOf, roomsBeside } from '#adapters/workers/attempt-facts.js';
import { AttemptPicture } from '#adapters/workers/attempt-picture.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { RoomKinds } from '#core/coordinator/vacancies.js';
import type { ListedRun } from '#ports/run-host.js';
import type { AttemptReport } from '#ports/worker-gateway.js';
import { verifies } from '../../verifies.js';

const card = (run: string, more: Partial<AttemptCard> = {}): AttemptCard => ({
  ...{ run, taskId: `task of ${run}`, fence: 2, startedAt: 0, timeoutMs: 9, ...more },
});
const attempt = (run: string, state: PostedAttempt['state'], more: Partial<PostedAttempt> = {}): PostedAttempt => ({
  ...{ card: card(run), state, labels: [], ...more },
});
const report = (run: string, fact: Partial<RunFact> = {}, listed: Partial<ListedRun> = {}): AttemptReport => ({
  fact: {
    ...{ id: run, taskId: 'told', fence: 7, startedAt: 7, timeoutMs: 7, alive: true, started: true, outputBytes: 5 },
    ...fact,
  },
  listed: { id: run, task_id: 'told', executor: 'told', status: 'working', started_at: 'told', ...listed } as ListedRun,
});
const worker = (name: string, more: Partial<BoardWorker> = {}): BoardWorker => ({
  ...{ name, at: 'there', version: '1', slots: 2, labels: [], executors: ['claude'], leaders: [], asked: 'work' },
  ...{ silent: false, unagreed: false, gone: false, seenAt: 1, reports: [], unread: [], ...more },
});
const own = { taskId: 'task of r', fence: 2, startedAt: 0, timeoutMs: 9, elsewhere: true as const };

describe('an attempt at a worker', () => {
  verifies('fleet.worker', 'its facts are those its worker told, and what the board knows of it comes first', () => {
    const bare = { id: 'r', ...own, outputBytes: 0, alive: true, started: true };
    expect(attemptFact(attempt('r', 'offered'))).toEqual(bare);
    const more = { executor: 'claude', silentEnd: 'ask', branch: 'wg/r' } as const;
    expect(attemptFact(attempt('r', 'offered', { card: card('r', more) }))).toEqual({ ...bare, ...more });
    const told = report('r', { turns: 3, leaseUntil: 50, ended: 'idle', exit: { code: 0 }, startError: 'told' });
    const running = { ...bare, outputBytes: 5, turns: 3, ended: 'idle' };
    expect(attemptFact(attempt('r', 'running', { report: told }))).toEqual({ ...running, leaseUntil: 50 });
    expect(attemptFact(attempt('r', 'running', { report: told, wishedEnd: 'stopped' }))).toEqual({
      ...{ ...running, ended: 'stopped', leaseUntil: 50 },
    });
    const idle = report('r', { alive: false, leaseUntil: 50 });
    const later = { ...bare, outputBytes: 5 };
    expect(attemptFact(attempt('r', 'running', { report: idle })), 'over, and handed in').toEqual(later);
    expect(attemptFact(attempt('r', 'running', { report: report('r') }))).toEqual(later);
    expect(attemptFact(attempt('r', 'offered', { report: report('r', { leaseUntil: 50 }) }))).toEqual(later);
  });

  verifies('fleet.end', 'its end is the one that was told, or says why there is none', () => {
    const bare = { id: 'r', ...own, outputBytes: 0, alive: false, started: false };
    const end = {
      ...report('r', { started: false, exit: { code: 3 } }),
      publication: undefined,
      unpublished: undefined,
    };
    const ended = (more: Partial<PostedAttempt>) => attemptFact(attempt('r', 'ended', more));
    expect(ended({ outcome: 'told', end, wishedEnd: 'stopped' })).toEqual({
      ...{ ...bare, outputBytes: 5, exit: { code: 3 } },
    });
    expect(ended({ outcome: 'told' })).toEqual(bare);
    expect(ended({ outcome: 'lost', end, wishedEnd: 'stopped' })).toEqual({ ...bare, started: true, ended: 'stopped' });
    expect(ended({ outcome: 'garbled', reason: 'no JSON' })).toEqual({ ...bare, started: true, garbledEnd: 'no JSON' });
    expect(ended({ outcome: 'garbled' })).toEqual({ ...bare, started: true, garbledEnd: '' });
    expect(ended({ outcome: 'withdrawn', wishedEnd: 'stopped', reason: 'x' })).toEqual(bare);
    expect(ended({ outcome: 'untaken' })).toEqual({ ...bare, startError: 'no worker took it' });
    expect(ended({ outcome: 'refused', reason: 'not here' })).toEqual({ ...bare, startError: 'not here' });
    expect(ended({ outcome: 'refused' })).toEqual(bare);
  });

  verifies('fleet.see', 'it is listed with its worker, its client and how far it is', () => {
    const row = { id: 'r', task_id: 'task of r', executor: 'shell', started_at: '1970-01-01T00:00:00.000Z' };
    expect(listedAttempt(attempt('r', 'offered'))).toEqual({ ...row, status: 'starting' });
    const known = { card: card('r', { executor: 'claude', model: 'large' }), worker: 'box' };
    const more = { ...row, executor: 'claude', model: 'large', worker: 'box' };
    expect(listedAttempt(attempt('r', 'running', known))).toEqual({ ...more, status: 'working' });
    const told = report('r', {}, { pid: 9, model: 'told', last_heartbeat: 'now' });
    expect(listedAttempt(attempt('r', 'running', { report: told }))).toEqual({
      ...{ ...row, model: 'told', last_heartbeat: 'now', status: 'working' },
    });
    const end = (code?: number) => ({
      ...report('r', code === undefined ? {} : { exit: { code } }, { last_heartbeat: 'end' }),
      ...{ publication: undefined, unpublished: undefined },
    });
    const statusOf = (state: PostedAttempt['state'], one: Partial<PostedAttempt>) =>
      listedAttempt(attempt('r', state, one)).status;
    expect(listedAttempt(attempt('r', 'ended', { end: end(0), report: told })).last_heartbeat).toBe('end');
    expect([
      ...[statusOf('offered', { wishedEnd: 'stopped' }), statusOf('running', { wishedEnd: 'stopped' })],
      statusOf('ended', { wishedEnd: 'stopped', outcome: 'told', end: end(0) }),
      ...[statusOf('ended', { outcome: 'told', end: end(1) }), statusOf('ended', { outcome: 'told', end: end() })],
      ...[statusOf('ended', { outcome: 'lost', end: end(0) }), statusOf('ended', { outcome: 'told' })],
    ]).toEqual(['stopping', 'stopping', 'done', 'failed', 'dead', 'dead', 'dead']);
  });

  verifies('fleet.labels', 'a worker has room beside what it runs and what is offered', () => {
    const room = { name: 'box', executors: ['claude'], labels: ['gpu'], free: 1 };
    expect(roomOf(worker('box', { labels: ['gpu'] }), 1)).toEqual(room);
    for (const more of [{ asked: 'pause' }, { silent: true }, { gone: true }, { unagreed: true }] as const)
      expect(roomOf(worker('box', more as Partial<BoardWorker>), 0), JSON.stringify(more)).toBeUndefined();
    const other = { name: 'desk', executors: ['claude'], labels: [], free: 2 };
    const offer = (labels: string[], executor?: string) => ({
      ...{ card: card('r', executor === undefined ? {} : { executor }), labels },
    });
    const beside = (offers: readonly ReturnType<typeof offer>[]) =>
      roomsBeside([room, other], offers, new RoomKinds().of([room, other]));
    expect(beside([])).toEqual([room, other]);
    expect(beside([offer([])])).toEqual([room, { ...other, free: 1 }]);
    expect(beside([offer([]), offer([], 'claude'), offer(['gpu'])])).toEqual([
      ...[
        { ...room, free: 0 },
        { ...other, free: 0 },
      ],
    ]);
    expect(beside([offer([], 'codex'), offer(['arm'])])).toEqual([room, other]);
  });
});

describe('a picture of the board', () => {
  verifies('fleet.worker', 'only what changes is news, and each change is in all that is derived', () => {
    const picture = new AttemptPicture();
    expect([picture.get('a'), picture.has('a'), picture.runs(), picture.facts()]).toEqual([undefined, false, [], []]);
    expect([picture.set('a', attempt('a', 'prepared')), picture.set('a', attempt('a', 'prepared'))]).toEqual([
      ...[true, false],
    ]);
    expect([picture.has('a'), picture.runs(), picture.begun(), picture.fact('a'), picture.facts()]).toEqual([
      ...[true, ['a'], [], undefined, []],
    ]);
    const offered = attempt('a', 'offered');
    expect(picture.set('a', offered)).toBe(true);
    expect([picture.get('a'), picture.begun(), picture.facts()]).toEqual([offered, [offered], [attemptFact(offered)]]);
    expect(picture.facts()).toBe(picture.facts());
    expect(picture.fact('a')).toBe(picture.facts()[0]);
    const running = attempt('a', 'running', { worker: 'box' });
    picture.set('a', running);
    picture.set('b', offered);
    expect(picture.facts()).toEqual([attemptFact(running), attemptFact(offered)]);
    expect([picture.fact('none'), picture.delete('none'), picture.delete('b'), picture.runs()]).toEqual([
      ...[undefined, false, true, ['a']],
    ]);
    expect(picture.facts()).toEqual([attemptFact(running)]);
    picture.delete('a');
    picture.set('a', offered);
    expect(picture.fact('a')).toEqual(attemptFact(offered));
  });

  verifies('fleet.worker', 'room is what is left beside attempts that run and offers that wait', () => {
    const picture = new AttemptPicture();
    const free = () => Object.fromEntries(picture.vacant().map(({ name, free: left }) => [name, left]));
    expect(free()).toEqual({});
    picture.setWorker(worker('box'));
    picture.setWorker(worker('desk', { labels: ['gpu'], slots: 1 }));
    expect(free()).toEqual({ box: 2, desk: 1 });
    expect(picture.vacant()).toBe(picture.vacant());
    picture.set('a', attempt('a', 'offered'));
    picture.set('b', attempt('b', 'offered', { labels: ['gpu'] }));
    expect(free()).toEqual({ box: 1, desk: 0 });
    picture.set('a', attempt('a', 'running', { worker: 'desk' }));
    expect(free(), 'there is no place for the other').toEqual({ box: 2, desk: 0 });
    picture.set('b', attempt('b', 'ended'));
    picture.set('c', attempt('c', 'running', { worker: 'box' }));
    picture.set('d', attempt('d', 'running'));
    expect(free()).toEqual({ box: 1, desk: 0 });
    picture.set('c', attempt('c', 'running', { worker: 'box', wishedEnd: 'stopped' }));
    expect(free()).toEqual({ box: 1, desk: 0 });
    picture.set('a', attempt('a', 'ended', { worker: 'desk' }));
    picture.delete('c');
    expect(free()).toEqual({ box: 2, desk: 1 });
    picture.set('e', attempt('e', 'offered'));
    picture.delete('e');
    expect(free()).toEqual({ box: 2, desk: 1 });
    picture.setWorker(worker('box', { asked: 'stop' as never }));
    expect(free()).toEqual({ desk: 1 });
    expect(picture.keepWorkers(new Set(['desk', 'box']))).toBe(false);
    expect(picture.keepWorkers(new Set(['box']))).toBe(true);
    expect(free()).toEqual({});
    expect(picture.setWorker(worker('desk', { slots: 3 }))).toBe(true);
    expect(free()).toEqual({ desk: 3 });
    expect(picture.setWorker(worker('desk', { slots: 3, gone: true }))).toBe(true);
    expect([free(), picture.keepWorkers(new Set(['box'])), picture.keepWorkers(new Set())]).toEqual([{}, false, true]);
  });

  verifies('fleet.told', 'a heartbeat is news if it tells of a run or of another standing of its worker', () => {
    const picture = new AttemptPicture();
    expect(picture.setWorker(worker('box'))).toBe(true);
    expect(picture.setWorker(worker('box', { seenAt: 2 }))).toBe(false);
    expect(picture.setWorker(worker('box', { reports: [report('a')] })), 'a run that is not known').toBe(false);
    picture.set('a', attempt('a', 'running', { worker: 'box' }));
    picture.set('b', attempt('b', 'running', { worker: 'box' }));
    const [first, second] = [report('a', { turns: 1 }), report('b')];
    expect(picture.setWorker(worker('box', { reports: [first, second] }))).toBe(true);
    expect([picture.get('a')?.report, picture.get('b')?.report]).toEqual([first, second]);
    expect(picture.facts().map(({ turns }) => turns)).toEqual([1, undefined]);
    expect(picture.setWorker(worker('box', { reports: [first, second] }))).toBe(false);
    const next = report('a', { turns: 2 });
    expect(picture.setWorker(worker('box', { reports: [next, second] })), 'the last one is no news').toBe(true);
    expect(picture.fact('a')?.turns).toBe(2);
    expect(picture.set('a', attempt('a', 'running', { worker: 'box' })), 'what it told last counts').toBe(false);
    const stored = { report: report('a', { turns: 9 }) };
    picture.set('a', attempt('a', 'running', { worker: 'desk', ...stored }));
    expect(picture.fact('a')?.turns, 'another has it').toBe(9);
    picture.set('a', attempt('a', 'ended', { worker: 'box', ...stored }));
    expect(picture.fact('a')?.turns, 'it has ended').toBe(9);
    picture.set('b', attempt('b', 'running', { worker: 'box' }));
    picture.delete('b');
    picture.set('b', attempt('b', 'running', { worker: 'box' }));
    expect(picture.get('b')?.report, 'what was told of one that is gone').toBeUndefined();
  });

  verifies('fleet.see', 'workers that are silent, not agreed with, or say what cannot be read are named', () => {
    const picture = new AttemptPicture();
    picture.setWorker(worker('box', { silent: true, unagreed: true, seenAt: 4 }));
    picture.setWorker(worker('desk', { unagreed: true, labels: ['gpu'], unread: [{ run: 'r', why: 'no JSON' }] }));
    expect(picture.silent()).toEqual([{ name: 'box', since: 4 }]);
    expect(picture.worries()).toEqual([
      { kind: 'unagreed', name: 'desk', labels: ['gpu'] },
      { kind: 'garbled', name: 'desk', run: 'r', why: 'no JSON' },
    ]);
  });
});

import { expect, test } from 'vitest';
import type { NoticeBook } from '#core/coordinator/notice-book.js';
import { type Budget, NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';
import { noticeStage } from './notices-stage.js';

const HOOK = { webhook: { url_env: 'HOOK' }, every: '1m' };
const MINUTE = 60_000;
const done = { status: 'done' };
const failed = { status: 'failed', failure_reason: 'no network' };
const review = { status: 'pending-validation', verify: 'the build is green' };
const question = {
  status: 'waiting',
  checkpoint: 'Which port?',
  wait_condition: { mode: 'all', since: '2026-03-01T10:00:00Z', conditions: [{ type: 'human-input' }] },
};
const bookOf = async ({ store }: { store: { view(): Promise<{ node(id: string): unknown }> } }) =>
  (await store.view()).node('.notices') as unknown as NoticeBook;
const subjects = (post: { sent: readonly { subject: string }[] }) => post.sent.map(({ subject }) => subject);

verifies(
  ['notify.what', 'notify.group'],
  'reviews, questions, failures and the end of a run are told in one notice, a moment after the first',
  async () => {
    const { add, set, pass, settle, post } = noticeStage(HOOK);
    const step = (node: string) => ({ workflow: { id: 'fix', run: 'fix-1', node } });
    for (const id of ['a', 'b', 'c']) await add(id, { title: `Task ${id}` });
    for (const id of ['s', 't']) await add(id, step(id));
    await settle();
    await set('a', review);
    await set('b', question);
    await set('c', failed);
    await set('s', done);
    await settle();
    expect(post.sent).toEqual([]);
    await set('t', done);
    await settle();
    pass(NOTICE_LIMITS.gatherMs);
    await settle();
    expect(post.sent).toHaveLength(1);
    expect(post.sent[0]).toMatchObject({
      channel: 'webhook',
      subject: '[parser] 1 review, 1 question, 1 failure, 1 plan finished',
      text: [
        'Review: Task a\n  the build is green\n  troupe show a\n  troupe approve a',
        'Waits for you: Task b\n  Which port?\n  troupe answer b "…"',
        'Failed: Task c\n  no network\n  troupe show c\n  troupe retry c',
        'Finished: fix-1 (passed)\n  troupe status',
      ].join('\n\n'),
    });
  },
);

verifies('notify.group', 'what happens soon after a notice waits and is told together', async () => {
  const { add, set, pass, settle, post } = noticeStage(HOOK);
  for (const id of ['a', 'b', 'c']) await add(id);
  await settle();
  await set('a', failed);
  await settle();
  pass(NOTICE_LIMITS.gatherMs);
  await settle();
  await set('b', failed);
  pass(MINUTE / 2);
  await settle();
  await set('c', review);
  pass(MINUTE / 2);
  await settle();
  expect(subjects(post)).toEqual(['[parser] Failed: a', '[parser] 1 review, 1 failure']);
});

verifies(
  'notify.what',
  'what is decided before it is told is not told, nor what happened before the first start',
  async () => {
    const { add, set, pass, settle, post } = noticeStage(HOOK);
    await add('old', failed);
    await add('a');
    await settle();
    await set('a', review);
    await settle();
    await set('a', done);
    pass(MINUTE);
    await settle();
    expect(post.sent).toEqual([]);
  },
);

verifies(
  'notify.what',
  'a task of a person is told once it is ready, work that an agent reviews or that is being merged is not',
  async () => {
    const { add, set, pass, settle, post } = noticeStage(HOOK);
    await add('first');
    await add('sign', { human: true, after: ['first'] });
    await add('led');
    await settle();
    await set('led', { ...review, review_task: '.review-led-1' });
    await add('.trial-fix-1', { trial: { base: 'a'.repeat(40) } });
    await set('.trial-fix-1', failed);
    await set('sign', { title: 'Sign it' });
    pass(MINUTE);
    await settle();
    expect(post.sent).toEqual([]);
    await set('first', done);
    await settle();
    pass(MINUTE);
    await settle();
    expect(subjects(post)).toEqual(['[parser] Waits for you: Sign it']);
  },
);

verifies('notify.what', 'only the kinds that are set are told', async () => {
  const { add, set, pass, settle, post } = noticeStage({ ...HOOK, about: ['failed'] });
  for (const id of ['a', 'b']) await add(id);
  await settle();
  await set('a', review);
  await set('b', failed);
  pass(MINUTE);
  await settle();
  expect(subjects(post)).toEqual(['[parser] Failed: b']);
});

verifies('notify.what', 'the budget is told once a day at 80 %, and again under another cap', async () => {
  const spent = (usdToday: number, usdPerDay: number): Budget => ({
    caps: { usdPerDay },
    reserve: { usd: 1, tokens: 1 },
    spent: { ...NOTHING_SPENT, usdToday },
    reserved: new Map(),
  });
  const own = world();
  const told = async (budget: Budget) => {
    const stage = noticeStage(HOOK, own, budget);
    await stage.settle();
    own.pass(MINUTE);
    await stage.settle();
    return subjects(stage.post);
  };
  expect(await told(spent(3.99, 5))).toEqual([]);
  expect(await told(spent(4, 5))).toEqual(['[parser] Budget: 4 of 5 US dollars today spent']);
  expect(await told(spent(4.5, 5))).toEqual([]);
  expect(await told(spent(9, 10))).toEqual(['[parser] Budget: 9 of 10 US dollars today spent']);
  own.pass(24 * 60 * MINUTE);
  expect(await told(spent(4.5, 5))).toHaveLength(1);
});

verifies('notify.quiet', 'in quiet hours nothing is sent; afterwards one notice tells all of it', async () => {
  const { add, set, pass, settle, post, host } = noticeStage({ ...HOOK, quiet: '00:00-23:59' });
  for (const id of ['a', 'b']) await add(id);
  await settle();
  await set('a', failed);
  await settle();
  pass(MINUTE);
  await set('b', failed);
  await settle();
  pass(MINUTE);
  await settle();
  expect(post.sent).toEqual([]);
  const [end = 0] = host.times();
  expect(end).toBeGreaterThan(Date.parse('2026-03-01T10:02:00Z'));
  pass(end - Date.parse('2026-03-01T10:02:00Z'));
  await settle();
  expect(subjects(post)).toEqual(['[parser] 2 failures']);
});

verifies('notify.quiet', 'an attempt that is due in quiet hours waits for their end', async () => {
  const own = world();
  const loud = noticeStage(HOOK, own);
  await own.add('a');
  await loud.settle();
  await own.set('a', failed);
  loud.post.refuses = () => 'gone';
  own.pass(MINUTE);
  await loud.settle();
  const quiet = noticeStage({ ...HOOK, quiet: '00:00-23:59' }, own);
  own.pass(MINUTE);
  await quiet.settle();
  expect(quiet.post.sent).toEqual([]);
  const [end = 0] = quiet.host.times();
  own.pass(end - own.clock.now());
  await quiet.settle();
  expect(subjects(quiet.post)).toEqual(['[parser] Failed: a']);
});

verifies('notify.once', 'the end of a run is told once, and again if it ends otherwise', async () => {
  const { add, set, pass, settle, post } = noticeStage({ ...HOOK, about: ['plan'] });
  const step = (node: string) => ({ workflow: { id: 'fix', run: 'fix-1', node } });
  for (const id of ['s', 't']) await add(id, step(id));
  await settle();
  const ends = async (status: string) => {
    await set('t', { status });
    await settle();
    pass(MINUTE);
    await settle();
  };
  await set('s', done);
  for (const status of ['failed', 'failed', 'open', 'done', 'done']) await ends(status);
  expect(subjects(post)).toEqual(['[parser] Finished: fix-1 (failed)', '[parser] Finished: fix-1 (passed)']);
});

verifies(
  'notify.once',
  'a service that is killed after it sent, and before it knew, sends the same notice with its key again',
  async () => {
    const { add, set, pass, settle, round, post, own, errands } = noticeStage(HOOK);
    await add('a');
    await settle();
    await set('a', failed);
    await settle();
    pass(MINUTE);
    await round(); // sent, and not recorded: the service is gone
    for (const key of errands.facts().underWay) await errands.firstOf([key]);
    expect(post.sent).toHaveLength(1);
    const next = noticeStage(HOOK, own);
    await next.settle();
    expect(next.post.sent).toEqual(post.sent);
    const third = noticeStage(HOOK, own);
    pass(MINUTE);
    await third.settle();
    expect(third.post.sent).toEqual([]);
  },
);

verifies('notify.once', 'what happened while no service was up is told by the next one, once', async () => {
  const first = noticeStage(HOOK);
  const { add, set, pass, own } = first;
  for (const id of ['a', 'b']) await add(id);
  await first.settle();
  await set('a', failed);
  pass(MINUTE);
  const second = noticeStage(HOOK, own);
  await second.settle();
  expect(subjects(second.post)).toEqual(['[parser] Failed: a']);
  await set('a', { status: 'open' });
  await set('a', failed);
  pass(MINUTE);
  await second.settle();
  expect(subjects(second.post), 'it failed again').toHaveLength(2);
});

verifies(
  ['notify.retry', 'notify.problems'],
  'a channel that refuses delays no other, is asked again with growing pauses, and given up at the end',
  async () => {
    const stage = noticeStage({ ...HOOK, desktop: true });
    const { add, set, pass, settle, post, host, clock } = stage;
    await add('a');
    await settle();
    await set('a', failed);
    await settle();
    let asked = 0;
    post.refuses = (channel) => (channel === 'webhook' ? `it answered 500 (${++asked})` : undefined);
    pass(NOTICE_LIMITS.gatherMs);
    await settle();
    expect(post.sent.map(({ channel }) => channel)).toEqual(['desktop']);
    const pauses: number[] = [];
    for (let [at] = host.times(); at !== undefined; [at] = host.times()) {
      pauses.push((at - clock.now()) / 1_000);
      pass(at - clock.now() - 1);
      await settle();
      expect(asked).toBe(pauses.length);
      pass(1);
      await settle();
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800]);
    expect(await bookOf(stage)).toMatchObject({
      sending: [],
      troubles: [{ channel: 'webhook', text: 'No: it answered 500 (10)', lost: 1 }],
    });
    const { problems } = (await stage.call('analysis.problems', {})) as { problems: { kind: string; text: string }[] };
    expect(problems.filter(({ kind }) => kind === 'channel')).toMatchObject([
      {
        text: 'Notices by webhook fail: No: it answered 500 (10). 1 notice not delivered',
        command: 'troupe notify test',
      },
    ]);
    post.refuses = () => undefined;
    await add('b');
    await set('b', failed);
    await settle();
    pass(MINUTE);
    await settle();
    expect((await bookOf(stage)).troubles).toEqual([]);
  },
);

verifies(
  'notify.retry',
  'a channel that never answers holds up no round, and not more than eight notices',
  async () => {
    const stage = noticeStage({ ...HOOK, every: '1s' });
    const { add, set, pass, settle, round, post } = stage;
    await settle();
    post.refuses = () => 'no answer in time';
    for (let number = 0; number < NOTICE_LIMITS.sending + 3; number++) {
      await add(`t${number}`);
      await set(`t${number}`, failed);
      await round();
      pass(NOTICE_LIMITS.gatherMs);
      await settle();
    }
    const { sending, troubles } = await bookOf(stage);
    expect([sending.length, troubles[0]?.lost]).toEqual([NOTICE_LIMITS.sending, 3]);
  },
);

verifies('notify.trust', 'without a channel that a person here agreed to, nothing is collected or sent', async () => {
  const { add, set, pass, settle, store } = noticeStage({ every: '1s' });
  await add('a');
  await settle();
  await set('a', failed);
  pass(MINUTE);
  await settle();
  expect((await store.view()).node('.notices')).toBeUndefined();
});

verifies('notify.inert', 'titles and reasons are cut, without control characters and without secrets', async () => {
  const { add, set, pass, settle, post } = noticeStage(HOOK);
  await add('a', { title: `\u001b[2J${'x'.repeat(500)}` });
  await settle();
  await set('a', { status: 'failed', failure_reason: `token=${'s'.repeat(20)} ${'y'.repeat(900)}` });
  pass(MINUTE);
  await settle();
  const [{ subject = '', text = '' } = {}] = post.sent;
  expect(subject).toMatch(/^\[parser\] Failed: \\u\{1b\}\[2Jx+…$/);
  expect(subject.length).toBeLessThanOrEqual(200);
  expect(text).toContain('token=********');
  expect(text.length).toBeLessThan(700);
});

test('things beyond those that are kept are counted, and those beyond the shown are too', async () => {
  const { addAll, set, pass, settle, post } = noticeStage(HOOK);
  const ids = Array.from({ length: NOTICE_LIMITS.things + 5 }, (_, number) => `t${number}`);
  await addAll(ids.map((id) => ({ id })));
  await settle();
  for (const id of ids) await set(id, failed);
  pass(MINUTE);
  await settle();
  expect(subjects(post)).toEqual(['[parser] 100 failures, 5 more']);
  expect(post.sent[0]?.text).toMatch(/\n\n85 more: troupe problems$/);
});

test('a position beyond the log, which another history replaced, begins again at its end', async () => {
  const stage = noticeStage(HOOK);
  await stage.add('a');
  await stage.settle();
  const book = await bookOf(stage);
  await stage.store.commit(() => ({
    events: [{ op: 'notify', patch: [{ id: '.notices', put: { ...book, kind: 'notices', position: 900 } }] }],
    result: undefined,
  }));
  await noticeStage(HOOK, stage.own).settle();
  await stage.set('a', failed);
  stage.pass(MINUTE);
  const next = noticeStage(HOOK, stage.own);
  await next.settle();
  expect(subjects(next.post)).toEqual(['[parser] Failed: a']);
});

test('a channel that is no longer configured is no problem, and gets nothing', async () => {
  const own = world();
  const first = noticeStage(HOOK, own);
  await own.add('a');
  await first.settle();
  await own.set('a', failed);
  first.post.refuses = () => 'gone';
  own.pass(MINUTE);
  await first.settle();
  expect(await bookOf(first)).toMatchObject({ sending: [{}], troubles: [{}] });
  const second = noticeStage({ every: '1s' }, own);
  await second.settle();
  expect(await bookOf(second)).toMatchObject({ sending: [], troubles: [] });
});

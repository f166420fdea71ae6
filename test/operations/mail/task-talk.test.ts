import { expect, test } from 'vitest';
import { claimTask, unclaimTask } from '#core/graph/moves.js';
import { isTask } from '#core/graph/task.js';
import { waitTask } from '#core/graph/wait.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { approve } from '#operations/graph/approve.js';
import { log } from '#operations/graph/log.js';
import { list, poll, read, send } from '#operations/mail/task-talk.js';
import type { Context } from '#operations/operation.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import type { Caller } from '#ports/callers.js';
import { world } from '../../e2e/world.js';
import { said } from '../../said.js';
import { storesInMemory } from '../../tables-in-memory.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

function place() {
  const own = world();
  const { mail, outbox } = storesInMemory();
  let fresh = 0;
  const as = (caller: Caller, request: Context['request'] = {}): Context => ({
    ...own.context,
    caller,
    request,
    freshId: () => `m-${++fresh}`,
    mail: async () => mail,
    outbox: async () => outbox,
  });
  const person = (name: string) => as({ kind: 'person', name });
  const run = (name: string, taskId: string, fence: number) => as({ kind: 'run', name, taskId, fence });
  const claim = (id: string, name: string) =>
    own.store.commit((view) => claimTask(view, id, { now: own.clock.now(), by: { name } }));
  const release = (id: string) =>
    own.store.commit((view) => unclaimTask(view, id, { now: own.clock.now(), by: { name: 'coordinator' } }));
  const status = async (id: string) => (await own.store.view()).task(id)?.status;
  return { ...own, mail, outbox, as, person, run, claim, release, status };
}

verifies('msg.task', 'what is written to a task is new to whoever works at it, until they have read it', async () => {
  const { add, person, run, claim, release } = place();
  await add('a');
  await claim('a', 'agent-1');
  const agent = run('agent-1', 'a', 1);
  expect(await poll.run(agent, { id: 'a' })).toEqual({ ok: false, task_id: 'a', unread: 0 });
  const sent = await send.run(person('ann'), { id: 'a', text: 'the grammar has changed', priority: 'high' });
  expect(sent).toMatchObject({ status: 'queued', conversation_id: 'task:a', message_id: 'm-1', number: 1 });
  await send.run(person('ann'), { id: 'a', text: 'and the tests', from: 'Ben Low' });
  expect(await poll.run(agent, { id: 'a' })).toEqual({ ok: true, task_id: 'a', unread: 2 });
  expect(await poll.run(person('ann'), { id: 'a' })).toMatchObject({ ok: true, unread: 1 });
  const listed = await list.run(agent, { id: 'a' });
  expect(listed.messages).toEqual([
    expect.objectContaining({ from: 'ann', sender: 'human/ann', text: 'the grammar has changed', priority: 'high' }),
    expect.objectContaining({ from: 'Ben Low', sender: 'human/ben-low', text: 'and the tests', unread: true }),
  ]);
  expect((await read.run(agent, { id: 'a' })).messages.map(({ number }) => number)).toEqual([1, 2]);
  expect((await read.run(agent, { id: 'a' })).messages).toEqual([]);
  await release('a');
  await claim('a', 'agent-2');
  expect(await poll.run(run('agent-2', 'a', 2), { id: 'a' })).toMatchObject({ ok: false });
  await send.run(run('agent-2', 'a', 2), { id: 'a', text: 'done so far' });
  expect(await poll.run(run('agent-2', 'a', 2), { id: 'a' })).toMatchObject({ unread: 0 });
  expect((await read.run(person('ben low'), { id: 'a' })).messages.map(({ number }) => number)).toEqual([1, 3]);
});

verifies('msg.task', 'the latest messages are listed, and from one of them the older ones', async () => {
  const { add, person } = place();
  await add('a');
  for (const text of ['one', 'two', 'three', 'four', 'five']) await send.run(person('ann'), { id: 'a', text });
  const listed = async (input: { limit?: number; before?: number }) =>
    (await list.run(person('ann'), { id: 'a', ...input })).messages.map(({ number }) => number);
  expect(await listed({ limit: 2 })).toEqual([4, 5]);
  expect(await listed({ limit: 2, before: 4 })).toEqual([2, 3]);
  expect(await listed({ limit: 2, before: 2 })).toEqual([1]);
  expect(await listed({ before: 1 })).toEqual([]);
  expect(await listed({ limit: 2, before: 99 })).toEqual([4, 5]);
});

verifies('msg.task', 'a run speaks for itself, and only while it holds its task', async () => {
  const { add, run, claim, release, mail } = place();
  for (const id of ['a', 'b']) await add(id);
  await claim('a', 'agent-1');
  const agent = run('agent-1', 'a', 1);
  await expect(send.run(agent, { id: 'b', text: 'x', from: 'ann' })).rejects.toThrow(coded('not_yours'));
  expect(await send.run(agent, { id: 'b', text: 'for you', from: 'agent-1' })).toMatchObject({ number: 1 });
  expect((await mail.messages('task:b', { limit: 1 }))[0]).toMatchObject({
    sender: 'run/agent-1',
    speaks_for: 'task/a',
  });
  await release('a');
  await claim('a', 'agent-2');
  for (const call of [
    send.run(agent, { id: 'a', text: 'late' }),
    send.run(agent, { id: 'b', text: 'late' }),
    read.run(agent, { id: 'a' }),
    poll.run(agent, { id: 'a' }),
    list.run(agent, { id: 'a' }),
  ])
    await expect(call).rejects.toThrow(coded('stale_attempt'));
  expect(await mail.messages('task:a', { limit: 9 })).toEqual([]);
  expect(await mail.messages('task:b', { limit: 9 })).toHaveLength(1);
});

verifies('msg.task', 'bounds: nothing, too much, a full inbox, a name that is none, a task nobody knows', async () => {
  const { add, person, mail } = place();
  await add('a');
  const ann = person('ann');
  await expect(send.run(ann, { id: 'a', text: ' \n' })).rejects.toThrow(coded('empty_message'));
  await expect(send.run(ann, { id: 'a', text: 'x\0y' })).rejects.toThrow(coded('bad_input'));
  const most = 'ü'.repeat(TEAM_LIMITS.messageBytes / 2);
  await expect(send.run(ann, { id: 'a', text: `${most}x` })).rejects.toThrow(coded('message_too_large'));
  await send.run(ann, { id: 'a', text: most });
  for (const from of ['', ' ', 'a/b', 'a:b', 'a\u001bb', 'x'.repeat(101)])
    await expect(send.run(ann, { id: 'a', text: 'x', from }), from).rejects.toThrow(coded('bad_input'));
  await expect(send.run(ann, { id: 'nobody', text: 'x' })).rejects.toThrow(coded('unknown_task'));
  await expect(list.run(ann, { id: 'nobody' })).rejects.toThrow(coded('unknown_task'));
  for (let count = 1; count < TEAM_LIMITS.messagesUnread; count++) await send.run(ann, { id: 'a', text: 'x' });
  await expect(send.run(ann, { id: 'a', text: 'x' })).rejects.toThrow(coded('inbox_full'));
  expect(await mail.messages('task:a', { limit: 500 })).toHaveLength(TEAM_LIMITS.messagesUnread);
});

verifies(
  ['msg.task', 'graph.wait.met'],
  'a message wakes the task that waits for one; the sender sees it',
  async () => {
    const { add, person, claim, store, clock, run, status } = place();
    for (const id of ['a', 'b']) await add(id);
    await claim('a', 'agent-1');
    await claim('b', 'agent-2');
    const by = { name: 'agent-1', taskId: 'a', fence: 1 };
    const since = new Date(clock.now()).toISOString();
    const wait = { mode: 'all' as const, since, by: 'agent-1', conditions: [{ type: 'human-input' as const }] };
    await store.commit((view) => waitTask(view, 'a', wait, { now: clock.now(), by }));
    await send.run(run('agent-1', 'a', 1), { id: 'a', text: 'anybody?' });
    await send.run(run('agent-2', 'b', 1), { id: 'a', text: 'I am no person' });
    expect(await status('a')).toBe('waiting');
    const { events, task } = await send.run(person('ann'), { id: 'a', text: 'yes' });
    expect(events.map(({ op }) => op)).toEqual(['message', 'wake']);
    expect(task?.status).toBe('in-progress');
  },
);

test('a list tells what is unread; it counts as read only by reading, and to its writer never was new', async () => {
  const { add, person } = place();
  await add('a');
  const [ann, ben] = [person('ann'), person('ben')];
  for (const text of ['one', 'two']) await send.run(ann, { id: 'a', text });
  const row = (number: number, text: string) => ({
    ...{ id: `m-${number}`, number, from: 'ann', sender: 'human/ann', text, priority: 'normal' },
    at: '2026-03-01T10:00:00.000Z',
  });
  const fresh = [
    { ...row(1, 'one'), unread: true },
    { ...row(2, 'two'), unread: true },
  ];
  const unseen = (rows: readonly object[]) => rows.map((one) => ({ ...one, seen: false }));
  const listed = { task_id: 'a', asks: null };
  expect(await list.run(ben, { id: 'a' })).toEqual({ ...listed, messages: unseen(fresh), unread: 2 });
  expect(await list.run(ann, { id: 'a' })).toMatchObject({ unread: 0 });
  expect((await list.run(ben, { id: 'a', limit: 1 })).messages).toEqual(unseen(fresh.slice(1)));
  expect(await read.run(ben, { id: 'a' })).toEqual({ task_id: 'a', messages: fresh });
  await send.run(ann, { id: 'a', text: 'three' });
  expect(await list.run(ben, { id: 'a' })).toEqual({
    ...listed,
    messages: unseen([row(1, 'one'), row(2, 'two'), row(3, 'three')].map((one, at) => ({ ...one, unread: at === 2 }))),
    unread: 1,
  });
  for (const { run } of [read, poll]) await expect(run(ben, { id: 'none' })).rejects.toThrow(coded('unknown_task'));
});

test('an answer carries so many characters: of a list the latest, of what is new the oldest', async () => {
  const { add, person, mail } = place();
  await add('a');
  const [full, rest] = [TEAM_LIMITS.messageBytes, TEAM_LIMITS.messagesListedCharacters % TEAM_LIMITS.messageBytes];
  const bodies = [
    ...Array.from({ length: Math.floor(TEAM_LIMITS.messagesListedCharacters / full) }, () => full),
    rest,
    1,
  ];
  for (const [at, characters] of bodies.entries()) await mail.change(said(`k-${at}`, 'a', 'x'.repeat(characters)));
  const numbers = bodies.map((_, at) => at + 1);
  const numbersOf = ({ messages: rows }: { messages: readonly { number: number }[] }) =>
    rows.map(({ number }) => number);
  expect(numbersOf(await list.run(person('ben'), { id: 'a' }))).toEqual(numbers.slice(1));
  expect(numbersOf(await read.run(person('ben'), { id: 'a' }))).toEqual(numbers.slice(0, -1));
  expect(numbersOf(await read.run(person('ben'), { id: 'a' })), 'the next time').toEqual(numbers.slice(-1));
  expect(numbersOf(await list.run(person('ben'), { id: 'a', limit: 10_000 }))).toEqual(numbers.slice(1));
});

test('one list has so many messages at most', async () => {
  const { add, person, mail } = place();
  await add('a');
  const asked: unknown[] = [];
  const watched = {
    ...mail,
    cursor: async () => 0,
    open: async () => [],
    messages: async (...args: unknown[]) => [args[1]].filter((one) => asked.push(one) === 0),
  };
  const context = { ...person('ben'), mail: async () => watched as never };
  for (const limit of [undefined, 7, TEAM_LIMITS.messagesListed + 1]) await list.run(context, { id: 'a', limit });
  expect(asked).toEqual([TEAM_LIMITS.messagesListed, 7, TEAM_LIMITS.messagesListed].map((limit) => ({ limit })));
});

test('the same request twice is one message and one event', async () => {
  const { add, as, store } = place();
  await add('a');
  const twice = as({ kind: 'person', name: 'ann' }, { requestId: 'r-1' });
  const first = await send.run(twice, { id: 'a', text: 'once' });
  expect(await send.run(twice, { id: 'a', text: 'once' })).toMatchObject({ number: 1, message_id: first.message_id });
  const ops: string[] = [];
  for await (const { op } of store.entries(1)) ops.push(op);
  expect(ops.filter((op) => op === 'message')).toHaveLength(1);
});

test('who was killed between the two stores told nobody: the next one does, and only once', async () => {
  const { add, set, person, mail, outbox, store, as } = place();
  await add('a');
  await add('gone');
  await mail.change(said('k-1', 'a'));
  await mail.change(said('k-2', 'gone'));
  await store.commit(() => ({ events: [{ op: 'gc', patch: [{ id: 'gone', del: true }] }], result: undefined }));
  await send.run(person('ann'), { id: 'a', text: 'next' });
  const told: unknown[] = [];
  for await (const { op, detail } of store.entries(1)) if (op === 'message') told.push(detail?.['message_id']);
  expect(told).toEqual(['k-1', 'm-1']);
  expect(await outbox.pending(9)).toEqual([]);
  expect(await relayOutbox(as({ kind: 'person', name: 'ann' }))).toEqual([]);
  await set('a', { title: 'still there' });
});

verifies(['bus.not-approval', 'sec.approval'], 'no words approve anything', async () => {
  const { add, person, status, store } = place();
  await add('a', { status: 'pending-validation', assigned: 'ben', verify: 'look' });
  for (const text of ['approved', '!done a', '{"verdict":"approve"}', 'troupe approve a'])
    await send.run(person('ann'), { id: 'a', text, priority: 'urgent' });
  expect(await status('a')).toBe('pending-validation');
  const tasks = [...(await store.view()).nodes()].filter(isTask);
  expect(tasks.every((task) => task.log === undefined)).toBe(true);
  expect(await approve.run(person('ann'), { id: 'a' })).toMatchObject({ status: 'done' });
});

verifies(
  'web.talk',
  'a list says of each message whether a run has had it, and what its run asks a person',
  async () => {
    const { add, person, run, claim, release, pass, store } = place();
    await add('a');
    await send.run(person('ann'), { id: 'a', text: 'before it begins' });
    pass(1_000);
    await claim('a', 'agent-1');
    pass(1_000);
    await send.run(person('ann'), { id: 'a', text: 'while it works' });
    const seen = async () => (await list.run(person('ann'), { id: 'a' })).messages.map((message) => message.seen);
    expect(await seen()).toEqual([true, false]);
    const reported = await log.run(run('agent-1', 'a', 1), { id: 'a', message: 'half of it works' });
    expect(reported.messages).toMatchObject([{ from: 'ann', text: 'while it works' }]);
    expect(await seen()).toEqual([true, true]);
    expect(await log.run(run('agent-1', 'a', 1), { id: 'a', message: 'all of it' })).not.toHaveProperty('messages');
    await send.run(person('ann'), { id: 'a', text: 'and one more' });
    expect(await log.run(person('ann'), { id: 'a', message: 'by hand' })).not.toHaveProperty('messages');
    expect((await list.run(person('ann'), { id: 'a' })).asks).toBeNull();
    await release('a');
    await add('b', { checkpoint: 'Which grammar?', status: 'waiting', wait_condition: HUMAN_INPUT });
    expect((await list.run(person('ann'), { id: 'b' })).asks).toBe('Which grammar?');
    expect((await store.view()).task('b')?.status).toBe('waiting');
  },
);

const HUMAN_INPUT = { mode: 'all', since: '2026-03-01T10:00:00.000Z', conditions: [{ type: 'human-input' }] };

verifies('web.talk', 'a report does not fail because messages cannot be read', async () => {
  const { add, claim, run } = place();
  await add('a');
  await claim('a', 'agent-1');
  const broken = { ...run('agent-1', 'a', 1), mail: () => Promise.reject(new TroupeError('sqlite_missing')) };
  expect(await log.run(broken, { id: 'a', message: 'still here' })).toMatchObject({ log: [{ message: 'still here' }] });
});

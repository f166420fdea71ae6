import { expect, test } from 'vitest';
import type { CoordinatorState } from '#core/coordinator/session-states.js';
import { NO_SESSIONS, type Sessions } from '#core/coordinator/sessions.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { peopleById, watchedAgency } from '#operations/coordinator/agency-watch.js';
import * as acts from '#operations/coordinator/sessions.js';
import { send } from '#operations/mail/task-talk.js';
import type { Context } from '#operations/operation.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

/** A project whose sessions are kept in memory, with a coordinator that says when its round is over. */
function place() {
  const own = world();
  let file: Sessions = NO_SESSIONS;
  let rounds = 0;
  const sessions = {
    read: async () => file,
    change: async <Result>(edit: (sessions: Sessions) => readonly [Sessions, Result]) => {
      const [next, result] = edit(file);
      file = next;
      return result;
    },
  };
  const coordinator = () => ({ roundEnd: async () => void rounds++ }) as never;
  const context: Context = { ...own.context, sessions: async () => sessions, coordinator };
  return { ...own, context, file: () => file, rounds: () => rounds };
}

const session = (id: number, more: object = {}) => ({
  ...{ id, name: `session-${id}`, scope: { tags: [], roots: [] }, max_agents: null, executor: null, model: null },
  ...{ paused: false, status: 'in-progress', ...more },
});

verifies('api.conform', 'a session has no empty tag or root: its own file could not be read again', () => {
  for (const wish of [{ tags: [''] }, { roots: ['a', ''] }, { roots: ['x'.repeat(WORK_LIMITS.idCharacters + 1)] }])
    expect(acts.createCoordinator.input.safeParse(wish).success, JSON.stringify(wish).slice(0, 40)).toBe(false);
  expect(acts.createCoordinator.input.safeParse({ tags: ['a'], roots: [] }).success).toBe(true);
});

test('a session is made as it was wished, each wish once, and stopped, archived, paused and resumed', async () => {
  const { context, file, rounds } = place();
  const wished = { name: 'two', max_agents: 3, executor: 'codex', model: 'o3' };
  expect(await acts.createCoordinator.run(context, {})).toEqual(session(1));
  expect(await acts.createCoordinator.run(context, { ...wished, tags: ['a', 'b', 'a'], roots: ['r', 'r'] })).toEqual(
    session(2, { ...wished, scope: { tags: ['a', 'b'], roots: ['r'] } }),
  );
  await expect(acts.createCoordinator.run(context, { executor: 'nobody' })).rejects.toMatchObject({
    code: 'unknown_executor',
  });
  const few = {
    name: 'config.toml',
    read: async () => ({ coordinator: { max_coordinators: 2 } }),
    set: expect.unreachable,
  };
  await expect(
    acts.createCoordinator.run({ ...context, settings: async () => few as never }, {}),
  ).rejects.toMatchObject({ code: 'coordinator_limit' });
  const { coordinators } = await acts.listCoordinators.run(context, {});
  expect(coordinators.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(rounds(), 'a new one takes nothing from anybody').toBe(0);
  const change = async (id: number, state: CoordinatorState) =>
    await acts.changeCoordinator.run(context, { id, state });
  for (const [state, more] of [
    ['stopped', { status: 'open' }],
    ['archived', { status: 'done' }],
    ['running', { status: 'in-progress', paused: false }],
    ['paused', { paused: true }],
  ] as const) {
    expect(await change(1, state)).toEqual({ ...file().coordinators[0], id: 1, ...more });
    expect(file().coordinators[0]).toMatchObject(more);
  }
  expect(await change(1, 'running')).toMatchObject({ paused: false });
  expect(await change(1, 'deleted')).toMatchObject({ id: 1, deleted: true });
  expect([file().coordinators.map(({ id }) => id), rounds()]).toEqual([[2], 6]);
  await expect(change(7, 'stopped')).rejects.toMatchObject({ code: 'not_found' });
  const { coordinator: _, ...alone } = context;
  expect(await acts.changeCoordinator.run(alone, { id: 2, state: 'stopped' })).toMatchObject({ status: 'open' });
  const takes = (id: unknown) => acts.changeCoordinator.input.safeParse({ id, state: 'stopped' }).success;
  expect([0, '12', -1, 1.5, 'x', '1234567890'].map(takes)).toEqual([true, true, false, false, false, false]);
});

test('the first message makes the chat of a session; its words are listed, and read by who lists them', async () => {
  const { context, store, add } = place();
  await acts.createCoordinator.run(context, {});
  const nothing = { ...session(1), task: 'chat-1', number: null, messages: [] };
  expect(await acts.chat.run(context, { coordinator: 1 })).toEqual(nothing);
  expect((await store.view()).size).toBe(0);
  const first = await acts.chat.run(context, { coordinator: 1, message: 'Hello' });
  expect(first).toMatchObject({ task: 'chat-1', number: 1, messages: [{ text: 'Hello' }] });
  expect((await store.view()).task('chat-1')).toMatchObject({
    ...{ title: 'Talk with session-1', status: 'open', tags: ['chat', 'resurrect:false'], chat_delivered: 1 },
  });
  const { seq } = await store.view();
  const second = await acts.chat.run({ ...context, freshId: () => 'second' }, { coordinator: 1, message: 'Again' });
  expect(second).toMatchObject({ number: 2, messages: [{ text: 'Hello' }, { text: 'Again' }] });
  expect((await store.view()).seq, 'it is sent, and no task is made').toBe(seq + 1);
  for (let number = 3; number <= WORK_LIMITS.chatShown + 1; number++)
    await send.run({ ...context, freshId: () => `m-${number}` }, { id: 'chat-1', text: `${number}` });
  const { messages } = await acts.chat.run(context, { coordinator: 1 });
  expect([messages.length, messages[0], messages.at(-1)]).toMatchObject([
    ...[WORK_LIMITS.chatShown, { text: 'Again' }, { text: `${WORK_LIMITS.chatShown + 1}` }],
  ]);
  expect(await acts.chat.run(context, {})).toMatchObject({ id: 0, task: 'chat-0' });
  await expect(acts.chat.run(context, { coordinator: 9 })).rejects.toMatchObject({ code: 'not_found' });
  await add('chat-0', { tags: ['mine'] });
  await expect(acts.chat.run(context, { message: 'Hello' })).rejects.toMatchObject({
    ...{ code: 'id_taken', message: expect.stringMatching(/^chat-0 is another kind of task: .* has no chat\.$/) },
  });
});

test('the agency is read again when its files change, and its settings every few seconds', async () => {
  let [stamp, now, reads] = ['a', 1_000_000, 0];
  const own = world();
  const settings = async () => {
    reads++;
    return own.context.settings();
  };
  const agency = Object.assign(Object.create(await own.context.agency()), { stamp: async () => stamp });
  const context: Context = { ...own.context, settings, clock: { now: () => now }, agency: async () => agency };
  const facts = watchedAgency(context);
  const first = await facts();
  expect([await facts(), reads]).toEqual([first, 1]);
  now += WORK_LIMITS.clientLookMs - 1;
  await facts();
  expect(reads).toBe(1);
  now += 1;
  await facts();
  expect(reads).toBe(2);
  stamp = 'b';
  await facts();
  expect(reads).toBe(3);
  const people = peopleById(context);
  const known = await people();
  expect([known.size, await people()]).toEqual([0, known]);
  expect(await people(), 'of the same files').toBe(known);
  stamp = 'c';
  expect(await people()).not.toBe(known);
});

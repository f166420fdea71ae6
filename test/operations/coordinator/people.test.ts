import { expect, test } from 'vitest';
import { MatrixRoom } from '#adapters/notify/matrix.js';
import { SmtpNotifier } from '#adapters/notify/smtp.js';
import { addTask } from '#core/graph/add.js';
import { doneTask } from '#core/graph/moves.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { Person } from '#core/mail/person.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { HostTools } from '#operations/coordinator/host.js';
import { PeopleNotifier } from '#operations/coordinator/people-notifier.js';
import { Round } from '#operations/coordinator/round.js';
import type { RunHost } from '#ports/run-host.js';
import { homeserver, ROOM, TOKEN } from '../../adapters/notify/homeserver.js';
import { mailServer } from '../../adapters/notify/mail-server.js';
import { contextOf } from '../../context-of.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { quietHosts, quietParts } from '../../quiet-parts.js';
import { verifies } from '../../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z');
const DAY = TEAM_LIMITS.reminderMs;
const ANN = 'agent-of-ann';
const BY_MAIL: Person = { name: 'Ann', channel: 'email', contact: 'ann@example.org' };
const IN_ROOM: Person = { name: 'Ann', channel: 'matrix', contact: '@ann:example.org' };

/** No process is ever started: what people do needs none. */
const NOTHING_RUNS: RunHost = {
  prepare: async () => expect.unreachable(),
  discard: async () => undefined,
  start: async () => expect.unreachable(),
  refuse: async () => undefined,
  adopt: async () => 0,
  facts: async () => [],
  fact: async () => undefined,
  listed: async () => [],
  allow: async () => undefined,
  end: async () => undefined,
  beat: async () => undefined,
  forget: async () => undefined,
  onChange: () => undefined,
  close: async () => undefined,
};

/** Rounds over a graph in memory with real channels, by a clock the test owns. */
async function desk(person: Person, channels: { port?: number; room?: string }) {
  let now = NOW;
  const clock = { now: () => now };
  const store = new GraphInMemory(clock);
  await store.commit((view) => addTask(view, { title: 'Sign the contract', id: 'sign' }, { now }));
  await store.commit(() => ({
    events: [{ op: 'assign', task_id: 'sign', patch: [{ id: 'sign', set: { agent: ANN } }] }],
    result: undefined,
  }));
  const room = () => new MatrixRoom({ homeserver: channels.room ?? '', token: TOKEN, room: ROOM });
  const mail = () =>
    new SmtpNotifier({ host: '127.0.0.1', port: channels.port ?? 1, secure: false, from: 'troupe@example.com' }, 2_000);
  const kept: { since?: string } = {};
  const life = () => {
    let wake: () => void = () => undefined;
    const channels: ConstructorParameters<typeof PeopleNotifier>[1] = {
      context: contextOf({
        clock,
        projectFolder: '/work/parser',
        notifier: async (channel) => (channel === 'email' ? mail() : room()),
        replies: async () => room(),
      }),
      people: async () => new Map([[ANN, person]]),
      room: {
        since: kept.since,
        save: (since) => {
          kept.since = since;
        },
      },
    };
    const hosts = (tools: HostTools) => ({ ...quietHosts(tools), people: new PeopleNotifier(tools, channels) });
    const round = new Round({ ...quietParts({ store, runs: NOTHING_RUNS }), hosts }, () => wake());
    return {
      /** Plays a round, and whatever follows from it until nothing is under way. */
      async play(): Promise<void> {
        for (let count = 0; count < 10; count++) {
          const answered = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const before = (await store.view()).seq;
          await round.runRound(false);
          const { underWay, answers } = round.errandsNow();
          if (underWay.size > 0) await answered;
          else if (answers.size === 0 && (await store.view()).seq === before) return;
        }
        throw new Error('it never comes to rest');
      },
    };
  };
  return {
    store,
    life,
    kept,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    task: async () => (await store.view()).task('sign'),
  };
}

verifies('human.flow', 'claimed, told by mail, in progress without a slot; three reminders a day apart', async () => {
  const { mails, place } = await mailServer();
  const own = await desk(BY_MAIL, place);
  const first = own.life();
  await first.play();
  expect(await own.task()).toMatchObject({ status: 'in-progress', assigned: 'Ann', fence: 1, told: { sent: 1 } });
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toEqual(['ann@example.org']);
  expect(mails[0]?.raw).toContain('troupe done sign');
  await first.play();
  expect(mails).toHaveLength(1);
  const second = own.life(); // what is known stands in the graph, not in memory
  for (let hour = 1; hour < 6 * 24; hour++) {
    own.pass(DAY / 24);
    await second.play();
  }
  expect(mails.map(({ raw }) => /Reminder \d of 3/.exec(raw)?.[0])).toEqual([
    undefined,
    'Reminder 1 of 3',
    'Reminder 2 of 3',
    'Reminder 3 of 3',
  ]);
  expect(new Set(mails.map(({ raw }) => /Message-ID: (\S+)/i.exec(raw)?.[1])).size).toBe(4);
  await own.store.commit((view) => doneTask(view, 'sign', { now: NOW + 6 * DAY, by: { name: 'ann' } }));
  await second.play();
  expect(await own.task()).toMatchObject({ status: 'done' });
  expect(mails).toHaveLength(4);
});

verifies(
  'human.flow',
  'the third notice that cannot be sent gives the task back, with a note and a pause',
  async () => {
    const { mails, place } = await mailServer({ refuse: 'No such mailbox' });
    const own = await desk(BY_MAIL, place);
    const { play } = own.life();
    await play();
    expect(await own.task()).toMatchObject({ status: 'in-progress', told: { sent: 0, failures: 1 } });
    for (const failures of [2, 3]) {
      await play();
      expect(await own.task()).toMatchObject({ told: { failures: failures - 1 } });
      own.pass(TEAM_LIMITS.notifyRetryMs);
      await play();
    }
    const task = await own.task();
    expect(task).toMatchObject({ status: 'open', fence: 1 });
    expect(fieldsOf(task)['told']).toBeUndefined();
    expect(task?.assigned).toBeUndefined();
    const log = task?.log?.map(({ message }) => message).join('\n');
    expect(log).toContain('3 notices in a row could not be sent');
    expect(log).toContain('No such mailbox');
    await play();
    expect((await own.task())?.status).toBe('open');
    own.pass(DAY);
    await play();
    expect(await own.task()).toMatchObject({ status: 'in-progress', fence: 2 });
    expect(mails).toHaveLength(0);
  },
);

verifies(
  'lease.terms',
  'whoever is not heard of for seven days gives back; what is written at the task renews',
  async () => {
    const { place } = await mailServer();
    const own = await desk(BY_MAIL, place);
    const { play } = own.life();
    await play();
    own.pass(5 * DAY);
    const said = { timestamp: new Date(NOW + 5 * DAY).toISOString(), actor: 'Ann', message: 'I am at it' };
    await own.store.commit((view) => ({
      events: [
        {
          op: 'log',
          task_id: 'sign',
          patch: [{ id: 'sign', log_at: view.task('sign')?.log?.length ?? 0, log: [said] }],
        },
      ],
      result: undefined,
    }));
    own.pass(6 * DAY);
    await play();
    expect((await own.task())?.status).toBe('in-progress');
    own.pass(DAY + 1);
    await play();
    expect(await own.task()).toMatchObject({ status: 'open' });
  },
);

verifies(
  ['human.flow', 'human.matrix'],
  'told in the room; only what its contact writes there after that counts',
  async () => {
    const { url, say, timeline } = await homeserver();
    const text = (body: string) => ({ msgtype: 'm.text', body });
    say('@ann:example.org', text('!done sign')); // of an earlier claim
    const own = await desk(IN_ROOM, { room: url });
    const { play } = own.life();
    await play();
    expect(timeline.at(-1)?.content).toMatchObject({ body: expect.stringContaining('!done sign') });
    expect(await own.task()).toMatchObject({ status: 'in-progress', told: { sent: 1 } });
    say('@eve:example.org', text('!done sign'));
    say('@ann:example.org', text('I will look at it'));
    own.pass(TEAM_LIMITS.repliesEveryMs);
    await play();
    expect((await own.task())?.status).toBe('in-progress');
    say('@ann:example.org', text('!fail sign the licence is unclear'));
    own.pass(TEAM_LIMITS.repliesEveryMs);
    await own.life().play(); // the next life reads on where this one was
    expect(await own.task()).toMatchObject({ status: 'failed', failure_reason: 'the licence is unclear' });
  },
);

test('the word in the room does not stand for a check that has to run', async () => {
  const { url, say } = await homeserver();
  const own = await desk(IN_ROOM, { room: url });
  await own.store.commit(() => ({
    events: [{ op: 'edit', task_id: 'sign', patch: [{ id: 'sign', set: { verify_cmd: 'test -f signed' } }] }],
    result: undefined,
  }));
  const { play } = own.life();
  await play();
  say('@ann:example.org', { msgtype: 'm.text', body: '!done sign' });
  own.pass(TEAM_LIMITS.repliesEveryMs);
  await play();
  expect((await own.task())?.status).toBe('in-progress');
  expect((await own.task())?.log?.at(-1)?.message).toContain('its work is checked first');
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { closeConversation, end } from '#core/mail/close.js';
import { escalate } from '#core/mail/escalate.js';
import type { Speaker } from '#core/mail/send.js';
import { acknowledge, beginTurn } from '#core/mail/turns.js';
import { createTeam, endTeam } from '#core/teams/changes.js';
import type { TeamStatus } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MailStore } from '#ports/mail-store.js';
import type { Outbox } from '#ports/outbox.js';
import type { TeamStore } from '#ports/team-store.js';
import { Calls, PERSON, run } from '../core/mail/stage.js';
import { verifies } from '../verifies.js';

const LEAD = 'teaparty/coding/lead';
const DEVELOPER = 'teaparty/coding/developer';

interface Place {
  readonly mail: MailStore;
  readonly outbox: Outbox;
  readonly again?: () => MailStore;
  /** Stores the team of the stage with this status. */
  readonly team: (status: TeamStatus) => Promise<void>;
}

/** Stores the team of the stage with this status. */
export async function airlock(store: TeamStore, status: TeamStatus): Promise<void> {
  const wish = { id: 't-1', leaderId: 'l-1', name: 'Airlock', leader: 'Ripley', description: '', mesh: true };
  const call = { by: 'ann', at: 1 };
  await store.change((view) => createTeam(view, { ...wish, reserved: 'project' }, call));
  if (status !== 'active') await store.change((view) => endTeam(view, 't-1', { status, hasGraph: false }, call));
}

/** Contract of every adapter of the mail, and of the decisions made on it. */
export function mailStoreContract(name: string, make: () => Place): void {
  const fresh = () => {
    const place = make();
    onTestFinished(() => place.mail.close());
    const calls = new Calls();
    const send = (...of: Parameters<Calls['send']>) => place.mail.change(calls.send(...of));
    const reply = (...of: Parameters<Calls['reply']>) => place.mail.change(calls.reply(...of));
    /** Ann writes to the lead of coding, whose run is active. */
    const atWork = async () => {
      const { conversation, task } = await send(PERSON, LEAD);
      await place.mail.change((view) => beginTurn(view, { task: task ?? '', fence: 1 }));
      return { conversation, lead: run(LEAD, task ?? ''), task: task ?? '' };
    };
    const other = () => {
      const second = (place.again ?? (() => place.mail))();
      onTestFinished(() => second.close());
      return second;
    };
    const rows = async () => (await place.outbox.pending(500)).map(({ op, id }) => `${op} ${id}`);
    return { ...place, calls, send, reply, atWork, other, rows };
  };
  const states = async (mail: MailStore) => (await mail.conversations(undefined, 50)).map(({ state }) => state);

  describe(`the contract of conversations: ${name}`, () => {
    verifies(
      'db.once',
      `${name}: a request is done once, and answered the same by whoever is asked again`,
      async () => {
        const { mail, calls, other, rows } = fresh();
        const request = { requestId: 'r-1', input: 'one' };
        const first = await mail.changeOnce(request, calls.send(PERSON, LEAD));
        expect(await mail.changeOnce(request, calls.send(PERSON, LEAD))).toEqual(first);
        const second = other();
        expect(await second.changeOnce(request, calls.send(PERSON, LEAD))).toEqual(first);
        const reused = second.changeOnce({ ...request, input: 'two' }, calls.send(PERSON, LEAD));
        await expect(reused).rejects.toMatchObject({ code: 'request_id_reused' });
        const refusal = () => {
          throw new TroupeError('not_yours');
        };
        await expect(mail.changeOnce({ ...request, requestId: 'r-2' }, refusal)).rejects.toMatchObject({
          code: 'not_yours',
        });
        await mail.changeOnce({ requestId: 'r-2', input: 'three' }, calls.send(PERSON, LEAD)); // a refusal is no answer
        expect(await mail.open()).toHaveLength(2);
        expect(await rows()).toHaveLength(2);
      },
    );

    verifies(
      ['bus.id', 'bus.send.new'],
      `${name}: a send opens a conversation of its own, also to the same one again, named by both ends and a uuid`,
      async () => {
        const { mail, send, other } = fresh();
        expect([
          await mail.conversations(undefined, 5),
          await mail.open(),
          await mail.inbox(LEAD, { limit: 5 }),
        ]).toEqual([...[[], [], []]]);
        const [first, second] = [await send(PERSON, LEAD), await send(PERSON, LEAD)];
        expect(first.conversation).toMatch(/^agent:human\/ann:teaparty\/coding\/lead:[0-9a-f]{8}-[0-9a-f]{4}-4/);
        expect(second.conversation).not.toBe(first.conversation);
        expect(await other().conversation(first.conversation)).toMatchObject({
          ...{ initiator: 'human/ann', recipient: LEAD, state: 'pending', kind: 'work', depth: 1, parentId: null },
        });
        expect((await mail.conversations('human/ann', 1)).map(({ id }) => id)).toEqual([second.conversation]);
        expect(await mail.conversations(DEVELOPER, 5)).toEqual([]);
      },
    );

    verifies('bus.send.task', `${name}: it becomes one task, in the same step and by the same message`, async () => {
      const { mail, outbox, send, calls } = fresh();
      const once = calls.send(PERSON, LEAD);
      const sent = await mail.change(once);
      expect(await mail.change(once)).toEqual(sent);
      expect(sent.task).toMatch(/^msg-[0-9a-f]{12}$/);
      expect(await outbox.pending(5)).toEqual([
        {
          id: sent.message,
          op: 'task.add',
          args: {
            created_by: 'ann',
            task: {
              id: sent.task,
              title: 'Answer ann as coding-lead',
              tags: ['message'],
              conversation: sent.conversation,
            },
          },
        },
      ]);
      expect(await mail.ofTask(sent.task ?? '')).toMatchObject({ id: sent.conversation });
      await send(PERSON, 'human/ben');
      expect((await outbox.pending(5)).at(-1)).toMatchObject({ args: { task: { human: true } } });
    });

    verifies(
      'bus.send.resume',
      `${name}: with its id the recipient of an open one is resumed; a closed one is not`,
      async () => {
        const { mail, send, reply, atWork, rows } = fresh();
        const { conversation, lead, task } = await atWork();
        const more = await send(PERSON, LEAD, { conversation, text: 'and the tests' });
        expect(more).toMatchObject({ conversation, task });
        expect(await rows()).toEqual([`task.add m-1`, `task.message ${more.message}`]);
        expect(
          (await mail.messages(conversation, { after: 0, limit: 5 })).map(({ number, body }) => [number, body]),
        ).toEqual([
          [1, 'do it'],
          [2, 'and the tests'],
        ]);
        expect((await mail.messages(conversation, { after: 1, limit: 5 })).map(({ number }) => number)).toEqual([2]);
        await reply(lead);
        for (const by of [PERSON, lead])
          await expect(send(by, LEAD, { conversation })).rejects.toMatchObject({ code: 'conversation_closed' });
        await expect(reply(lead)).rejects.toMatchObject({ code: 'conversation_closed' });
        await expect(send(PERSON, LEAD, { conversation: 'agent:a:b:c' })).rejects.toMatchObject({
          code: 'conversation_unknown',
        });
      },
    );

    verifies(
      ['bus.send.requestor', 'roster.listener'],
      `${name}: a question to whoever asked resumes them, and counts for nobody but the one who asks`,
      async () => {
        const { mail, send, reply, rows } = fresh();
        const { task = '' } = await send(PERSON, 'teaparty/lead');
        const above = run('teaparty/lead', task ?? '');
        const work = await send(above, 'coding-lead');
        const lead = run(LEAD, work.task ?? '');
        const question = await send(lead, 'teaparty-lead', { text: 'which grammar?' });
        expect(question).toMatchObject({ task });
        expect(await mail.conversation(question.conversation)).toMatchObject({ kind: 'question', state: 'active' });
        expect((await rows()).filter((row) => row.startsWith('task.add'))).toHaveLength(2);
        expect((await rows()).at(-1)).toBe(`task.message ${question.message}`);
        expect(await mail.taskMail()).toEqual(
          expect.arrayContaining([
            {
              task,
              open: 1,
              unread: [
                { shownTo: null, asked: false },
                { shownTo: null, asked: true },
              ],
            },
            { task: work.task, open: 1, unread: [{ shownTo: null, asked: false }] },
          ]),
        );
        const answered = await reply(above, 'the new one', question.conversation);
        expect(answered).toMatchObject({ wakes: work.task });
        expect(await mail.conversation(work.conversation)).toMatchObject({ state: 'pending' });
        expect((await mail.taskMail()).find((one) => one.task === task)?.open).toBe(1);
      },
    );

    verifies(
      'bus.fanin',
      `${name}: the last answer of a round, and no other, wakes who asked; what is sent later is another round`,
      async () => {
        const { send, reply, atWork, rows } = fresh();
        const { lead, task } = await atWork();
        const round = async (count: number) => {
          const sent = [];
          for (let index = 0; index < count; index++) sent.push(await send(lead, 'developer'));
          return sent.map(({ task: of }) => run(DEVELOPER, of ?? ''));
        };
        const first = await round(3);
        const wakes = [];
        for (const one of first) wakes.push((await reply(one)).wakes);
        expect(wakes).toEqual([null, null, task]);
        expect((await rows()).filter((row) => row.includes('wake:'))).toEqual([`task.message wake:${task}:1`]);
        for (const one of await round(2)) await reply(one);
        expect((await rows()).filter((row) => row.includes('wake:'))).toEqual([
          `task.message wake:${task}:1`,
          `task.message wake:${task}:2`,
        ]);
      },
    );

    verifies('bus.fanin', `${name}: who dies or is withdrawn counts as one who answered, once`, async () => {
      const { mail, send, atWork, rows } = fresh();
      const { lead, task } = await atWork();
      const [lost, gone] = [await send(lead, 'developer'), await send(lead, 'reviewer')];
      const over = (id: string, how: 'agent_lost' | 'withdrawn') =>
        mail.change((view) => end(view, { id, ending: { how, words: how }, at: 5_000, messageId: `end:${id}` }));
      expect((await over(lost.conversation, 'agent_lost')).wakes).toBeNull();
      expect((await over(gone.conversation, 'withdrawn')).wakes).toBe(task);
      expect((await over(gone.conversation, 'withdrawn')).wakes).toBeNull();
      expect((await mail.inbox(LEAD, { task, limit: 9 })).map(({ type, sender }) => [type, sender])).toEqual([
        ['message', 'human/ann'],
        ['agent_lost', DEVELOPER],
        ['withdrawn', 'teaparty/coding/reviewer'],
      ]);
      expect((await rows()).filter((row) => row.includes('over:'))).toEqual([`task.abandon over:${gone.conversation}`]);
      expect(await states(mail)).toEqual(['active', 'withdrawn', 'closed']);
    });

    verifies(
      'bus.fanin',
      `${name}: what was opened below ends first, also with an answer that does not wait for it`,
      async () => {
        const { mail, send, reply, atWork, rows } = fresh();
        const { conversation, lead } = await atWork();
        const below = await send(lead, 'developer');
        const answered = await reply(lead, 'enough');
        expect(answered).toMatchObject({ withdrawn: [below.conversation], wakes: null });
        expect(await mail.conversation(below.conversation)).toMatchObject({ state: 'withdrawn' });
        expect((await rows()).slice(2)).toEqual([
          `task.report over:${conversation}`,
          `task.abandon over:${below.conversation}`,
        ]);
        const second = await send(PERSON, LEAD);
        const other = await send(run(LEAD, second.task ?? ''), 'developer');
        const stranger = run(DEVELOPER, other.task ?? '');
        const close = (speaker: Speaker, id: string) => mail.change((view) => closeConversation(view, { speaker, id }));
        await expect(close(stranger, other.conversation)).rejects.toMatchObject({ code: 'not_a_participant' });
        expect(await close(PERSON, second.conversation)).toMatchObject({ withdrawn: [other.conversation] });
        await expect(reply(stranger)).rejects.toMatchObject({ code: 'conversation_closed' });
      },
    );

    verifies(
      'bus.identity',
      `${name}: a run writes in what it was asked, and only under its latest claim`,
      async () => {
        const { mail, send, reply, atWork } = fresh();
        const { conversation, lead, task } = await atWork();
        const twin = await send(PERSON, LEAD);
        const otherRun = run(LEAD, twin.task ?? '');
        for (const by of [run(DEVELOPER, 'x'), otherRun, { ...PERSON, id: 'human/ben' }])
          await expect(reply(by, 'forged', conversation)).rejects.toMatchObject({ code: 'not_a_participant' });
        await expect(reply(PERSON, 'to myself', conversation)).rejects.toMatchObject({ code: 'not_a_participant' });
        await mail.change((view) => beginTurn(view, { task, fence: 2 }));
        for (const late of [reply(lead), send(lead, 'developer')])
          await expect(late).rejects.toMatchObject({ code: 'stale_attempt' });
        await expect(
          mail.change((view) => closeConversation(view, { speaker: { ...PERSON, id: 'human/ben' }, id: conversation })),
        ).rejects.toMatchObject({ code: 'not_a_participant' });
        expect(await reply({ ...lead, fence: 2 })).toMatchObject({ state: 'closed' });
      },
    );

    verifies(
      'bus.cursor',
      `${name}: what a turn was shown is read when it is committed; killed before, it is seen again`,
      async () => {
        const { mail, send, atWork, other } = fresh();
        const { conversation, lead, task } = await atWork();
        await send(PERSON, LEAD, { conversation, text: 'second' });
        const ids = async () => (await mail.inbox(LEAD, { task, limit: 9 })).map(({ id }) => id);
        const before = await ids();
        await mail.show(task, 1, before);
        await send(PERSON, LEAD, { conversation, text: 'third' });
        expect(await ids()).toHaveLength(3);
        await mail.commitTurn(task, 2); // of another claim: no effect
        expect((await ids()).slice(0, 2)).toEqual(before);
        expect((await mail.taskMail()).find((one) => one.task === task)?.unread.map(({ shownTo }) => shownTo)).toEqual([
          ...[1, 1, null],
        ]);
        expect(await mail.cursor(LEAD, conversation)).toBe(0);
        await mail.commitTurn(task, 1);
        expect(await other().cursor(LEAD, conversation)).toBe(2);
        expect(await ids()).toHaveLength(1);
        await mail.commitTurn(task, 1);
        expect(await mail.cursor(LEAD, conversation)).toBe(2);
        const [last] = await ids();
        const acked = await mail.change((view) => acknowledge(view, { speaker: lead, message: last ?? '' }));
        expect(acked).toEqual({ conversation, number: 3 });
        expect(await ids()).toEqual([]);
        for (const message of ['nothing', last ?? ''])
          await expect(mail.change((view) => acknowledge(view, { speaker: PERSON, message }))).rejects.toMatchObject({
            code: 'not_a_participant',
          });
      },
    );

    verifies(
      'bus.guarantee',
      `${name}: what is queued is there for everybody, and is listed until somebody reads it`,
      async () => {
        const { mail, send, reply, atWork, other } = fresh();
        const { conversation, lead, task } = await atWork();
        expect(await other().undelivered(9)).toEqual([
          { message: 'm-1', conversation, member: LEAD, task, state: 'active', at: 1_001, quarantined: false },
        ]);
        await expect(send(PERSON, 'nobody')).rejects.toMatchObject({ code: 'unresolved_member' });
        await reply(lead, 'finished');
        expect((await mail.undelivered(9)).map(({ member, task: of, state }) => [member, of, state])).toEqual([
          ['human/ann', null, 'closed'],
        ]);
      },
    );

    verifies(
      ['bus.bound', 'sec.mail'],
      `${name}: bounds of a text, an inbox, open conversations and depth; a refusal changes nothing`,
      async () => {
        const { mail, send, atWork, rows, team } = fresh();
        await team('active');
        const { lead } = await atWork();
        const most = 'ü'.repeat(TEAM_LIMITS.messageBytes / 2);
        await expect(send(lead, 'developer', { text: `${most}x` })).rejects.toMatchObject({
          code: 'message_too_large',
        });
        await expect(send(lead, 'developer', { text: ' ' })).rejects.toMatchObject({ code: 'empty_message' });
        await expect(send(lead, 'developer', { text: 'x\0' })).rejects.toMatchObject({ code: 'bad_input' });
        for (let count = 0; count < TEAM_LIMITS.conversationsOpen; count++)
          await send(lead, 'developer', { text: most });
        const before = await rows();
        await expect(send(lead, 'reviewer')).rejects.toMatchObject({ code: 'slot_limit' });
        await send(lead, 'Ben'); // a note expects no answer and needs no slot
        await send(lead, 'reviewer', { most: 9 });
        for (let count = 0; count < TEAM_LIMITS.messagesUnread; count++) await send(PERSON, 'om/auditor');
        await expect(send(PERSON, 'om/auditor')).rejects.toMatchObject({
          code: 'inbox_full',
          details: { id: 'om/auditor', unread: TEAM_LIMITS.messagesUnread },
        });
        expect(before).toHaveLength(4);
        let speaker = PERSON;
        const ring = ['airlock/hicks', 'airlock/drake', 'airlock/lead'];
        for (let depth = 1; depth <= TEAM_LIMITS.conversationDepth; depth++) {
          const to = ring[depth % 3] ?? '';
          speaker = run(to, (await send(speaker, to)).task ?? '');
        }
        await expect(send(speaker, ring[1] ?? '')).rejects.toMatchObject({ code: 'depth_limit' });
        expect((await mail.open()).length).toBe(2 + 4 + TEAM_LIMITS.messagesUnread + TEAM_LIMITS.conversationDepth);
      },
    );

    verifies(
      ['bus.bound', 'team.life.check'],
      `${name}: nobody on a team that ended, or who is paused, is written to`,
      async () => {
        for (const status of ['archived', 'disbanded'] as const) {
          const { send, team } = fresh();
          await team(status);
          await expect(send(PERSON, 'airlock/hicks'), status).rejects.toMatchObject({ code: 'team_inactive' });
          await expect(send(PERSON, 'airlock/vasquez'), status).rejects.toMatchObject({ code: 'paused' });
        }
      },
    );

    verifies(
      'roster.requestor.leaf',
      `${name}: who leads nobody only replies; a question gives the work back`,
      async () => {
        const { mail, send, reply, atWork, calls } = fresh();
        const { lead, task } = await atWork();
        const work = await send(lead, 'developer');
        const leaf = run(DEVELOPER, work.task ?? '');
        for (const to of ['coding-lead', LEAD, 'reviewer', 'Ann'])
          await expect(send(leaf, to)).rejects.toMatchObject({ code: 'no_listener' });
        const ask = { ...calls.next(), uuid: 'u', most: 3, speaker: leaf, question: 'which one?', options: ['a', 'b'] };
        expect(await mail.change((view) => escalate(view, { ...ask, starter: undefined }))).toMatchObject({
          to: LEAD,
          state: 'closed',
          wakes: task,
        });
        const last = (await mail.inbox(LEAD, { task, limit: 9 })).at(-1);
        expect(last).toMatchObject({ type: 'needs-answer', body: 'which one?\n1. a\n2. b', sender: DEVELOPER });
        await expect(reply(leaf)).rejects.toMatchObject({ code: 'conversation_closed' });
      },
    );

    verifies(
      ['bus.escalate.path', 'bus.escalate.human'],
      `${name}: a question goes up: to whoever asked, the lead above, the person who decides`,
      async () => {
        const { mail, send, atWork, calls, rows } = fresh();
        const ask = (speaker: Speaker) => {
          const call = calls.next();
          const uuid = `e${call.messageId.slice(2).padStart(7, '0')}-0000-4000-8000-000000000000`;
          return mail.change((view) =>
            escalate(view, { ...call, uuid, most: 3, speaker, question: 'how?', options: [], starter: undefined }),
          );
        };
        const { lead, task } = await atWork();
        expect(await ask(lead)).toMatchObject({ to: 'teaparty/lead' });
        const above = await send(PERSON, 'teaparty/lead');
        expect(await ask(run('teaparty/lead', above.task ?? ''))).toMatchObject({ to: 'om' });
        const office = await send(PERSON, 'om');
        const up = await ask(run('om', office.task ?? ''));
        expect(up).toMatchObject({ to: 'human/ann', task: expect.stringMatching(/^msg-/) });
        const asked = await send(run('teaparty/lead', above.task ?? ''), 'coding-lead');
        expect(await ask(run(LEAD, asked.task ?? ''))).toMatchObject({ to: 'teaparty/lead', task: above.task });
        const note = await send(lead, 'Ben');
        expect(note.task).toBeNull();
        expect((await mail.taskMail()).find((one) => one.task === task)?.open).toBe(1);
        expect((await rows()).at(-1)).not.toContain(note.message);
      },
    );

    test('two that write at once are both in order', async () => {
      const { mail, atWork, calls, other } = fresh();
      const { conversation } = await atWork();
      const second = other();
      const both = [mail, second].flatMap((one) =>
        [...Array(20).keys()].map(() => one.change(calls.send(PERSON, LEAD, { conversation }))),
      );
      await Promise.all(both);
      const numbers = (await mail.messages(conversation, { after: 0, limit: 99 })).map(({ number }) => number);
      expect(numbers).toEqual([...Array(41).keys()].map((index) => index + 1));
    });
  });
}

import { expect, test } from 'vitest';
import { attemptReport } from '#core/graph/unmerged.js';
import { addMember, createTeam } from '#core/teams/changes.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { answer } from '#operations/mail/answer.js';
import { ack, close, escalate, inbox, list, read, reply, send, undelivered } from '#operations/mail/conversations.js';
import { turnMail } from '#operations/mail/turn-mail.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { seedTree } from '../../core/mail/tree.js';
import { verifies } from '../../verifies.js';
import { organisation } from './stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const LEAD = 'teaparty/coding/lead';

verifies(
  ['bus.send.task', 'bus.identity'],
  'what is sent becomes one task; the run that holds it speaks as its recipient, and its reply ends both',
  async () => {
    const { person, run, claim, task, store } = organisation();
    const sent = await send.run(person(), { member: LEAD, message: 'Write the parser.' });
    expect(sent).toMatchObject({ status: 'queued', message_id: 'm-1' });
    const id = sent.task_id ?? '';
    expect(await task(id)).toMatchObject({ status: 'open', conversation: sent.conversation_id, created_by: 'ann' });
    await claim(id);
    const below = await send.run(run(id), { member: 'developer', message: 'Write it.' });
    expect(below.conversation_id).toMatch(/^agent:teaparty\/coding\/lead:teaparty\/coding\/developer:/);
    await claim(below.task_id ?? '');
    expect(await inbox.run(run(below.task_id ?? ''), {})).toMatchObject({
      messages: [{ from: LEAD, text: 'Write it.', number: 1 }],
    });
    await expect(send.run(run(below.task_id ?? ''), { member: 'reviewer', message: 'x' })).rejects.toThrow(
      coded('no_listener'),
    );
    expect(
      await reply.run(run(below.task_id ?? ''), { conversation_id: 'own', message: 'It is written.' }),
    ).toMatchObject({
      ...{ status: 'delivered', state: 'closed' },
    });
    expect(attemptReport(await task(below.task_id ?? ''))).toBeDefined();
    expect(await inbox.run(run(id), {})).toMatchObject({
      messages: [{ number: 1 }, { type: 'reply', text: 'It is written.', from: 'teaparty/coding/developer' }],
    });
    const ops: string[] = [];
    for await (const { op, task_id } of store.entries(1)) ops.push(`${op} ${task_id}`);
    expect(ops.slice(-2)).toEqual([`report ${below.task_id}`, `message ${id}`]);
  },
);

verifies(
  'bus.identity',
  'nobody says who they are: no field names it, and who lost the task writes nothing',
  async () => {
    const { person, run, claim, add, as } = organisation();
    for (const operation of [send, reply, escalate, close, ack, inbox, read, list]) {
      const shape = (operation.input as { safeParse: (value: unknown) => { success: boolean } }).safeParse;
      for (const field of ['from', 'actor', 'sender', 'as'])
        expect(
          shape({ member: 'om', message: 'x', question: 'x', conversation_id: 'x', message_id: 'x', [field]: 'om' })
            .success,
        ).toBe(false);
    }
    const { task_id: id } = await send.run(person(), { member: LEAD, message: 'x' });
    await claim(id ?? '');
    const forged = as({ kind: 'run', name: 'agent-9', taskId: id ?? '', fence: 1 });
    await expect(send.run(forged, { member: 'developer', message: 'x' })).rejects.toThrow(coded('stale_attempt'));
    await expect(send.run(run(id ?? '', 0), { member: 'developer', message: 'x' })).rejects.toThrow(
      coded('stale_attempt'),
    );
    await add('loose');
    await claim('loose');
    await expect(send.run(run('loose'), { member: 'om', message: 'x' })).rejects.toThrow(coded('routing_refused'));
  },
);

verifies(
  'bus.guarantee',
  'a refusal says the text again and changes nothing; unreadable rosters let nobody write',
  async () => {
    const { person, configure, task } = organisation();
    const refused = await send.run(person(), { member: 'nobody', message: 'a long text' }).catch((error) => error);
    expect(refused).toMatchObject({ code: 'unresolved_member', details: { text: 'a long text' } });
    // No command is named that a project without a configuration of rosters refuses.
    expect(refused.hint).toMatch(/^The ids: .*\bom\b/);
    const near = await send.run(person(), { member: 'teaparty/coding/developr', message: 'x' }).catch((error) => error);
    expect(near.hint).toBe('Did you mean teaparty/coding/developer?');
    const named = await send.run(person(), { member: 'developer', message: 'x' }).catch((error) => error);
    expect([named.message, named.hint]).toEqual(['developer is a name: use the id.', 'Use teaparty/coding/developer.']);
    const large = await send.run(person(), { member: 'om', message: 'x'.repeat(10_000_000) }).catch((error) => error);
    expect([large.code, large.details.text]).toEqual(['message_too_large', undefined]);
    expect(await list.run(person(), { all: true })).toEqual({ conversations: [] });
    configure(new TroupeError('config_invalid', { what: 'teaparty.yaml:3:1: expected YAML.' }));
    await expect(send.run(person(), { member: 'om', message: 'x' })).rejects.toThrow(coded('routing_unavailable'));
    configure(seedTree());
    const { task_id, conversation_id } = await send.run(person(), { member: 'om', message: 'x' });
    const { messages } = await undelivered.run(person(), {});
    expect(messages).toEqual([
      expect.objectContaining({
        member: 'om',
        conversation_id,
        why: `${task_id} is open and will read it on its next turn`,
      }),
    ]);
    expect(await task(task_id ?? '')).toBeDefined();
  },
);

verifies(
  'bus.send.task',
  'a person is asked by a task that no run takes, and answers by a reply that ends it',
  async () => {
    const { person, run, claim, task } = organisation();
    const { task_id: id } = await send.run(person(), { member: 'om', message: 'Decide.' });
    await claim(id ?? '');
    const asked = await escalate.run(run(id ?? ''), { question: 'Which one?', options: ['old', 'new'] });
    expect(asked).toMatchObject({ to: 'human/ann' });
    expect(await task(asked.task_id ?? '')).toMatchObject({ human: true, status: 'open' });
    expect(await inbox.run(person(), {})).toMatchObject({
      messages: [{ from: 'om', text: 'Which one?\n1. old\n2. new' }],
    });
    await expect(reply.run(person('ben'), { conversation_id: asked.conversation_id, message: 'mine' })).rejects.toThrow(
      coded('not_a_participant'),
    );
    await reply.run(person(), { conversation_id: asked.conversation_id, message: 'The new one.' });
    expect(await task(asked.task_id ?? '')).toMatchObject({ status: 'done' });
    expect(await inbox.run(person(), {})).toEqual({ messages: [] });
    const { messages } = await inbox.run(run(id ?? ''), {});
    expect(messages.at(-1)).toMatchObject({ type: 'reply', text: 'The new one.' });
    await ack.run(run(id ?? ''), { message_id: messages.at(-1)?.message_id ?? '' });
    expect((await inbox.run(run(id ?? ''), {})).messages.map(({ text }) => text)).toEqual(['Decide.']);
  },
);

verifies(
  'wait.question',
  'a question is answered by the id of the task that asks, or of the one that the person has',
  async () => {
    const { person, run, claim, task } = organisation();
    for (const named of ['asker', 'question'] as const) {
      const { task_id: id } = await send.run(person(), { member: 'om', message: 'Decide.' });
      await claim(id ?? '');
      const asked = await escalate.run(run(id ?? ''), { question: 'Which one?' });
      const word = (named === 'asker' ? id : asked.task_id) ?? '';
      expect(await answer.run(person(), { id: word, text: 'The new one.' })).toMatchObject({ id });
      expect(await task(asked.task_id ?? '')).toMatchObject({ status: 'done' });
      expect((await inbox.run(run(id ?? ''), {})).messages.at(-1)).toMatchObject({ text: 'The new one.' });
    }
    // A person asked: no run waits.
    const { task_id: own } = await send.run(person('ben'), { member: 'human/ann', message: 'When?' });
    expect(await answer.run(person(), { id: own ?? '', text: 'Today.' })).toMatchObject({ id: own, status: 'done' });
  },
);

test('who reads a conversation as one of its ends has read it; who closes one ends its task', async () => {
  const { person, run, claim, task } = organisation();
  const { task_id: id, conversation_id: conversation } = await send.run(person(), { member: LEAD, message: 'x' });
  await claim(id ?? '');
  await send.run(run(id ?? ''), { member: 'developer', message: 'y' });
  expect((await list.run(run(id ?? ''), {})).conversations).toHaveLength(2);
  expect(await list.run(person('zoe'), {})).toEqual({ conversations: [] });
  expect((await list.run(person('zoe'), { all: true })).conversations).toHaveLength(2);
  const below = (await list.run(run(id ?? ''), {})).conversations.find((one) => one.conversation_id !== conversation);
  await expect(read.run(run(id ?? ''), { conversation_id: 'agent:x' })).rejects.toThrow(coded('conversation_unknown'));
  await expect(close.run(run(id ?? ''), { conversation_id: conversation })).rejects.toThrow(coded('not_a_participant'));
  const closed = await close.run(person(), { conversation_id: conversation });
  expect(closed).toMatchObject({ state: 'closed', withdrawn: [below?.conversation_id] });
  for (const over of [id, below?.task_id]) expect(await task(over ?? '')).toMatchObject({ status: 'abandoned' });
  expect(await read.run(person(), { conversation_id: conversation })).toMatchObject({ messages: [{ text: 'x' }] });
});

verifies('bus.identity', 'a member of a team speaks as that member, of whichever team its task is', async () => {
  const { person, run, claim, add, context } = organisation();
  const teams = await context.teams();
  for (const [id, name] of [
    ['t-1', 'Airlock'],
    ['t-2', 'Bridge'],
  ] as const) {
    const wish = { id, leaderId: `l-${id}`, name, leader: 'Ripley', description: '', mesh: false, reserved: 'x' };
    await teams.change((view) => createTeam(view, wish, { by: 'ann', at: 1 }));
  }
  await add('lead', { member: 'Ripley', team: 't-2' });
  await claim('lead');
  await expect(send.run(run('lead'), { member: 'airlock/lead', message: 'x' })).rejects.toThrow(
    coded('routing_refused'),
  );
  const sent = await send.run(person(), { member: 'bridge/lead', message: 'x' });
  expect(sent.conversation_id).toContain(':bridge/lead:');
  expect((await list.run(run('lead'), {})).conversations).toMatchObject([{ recipient: 'bridge/lead' }]);
});

verifies(
  'bus.identity',
  'a member that stands for a person is that person: it is in their inbox, and they answer as themselves',
  async () => {
    const { person, run, claim, add, context, mailOf, task } = { ...organisation(), mailOf: turnMail };
    const teams = await context.teams();
    const wish = { id: 't-1', leaderId: 'l-1', name: 'Bridge', leader: 'Ripley', description: '', mesh: false };
    await teams.change((view) => createTeam(view, { ...wish, reserved: 'x' }, { by: 'ann', at: 1 }));
    const cleo = { id: 'm-1', name: 'Medic', position: 'member', agent: null, person: 'Cleo' } as const;
    await teams.change((view) => addMember(view, 't-1', cleo, { by: 'ann', at: 2 }));
    await add('lead', { member: 'ripley', team: 't-1' });
    await claim('lead');
    // Nobody has written yet: who leads may, all the same.
    const view = await (await context.graph()).view();
    expect(await mailOf(person(), view, view.task('lead') ?? expect.fail('lead'))).toMatchObject({
      ...{ right: 'send', roster: [{ name: 'medic', id: 'bridge/medic' }] },
    });
    const sent = await send.run(run('lead'), { member: 'medic', message: 'Is she well?' });
    expect(await task(sent.task_id ?? '')).toMatchObject({ human: true, member: 'Medic', team: 't-1' });
    expect(await inbox.run(person('cleo'), {})).toMatchObject({ messages: [{ text: 'Is she well?' }] });
    await reply.run(person('cleo'), { conversation_id: sent.conversation_id, message: 'She is.' });
    expect((await inbox.run(run('lead'), {})).messages).toMatchObject([{ type: 'reply', text: 'She is.' }]);
  },
);

test('the same request twice is one conversation; what a killed command left is told later', async () => {
  const { as, task, context } = organisation();
  const twice = as({ kind: 'person', name: 'ann' }, { requestId: 'r-1' });
  const first = await send.run(twice, { member: 'om', message: 'once' });
  expect(await send.run(twice, { member: 'om', message: 'once' })).toEqual(first);
  expect(await relayOutbox(context)).toEqual([]);
  expect(await task(first.task_id ?? '')).toBeDefined();
  expect(TEAM_LIMITS.conversationsOpen).toBe(3);
});

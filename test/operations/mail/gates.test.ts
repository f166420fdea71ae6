import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { answer } from '#operations/mail/answer.js';
import { ack, escalate, inbox, list, read, reply, send } from '#operations/mail/conversations.js';
import { loadDirectory } from '#operations/mail/load-directory.js';
import { turnMail } from '#operations/mail/turn-mail.js';
import { disband } from '#operations/teams/ending.js';
import { create } from '#operations/teams/teams.js';
import { approvePlan, submitPlan } from '#operations/teamwork/plans.js';
import { task } from '#operations/teamwork/team-tasks.js';
import { verifies } from '../../verifies.js';
import { TeamStage } from '../teamwork/team-stage.js';
import { organisation } from './stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const LEAD = 'teaparty/coding/lead';

/** A plan of Hicks waits for the leader, whose run is at the review. */
async function reviewed() {
  const stage = new TeamStage();
  await stage.crew();
  stage.person();
  await stage.call(task, { team: 'crew', title: 'Seal the door', to: 'Hicks', plan: true });
  await stage.begin('plan-seal-the-door', 'agent-1');
  await stage.call(submitPlan, { id: 'seal-the-door', content: 'First the frame.' });
  await stage.askReviews();
  const review = '.review-plan-seal-the-door-1';
  await stage.begin(review, 'lead-1');
  const mailOf = async (id: string) => await turnMail(stage.context(), await stage.graph.view(), await stage.task(id));
  return { stage, review, mailOf };
}

verifies(
  'bus.escalate.mode',
  'a project says at which gate a person decides, is asked when a reviewer is unsure, or is not',
  async () => {
    const { stage, review, mailOf } = await reviewed();
    const right = async () => (await mailOf(review))?.right;
    expect(await right()).toBe('reply');
    stage.escalation({ plan: 'never' });
    expect(await right()).toBeUndefined();
    await expect(stage.call(escalate, { question: 'May we?' })).rejects.toThrow(coded('routing_refused'));
    stage.escalation({ plan: 'always', review: 'never' });
    await expect(stage.call(approvePlan, { id: 'seal-the-door' })).rejects.toThrow(coded('forbidden'));
    expect(await right()).toBe('reply');
    stage.escalation({});
    expect(await stage.call(escalate, { question: 'May we?' })).toMatchObject({ to: 'human/ann' });
  },
);

test('a review has nobody to write to; what a team does beside that is told nothing of conversations', async () => {
  const { stage, review, mailOf } = await reviewed();
  expect(await mailOf(review)).toEqual({
    ...{ roster: [], agents: {}, messages: [], self: expect.anything(), right: 'reply', shown: [] },
  });
  expect(await mailOf('plan-seal-the-door'), 'a member that leads nobody').toBeUndefined();
  stage.person();
  await stage.call(task, { team: 'crew', title: 'Lead it', to: 'Ripley' });
  const lead = await mailOf('lead-it');
  expect(lead).toMatchObject({ right: 'send', messages: [], shown: [] });
  expect(lead?.roster?.map(({ name }) => name).sort()).toEqual(['bishop', 'hicks']);
  expect(Object.keys(lead?.agents ?? {}).sort()).toEqual(['bishop', 'hicks']);
  await stage.graph.commit(() => ({
    events: [
      {
        op: 'add_task',
        patch: [
          {
            id: '.own',
            put: {
              kind: 'task',
              id: '.own',
              title: 'x',
              status: 'open',
              team: (stage as never as { team?: string }).team ?? 't',
              member: 'ripley',
            },
          },
        ],
      },
    ],
    result: undefined,
  }));
  expect(await mailOf('.own')).toBeUndefined();
});

test('whom a question goes to where nobody is above: the person who gave the work, not the coordinator', async () => {
  const { stage } = await reviewed();
  stage.person('zoe');
  await stage.call(task, { team: 'crew', title: 'Lead it', to: 'Ripley' });
  const put = async (id: string, fields: object) =>
    await stage.graph.commit(() => ({
      events: [
        {
          op: 'add_task',
          task_id: id,
          patch: [{ id, put: { kind: 'task', id, title: id, status: 'open', ...fields } }],
        },
      ],
      result: undefined,
    }));
  const own = await stage.task('lead-it');
  const like = { team: own.team, member: 'ripley' };
  await put('below', { ...like, created_by: 'agent-7', parent: 'lead-it' });
  await put('of-nobody', { ...like, created_by: 'coordinator' });
  await put('ring-1', { ...like, created_by: 'a', parent: 'ring-2' });
  await put('ring-2', { ...like, created_by: 'b', parent: 'ring-1' });
  const asked = async (id: string) => {
    await stage.begin(id, `run-${id}`);
    return await stage.call(escalate, { question: 'May we?' }).then(
      ({ to }) => to,
      ({ code }) => code,
    );
  };
  expect([await asked('lead-it'), await asked('below'), await asked('of-nobody'), await asked('ring-1')]).toEqual([
    ...['human/zoe', 'human/zoe', 'unresolved_member', 'unresolved_member'],
  ]);
});

test('only teams at work can be written to, and what cannot be read lets nobody write', async () => {
  const stage = new TeamStage();
  await stage.crew();
  stage.person();
  await stage.call(create, { name: 'others', leader: 'Ash' });
  const ids = async () =>
    [...(await loadDirectory(stage.context())).keys()].filter((id) => id.endsWith('/lead')).sort();
  expect(await ids()).toEqual(['crew/lead', 'others/lead']);
  await stage.call(disband, { team: 'others' });
  expect(await ids()).toEqual(['crew/lead']);
  const broken = (error: Error) => ({ ...stage.context(), teams: () => Promise.reject(error) });
  await expect(loadDirectory(broken(new TroupeError('data_corrupt')))).rejects.toThrow(coded('routing_unavailable'));
  const odd = new Error('odd');
  await expect(loadDirectory(broken(odd))).rejects.toBe(odd);
});

test('what a turn is told, in all its parts; who cannot be read about asks nobody', async () => {
  const own = organisation();
  const sent = await send.run(own.person(), { member: LEAD, message: 'Write the parser.' });
  const id = sent.task_id ?? '';
  await own.claim(id);
  const mailOf = async (task: string) => {
    const view = await own.store.view();
    return await turnMail(own.person(), view, view.task(task) ?? expect.fail(task));
  };
  await send.run(own.run(id), { member: 'developer', message: 'Write it.' });
  const mail = await mailOf(id);
  expect(mail).toMatchObject({
    conversation: { id: sent.conversation_id, from: 'human/ann', text: 'Write the parser.', checkpoint: undefined },
    ...{ messages: [], right: 'send', shown: ['m-1'] },
    self: { agent: { name: 'coding-lead', id: LEAD } },
  });
  await own.add('plain');
  await own.add('plain-member', { member: 'nobody' });
  expect([await mailOf('plain'), await mailOf('plain-member')]).toEqual([undefined, undefined]);
  own.configure(new TroupeError('config_invalid'));
  await expect(mailOf(id)).rejects.toThrow(coded('routing_unavailable'));
  expect(await mailOf('plain-member')).toBeUndefined();
});

test('reading marks as read for a person who takes part, and lists are of whoever asks', async () => {
  const own = organisation();
  const sent = await send.run(own.person(), { member: LEAD, message: 'Write the parser.' });
  const id = sent.task_id ?? '';
  await own.claim(id);
  await send.run(own.run(id), { member: 'developer', message: 'Write it.' });
  const lists = async (context: ReturnType<typeof own.person>, all?: boolean) =>
    (await list.run(context, { all })).conversations.length;
  expect([await lists(own.person(), true), await lists(own.person()), await lists(own.person('ben'))]).toEqual([
    2, 1, 0,
  ]);
  expect([await lists(own.run(id), true), await lists(own.run(id))]).toEqual([2, 2]);
});

test('a conversation is read by who takes part in it, and nobody is answered who asks nothing', async () => {
  const own = organisation();
  const sent = await send.run(own.person(), { member: LEAD, message: 'Write the parser.' });
  const id = sent.task_id ?? '';
  await own.claim(id);
  await reply.run(own.run(id), { conversation_id: 'own', message: 'It is there.' });
  const inboxOf = async (context: ReturnType<typeof own.person>) =>
    (await inbox.run(context, {})).messages.map(({ text }) => text);
  expect(await inboxOf(own.person())).toEqual(['It is there.']);
  const conversation = (await list.run(own.person(), {})).conversations.map((one) => one.conversation_id);
  for (const conversation_id of conversation) await read.run(own.person('ben'), { conversation_id });
  expect(await inboxOf(own.person()), 'ben has no part in it').toEqual(['It is there.']);
  for (const conversation_id of conversation) await read.run(own.person(), { conversation_id });
  expect(await inboxOf(own.person())).toEqual([]);
  await expect(ack.run(own.person(), { message_id: 'nothing' })).rejects.toThrow(TroupeError);
  await expect(answer.run(own.person(), { id: 'nobody', text: 'x' })).rejects.toThrow(coded('unknown_task'));
  await own.add('quiet', { status: 'done' });
  await expect(answer.run(own.person(), { id: 'quiet', text: 'x' })).rejects.toThrow(coded('wrong_status'));
  const said = await (await own.context.mail()).messages('task:quiet', { limit: 9 });
  expect(said, 'nothing is said to a task that asks nothing').toEqual([]);
});

test('a refused text is given back, as long as it is one', async () => {
  const own = organisation();
  const refused = async (message: string) =>
    await send
      .run(own.person(), { member: 'nobody-here', message })
      .catch(({ details }: TroupeError) => details['text']);
  const most = 'x'.repeat(TEAM_LIMITS.messageBytes);
  expect(await refused('Keep me')).toBe('Keep me');
  expect(await refused(most)).toBe(most);
  expect(await refused(`${most}x`)).toBeUndefined();
  const odd = new Error('odd');
  const failing = { ...own.person(), mail: () => Promise.reject(odd) };
  await expect(send.run(failing, { member: LEAD, message: 'x' })).rejects.toBe(odd);
});

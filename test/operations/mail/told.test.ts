import path from 'node:path';
import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { answer } from '#operations/mail/answer.js';
import { ack, close, escalate, inbox, list, read, reply, send, undelivered } from '#operations/mail/conversations.js';
import { beginTurnOf, turnMail } from '#operations/mail/turn-mail.js';
import type { Context } from '#operations/operation.js';
import { verifies } from '../../verifies.js';
import { Calls } from '../told.js';
import { organisation } from './stage.js';

const LEAD = 'teaparty/coding/lead';
/** Drawn anew in each run, and the ids of tasks that are made of it. */
const DRAWN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bmsg-[0-9a-f]{12}/g;

verifies(
  'test.bites',
  'what is said in conversations, and told of them to each who takes part, is as it was found good',
  async () => {
    const own = organisation();
    const { person, run, claim, add, set } = own;
    let caller: Context = person();
    const calls = new Calls(() => caller);
    const as = (context: Context, name: string) => {
      caller = context;
      calls.lines.push(`== ${name}`);
    };
    /** What a turn of a task is told, and what it may do. */
    const turn = async (id: string) => {
      const view = await own.store.view();
      const task = view.task(id);
      const mail = task && (await turnMail(person(), view, task));
      calls.lines.push(`turn of ${id}: ${JSON.stringify(mail)}`);
      return mail;
    };
    as(person(), 'ann');
    const sent = (await calls.say(send, { member: LEAD, message: 'Write the parser.' })) as {
      task_id: string;
      conversation_id: string;
    };
    await calls.say(send, { member: 'nobody', message: 'x' });
    await calls.say(send, { member: LEAD, message: '' });
    // Too long to be said again.
    await calls
      .say(send, { member: LEAD, message: 'x'.repeat(TEAM_LIMITS.messageBytes + 1) })
      .then(() => calls.lines.splice(-3, 1));
    await calls.say(list, {});
    await calls.say(inbox, {});
    await calls.say(undelivered, {});
    await turn(sent.task_id);
    await claim(sent.task_id);
    as(run(sent.task_id), 'the lead');
    await calls.say(inbox, {});
    const below = (await calls.say(send, { member: 'developer', message: 'Write it.' })) as {
      task_id: string;
      conversation_id: string;
    };
    await calls.say(send, { member: 'developer', message: 'Quickly.', conversation_id: below.conversation_id });
    await calls.say(escalate, { question: 'Which grammar?', options: ['a', 'b'] });
    await calls.say(list, { all: true });
    await calls.say(read, { conversation_id: below.conversation_id });
    await calls.say(read, { conversation_id: 'nothing' });
    await turn(sent.task_id);
    await claim(below.task_id);
    const mail = await turn(below.task_id);
    await beginTurnOf(person(), { task: below.task_id, fence: 1, mail });
    await beginTurnOf(person(), { task: 'nobody', fence: 1, mail: undefined });
    as(run(below.task_id), 'the developer');
    await calls.say(inbox, {});
    await calls.say(read, { conversation_id: sent.conversation_id });
    await calls.say(ack, { message_id: mail?.shown[0] ?? '' });
    await calls.say(inbox, {});
    await calls.say(reply, { conversation_id: below.conversation_id, message: 'It is written.' });
    await calls.say(reply, { conversation_id: below.conversation_id, message: 'Again.' });
    as(person(), 'ann');
    await calls.say(list, { all: true });
    await calls.say(answer, { id: sent.task_id, text: 'The first.' });
    await calls.say(answer, { id: sent.task_id, text: 'The first.' });
    await calls.say(answer, { id: 'nobody', text: 'x' });
    await add('asks', {
      status: 'waiting',
      wait_condition: { mode: 'all', since: '', conditions: [{ type: 'human-input' }] },
      assigned: 'agent-1',
      fence: 1,
    });
    await calls.say(answer, { id: 'asks', text: 'Do it.' });
    await add('plain');
    await calls.say(answer, { id: 'plain', text: 'Do it.' });
    await turn('plain');
    await calls.say(read, { conversation_id: sent.conversation_id });
    await set(sent.task_id, { status: 'done' });
    await calls.say(undelivered, {});
    await calls.say(close, { conversation_id: sent.conversation_id });
    await calls.say(close, { conversation_id: sent.conversation_id });
    await calls.say(list, {});
    own.configure(new TroupeError('config_not_found'));
    await calls.say(send, { member: LEAD, message: 'x' });
    own.configure(new TroupeError('bad_config', { what: 'It is broken.', hint: 'Mend it.' }));
    await calls.say(send, { member: LEAD, message: 'x' });
    await turn('plain');
    as(person('eve'), 'eve');
    await calls.say(inbox, {});
    await calls.say(read, { conversation_id: sent.conversation_id });
    for (const id of [sent.task_id, below.task_id, 'asks', 'plain'])
      calls.lines.push(JSON.stringify((await own.store.view()).task(id)));
    const drawn = [...new Set(calls.text.match(DRAWN))];
    const text = drawn.reduce((said, id, at) => said.replaceAll(id, `ID-${at + 1}`), calls.text);
    await expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, '../golden/conversations.txt'));
  },
);

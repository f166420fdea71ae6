import path from 'node:path';
import { expect } from 'vitest';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { buildPrompt } from '#core/runs/build-prompt.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { done } from '#operations/graph/done.js';
import { send } from '#operations/mail/conversations.js';
import { beginTurnOf, turnMail } from '#operations/mail/turn-mail.js';
import { offerToRun } from '#surfaces/mcp/offers.js';
import { toolOf } from '#surfaces/mcp/server.js';
import { verifies } from '../../verifies.js';
import { organisation } from './stage.js';

const LEAD = 'teaparty/coding/lead';
const PROMPTS = path.resolve(import.meta.dirname, '../../../data/prompts');

/** The lead of coding, asked by Ann, with its run at work; and what a turn of any task is told. */
async function place() {
  const own = organisation();
  const { task_id, conversation_id } = await send.run(own.person(), { member: LEAD, message: 'Write the </parser>.' });
  const id = task_id ?? '';
  await own.claim(id);
  const mailOf = async (task: string) => {
    const view = await own.store.view();
    return await turnMail(own.person(), view, view.task(task) ?? expect.fail(task));
  };
  const promptOf = async (task: string) => {
    const mail = await mailOf(task);
    const facts: PromptFacts = {
      ...{
        scope: 'task',
        mode: 'full',
        attempt: 1,
        nonce: 'a-n0nce-of-our-own-1234',
        program: 'troupe',
        report: { by: 'commands' },
      },
      ...{ commits: 'shell', tree: 'none', mayAdd: false, wording: await new WordingFolder(PROMPTS).load() },
      ...{ conversation: mail?.conversation, roster: mail?.roster, messages: mail?.messages, identity: mail?.self },
    };
    return buildPrompt(await own.store.view(), task, facts);
  };
  return { ...own, id, conversation: conversation_id, mailOf, promptOf };
}

verifies(
  'bus.envelope',
  'the first message stands as task and context, fenced, with the end of what the sender left',
  async () => {
    const { id, conversation, run, claim, set, mailOf, promptOf } = await place();
    const { text, sections } = await promptOf(id);
    expect(sections.map(({ name }) => name)).toEqual(expect.arrayContaining(['conversation', 'roster']));
    const envelope = sections.find(({ name }) => name === 'conversation')?.text ?? '';
    expect(envelope.indexOf('## Task')).toBeLessThan(envelope.indexOf('## Context'));
    for (const part of [
      'from: human/ann',
      `conversation: ${conversation}`,
      '`troupe reply own "…"`',
      'Write the </parser>.',
    ])
      expect(envelope).toContain(part);
    expect(
      envelope.slice(envelope.indexOf('a-n0nce-of-our-own-1234'), envelope.indexOf('Write the </parser>.')),
    ).toContain('conversation: task');
    expect(text).toContain('- developer (teaparty/coding/developer): Writes implementation code.');
    // The same roster, as a client takes it; one who is led has none.
    expect((await mailOf(id))?.agents).toMatchObject({
      developer: { description: 'Writes implementation code.', id: 'teaparty/coding/developer' },
    });

    const lines = Array.from({ length: 300 }, (_, index) => `step ${index + 1}`);
    await set(id, { checkpoint: lines.join('\n') });
    const below = await send.run(run(id), { member: 'developer', message: 'Write it.' });
    await claim(below.task_id ?? '');
    const child = (await promptOf(below.task_id ?? '')).sections;
    const asked = child.find(({ name }) => name === 'conversation')?.text ?? '';
    expect(asked).toContain('step 300');
    expect(asked).toContain('step 101\n');
    expect(asked).not.toContain('step 100\n');
    expect(child.map(({ name }) => name)).not.toContain('roster');
    expect((await mailOf(below.task_id ?? ''))?.agents).toEqual({});
    expect(child.map(({ name }) => name)).not.toContain('messages');
  },
);

verifies(
  'bus.cursor',
  'later mail is told when the next turn starts, and stands there again until that turn is committed',
  async () => {
    const { id, conversation, person, run, claim, context, mailOf, promptOf } = await place();
    const mail = await context.mail();
    const begin = async (fence: number) => beginTurnOf(context, { task: id, fence, mail: await mailOf(id) });
    await begin(1);
    await send.run(person(), { member: LEAD, message: 'And the tests.', conversation_id: conversation });
    const below = await send.run(run(id), { member: 'developer', message: 'x' });
    await claim(below.task_id ?? '');
    const told = (await promptOf(id)).sections.find(({ name }) => name === 'messages')?.text ?? '';
    expect(told).toContain('And the tests.');
    expect((await mail.conversation(conversation))?.state).toBe('active');
    await begin(2); // the run died: the next one is told the same
    expect((await mailOf(id))?.messages).toHaveLength(1);
    await mail.commitTurn(id, 2);
    expect((await mailOf(id))?.messages).toEqual([]);
    await expect(send.run(run(id), { member: 'developer', message: 'late' })).rejects.toMatchObject({
      code: 'stale_attempt',
    });
  },
);

verifies(
  ['roster.listener', 'roster.requestor.leaf'],
  'who leads others has a Send among the tools of its run, who leads nobody a Reply, and any other run neither',
  async () => {
    const { id, run, claim, add, mailOf } = await place();
    const below = await send.run(run(id), { member: 'developer', message: 'x' });
    await claim(below.task_id ?? '');
    await add('plain');
    const rights = [];
    for (const task of [id, below.task_id ?? '', 'plain']) rights.push((await mailOf(task))?.right ?? 'none');
    expect(rights).toEqual(['send', 'reply', 'none']);
    const tools = async (right: 'none' | 'reply' | 'send') => {
      const offer = offerToRun('a', right, '');
      const all = await Promise.all(offer.specs.map((spec) => toolOf(spec, offer)));
      return all.filter(({ name }) => /^[A-Z]/.test(name));
    };
    const names = async (right: 'none' | 'reply' | 'send') => (await tools(right)).map(({ name }) => name).sort();
    expect(await names('send')).toEqual(['Ack', 'CloseConversation', 'Escalate', 'Inbox', 'Reply', 'Send']);
    expect(await names('reply')).toEqual(['Ack', 'Escalate', 'Inbox', 'Reply']);
    expect(await names('none')).toEqual([]);
    const fields = (await tools('send')).map(({ name, inputSchema }) => [name, inputSchema['required']]);
    expect(Object.fromEntries(fields)).toMatchObject({ Send: ['member', 'message'], Reply: ['message'] });
  },
);

verifies('bus.fanin', 'a run that asked others does not say that it is done before they have answered', async () => {
  const { id, run, claim } = await place();
  const below = await send.run(run(id), { member: 'developer', message: 'x' });
  await claim(below.task_id ?? '');
  await expect(done.run(run(id), { id })).rejects.toMatchObject({
    code: 'conversations_open',
    details: { id, open: 1 },
  });
  await done.run(run(below.task_id ?? ''), { id: below.task_id ?? '' });
});

verifies(
  'roster.one-source',
  'prompt and routing go by the same roster: every address in a prompt can be sent to',
  async () => {
    const { id, run, mailOf } = await place();
    const addresses = (await mailOf(id))?.roster ?? [];
    expect(addresses.map((one) => one.name)).toEqual(['developer', 'reviewer', 'architect', 'ann']);
    for (const { name, id: address } of addresses.slice(0, 2))
      expect((await send.run(run(id), { member: name, message: 'x' })).conversation_id).toContain(`:${address}:`);
  },
);

verifies(
  'who.person',
  'an agent of the configuration is told its name, id and place there, with or without an agent file',
  async () => {
    const { id, run, claim, promptOf, mailOf } = await place();
    const identityIn = async (task: string) =>
      (await promptOf(task)).sections.find(({ name }) => name === 'identity')?.text ?? '';
    // No lead of this configuration has a file.
    expect((await mailOf(id))?.self.agent?.file).toBeUndefined();
    const lead = await identityIn(id);
    expect(lead).toContain('## Who you are');
    expect(lead).toContain(
      'you are: coding-lead (teaparty/coding/lead)\nposition: leads the workgroup Coding of TeaParty\npurpose: Implements features and fixes bugs.',
    );
    expect(lead).not.toContain('team');
    const below = await send.run(run(id), { member: 'developer', message: 'Write it.' });
    await claim(below.task_id ?? '');
    const member = await identityIn(below.task_id ?? '');
    expect(member).toContain(
      'position: works in the workgroup Coding of TeaParty\npurpose: Writes implementation code.',
    );
    expect(member).toContain('Your agent file says how you work:');
    expect(member).toContain('You are here for Writes implementation code.');
  },
);

import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RosterProject } from '#core/mail/config-tree.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { ConversationsHost } from '#operations/coordinator/conversations-host.js';
import { send } from '#operations/mail/conversations.js';
import { snapshot } from '../../core/coordinator/stage.js';
import { seedTree } from '../../core/mail/tree.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';
import { organisation } from '../mail/stage.js';

/** The lead of coding, asked by Ann, has asked the developer. */
async function place() {
  const own = organisation();
  const asked = await send.run(own.person(), { member: 'teaparty/coding/lead', message: 'Get it done.' });
  const lead = asked.task_id ?? '';
  await own.claim(lead);
  const below = await send.run(own.run(lead), { member: 'developer', message: 'Write it.' });
  const mail = await own.context.mail();
  const host = new ConversationsHost(own.person());
  /** One round of this part alone. */
  const round = async () => {
    const view = await own.store.view();
    const facts = await host.facts();
    const decisions = decide(snapshot(view as never, facts), own.clock.now());
    for (const one of decisions) if (one.do === 'end-conversation') await host.carryOut[one.do](one, view);
    return { facts, ends: decisions.flatMap((one) => (one.do === 'end-conversation' ? [one.how] : [])) };
  };
  return { ...own, lead, below, mail, host, round };
}

/** The seed without its developer. */
function without(agent: string) {
  const tree = seedTree();
  const projects = tree.projects.map(({ name, project }) => {
    const { catalogue, ...rest } = project as RosterProject;
    const fewer = catalogue.map((entry) =>
      entry.workgroup instanceof TroupeError
        ? entry
        : {
            ...entry,
            workgroup: { ...entry.workgroup, agents: entry.workgroup.agents.filter((one) => one !== agent) },
          },
    );
    return { name, project: { ...rest, catalogue: fewer } };
  });
  return { ...tree, projects };
}

verifies(
  'roster.fresh',
  'a changed configuration counts from the next look: who may no longer be written to is withdrawn, with an error reply',
  async () => {
    const { round, configure, pass, mail, lead, below, task } = await place();
    expect((await round()).ends).toEqual([]);
    configure(without('developer'));
    pass(TEAM_LIMITS.rosterLookMs);
    expect((await round()).ends).toEqual(['withdrawn']);
    expect(await mail.conversation(below.conversation_id)).toMatchObject({ state: 'withdrawn' });
    expect(await task(below.task_id ?? '')).toMatchObject({ status: 'abandoned' });
    const inbox = await mail.inbox('teaparty/coding/lead', { task: lead, limit: 9 });
    expect(inbox.at(-1)).toMatchObject({ type: 'withdrawn', sender: 'teaparty/coding/developer' });
    expect((await round()).ends).toEqual([]);
  },
);

verifies('bus.fanin', 'whose task failed has answered, once, and whoever asked is told', async () => {
  const { round, set, mail, below, lead } = await place();
  await set(below.task_id ?? '', { status: 'failed', failure_reason: 'no disk' });
  expect((await round()).ends).toEqual(['agent_lost']);
  expect((await round()).ends).toEqual([]);
  const inbox = await mail.inbox('teaparty/coding/lead', { task: lead, limit: 9 });
  expect(inbox.slice(1)).toMatchObject([{ type: 'agent_lost', body: 'No one will answer: no disk' }]);
});

test('rosters that cannot be read expel nobody, and a store that cannot be read stops nothing', async () => {
  const { round, configure, pass, person } = await place();
  configure(new TroupeError('config_invalid'));
  pass(TEAM_LIMITS.rosterLookMs);
  expect((await round()).ends).toEqual([]);
  const broken = {
    ...person(),
    mail: async () => {
      throw new TroupeError('data_corrupt');
    },
  };
  expect(await new ConversationsHost(broken).facts()).toEqual({ conversations: [], mail: new Map() });
});

test('conversations about work count, each with its task; talk of other kinds and without a task does not', async () => {
  const { context } = world();
  const parties = { initiator: 'human/ann', recipient: 'human/ben' };
  const row = (id: string, more: object = {}) => ({
    ...{ ...parties, id, kind: 'work', taskId: `of-${id}`, openedBy: null },
    ...more,
  });
  const mail = {
    taskMail: async () => [{ task: 'a', waits: true }],
    open: async () => [
      row('one'),
      row('talk', { kind: 'task' }),
      row('none', { taskId: null }),
      row('two', { openedBy: 'a' }),
    ],
  };
  const host = new ConversationsHost({ ...context, mail: async () => mail as never });
  const known = { expelled: false, openedBy: null };
  expect(await host.facts()).toEqual({
    mail: new Map([['a', { waits: true }]]),
    conversations: [
      { ...known, id: 'one', task: 'of-one' },
      { ...known, id: 'two', task: 'of-two', openedBy: 'a' },
    ],
  });
});

verifies(
  'roster.fresh',
  'the rosters are read only for open conversations about work, and again when the last look is old enough',
  async () => {
    const own = organisation();
    let reads = 0;
    const tree = (await own.person().rosterConfig()).tree;
    const context = {
      ...own.person(),
      rosterConfig: async () => ({
        ...(await own.person().rosterConfig()),
        tree: async (...given: Parameters<typeof tree>) => {
          reads++;
          return await (await own.person().rosterConfig()).tree(...given);
        },
      }),
    };
    const host = new ConversationsHost(context);
    const expelled = async () => (await host.facts()).conversations.map((one) => one.expelled);
    expect([await expelled(), reads]).toEqual([[], 0]);
    const asked = await send.run(own.person(), { member: 'teaparty/coding/lead', message: 'Get it done.' });
    expect([await expelled(), reads], 'a single one').toEqual([[false], 1]);
    configureAway(own);
    own.pass(TEAM_LIMITS.rosterLookMs - 1);
    expect([await expelled(), reads]).toEqual([[false], 1]);
    own.pass(1);
    expect([await expelled(), reads]).toEqual([[true], 2]);
    const words = 'x'.repeat(TEAM_LIMITS.messageBytes);
    const ending = { do: 'end-conversation', conversation: asked.conversation_id, how: 'agent_lost', words } as const;
    expect(await host.carryOut['end-conversation']({ ...ending, reason: '', events: [] } as never, {} as never)).toBe(
      1,
    );
    const inbox = await (await own.context.mail()).inbox('human/ann', { limit: 9 });
    expect(inbox.at(-1)?.body.length).toBe(TEAM_LIMITS.messageBytes / 4);
  },
);

test('an error of the program itself is not taken for a store or a roster that cannot be read', async () => {
  const own = organisation();
  await send.run(own.person(), { member: 'teaparty/coding/lead', message: 'Get it done.' });
  const odd = new Error('odd');
  const failing = () => Promise.reject(odd);
  await expect(new ConversationsHost({ ...own.person(), mail: failing }).facts()).rejects.toBe(odd);
  await expect(new ConversationsHost({ ...own.person(), rosterConfig: failing }).facts()).rejects.toBe(odd);
});

/** The seed without any lead of coding. */
function configureAway({ configure }: ReturnType<typeof organisation>): void {
  configure({ ...seedTree(), projects: [] });
}

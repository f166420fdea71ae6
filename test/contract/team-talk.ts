import { describe, expect, onTestFinished, test } from 'vitest';
import { addMember, createTeam, EMPTY_TEAM_PLAN, endTeam } from '#core/teams/changes.js';
import { nameTeam, replanTeam, settlePlanning } from '#core/teams/planning.js';
import { type Saying, sayToTeam, type TeamSpeaker } from '#core/teams/say.js';
import { cancelSession, concludeSession, openSession, speakInSession } from '#core/teams/session-changes.js';
import type { StrataOutcome } from '#core/teams/strata-plan.js';
import { NO_TALK } from '#core/teams/talk.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { withoutQueries } from '#kernel/query.js';
import type { Outbox } from '#ports/outbox.js';
import type { TeamStore } from '#ports/team-store.js';
import { verifies } from '../verifies.js';

const TEAM = '0a1b2c3d-0000-5000-8000-000000000000';
const SHORT = '0a1b2c3d0000';
const PLAN = {
  ...{
    objective: 'The airlock holds',
    approach: '',
    phases: ['mend'],
    assignments: [{ member: 'hicks', work: 'seal' }],
  },
  ...{ guardrails: ['No pressure'], success_criteria: [] },
};
const MINTED: StrataOutcome = { state: 'minted', plan: PLAN, warnings: [] };
const ANN: TeamSpeaker = {
  id: 'human/ann',
  name: 'Ann',
  position: null,
  member: undefined,
  task: undefined,
  toldAt: undefined,
};
const coded = (code: string) => expect.objectContaining({ code });

interface Made {
  readonly store: TeamStore;
  readonly outbox: Outbox;
  readonly again?: () => TeamStore;
}

/** Contract of every adapter of the teams for their messages and plans. */
export function teamTalkContract(name: string, make: () => Made): void {
  /**
   * A team led by Ripley, with Hicks, Vasquez and others as members and Newt as observer. Its name is a placeholder.
   */
  const crew = async (more: readonly string[] = []) => {
    const { store, outbox, again = () => store } = make();
    onTestFinished(() => store.close());
    let now = 1_000;
    let made = 0;
    const call = () => ({ by: 'ann', at: now });
    const wish = { id: TEAM, leaderId: 'l', name: '', leader: 'Ripley', description: '', mesh: false, reserved: 'p' };
    await store.change((view) => createTeam(view, wish, call()));
    const add = (member: string, position: 'member' | 'observer' = 'member') =>
      store.change((view) =>
        addMember(view, TEAM, { id: `m-${member}`, name: member, position, agent: null, person: null }, call()),
      );
    for (const member of ['Hicks', 'Vasquez', ...more]) await add(member);
    await add('Newt', 'observer');
    const say = (body: string, saying: Partial<Saying> = {}, through: TeamStore = store) => {
      const id = `said-${++made}`;
      now++;
      const common = { id, speaker: ANN, body, type: 'message', to: [], cc: [], planningOver: false } as const;
      const whole = { ...common, replyTo: undefined, task: undefined, ...saying };
      return through.change((view) => sayToTeam(view, TEAM, whole, call()));
    };
    const settle = (outcome: Parameters<typeof settlePlanning>[2]['outcome'], version = 1, tries = 1) =>
      store.change((view) => settlePlanning(view, TEAM, { attempt: { version, tries }, outcome, fence: 2 }, call()));
    /** The run of a turn, or of any other task of a member. */
    const run = (member: string, task: string, toldAt = now): TeamSpeaker => ({
      ...{ id: `crew/${member.toLowerCase()}`, name: member, position: 'member', member: member.toLowerCase() },
      ...{ task, toldAt },
    });
    const tasks = async () =>
      (await outbox.pending(200)).map((row) => ('task' in row.args ? row.args.task.id : row.id));
    const chat = async () => (await again().chat(TEAM, { limit: 200 })).map((one) => `${one.senderName}: ${one.body}`);
    return { store, outbox, again, call, say, settle, run, tasks, chat, add };
  };

  describe(`the contract of what teams say: ${name}`, () => {
    verifies('strata.first', `${name}: the first message has the leader plan, and wakes nobody else`, async () => {
      const { outbox, say, tasks, chat, again } = await crew();
      const first = await say('Fix the airlock, @Hicks and @Vasquez');
      expect(first).toMatchObject({ planning: true, woken: ['ripley'] });
      expect(await tasks()).toEqual([`.strata-${SHORT}-1-1`, `.turn-${SHORT}-1-1`]);
      expect((await outbox.pending(5)).map(({ op, args }) => [op, args])).toMatchObject([
        ['task.plan-team', { task: { team: TEAM, member: 'ripley', version: 1, tries: 1 } }],
        ['task.add', { task: { member: 'ripley', after: [`.strata-${SHORT}-1-1`], timeout: '600s' } }],
      ]);
      expect(await chat()).toEqual([
        'Ann: Fix the airlock, @Hicks and @Vasquez',
        'Troupe: Ripley plans first; @hicks, @vasquez will act by that plan.',
      ]);
      // The addressed members and the leader find it when the plan stands.
      const { messages } = await again().mail(TEAM, 'hicks', 5);
      expect(messages[0]?.recipients.map(({ member }) => member)).toEqual(['hicks', 'ripley', 'vasquez']);
    });

    test(`${name}: of teams at work the one that spoke last is listed first`, async () => {
      const { store, say, again, call } = await crew();
      const later = { id: 't-later', leaderId: 'l-2', name: 'Bridge', leader: 'Dallas', description: '', mesh: false };
      await store.change((view) => createTeam(view, { ...later, reserved: 'p' }, { ...call(), at: 1_001 }));
      const listed = async () => (await again().listTeams(5)).map(({ id }) => id);
      expect(await listed()).toEqual(['t-later', TEAM]);
      for (const body of ['Fix the airlock', 'And the door']) await say(body);
      expect(await listed()).toEqual([TEAM, 't-later']);
      const last = { ...later, id: 't-last', leaderId: 'l-3', name: 'Galley' };
      await store.change((view) => createTeam(view, { ...last, reserved: 'p' }, { ...call(), at: 9_000 }));
      expect(await listed()).toEqual([TEAM, 't-last', 't-later']);
    });

    verifies('strata.first', `${name}: while the plan is made all messages wait for the leader's turn`, async () => {
      const { say, settle, tasks } = await crew();
      await say('Fix the airlock');
      const before = await tasks();
      expect(await say('@Hicks, begin')).toMatchObject({ planning: false, woken: [] });
      expect(await tasks()).toEqual(before);
      await settle(MINTED);
      expect(await say('@Hicks, begin')).toMatchObject({ planning: false, woken: ['hicks'] });
      expect((await tasks()).slice(before.length)).toEqual([`.turn-${SHORT}-4-1`]);
    });

    verifies('strata.once', `${name}: of first messages that come at once one begins the plan`, async () => {
      const { again, say, tasks, store } = await crew();
      const others = [again(), again(), again()];
      for (const other of others) onTestFinished(() => other.close());
      const answers = await Promise.all(others.map((other, index) => say(`first ${index}`, {}, other)));
      expect(answers.filter(({ planning }) => planning)).toHaveLength(1);
      expect((await tasks()).filter((id) => id.startsWith('.strata'))).toHaveLength(1);
      expect((await store.strata(TEAM)).map(({ state, tries }) => [state, tries])).toEqual([['planning', 1]]);
      expect((await store.chat(TEAM, { limit: 9 })).map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    verifies(
      'strata.once',
      `${name}: a failed plan is tried with later messages, and work goes on with the leader`,
      async () => {
        const { say, settle, store, run } = await crew();
        await say('one');
        await settle({ state: 'failed', reason: 'No model is there.' });
        expect(await say('@Hicks, two')).toMatchObject({ planning: true, woken: ['ripley'] });
        // Its task ended without a message.
        expect(await say('three', { planningOver: true })).toMatchObject({ planning: true });
        expect((await store.strata(TEAM)).map(({ state, tries }) => [state, tries])).toEqual([['planning', 3]]);
        await settle({ state: 'failed', reason: 'No model is there.' }, 1, 3);
        expect(await say('@Hicks, four')).toMatchObject({ planning: false, woken: ['ripley'] });
        expect(await say('@Hicks, go', { speaker: run('Ripley', 'x') })).toMatchObject({ woken: ['hicks'] });
        expect(await store.strata(TEAM)).toMatchObject([{ state: 'failed', tries: 3, plan: null }]);
      },
    );

    verifies('strata.once', `${name}: what was made is kept with its hash; a late answer changes nothing`, async () => {
      const { say, settle, again, store, call } = await crew();
      await say('one');
      await settle(MINTED);
      const [row] = await again().strata(TEAM);
      expect(row).toMatchObject({
        state: 'minted',
        plan: PLAN,
        claimFence: 2,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      await expect(settle({ state: 'skipped' })).rejects.toThrow(coded('stale_attempt'));
      await store.change((view) => replanTeam(view, TEAM, call()));
      await expect(store.change((view) => replanTeam(view, TEAM, call()))).rejects.toThrow(coded('wrong_status'));
      expect((await store.strata(TEAM)).map(({ version, state }) => [version, state])).toEqual([
        [1, 'minted'],
        [2, 'planning'],
      ]);
      const kinds = (await store.events(TEAM, { limit: 9 })).map(({ kind }) => kind);
      expect(kinds.slice(-3)).toEqual(['strata-planning', 'strata-minted', 'strata-planning']);
    });

    verifies(
      'team.name.auto',
      `${name}: the first message clears the mark, and the placeholder alone gives way`,
      async () => {
        const { say, store, call } = await crew();
        const flag = async () => (await store.getTeam(TEAM))?.nameAuto;
        expect(await flag()).toBe(true);
        await say('one');
        expect(await flag()).toBe(false);
        const name = (to: string) =>
          store.change((view) => nameTeam(view, TEAM, { name: to, reserved: 'Watch' }, call()));
        expect(await name('Watch')).toMatchObject({ name: 'Watch 2' });
        expect(await name('Other')).toMatchObject({ name: 'Watch 2' });
      },
    );

    verifies(
      'team.storm',
      `${name}: answers to answers end, with one notice, and what was written stay unread`,
      async () => {
        const { say, settle, run, tasks, chat, again } = await crew(['A', 'B', 'C', 'D', 'E']);
        await say('go');
        await settle({ state: 'skipped' });
        const five = ['A', 'B', 'C', 'D', 'E', 'Hicks'];
        let turn = `.turn-${SHORT}-1-1`;
        const first = await say('all', { speaker: run('Ripley', turn), to: five });
        expect(first.woken).toHaveLength(5);
        expect(first.notices).toEqual([expect.stringContaining('One turn has called 5 others')]);
        // They answer each other in turn; the first turn had depth one.
        for (let depth = 2; depth <= TALK_LIMITS.stormDepth; depth++) {
          const [me, other] = depth % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
          turn = (await tasks()).at(-1) ?? '';
          const { woken } = await say('and you?', { speaker: run(me, turn), to: [other] });
          expect(woken, `depth ${depth}`).toEqual(depth < TALK_LIMITS.stormDepth ? [other.toLowerCase()] : []);
        }
        expect((await chat()).filter((line) => line.includes('stay unread'))).toHaveLength(1);
        const { messages } = await again().mail(TEAM, 'hicks', 5);
        expect(messages.at(-1)?.recipients.find(({ member }) => member === 'hicks')?.readAt).toBeNull();
        expect(await say('@Hicks, now you')).toMatchObject({ woken: ['hicks'] });
      },
    );

    verifies('team.mail', `${name}: read state is per recipient, and a reply goes on in its thread`, async () => {
      const { say, settle, run, again } = await crew();
      const { message } = await say('one');
      await settle({ state: 'skipped' });
      const reply = await say('two', {
        replyTo: message.id,
        to: ['Hicks'],
        cc: ['hicks', 'Vasquez', 'Newt'],
        task: 't-1',
      });
      expect(reply.message).toMatchObject({ thread: message.id, task: 't-1', origin: reply.message.id, depth: 0 });
      const stored = (await again().chat(TEAM, { limit: 9 })).at(-1);
      expect(stored?.recipients).toEqual([
        { member: 'hicks', role: 'to', readAt: null },
        { member: 'newt', role: 'cc', readAt: null },
        { member: 'vasquez', role: 'cc', readAt: null },
      ]);
      await say('three', { speaker: run('Hicks', 'x', 2_000), replyTo: message.id });
      const reads = (await again().chat(TEAM, { limit: 9 })).find(({ id }) => id === reply.message.id)?.recipients;
      expect(reads?.map(({ member, readAt }) => [member, readAt !== null])).toEqual([
        ['hicks', true],
        ['newt', false],
        ['vasquez', false],
      ]);
      await expect(say('x', { replyTo: 'nothing' })).rejects.toThrow(coded('not_found'));
    });

    test(`${name}: what was said twice is there once, and hostile texts come back as they were`, async () => {
      const { say, tasks, again } = await crew();
      const body = `x'); DROP TABLE messages; -- "q" ? %s \u202e\u{1f600}`;
      await say(body, { id: 'same' });
      const before = await tasks();
      expect(await say('other', { id: 'same' })).toMatchObject({ message: { body }, woken: [] });
      expect(await tasks()).toEqual(before);
      expect(await again().chat(TEAM, { limit: 9 })).toMatchObject([{ body, number: 1, member: null, position: null }]);
    });

    verifies('team.session', `${name}: a thread of five messages is a hint to its leader, once`, async () => {
      const { say, settle, chat, store } = await crew();
      const { message } = await say('one');
      await settle({ state: 'skipped' });
      for (let count = 2; count <= 7; count++) await say(`${count}`, { replyTo: message.id });
      const hints = (await chat()).filter((line) => line.startsWith('Troupe: This thread'));
      expect(hints).toHaveLength(1);
      expect((await store.mail(TEAM, 'ripley', 50)).messages.map(({ body }) => body)).toContainEqual(
        expect.stringContaining('has 5 messages'),
      );
    });

    verifies('team.session', `${name}: each turn is a task of the one who speaks next, until it ends`, async () => {
      const { store, call, tasks, again } = await crew();
      const topic = { topic: 'The seal', with: ['Hicks', 'Vasquez'], rounds: 1, trigger: 'explicit' } as const;
      const wish = { ...topic, id: 's-1', task: undefined };
      const open = (id = 's-1') => store.change((view) => openSession(view, TEAM, { ...wish, id }, call()));
      const speak = (member: string) =>
        store.change((view) =>
          speakInSession(view, TEAM, { session: 's-1', member, body: `${member} speaks` }, call()),
        );
      await open();
      await open();
      expect(await tasks()).toEqual(['.session-s1-1']);
      await speak('hicks');
      await expect(speak('hicks')).rejects.toThrow(coded('not_yours'));
      await speak('vasquez');
      expect(await tasks()).toEqual(['.session-s1-1', '.session-s1-2']);
      expect(await again().sessions(TEAM, 5)).toMatchObject([
        { status: 'deadlocked', turns: [{ body: 'hicks speaks' }, { member: 'vasquez', n: 2 }], outcome: null },
      ]);
      await open('s-2');
      const end = { session: 's-2', conclusion: 'Rubber', agreed: ['Hicks'], dissent: 'Vasquez' };
      await store.change((view) => concludeSession(view, TEAM, end, call()));
      await expect(store.change((view) => cancelSession(view, TEAM, 's-2', call()))).rejects.toThrow(
        coded('wrong_status'),
      );
      await open('s-3');
      await store.change((view) => cancelSession(view, TEAM, 's-3', call()));
      const rows = (await again().sessions(TEAM, 5)).map(({ id, status, outcome }) => [
        id,
        status,
        outcome?.conclusion,
      ]);
      expect(rows).toEqual([
        ['s-3', 'cancelled', undefined],
        ['s-2', 'concluded', 'Rubber'],
        ['s-1', 'deadlocked', undefined],
      ]);
    });

    verifies(
      'team.storm',
      `${name}: turns of a session count to what led to it, and end it like any other`,
      async () => {
        const { store, say, settle, call, run } = await crew();
        await say('go');
        await settle({ state: 'skipped' });
        const topic = { topic: 'The seal', with: ['Ripley', 'Hicks'], rounds: 20, trigger: 'explicit' } as const;
        const open = (id: string, task: string) =>
          store.change((view) => openSession(view, TEAM, { ...topic, id, task }, call()));
        const speak = (session: string, member: string) =>
          store.change((view) => speakInSession(view, TEAM, { session, member, body: 'x' }, call()));
        // The leader, in its own turns, opens one session within the other.
        let task = `.turn-${SHORT}-1-1`;
        for (let depth = 1; depth < TALK_LIMITS.stormDepth; depth++) {
          await open(`s${depth}`, task);
          task = `.session-s${depth}-1`;
        }
        await expect(open('deeper', task)).rejects.toThrow(coded('child_limit'));
        for (let turn = 0; turn < 30; turn++) await speak('s1', turn % 2 === 0 ? 'ripley' : 'hicks');
        await expect(open('longer', '.session-s1-1')).rejects.toThrow(coded('child_limit'));
        expect(await say('@Hicks', { speaker: run('Ripley', '.session-s1-1') })).toMatchObject({ woken: [] });
        expect((await store.sessions(TEAM, 9)).map(({ id }) => id)).toHaveLength(TALK_LIMITS.stormDepth - 1);
      },
    );

    verifies(
      'team.life.check',
      `${name}: nobody speaks in a team that has ended, and what was said is read`,
      async () => {
        const { store, say, call, chat } = await crew();
        await say('one');
        await store.change((view) => endTeam(view, TEAM, { status: 'archived', hasGraph: false }, call()));
        await expect(say('two')).rejects.toThrow(coded('team_archived'));
        await expect(store.change((view) => replanTeam(view, TEAM, call()))).rejects.toThrow(coded('team_archived'));
        expect(await chat()).toEqual(['Ann: one']);
      },
    );

    test(`${name}: the team a person works with`, async () => {
      const { store, again } = await crew();
      const use = (teamId: string) => ({
        ...{ ...EMPTY_TEAM_PLAN, result: undefined },
        talk: { ...NO_TALK, inUse: [{ person: 'human/ann', teamId }] },
      });
      expect(await store.inUse('human/ann')).toBeUndefined();
      await store.change(() => withoutQueries(use(TEAM)));
      await store.change(() => withoutQueries(use(TEAM)));
      expect([await again().inUse('human/ann'), await again().inUse('human/ben')]).toEqual([TEAM, undefined]);
    });
  });
}

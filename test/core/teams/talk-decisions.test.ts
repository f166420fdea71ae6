import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TeamQueries } from '#core/teams/changes.js';
import type { TeamMessage } from '#core/teams/mail.js';
import { nameTeam, needsTeamName, type PlanningOutcome, replanTeam, settlePlanning } from '#core/teams/planning.js';
import { type Saying, sayToTeam, type TeamSpeaker } from '#core/teams/say.js';
import type { Session } from '#core/teams/session.js';
import { cancelSession, concludeSession, openSession, speakInSession } from '#core/teams/session-changes.js';
import type { Strata, StrataState } from '#core/teams/strata.js';
import type { WakeUp } from '#core/teams/talk.js';
import type { Team } from '#core/teams/team.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { verifies } from '../../verifies.js';
import { CREW, crewWith, type SomeAnswers, TEAM_ID } from './crew.js';
import { told } from './told.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const CALL = { by: 'human/ann', at: 50 };
const ANN: TeamSpeaker = {
  id: 'human/ann',
  name: 'Ann',
  position: null,
  member: undefined,
  task: undefined,
  toldAt: undefined,
};
const HICKS: TeamSpeaker = {
  ...ANN,
  id: 'crew/hicks',
  name: 'Hicks',
  position: 'member',
  member: 'hicks',
  task: 'job',
  toldAt: 40,
};
const RIPLEY: TeamSpeaker = { ...HICKS, id: 'crew/ripley', name: 'Ripley', position: 'leader', member: 'ripley' };
const row = (state: StrataState, more: Partial<Strata> = {}): Strata => ({
  ...{ teamId: TEAM_ID, version: 1, state, plan: null, sha256: null, claimFence: null, tries: 1, createdAt: 1 },
  ...more,
});
const message = (id: string, more: Partial<TeamMessage> = {}): TeamMessage => ({
  ...{
    id,
    teamId: TEAM_ID,
    number: 3,
    sender: 'crew/vasquez',
    senderName: 'Vasquez',
    member: 'vasquez',
    position: 'member',
  },
  ...{
    type: 'message',
    body: 'x',
    thread: 'first',
    replyTo: null,
    task: null,
    origin: 'first',
    depth: 0,
    recipients: [],
    createdAt: 1,
  },
  ...more,
});
const turn = (task: string, more: Partial<WakeUp> = {}): WakeUp => ({
  ...{ task, teamId: TEAM_ID, member: 'hicks', origin: 'first', depth: 2, cause: null, createdAt: 1 },
  ...more,
});
const worldOf = (team: Team, more: SomeAnswers = {}): SomeAnswers => ({
  labels: () => [team],
  team: () => team,
  strata: () => [row('minted')],
  ...more,
});
const PLANNED = worldOf(CREW);
const written =
  (id: string, more: Partial<TeamMessage> = {}): TeamQueries['message'] =>
  (asked) =>
    asked === id ? message(id, more) : undefined;

describe('what is said to a team', () => {
  const wish: Saying = {
    ...{ id: 'new', speaker: ANN, body: 'Well?', type: 'message', to: [], cc: [], replyTo: undefined, task: undefined },
    planningOver: false,
  };
  const said = (title: string, more: Partial<Saying> = {}, world = PLANNED) =>
    told(title, (view) => sayToTeam(view, 'crew', { ...wish, ...more }, CALL), world);

  verifies('team.mail', 'whom it is for, who gets a turn and what is kept of it', async () => {
    const agent = crewWith({ Hicks: { agent: 'h1' }, Vasquez: { person: 'ben' }, Newt: { status: 'paused' } });
    const all = [
      said('by a person, to nobody'),
      said('again', { id: 'old' }, { ...PLANNED, message: written('old') }),
      said('to two, and a copy', { to: ['Vasquez', 'hicks'], cc: ['Newt', 'hicks'], type: 'custom', task: 'job' }),
      said('a copy alone', { cc: ['Hicks'] }),
      said('a copy, and a mention', { body: '@Hicks, is it done?', cc: ['Ripley'] }),
      said('with a mention', { body: 'Hello @hicks (@VASQUEZ), not@newt or @bishop' }),
      said('with a mention of who only watches', { body: '@newt' }),
      said('to an agent, a person and one who waits', { to: ['hicks', 'vasquez', 'newt'] }, worldOf(agent)),
      said(
        'to one who has a turn already',
        { to: ['hicks'] },
        { ...PLANNED, latestTurn: (team, slug) => `${team} ${slug}`, lastNumber: () => 8 },
      ),
      said('by a run, to nobody', { speaker: HICKS }),
      said('by a run, to another', { speaker: HICKS, to: ['vasquez'] }, { ...PLANNED, wakeUp: (task) => turn(task) }),
      said('by a run, to itself and another', { speaker: HICKS, to: ['hicks', 'vasquez'] }),
      said('by a member who was told nothing', { speaker: { ...HICKS, toldAt: undefined } }),
      said('by the leader, to nobody', { speaker: { ...RIPLEY, task: undefined } }),
      said('to one who is not there', { to: ['bishop'] }),
      said('as an answer', { replyTo: 'that' }, { ...PLANNED, message: written('that') }),
      said('as an answer by a run', { replyTo: 'that', speaker: HICKS }, { ...PLANNED, message: written('that') }),
      said(
        'as an answer to one who has left',
        { replyTo: 'that' },
        { ...PLANNED, message: written('that', { member: 'gorman' }) },
      ),
      said(
        'as an answer to another team',
        { replyTo: 'that' },
        { ...PLANNED, message: written('that', { teamId: 'x' }) },
      ),
      said('as an answer to nothing', { replyTo: 'that\n' }),
      said(
        'the fifth of its thread',
        { replyTo: 'that' },
        { ...PLANNED, message: written('that'), threadLength: () => 4 },
      ),
      said(
        'the sixth of its thread',
        { replyTo: 'that' },
        { ...PLANNED, message: written('that'), threadLength: () => 5 },
      ),
      said('to a team whose name nobody has chosen, and that has a plan', {}, worldOf({ ...CREW, nameAuto: true })),
      said('to a team that is gone', {}, worldOf({ ...CREW, status: 'disbanded' })),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('said'));
  });

  verifies('team.mail', 'the leader plans first', async () => {
    const strata = (...rows: Strata[]): SomeAnswers => worldOf(CREW, { strata: () => rows });
    const withLeader = (change: Partial<Team['members'][number]>, more: Partial<Team> = {}) =>
      worldOf(crewWith({ Ripley: change }, more), { strata: () => [] });
    const all = [
      said('the first message of all', {}, strata()),
      said('the first, to members', { to: ['hicks', 'vasquez', 'ripley'] }, strata()),
      said('the first, by a run', { speaker: HICKS, to: ['vasquez'] }, strata()),
      said('the first, by the leader', { speaker: RIPLEY, to: ['hicks'] }, strata()),
      said('the first, of a team with a name of the system', {}, withLeader({ agent: 'h1' }, { nameAuto: true })),
      said('the first, where a person leads', { to: ['hicks'] }, withLeader({ person: 'ann' })),
      said('the first, where the leader waits', {}, withLeader({ status: 'paused' })),
      said('the first, where nobody leads', {}, withLeader({ status: 'removed' })),
      said('while the first plan is made', { to: ['hicks'] }, strata(row('planning'))),
      said('while the first plan is made, by a run', { speaker: HICKS, to: ['vasquez'] }, strata(row('planning'))),
      said('after its try was lost', {}, { ...strata(row('planning')), latestTurn: () => 'before' }),
      said('after its try ended without a word', { planningOver: true }, strata(row('planning'))),
      said('after its last try ended without a word', { planningOver: true }, strata(row('planning', { tries: 3 }))),
      said('after it ended with a plan', { planningOver: true }, strata(row('minted'))),
      said('after a try has failed', {}, strata(row('failed', { tries: 2 }))),
      said('after all tries have failed', { to: ['hicks'] }, strata(row('failed', { tries: 3 }))),
      said('while another plan is made', { to: ['hicks'] }, strata(row('skipped'), row('planning', { version: 2 }))),
      said(
        'after another plan ended without a word',
        { planningOver: true, to: ['hicks'] },
        strata(row('minted'), row('planning', { version: 2 })),
      ),
      said(
        'where members were told already',
        { to: ['hicks'] },
        { ...strata(), message: (id) => (id === 'new' ? undefined : message(id)) },
      ),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('said-first'));
  });

  verifies('team.storm', 'a turn at each bound, and one more', async () => {
    const { stormDepth, stormWakeUpsPerTurn, stormActivations } = TALK_LIMITS;
    const stormy = (title: string, chain: { depth?: number; by?: number; of?: number; told?: boolean }) => {
      const { depth = 0, by = 0, of = 0, told: before = false } = chain;
      return said(
        title,
        { speaker: HICKS, to: ['ripley', 'vasquez'] },
        {
          ...PLANNED,
          ...{ wakeUp: (task) => turn(task, { depth }), wakeUpsBy: () => by, wakeUpsOf: () => of },
          message: (id) => (before && id !== 'new' ? message(id) : undefined),
        },
      );
    };
    const all = [
      stormy('as deep as may be', { depth: stormDepth - 1 }),
      stormy('deeper', { depth: stormDepth }),
      stormy('deeper, and that was said', { depth: stormDepth, told: true }),
      stormy('the last two of a turn', { by: stormWakeUpsPerTurn - 2 }),
      stormy('one too many of a turn', { by: stormWakeUpsPerTurn - 1 }),
      stormy('the last two of all', { of: stormActivations - 2 }),
      stormy('one too many of all', { of: stormActivations - 1 }),
      stormy('none of all', { of: stormActivations + 3, by: 1 }),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('said-in-a-storm'));
  });
});

describe('how a team plans', () => {
  const plan = {
    objective: 'Go',
    approach: 'a',
    phases: ['one'],
    assignments: [],
    guardrails: ['g'],
    success_criteria: ['s'],
  };
  const settled = (title: string, outcome: PlanningOutcome, world: SomeAnswers, attempt = { version: 2, tries: 1 }) =>
    told(title, (view) => settlePlanning(view, TEAM_ID, { attempt, outcome, fence: 7 }, CALL), world);
  const again = (title: string, world: SomeAnswers) => told(title, (view) => replanTeam(view, 'crew', CALL), world);
  const named = (title: string, team: Partial<Team>, name = 'Night Shift') =>
    told(title, (view) => nameTeam(view, TEAM_ID, { name, reserved: 'project' }, CALL), worldOf({ ...CREW, ...team }));

  verifies('team.name.auto', 'what comes of a try, another plan, and a name', async () => {
    const under = worldOf(CREW, { strata: () => [row('minted'), row('planning', { version: 2 })] });
    const leaderless = { ...under, team: () => crewWith({ Ripley: { status: 'removed' as const } }) };
    const failed: PlanningOutcome = { state: 'failed', reason: 'No answer.' };
    const all = [
      settled('a plan', { state: 'minted', plan, warnings: ['w1', 'w2'] }, under),
      settled('no need of one', { state: 'skipped' }, under),
      settled('no plan', failed, under),
      settled('no plan, and nobody leads', failed, leaderless),
      settled('another version', failed, under, { version: 1, tries: 1 }),
      settled('another try', failed, under, { version: 2, tries: 2 }),
      settled('none is made', failed, PLANNED, { version: 1, tries: 1 }),
      again('another plan', PLANNED),
      again('the first, when a person asks', worldOf(crewWith({ Ripley: { agent: 'h1' } }), { strata: () => [] })),
      again('another, where nobody leads', worldOf(crewWith({ Ripley: { status: 'removed' } }))),
      again('another after a failed one', worldOf(CREW, { strata: () => [row('failed', { version: 3, tries: 3 })] })),
      again('another while one is made', under),
      named('a name for a placeholder', { name: 'team-0a1b2c3d' }),
      named('a name for a placeholder that waits for its plan', { name: 'team-0a1b2c3d', nameAuto: true }),
      named('a name for one that has one', {}),
      named('the name of the project', { name: 'team-0a1b2c3d' }, 'Project'),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('planned'));
  });

  test('only the first try of the first plan of a placeholder looks for a name', () => {
    const placed = { ...CREW, name: 'team-0a1b2c3d' };
    const wants = (team: Team, ...rows: Strata[]) => needsTeamName(team, rows);
    expect([
      wants(placed, row('planning')),
      wants(placed),
      wants(CREW, row('planning')),
      wants({ ...placed, nameAuto: true }, row('planning')),
      wants(placed, row('planning', { tries: 2 })),
      wants(placed, row('minted'), row('planning', { version: 2 })),
      wants(placed, row('minted')),
    ]).toEqual([true, false, false, false, false, false, false]);
  });
});

verifies('team.session', 'every step of a session is an event, and the turn of the next', async () => {
  const session = (more: Partial<Session> = {}): Session => ({
    ...{
      id: 'abc-1',
      teamId: TEAM_ID,
      topic: 'The seal',
      trigger: 'explicit',
      maxRounds: 2,
      status: 'active',
      outcome: null,
    },
    ...{ participants: ['hicks', 'vasquez'], turns: [], createdAt: 1 },
    ...more,
  });
  const spoken = (turns: number) =>
    session({ turns: Array.from({ length: turns }, (_, index) => ({ n: index + 1, member: 'x', body: 'y' })) });
  const world = (one: Session | undefined, more: SomeAnswers = {}) => worldOf(CREW, { session: () => one, ...more });
  const wish = {
    id: 'abc-1',
    topic: ' The seal ',
    with: ['Hicks', 'vasquez'],
    trigger: 'auto' as const,
  };
  const opened = (
    title: string,
    more: Partial<typeof wish> & { rounds?: number; task?: string },
    at: SomeAnswers = world(undefined),
  ) =>
    told(
      `open: ${title}`,
      (view) => openSession(view, 'crew', { ...wish, rounds: undefined, task: undefined, ...more }, CALL),
      at,
    );
  const speaks = (title: string, member: string, at: SomeAnswers, body = ' Rubber ') =>
    told(`speak: ${title}`, (view) => speakInSession(view, 'crew', { session: 'abc-1\n', member, body }, CALL), at);
  const ends = (title: string, agreed: readonly string[], dissent?: string, at: SomeAnswers = world(spoken(1))) =>
    told(
      `end: ${title}`,
      (view) => concludeSession(view, 'crew', { session: 'abc-1', conclusion: ' Rubber', agreed, dissent }, CALL),
      at,
    );
  const cancels = (title: string, at: SomeAnswers) =>
    told(`cancel: ${title}`, (view) => cancelSession(view, 'crew', 'abc-1', CALL), at);
  const { stormDepth, stormActivations, sessionRoundsMost, sessionTextCharacters } = TALK_LIMITS;
  const all = [
    opened('by a person', {}),
    opened('that is there', {}, world(session())),
    opened('by a run', { task: 'job' }),
    opened('by a turn', { task: 'job' }, world(undefined, { wakeUp: turn, latestTurn: () => 'before' })),
    opened(
      'by a turn as deep as may be',
      { task: 'job' },
      world(undefined, { wakeUp: (task) => turn(task, { depth: stormDepth - 1 }) }),
    ),
    opened(
      'by a deeper turn',
      { task: 'job' },
      world(undefined, { wakeUp: (task) => turn(task, { depth: stormDepth }) }),
    ),
    opened('by a chain that is too long', { task: 'job' }, world(undefined, { wakeUpsOf: () => stormActivations })),
    opened('of one', { with: ['hicks'] }),
    opened('of one, twice', { with: ['hicks', 'HICKS'] }),
    opened('with who watches', { with: ['hicks', 'newt'] }),
    opened('with a person', {}, { ...world(undefined), team: () => crewWith({ Hicks: { person: 'ann' } }) }),
    opened('with who waits', {}, { ...world(undefined), team: () => crewWith({ Hicks: { status: 'paused' } }) }),
    opened('with who has left', { with: ['hicks', 'gorman'] }),
    opened('of as many rounds as may be', { rounds: sessionRoundsMost }),
    opened('of more rounds', { rounds: sessionRoundsMost + 1 }),
    opened('of no round', { rounds: 0 }),
    opened('of half a round', { rounds: 1.5 }),
    opened('about nothing', { topic: ' ' }),
    opened('about half a character', { topic: 'a\ud800' }),
    speaks('the first', 'hicks', world(session())),
    speaks('the second, after a turn', 'vasquez', world(spoken(1), { wakeUp: turn, latestTurn: () => 'before' })),
    speaks('the next has left', 'hicks', {
      ...world(session()),
      team: () => crewWith({ Vasquez: { status: 'removed' } }),
    }),
    speaks('the last', 'vasquez', world(spoken(3))),
    speaks('not theirs', 'vasquez', world(session())),
    speaks('nothing', 'hicks', world(session()), '\n'),
    speaks('after the end', 'hicks', world(session({ status: 'cancelled' }))),
    speaks('in none', 'hicks', world(undefined)),
    ends('all agree', ['Hicks', 'vasquez', 'hicks']),
    ends('one does not', ['hicks'], ' steel '),
    ends('who did not take part', ['Ripley\n']),
    ends('again', [], undefined, world(session({ status: 'deadlocked' }))),
    cancels('one under way', world(spoken(2))),
    cancels('one that has ended', world(session({ status: 'concluded' }))),
  ];
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('sessions'));
  const about = (characters: number) => opened('', { topic: 't'.repeat(characters) });
  expect(
    [about(sessionTextCharacters), about(sessionTextCharacters + 1)].map((one) => one.includes('refused')),
  ).toEqual([false, true]);
});

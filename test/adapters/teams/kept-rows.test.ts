import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { type Artifact, type ArtifactTransition, labelOf, newArtifact } from '#core/teams/artifacts.js';
import { EMPTY_TEAM_PLAN, type TeamPlan } from '#core/teams/changes.js';
import type { NewTeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import { NO_TALK, type TalkRows, type WakeUp } from '#core/teams/talk.js';
import { withoutQueries } from '#kernel/query.js';
import { CREW, crewWith, TEAM_ID } from '../../core/teams/crew.js';
import { FREE_TURN } from '../../free-turn.js';
import { plain } from '../../plain-statements.js';
import { room } from '../../room.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function kept() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const clock = { now: () => 1_000 };
  const places = { turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations: MIGRATIONS, clock };
  const database = new TeamsDatabase(places);
  const store = new TeamTables(database);
  onTestFinished(() => store.close());
  const write = (plan: Partial<TeamPlan<unknown>>) =>
    store.change(() => withoutQueries({ ...EMPTY_TEAM_PLAN, team: undefined, ...plan, result: undefined }));
  const say = (talk: Partial<TalkRows>) => write({ talk: { ...NO_TALK, ...talk } });
  const spoil = (table: string, column: string, value: string | Uint8Array | null) =>
    database.write(function* () {
      yield* plain('PRAGMA ignore_check_constraints = ON');
      yield* plain(`UPDATE ${table} SET ${column} = ? WHERE ?`, value, 1); // a library takes a lone null for options
    });
  return { store, write, say, spoil };
}

const row = (version: number, more: Partial<Strata> = {}): Strata => ({
  ...{ teamId: TEAM_ID, version, state: 'planning', plan: null, sha256: null, claimFence: null, tries: 1 },
  ...{ createdAt: version },
  ...more,
});
const PLAN = {
  ...{ objective: 'Go', approach: 'a', phases: ['one'], guardrails: ['g'], success_criteria: ['s'] },
  assignments: [{ member: 'hicks', work: 'w' }],
};
const message = (id: string, more: Partial<NewTeamMessage> = {}): NewTeamMessage => ({
  ...{ id, teamId: TEAM_ID, sender: 'human/ann', senderName: 'Ann', member: null, position: null, type: 'message' },
  ...{ body: `body of ${id}`, thread: id, replyTo: null, task: null, origin: id, depth: 0, recipients: [] },
  ...{ createdAt: 10 },
  ...more,
});
const wakeUp = (task: string, more: Partial<WakeUp> = {}): WakeUp => ({
  ...{ task, teamId: TEAM_ID, member: 'hicks', origin: 'm-1', depth: 1, cause: null, createdAt: 11 },
  ...more,
});
const session = (id: string, more: Partial<Session> = {}): Session => ({
  ...{ id, teamId: TEAM_ID, topic: 'The seal', trigger: 'explicit', maxRounds: 2, status: 'active', outcome: null },
  ...{ participants: ['vasquez', 'hicks'], turns: [], createdAt: 12 },
  ...more,
});

test('a team comes back as it was written, also changed, and its seats in the order in which they were taken', async () => {
  const { store, write } = kept();
  await write({ team: CREW });
  const byName = [...CREW.members].sort((one, other) => (one.name < other.name ? -1 : 1));
  expect(await store.getTeam(TEAM_ID)).toEqual({ ...CREW, members: byName });
  const changed = crewWith(
    { Ripley: { agent: 'g', joinedAt: 7 }, Hicks: { person: 'ben', status: 'paused', position: 'observer' } },
    { name: 'watch', nameAuto: true, mesh: true, description: 'Well.', status: 'archived', endedAt: 9 },
  );
  await write({ team: changed });
  const [gorman, hicks, newt, ripley, vasquez] = byName.map(
    ({ name }) => changed.members.find((one) => one.name === name) ?? expect.unreachable(),
  );
  expect(await store.getTeam(TEAM_ID)).toEqual({ ...changed, members: [gorman, hicks, newt, vasquez, ripley] });
  const { id, name, status, createdAt } = changed;
  expect(await store.labels()).toEqual([{ id, name, status, createdAt }]);
  const { members: _, ...summary } = changed;
  expect(await store.listTeams(5)).toEqual([{ ...summary, leader: 'Ripley', size: 4 }]);
});

test('teams at work come first, those that spoke last before the others, each with its own seats', async () => {
  const { store, write, say } = kept();
  const team = (id: string, createdAt: number, status: 'active' | 'archived' = 'active') => ({
    ...{ ...CREW, id, name: id, createdAt, status },
    members: CREW.members.slice(0, createdAt).map((one) => ({ ...one, id: `${id}-${one.id}` })),
  });
  for (const one of [team('a', 1), team('b', 2), team('c', 3), team('d', 4, 'archived'), team('e', 0)])
    await write({ team: one });
  await say({ messages: [message('m-1', { teamId: 'a' })] });
  const rows = async (limit: number) => (await store.listTeams(limit)).map(({ name, size }) => `${name} ${size}`);
  expect(await rows(9)).toEqual(['a 1', 'c 3', 'b 2', 'e 0', 'd 4']);
  expect(await rows(2)).toEqual(['a 1', 'c 3']);
});

test('everything a team says and plans comes back as it was written', async () => {
  const { store, write, say } = kept();
  await write({ team: CREW });
  const other = { ...CREW, id: 'other', name: 'other', members: [] };
  await write({ team: other });
  const strata = [row(2, { tries: 2 }), row(1, { state: 'minted', plan: PLAN, sha256: 'c0', claimFence: 3 })];
  const recipients = [
    { member: 'hicks', role: 'to' as const, readAt: null },
    { member: 'ripley', role: 'to' as const, readAt: 4 },
    { member: 'newt', role: 'cc' as const, readAt: null },
  ];
  const messages = [
    message('m-1', { recipients: [...recipients].reverse() }),
    message('m-2', {
      ...{ sender: 'crew/hicks', senderName: 'Hicks', member: 'hicks', position: 'member', type: 'idle' },
      ...{ thread: 'm-1', replyTo: 'm-1', task: 'seal', origin: 'm-1', depth: 2, createdAt: 20 },
    }),
  ];
  const outcome = { conclusion: 'Rubber', agreed: ['hicks'], dissent: null };
  const turns = [
    { n: 2, member: 'hicks', body: 'two' },
    { n: 1, member: 'vasquez', body: 'one' },
  ];
  const sessions = [session('s-1', { turns }), session('s-2', { status: 'concluded', outcome, trigger: 'auto' })];
  const wakeUps = [wakeUp('t-1'), wakeUp('t-2', { cause: 't-1', depth: 2 }), wakeUp('t-3', { member: 'ripley' })];
  const inUse = [{ person: 'ann', teamId: TEAM_ID }];
  await say({ strata, messages, sessions, wakeUps, inUse });

  expect(await store.strata(TEAM_ID)).toEqual([...strata].reverse());
  const stored = messages.map((one, index) => ({ ...one, number: index + 1 }));
  stored[0] = { ...(stored[0] ?? expect.unreachable()), recipients };
  expect(await store.chat(TEAM_ID, { limit: 9 })).toEqual(stored);
  expect(await store.mail(TEAM_ID, 'hicks', 9)).toEqual({
    messages: stored.slice(0, 1),
    turns: [wakeUps[1], wakeUps[0]],
  });
  expect(await store.sessions(TEAM_ID, 9)).toEqual([sessions[1], { ...sessions[0], turns: [...turns].reverse() }]);
  expect([await store.inUse('ann'), await store.inUse('ben')]).toEqual([TEAM_ID, undefined]);

  await say({
    strata: [row(2, { state: 'failed', tries: 3 })],
    sessions: [session('s-1', { status: 'cancelled', turns })],
    reads: [{ teamId: TEAM_ID, member: 'hicks', until: 10, at: 30 }],
    inUse: [{ person: 'ann', teamId: 'other' }],
  });
  expect((await store.strata(TEAM_ID))[1]).toEqual(row(2, { state: 'failed', tries: 3 }));
  expect((await store.sessions(TEAM_ID, 9)).map(({ id, status }) => `${id} ${status}`)).toEqual([
    ...['s-2 concluded', 's-1 cancelled'],
  ]);
  const [first] = await store.chat(TEAM_ID, { limit: 9 });
  expect(first?.recipients.map(({ member, readAt }) => [member, readAt])).toEqual([
    ...[
      ['hicks', 30],
      ['ripley', 4],
      ['newt', null],
    ],
  ]);
  expect(await store.inUse('ann')).toBe('other');
});

test('a decision is answered from what is kept, and with nothing where nothing is', async () => {
  const { store, write, say } = kept();
  const answers = () =>
    store.change(function* (view) {
      const result = [
        yield* view.followed(),
        yield* view.lastNumber(TEAM_ID),
        yield* view.threadLength('m-1'),
        (yield* view.message('m-2'))?.body,
        (yield* view.wakeUp('t-1'))?.origin,
        yield* view.wakeUpsOf('m-1'),
        yield* view.wakeUpsBy('t-1'),
        yield* view.latestTurn(TEAM_ID, 'hicks'),
        (yield* view.session(TEAM_ID, 's-1'))?.id,
        (yield* view.session('other', 's-1'))?.id,
      ];
      return { ...EMPTY_TEAM_PLAN, team: undefined, result };
    });
  expect(await answers()).toEqual([undefined, 0, 0, undefined, undefined, 0, 0, undefined, ...[undefined, undefined]]);
  await write({ team: CREW, followed: 5 });
  await say({
    messages: [message('m-1'), message('m-2', { thread: 'm-1' }), message('m-3')],
    wakeUps: [wakeUp('t-1'), wakeUp('t-2', { cause: 't-1' }), wakeUp('t-3', { member: 'ripley', origin: 'x' })],
    sessions: [session('s-1')],
  });
  const after = [3, 2, 'body of m-2', 'm-1', 2, 1, 't-2', 's-1', undefined];
  expect(await answers()).toEqual([5, ...after]);
  await write({ followed: 8 });
  expect([await answers(), await store.followed()]).toEqual([[8, ...after], 8]);
});

test('pages of a conversation and of events: the latest, or those after a number, the oldest first', async () => {
  const { store, write, say } = kept();
  const event = (name: string) =>
    ({ teamId: TEAM_ID, at: 7, by: name === 'c' ? null : 'ann', kind: 'team-created', payload: { name } }) as const;
  await write({ team: CREW, events: ['a', 'b', 'c'].map(event) });
  await say({
    messages: ['m-1', 'm-2', 'm-3'].map((id) =>
      message(id, { recipients: [{ member: 'hicks', role: 'to', readAt: null }] }),
    ),
  });
  const chat = async (options: { after?: number; limit: number }) =>
    (await store.chat(TEAM_ID, options)).map(({ number }) => number);
  expect([await chat({ limit: 2 }), await chat({ after: 1, limit: 9 }), await chat({ after: 0, limit: 2 })]).toEqual([
    ...[
      [2, 3],
      [2, 3],
      [1, 2],
    ],
  ]);
  expect((await store.mail(TEAM_ID, 'hicks', 2)).messages.map(({ id }) => id)).toEqual(['m-2', 'm-3']);
  expect(await store.events(TEAM_ID, { limit: 2 })).toEqual([
    { seq: 2, teamId: TEAM_ID, at: 7, by: 'ann', kind: 'team-created', payload: { name: 'b' } },
    { seq: 3, teamId: TEAM_ID, at: 7, by: null, kind: 'team-created', payload: { name: 'c' } },
  ]);
  expect((await store.events(TEAM_ID, { after: 1, limit: 1 })).map(({ seq }) => seq)).toEqual([2]);
});

test('what becomes of what was handed in, by each move', async () => {
  const made = (id: string, taskId: string | null, state: Artifact['state']) =>
    newArtifact({
      ...{ id, teamId: TEAM_ID, taskId, attempt: taskId === null ? null : 2, name: 'Log', contentType: 'text/plain' },
      ...{ content: Uint8Array.from([1, 2]), state, createdBy: 'hicks', createdAt: 5 },
    });
  const after = async (...moves: ArtifactTransition[]) => {
    const { store, write } = kept();
    const artifacts = [
      ...[made('a', 'seal', 'current'), made('b', 'seal', 'staged'), made('c', 'seal', 'staged')],
      ...[made('d', 'door', 'staged'), made('e', null, 'current')],
    ];
    await write({ team: CREW, artifacts });
    if (moves.length === 0) {
      expect(await store.artifacts(TEAM_ID, { limit: 9 })).toEqual(artifacts.map(labelOf).reverse());
      expect(await store.artifact('b')).toEqual(artifacts[1]);
    }
    await write({ moves });
    return (await store.artifacts(TEAM_ID, { limit: 9 })).map(({ id, state }) => `${id} ${state}`).reverse();
  };
  const [d, e] = ['d staged', 'e current'];
  expect(await after()).toEqual(['a current', 'b staged', 'c staged', d, e]);
  expect(await after({ task: 'seal', to: 'orphan' })).toEqual(['a current', 'b orphan', 'c orphan', d, e]);
  expect(await after({ task: 'seal', to: 'current', artifact: 'b' })).toEqual([
    ...['a orphan', 'b current', 'c orphan', d, e],
  ]);
  expect(await after({ task: 'seal', to: 'orphan' }, { task: 'seal', to: 'staged', artifact: 'c' })).toEqual([
    ...['a current', 'b orphan', 'c staged', d, e],
  ]);
});

test('a value of a conversation, a plan or a session that is not known is an error that names it', async () => {
  const { store, write, say, spoil } = kept();
  const artifact = newArtifact({
    ...{ id: 'a-1', teamId: TEAM_ID, taskId: null, attempt: null, name: 'Log', contentType: 'text/plain' },
    ...{ content: Uint8Array.from([1]), state: 'staged', createdBy: 'hicks', createdAt: 5 },
  });
  const event = { teamId: TEAM_ID, at: 7, by: 'ann', kind: 'team-created', payload: { name: 'crew' } } as const;
  await write({ team: CREW, artifacts: [artifact], events: [event] });
  await say({
    messages: [message('m-1', { recipients: [{ member: 'hicks', role: 'to', readAt: null }] })],
    ...{ strata: [row(1)], sessions: [session('s-1')] },
  });
  const chat = () => store.chat(TEAM_ID, { limit: 5 });
  const [strata, sessions] = [() => store.strata(TEAM_ID), () => store.sessions(TEAM_ID, 5)];
  const told: string[] = [];
  for (const [table, column, value, right, read] of [
    ['recipients', 'role', 'zombie', 'to', chat],
    ['mail', 'position', 'zombie', null, chat],
    ['messages', 'type', 'zombie', 'message', chat],
    ['strata', 'state', 'zombie', 'planning', strata],
    ['strata', 'plan_json', '{}', null, strata],
    ['strata', 'plan_json', 'no json', null, strata],
    ['sessions', 'status', 'zombie', 'active', sessions],
    ['sessions', 'trigger', 'zombie', 'auto', sessions],
    ['sessions', 'outcome_json', '{}', null, sessions],
    ['team_events', 'payload_json', '[]', '{}', () => store.events(TEAM_ID, { limit: 5 })],
    ['artifacts', 'state', 'zombie', 'staged', () => store.artifacts(TEAM_ID, { limit: 5 })],
    ['artifacts', 'content', Uint8Array.from([2]), Uint8Array.from([1]), () => store.artifact('a-1')],
  ] as const) {
    await spoil(table, column, value);
    told.push(await read().then(String, (error: Error) => error.message));
    await spoil(table, column, right);
    expect(await read(), `${table} ${column}`).toBeTruthy();
  }
  expect(told).toEqual([
    'teams.db recipients m-1: role has unknown value zombie',
    'teams.db mail m-1: position has unknown value zombie',
    'teams.db messages m-1: type has unknown value zombie',
    `teams.db strata ${TEAM_ID}: state has unknown value zombie`,
    `teams.db strata ${TEAM_ID}: plan_json has unknown value {}`,
    `teams.db strata ${TEAM_ID}: plan_json has unknown value no json`,
    'teams.db sessions s-1: status has unknown value zombie',
    'teams.db sessions s-1: trigger has unknown value zombie',
    'teams.db sessions s-1: outcome_json has unknown value {}',
    'teams.db team_events 1: payload_json has unknown value []',
    'teams.db artifacts a-1: state has unknown value zombie',
    'Artifact a-1 is damaged: its hash differs.',
  ]);
});

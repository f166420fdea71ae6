import { expect, test } from 'vitest';
import { addPool } from '#core/casting/add-pool.js';
import { withRequired } from '#core/casting/analysis.js';
import { editCharter, renameMember, restoreMember, retireOne } from '#core/casting/members.js';
import { nameClashes, settleClash } from '#core/casting/name-clash.js';
import { type RegistryEvent, rebuildRegistry } from '#core/squad/registry.js';
import { isSameSource, requestSource } from '#core/squad/row-source.js';
import { readSquadState } from '#core/squad/squad-state.js';
import { castTeamOf, storedCastTeam } from '#core/squad/team-rows.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, memberWish, NOW, propose, teamOf, textOf } from './stage.js';

const EVENTS = '.squad/casting/registry.events.jsonl';

test('a row is of the request that asked for it, with what it asked', () => {
  const hash = 'a'.repeat(64);
  const asked = (requestId?: string, input?: string) => requestSource({ requestId, input } as never);
  expect([asked(), asked('r'), asked('r', hash)]).toEqual([undefined, 'request:r', `request:r ${hash}`]);
  const same = (kept?: string, now?: string) => isSameSource(kept, now);
  expect([same(), same('request:r'), same(undefined, 'request:r'), same('request:r', 'request:s')]).toEqual([
    ...[false, false, false, false],
  ]);
  expect([same(`request:r ${hash}`, `request:r ${hash}`), same('request:r', `request:r ${hash}`)]).toEqual([
    true,
    true,
  ]);
  expect(codeOf(() => same(`request:r ${'b'.repeat(64)}`, `request:r ${hash}`))).toBe('request_id_reused');
});

test('who leads a team that is cast anew, again, or grows', () => {
  const led = teamOf('writer', 'lead-architect', 'qa-engineer');
  const unled = teamOf('writer');
  const leader = (state: typeof led, intent: 'new' | 'recast' | 'augment', ...ids: string[]) =>
    confirm(propose(ids, { state, intent }), state).result.leader;
  expect([leader(led, 'augment', 'lead-architect'), leader(unled, 'augment', 'lead-architect')]).toEqual([
    'Trinity',
    'Coordinator',
  ]);
  // Who leads now and stays; one who goes leads no more; the Coordinator is nobody who stays.
  expect(leader(led, 'recast', 'lead-architect', 'lead-architect')).toBe('Trinity');
  expect(leader(led, 'recast', 'writer')).toBe('Coordinator');
  expect(leader(unled, 'recast', 'lead-architect', 'writer')).toBe('Trinity');
  expect(leader(led, 'new', 'writer', 'lead-architect')).toBe('Leia');
  const other = after(led, retireOne(memberWish(led), 'Trinity', 'Neo').changes);
  const back = after(other, restoreMember(memberWish(other), 'Trinity').changes);
  // Of those who can lead, one who was there before comes before a newcomer.
  const grown = after(unled, confirm(propose(['lead-architect'], { state: unled, intent: 'augment' }), unled).changes);
  expect(leader(grown, 'recast', 'lead-architect', 'lead-architect')).toBe('Trinity');
  expect(leader(back, 'recast', 'lead-architect', 'writer')).toBe('Neo');
});

test('a team that only its page names is replaced, and never grown', () => {
  const state = readSquadState(
    new Map([
      [EVENTS, `${JSON.stringify({ name: 'Neo', status: 'Retired', rev: 1 })}\n`],
      ['.squad/team.md', '## Members\n\n| Name | Role |\n|---|---|\n| Ripley | Lead |\n'],
    ]),
  );
  const code = (intent: 'new' | 'augment' | 'recast') =>
    codeOf(() => confirm(propose(['writer'], { state, universe: 'The Matrix' }), state, { intent }));
  expect([code('new'), code('recast'), code('augment')]).toEqual(['none', 'none', 'migration_required']);
});

test('a charter that was edited goes with its member under another headline', () => {
  const edited = (charter: string) => {
    const state = teamOf('lead-architect', 'writer');
    const after_ = after(state, editCharter(memberWish(state), 'Trinity', charter).changes);
    const renamed = after(after_, renameMember(memberWish(after_), 'Trinity', 'Dozer').changes);
    return textOf(renamed, '.squad/agents/dozer/charter.md');
  };
  expect(edited('# Trinity — Writer\n\nMine.\n')).toBe('# Dozer — Writer\n\nMine.\n');
  expect(edited('# Writer\n\nMine.\n')).toBe('# Writer\n\nMine.\n');
  const lines = (length: number) => `# Neo\n${'x'.repeat(length - 6)}`;
  const state = teamOf('lead-architect');
  const code = (charter: string, name = 'Neo') => codeOf(() => editCharter(memberWish(state), name, charter));
  expect([
    code(lines(TEAM_LIMITS.charterCharacters)),
    code(lines(TEAM_LIMITS.charterCharacters + 1)),
    code(' \n'),
  ]).toEqual([...['none', 'bad_input', 'bad_input']]);
  expect([code('# Neo 🚀'), code('# N\u200beo'), code('x', 'Scribe')]).toEqual([
    ...['charter_emoji', 'charter_hidden_text', 'builtin_member'],
  ]);
  expect(editCharter(memberWish(state), 'Neo', textOf(state, '.squad/agents/neo/charter.md'))).toMatchObject({
    changes: [],
    result: { changed: false },
  });
});

test('two members of one name: which lines are whose, and the latest of each counts', () => {
  const line = (event: Partial<RegistryEvent>) => JSON.stringify({ name: 'Neo', status: 'Active', ...event });
  const text = [
    line({ eventId: 'a', rev: 1, archetypeId: 'writer' }),
    line({ eventId: 'b', rev: 3, archetypeId: 'qa-engineer' }),
    line({ eventId: 'c', archetypeId: 'docs-writer' }),
    line({ name: 'NEO', eventId: 'd', rev: 1, archetypeId: 'core-implementer' }),
    line({ name: 'Tank', eventId: 'e', rev: 1 }),
    line({ rev: 1, archetypeId: 'writer' }),
  ].join('\n');
  const [clash, ...others] = nameClashes(text);
  expect([clash?.name, clash?.members.map((member) => member.map(({ eventId }) => eventId)), others]).toEqual([
    'Neo',
    [
      ['a', 'b', 'c'],
      ['d', undefined],
    ],
    [],
  ]);
  expect(nameClashes(undefined)).toEqual([]);
  const state = readSquadState(new Map([[EVENTS, text]]));
  const settled = settleClash(memberWish(state), 'a', 'Dozer');
  const records = rebuildRegistry(after(state, settled?.changes ?? []).texts.get(EVENTS)).records;
  expect(records.map(({ name, archetypeId, rev, settles }) => [name, archetypeId, rev, settles])).toEqual([
    ['NEO', 'core-implementer', 1, undefined],
    ['Tank', undefined, 1, undefined],
    ['Dozer', 'qa-engineer', 1, ['a', 'b', 'c']],
  ]);
});

test('a cast among the teams there are: whom it knows no more stays, and a name of its own', () => {
  const state = teamOf('lead-architect', 'writer');
  const cast = castTeamOf('Zion', state.registry, state.history) ?? expect.unreachable();
  const none = { labels: [], now: 9 };
  expect(storedCastTeam(undefined, cast, none)).toEqual(cast);
  const member = cast.members[1] ?? expect.unreachable();
  const ghost = { ...member, id: 'ghost', name: 'Ghost' };
  const before = {
    ...cast,
    ...{ name: 'Before', description: 'A word.', mesh: true },
    members: [{ ...member, status: 'paused' as const }, ghost, { ...ghost, id: 'gone', leftAt: 5 }],
  };
  const followed = storedCastTeam(before, cast, none);
  expect(followed).toEqual({
    ...cast,
    ...{ description: 'A word.', mesh: true },
    members: [
      ...cast.members.map((one) => (one.id === member.id ? { ...one, status: 'paused' } : one)),
      { ...ghost, status: 'removed', leftAt: 9 },
      { ...ghost, id: 'gone', status: 'removed', leftAt: 5 },
    ],
  });
  const gone = { ...before, members: [{ ...member, status: 'paused' as const }] };
  const left = { ...cast, members: cast.members.map((one) => ({ ...one, status: 'removed' as const })) };
  expect(storedCastTeam(gone, left, none).members[1]?.status).toBe('removed');
  const label = (id: string, name: string, status = 'active') => ({ id, name, status }) as never;
  const name = (...labels: never[]) => storedCastTeam(undefined, cast, { labels, now: 0 }).name;
  expect([
    name(label('x', 'zion')),
    name(label('x', 'ZION'), label('y', 'Zion 2')),
    name(label(cast.id, 'Zion')),
  ]).toEqual([...['Zion 2', 'Zion 3', 'Zion']]);
  expect(name(label('x', 'Zion', 'archived'))).toBe('Zion');
});

test('a pool of a project is added to what its policy allowed, or to what was shipped', () => {
  const shipped = catalog.universes.map((universe) => universe.name);
  const policy = (text?: string, name = 'Hive') => {
    const state = text === undefined ? NO_SQUAD : readSquadState(new Map([['.squad/casting/policy.json', text]]));
    const { changes, result } = addPool(state, catalog, { name, names: ['Bee', 'Wa"sp'] });
    const [pool, written] = changes.map((change) => ('text' in change ? [change.path, change.text] : []));
    return { pool, policy: JSON.parse(written?.[1] ?? ''), result };
  };
  expect(policy()).toEqual({
    pool: ['.squad/casting/universes/hive.yaml', 'name: "Hive"\nnames:\n  - "Bee"\n  - "Wa\\"sp"\n'],
    policy: { version: '1', allowlistUniverses: [...shipped, 'Hive'] },
    result: { name: 'Hive' },
  });
  const own = policy('{"version":7,"allowlistUniverses":["Dune","hive"],"more":1}');
  expect(own.policy).toEqual({ version: 7, allowlistUniverses: ['Dune', 'hive'], more: 1 });
  expect(policy('{"allowlistUniverses":["Dune"]}').policy).toEqual({
    version: '1',
    allowlistUniverses: ['Dune', 'Hive'],
  });
  expect(codeOf(() => policy(undefined, 'the MATRIX'))).toBe('universe_invalid');
  expect(codeOf(() => policy(undefined, '../x'))).toBe('name_invalid');
});

test('whoever has to be there takes the last places of those who need not', () => {
  const pick = (archetypeId: string) => ({ archetypeId, reason: archetypeId });
  const ranked = ['writer', 'lead-architect', 'qa-engineer', 'docs-writer', 'core-implementer'].map(pick);
  const team = (size: number, ...required: string[]) =>
    withRequired(catalog, ranked, required, size).map(({ archetypeId, reason }) => `${archetypeId}: ${reason}`);
  const said = (...ids: string[]) => ids.map((id) => `${id}: ${id}`);
  expect(team(3)).toEqual(said('writer', 'lead-architect', 'qa-engineer'));
  expect(team(3, 'docs-writer')).toEqual(said('writer', 'lead-architect', 'docs-writer'));
  expect(team(3, 'qa-engineer')).toEqual(said('writer', 'lead-architect', 'qa-engineer'));
  expect(team(3, 'qa-engineer', 'docs-writer')).toEqual(said('lead-architect', 'qa-engineer', 'docs-writer'));
  expect(team(2, 'qa-engineer', 'docs-writer')).toEqual(said('lead-architect', 'qa-engineer', 'docs-writer'));
  expect(team(9, 'quality-reviewer').at(-1)).toBe('quality-reviewer: Owns a step of the work that runs next.');
});

test('a proposal ends when its time is over, and the same one confirmed twice is one', () => {
  const proposal = propose(['writer']);
  const at = (now: number) => codeOf(() => confirm(proposal, NO_SQUAD, { now }));
  expect([at(NOW + TEAM_LIMITS.proposalMs - 1), at(NOW + TEAM_LIMITS.proposalMs)]).toEqual(['none', 'no_proposal']);
});

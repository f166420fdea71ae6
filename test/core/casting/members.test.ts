import { expect } from 'vitest';
import { addPool } from '#core/casting/add-pool.js';
import {
  addCastMember,
  charterFor,
  editCharter,
  renameMember,
  reroleMember,
  restoreMember,
  retireOne,
} from '#core/casting/members.js';
import { nameClashes, settleClash } from '#core/casting/name-clash.js';
import { retireMember, settleMember } from '#core/casting/roster-change.js';
import { compileCharter } from '#core/squad/charter.js';
import type { RegistryEvent, RegistryRecord } from '#core/squad/registry.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { sha256 } from '#kernel/hash.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, memberWish, NOW, propose, teamOf, templates, textOf } from './stage.js';

const EVENTS = '.squad/casting/registry.events.jsonl';
const HISTORY = '.squad/casting/history.events.jsonl';
const row = (event: Partial<RegistryEvent>) =>
  `${JSON.stringify({ name: 'Neo', status: 'Active', rev: 1, ...event })}\n`;
const stateOf = (texts: Readonly<Record<string, string>>) => readSquadState(new Map(Object.entries(texts)));
const archetype = (id: string) => catalog.archetypes.get(id) ?? expect.unreachable();
const errorOf = (action: () => unknown) => {
  const { code, message, hint } = refusalOf(action);
  return [code, message, hint];
};

/** Every operation on a member, on the member with this name. */
const everyChange = (state: SquadState, name: string) => [
  () => addCastMember(memberWish(state), 'writer'),
  () => reroleMember(memberWish(state), name, 'writer'),
  () => retireOne(memberWish(state), name),
  () => restoreMember(memberWish(state), name),
  () => renameMember(memberWish(state), name, 'Dozer'),
  () => editCharter(memberWish(state), name, '# Neo\n'),
  () => addPool(state, catalog, { name: 'Own', names: ['A'] }),
  () => confirm(propose(['writer'], { state, universe: 'Firefly' }), state, { intent: 'new' }),
];

verifies('squad.member-id', 'no change of a member is written over a name clash or the files of another tool', () => {
  const foreign = stateOf({
    '.squad/casting/registry.json': JSON.stringify({ agents: { lead: { persistent_name: 'Ripley' } } }),
  });
  expect(everyChange(foreign, 'Ripley').map(codeOf)).toEqual(Array(8).fill('migration_required'));
  const twice = stateOf({ [EVENTS]: row({ eventId: 'a' }) + row({ eventId: 'b' }) });
  expect(everyChange(twice, 'Neo').map(codeOf)).toEqual(Array(8).fill('name_clash'));
  // Nothing has to be settled for an event that is in no clash, even in the files of another tool.
  expect(settleClash(memberWish(foreign), 'a', 'Dozer')).toBeUndefined();
  const both = { ...twice, storage: { ...twice.storage, foreign: ['x.json'] } };
  expect(codeOf(() => settleClash(memberWish(both), 'a', 'Dozer'))).toBe('migration_required');
  expect(codeOf(() => settleClash(memberWish(twice), 'a', 'neo'))).toBe('name_invalid');
});

verifies(
  'member.rerole',
  'a member is found by name or slug; the refusal of an unknown one suggests the nearest',
  () => {
    const state = teamOf('lead-architect', 'writer');
    const named = (name: string) => editCharter(memberWish(state), name, '# Trinity\n').result.member.name;
    expect([named(' TRINITY '), named('trinity')]).toEqual(['Trinity', 'Trinity']);
    const renamed = stateOf({ [EVENTS]: row({ name: 'Mary Ann' }) + row({ name: 'mary-ann 2' }) });
    expect(restoreMember(memberWish(renamed), 'mary-ann').result.member.name).toBe('Mary Ann');
    expect(errorOf(() => retireOne(memberWish(state), 'Trinty'))).toEqual([
      ...['not_found', 'There is no member "Trinty".', 'Did you mean Trinity?'],
    ]);
    expect(errorOf(() => retireOne(memberWish(state), `Zaphod${'x'.repeat(80)}`))).toEqual([
      ...['not_found', `There is no member "Zaphod${'x'.repeat(53)}…".`, 'Run `troupe team show`.'],
    ]);
    expect(codeOf(() => retireOne(memberWish(NO_SQUAD), 'Neo'))).toBe('no_team');
    const gone = after(state, retireOne(memberWish(state), 'Trinity').changes);
    expect(errorOf(() => reroleMember(memberWish(gone), 'Trinity', 'writer'))).toEqual([
      ...['wrong_status', 'Trinity has retired from the team.', 'Run `troupe member edit trinity --restore` first.'],
    ]);
    expect(everyChange(gone, 'Trinity').slice(1, 6).map(codeOf)).toEqual([
      ...['wrong_status', 'none', 'none', 'wrong_status', 'wrong_status'],
    ]);
    expect(everyChange(gone, 'Scribe').slice(1, 6).map(codeOf)).toEqual([
      ...['builtin_member', 'builtin_member', 'none', 'builtin_member', 'builtin_member'],
    ]);
  },
);

verifies('member.add', 'a team that names no universe is one of descriptive names', () => {
  const state = stateOf({ [EVENTS]: row({ archetypeId: 'writer' }) + row({ name: 'Tank' }) });
  expect(codeOf(() => addCastMember(memberWish(state), 'writer'))).toBe('no_team');
  const retired = after(state, retireOne(memberWish(state), 'Tank').changes);
  expect([retired.history.badLines, retired.history.snapshots.map(({ universe }) => universe)]).toEqual([
    [],
    ['descriptive'],
  ]);
  const rerolled = after(state, reroleMember(memberWish(state), 'Neo', 'qa-engineer').changes);
  expect(rerolled.registry.records.map(({ name, universe }) => [name, universe])).toEqual([
    ['Neo', 'descriptive'],
    ['Tank', undefined],
  ]);
  const grown = after(rerolled, addCastMember(memberWish(rerolled), 'writer').changes);
  expect(grown.registry.records.map(({ name }) => name)).toEqual(['Neo', 'Tank', 'writer']);
  // A universe alone is no team.
  const left = stateOf({ [EVENTS]: row({ status: 'Retired' }), [HISTORY]: textOf(retired, HISTORY) });
  expect(codeOf(() => addCastMember(memberWish(left), 'writer'))).toBe('no_team');
});

verifies('member.rerole', 'a settled member: what is kept of the present record, and when nothing changes', () => {
  const moment = { at: '2026-07-02T00:00:00.000Z', by: 'bob', freshId: () => 'e9' };
  const charter = '# Neo — Writer\n';
  const requested = { name: 'neo', archetype: archetype('writer'), charter, universe: 'Dune' };
  const known = {
    ...{ eventId: 'e1', rev: 4, at: '2026-07-01T00:00:00.000Z', by: 'ann', memberId: 'm1', name: 'Neo', slug: 'neo' },
    ...{ persistentName: 'neo', universe: 'The Matrix', archetypeId: 'writer', roleTitle: 'Writer', agentId: 'a1' },
    ...{ defaultModel: 'standard', status: 'Active', createdAt: '2026-06-01T00:00:00.000Z' },
    ...{ charterPath: '.squad/agents/neo/charter.md', charterSha256: sha256(charter) },
    ...{ previousName: 'Thomas', x: { mood: 'calm' } },
  } as RegistryRecord;
  const texts = new Map([['.squad/agents/neo/charter.md', charter]]);
  const settle = (more: object = {}, agentFor?: () => string, wish: object = {}) =>
    settleMember({ ...requested, ...wish }, { ...known, ...more } as RegistryRecord, texts, { ...moment, agentFor });
  expect(settle()).toEqual({ event: undefined, changes: [] });
  expect(settle({}, () => 'a1')).toEqual({ event: undefined, changes: [] });
  const { slug: _slug, ...facts } = known;
  const stamped = { ...facts, eventId: 'e9', rev: 5, at: moment.at, by: 'bob' };
  expect(settle({}, () => 'a2')).toEqual({ event: { ...stamped, agentId: 'a2' }, changes: [] });
  expect(settle({ status: 'Retired' })).toEqual({ event: stamped, changes: [] });
  expect(settle({ archetypeId: 'qa-engineer' })).toEqual({ event: stamped, changes: [] });
  expect(settle({ charterSha256: 'other' })).toEqual({ event: stamped, changes: [] });
  const bare = { agentId: undefined, previousName: undefined, x: undefined, universe: undefined, rev: undefined };
  const { agentId: _agent, previousName: _name, x: _x, ...rest } = stamped;
  expect(settle({ ...bare, charterSha256: 'other' }).event).toEqual({ ...rest, rev: 1, universe: 'Dune' });
  // A newcomer, and a built-in member whose charter is there already.
  const fresh = settleMember(requested, undefined, new Map(), moment);
  expect(fresh).toEqual({
    event: {
      ...{ eventId: 'e9', rev: 1, at: moment.at, by: 'bob', memberId: fresh.event?.memberId, name: 'neo' },
      ...{ persistentName: 'neo', universe: 'Dune', archetypeId: 'writer', roleTitle: 'Writer', status: 'Active' },
      ...{ defaultModel: 'standard', createdAt: moment.at, charterPath: '.squad/agents/neo/charter.md' },
      charterSha256: sha256(charter),
    },
    changes: [{ kind: 'write', path: '.squad/agents/neo/charter.md', text: charter }],
  });
  const builtIn = { name: 'Neo', archetype: archetype('scribe'), charter: '# Mine\n' };
  const write = [{ kind: 'write', path: '.squad/agents/neo/charter.md', text: '# Mine\n' }];
  expect([
    settleMember(builtIn, undefined, texts, moment).changes,
    settleMember(builtIn, undefined, new Map(), moment).changes,
    settleMember(builtIn, known, texts, moment).changes,
    settleMember({ ...builtIn, universe: 'Dune' }, undefined, texts, moment).changes,
  ]).toEqual([[], write, write, write]);
  expect(settleMember(builtIn, undefined, texts, moment).event).toMatchObject({ builtIn: true });
  expect(settleMember(builtIn, undefined, texts, moment).event).not.toHaveProperty('universe');
});

verifies('member.retire', 'earlier charters of a name stay at the alumni under numbers', () => {
  const alumni = '.squad/agents/_alumni/trinity';
  const state = teamOf('lead-architect', 'writer');
  const charter = textOf(state, '.squad/agents/trinity/charter.md');
  const retired = (...charters: readonly string[]) => {
    const older = charters.map((text, at) => [`${alumni}/charter${at === 0 ? '' : `.${at}`}.md`, text] as const);
    const texts = new Map([...state.texts, ...older]);
    const record = state.registry.records.find(({ name }) => name === 'Trinity') ?? expect.unreachable();
    return retireMember(record, texts, { at: 'now', by: 'bob', freshId: () => 'e9' }).changes;
  };
  const own = [
    { kind: 'write', path: `${alumni}/charter.md`, text: charter },
    { kind: 'remove', path: '.squad/agents/trinity/charter.md' },
  ];
  expect(retired()).toEqual(own);
  expect(retired('first')).toEqual([{ kind: 'write', path: `${alumni}/charter.1.md`, text: 'first' }, ...own]);
  expect(retired('third', 'first', 'second')).toEqual([
    { kind: 'write', path: `${alumni}/charter.3.md`, text: 'third' },
    ...own,
  ]);
  const bare = new Map(state.texts);
  bare.delete('.squad/agents/trinity/charter.md');
  const paths = retireOne(memberWish(readSquadState(bare)), 'Trinity').changes.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('.squad/agents/'))).toEqual([]);
  // Restored without a stored charter, it gets a compiled one, whose hash is on record.
  const gone = after(state, retireOne(memberWish(state), 'Trinity').changes);
  const lost = new Map(gone.texts);
  lost.delete(`${alumni}/charter.md`);
  const restored = restoreMember(memberWish(readSquadState(lost)), 'Trinity').changes;
  expect(restored[0]).toEqual({ kind: 'write', path: '.squad/agents/trinity/charter.md', text: charter });
  expect(restored.some(({ kind, path }) => kind === 'remove' && path.startsWith(alumni))).toBe(false);
  const back = after(readSquadState(lost), restored);
  expect(back.registry.records.find(({ name }) => name === 'Trinity')).toMatchObject({
    ...{ status: 'Active', charterSha256: sha256(charter), by: 'bob', at: new Date(NOW + 5_000).toISOString() },
  });
});

verifies('charter.source', 'a role the catalog does not know gets a stub with its title', () => {
  const stub = (title: string) =>
    `# Neo — ${title}\n\nThe catalog does not know this role. Write down here what Neo owns and what it must not do.\n`;
  const written = (role: Partial<RegistryEvent>) => charterFor({ catalog, templates }, role as never, 'Neo');
  expect([
    written({ archetypeId: 'gone', roleTitle: 'Poet' }),
    written({ roleTitle: 'x'.repeat(120) }),
    written({}),
    written({ archetypeId: 'writer', roleTitle: 'Poet' }),
  ]).toEqual([
    stub('Poet'),
    stub(`${'x'.repeat(99)}…`),
    stub('Member'),
    compileCharter('Neo', archetype('writer'), templates.get('writer')),
  ]);
});

verifies(
  'squad.member-id',
  'a settled clash restores the shared charter only if it was the one of the renamed member',
  () => {
    const shared = '.squad/agents/neo/charter.md';
    const charter = (id: string) => compileCharter('Neo', archetype(id), templates.get(id));
    const chain = (eventId: string, archetypeId: string, text: string, more: object = {}) =>
      row({ eventId, archetypeId, charterSha256: sha256(text), ...more });
    const settled = (text: string, second = 'qa-engineer') => {
      const events = chain('a', 'writer', charter('writer')) + chain('b', second, charter(second));
      const plan = settleClash(memberWish(stateOf({ [EVENTS]: events, [shared]: text })), 'a', 'Dozer');
      return plan?.changes.filter(({ path }) => path === shared);
    };
    expect(settled(charter('writer'))).toEqual([{ kind: 'write', path: shared, text: charter('qa-engineer') }]);
    expect(settled(charter('qa-engineer'))).toEqual([]);
    expect(settled('by hand')).toEqual([]);
    expect(settled(charter('writer'), 'writer')).toEqual([]);
    const [clash] = nameClashes(
      row({ eventId: 'a' }) + row({ name: 'NEO', eventId: 'b', settles: ['c'] }) + row({ eventId: 'c' }),
    );
    expect(clash?.members.map((member) => member.map(({ eventId }) => eventId))).toEqual([['a'], ['b']]);
  },
);

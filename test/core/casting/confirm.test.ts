import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Intent } from '#core/casting/proposal.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { rebuildHistory } from '#core/squad/team-history.js';
import { verifies } from '../../verifies.js';
import { NO_SQUAD } from './small-catalog.js';
import { activeNames, after, confirm, NOW, propose, teamOf, textOf } from './stage.js';

const BUILTINS = ['Scribe', 'Ralph', 'Rai', 'Coordinator'];
const eventsOf = (state: SquadState) =>
  textOf(state, '.squad/casting/registry.events.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Confirms with a stated intent what was proposed without one, as a person would. */
function cast(state: SquadState, intent: Intent, ...archetypeIds: string[]) {
  const { changes, result } = confirm(propose(archetypeIds, { state }), state, { intent });
  return { state: after(state, changes), result };
}

verifies('confirm.intent', 'with a team an intent is needed, without one it is always new', () => {
  const state = teamOf('writer');
  expect(() => confirm(propose(['qa-engineer'], { state }), state)).toThrow(
    expect.objectContaining({ code: 'requires_choice' }),
  );
  expect(() => confirm(propose(['qa-engineer'], { state }), state, { intent: 'merge' })).toThrow(
    expect.objectContaining({ code: 'intent_invalid', httpStatus: 400 }),
  );
  expect(() => confirm(propose(['writer']), NO_SQUAD, { intent: 'merge' })).toThrow(
    expect.objectContaining({ code: 'intent_invalid' }),
  );
  expect(confirm(propose(['writer']), NO_SQUAD).result.intent).toBe('new');
  expect(confirm(propose(['writer']), NO_SQUAD, { intent: 'augment' }).result.intent).toBe('new');
});

verifies(
  'casting.proposal.intent',
  'an intent stated when proposing is the one at confirming; another is refused',
  () => {
    const state = teamOf('writer');
    const proposal = propose(['qa-engineer'], { state, intent: 'augment' });
    expect(confirm(proposal, state).result.intent).toBe('augment');
    expect(() => confirm(proposal, state, { intent: 'new' })).toThrow(
      expect.objectContaining({ code: 'intent_mismatch' }),
    );
  },
);

verifies('confirm.new', 'the proposed members are the team, the others retire', () => {
  const { state, result } = cast(teamOf('writer', 'qa-engineer'), 'new', 'lead-architect', 'writer');
  expect(activeNames(state)).toEqual(['Luke', 'Leia']);
  expect(result).toMatchObject({
    added: ['Luke', 'Leia'],
    retired: ['Neo', 'Trinity'],
    universe: 'Star Wars',
    leader: 'Luke',
  });
});

verifies('confirm.recast', 'those who are wanted stay who they are, those who are not retire', () => {
  const before = teamOf('writer', 'qa-engineer');
  const proposal = propose(['writer', 'docs-writer'], { state: before, intent: 'recast' });
  const { changes, result } = confirm(proposal, before);
  const state = after(before, changes);
  expect(activeNames(state)).toEqual(['Neo', 'Morpheus']);
  expect(result).toMatchObject({ added: ['Morpheus'], retired: ['Trinity'], universe: 'The Matrix' });
  const neo = (of: SquadState) => of.registry.records.find((record) => record.name === 'Neo');
  expect(neo(state)).toEqual(neo(before));
});

verifies('confirm.augment', 'adds, retires nobody, keeps the universe and the leader', () => {
  const { state, result } = cast(teamOf('lead-architect'), 'augment', 'writer', 'lead-architect');
  expect(activeNames(state)).toEqual(['Neo', 'Trinity', 'Morpheus']);
  expect(result).toMatchObject({ added: ['Trinity', 'Morpheus'], retired: [], universe: 'The Matrix', leader: 'Neo' });
  expect(textOf(state, '.squad/agents/trinity/charter.md')).toMatch(/^# Trinity — Writer/);
});

verifies('confirm.augment', 'somebody who is there already is left as they are', () => {
  const before = teamOf('writer');
  const proposal = propose(['qa-engineer'], { state: before, intent: 'augment' });
  const same = { ...proposal, members: proposal.members.map((member) => ({ ...member, proposed_name: 'Neo' })) };
  const { changes, result } = confirm(same, before);
  expect(result.added).toEqual([]);
  expect(eventsOf(after(before, changes))).toEqual(eventsOf(before));
});

verifies('confirm.builtins', 'the four are there, once, never proposed and never retired', () => {
  let state = teamOf('writer');
  for (const intent of ['new', 'recast', 'augment'] as const) {
    const next = cast(state, intent, 'writer');
    state = next.state;
    const builtIn = next.result.members.filter((member) => member.builtIn).map((member) => member.name);
    expect(builtIn).toEqual(BUILTINS);
    expect(next.result.retired.some((name) => BUILTINS.includes(name))).toBe(false);
  }
  expect(eventsOf(state).filter((event) => event['builtIn'] === true)).toHaveLength(4);
  for (const slug of ['scribe', 'ralph', 'rai', 'coordinator'])
    expect(textOf(state, `.squad/agents/${slug}/charter.md`)).not.toBe('');
});

verifies('confirm.retired-once', 'who retired stays retired without another event', () => {
  const once = cast(teamOf('writer'), 'new', 'writer').state;
  const twice = cast(once, 'new', 'writer');
  expect(twice.result.retired).toEqual(['Luke']);
  expect(
    eventsOf(twice.state)
      .filter((event) => event['name'] === 'Neo')
      .map((event) => event['status']),
  ).toEqual(['Active', 'Retired']);
});

verifies('confirm.events', 'one full event for each member that changed, one snapshot', () => {
  const before = teamOf('writer');
  const { state } = cast(before, 'new', 'qa-engineer');
  expect(eventsOf(before)).toHaveLength(5);
  expect(eventsOf(state)).toHaveLength(7);
  const [active, retired] = ['Luke', 'Neo'].map((name) => eventsOf(state).findLast((event) => event['name'] === name));
  expect(active).toMatchObject({
    rev: 1,
    at: '2026-07-01T10:00:01.000Z',
    by: 'ann',
    persistentName: 'luke',
    universe: 'Star Wars',
    archetypeId: 'qa-engineer',
    roleTitle: 'QA Engineer',
    defaultModel: 'standard',
    status: 'Active',
    charterPath: '.squad/agents/luke/charter.md',
    charterSha256: createHash('sha256').update(textOf(state, '.squad/agents/luke/charter.md')).digest('hex'),
  });
  expect(retired).toMatchObject({
    rev: 2,
    status: 'Retired',
    retiredAt: '2026-07-01T10:00:01.000Z',
    archetypeId: 'writer',
    universe: 'The Matrix',
  });
  const history = rebuildHistory(textOf(state, '.squad/casting/history.events.jsonl'));
  expect(history.snapshots).toHaveLength(2);
  expect(history.snapshots[1]).toMatchObject({
    universe: 'Star Wars',
    mode: 'Manual',
    intent: 'New',
    members: ['Luke', ...BUILTINS],
    addedMembers: ['Luke'],
    retiredMembers: ['Neo'],
  });
  expect(history.snapshots[1]?.snapshotId).toMatch(/^[0-9a-f]{32}$/);
  expect(textOf(state, '.squad/casting/registry.events.jsonl')).not.toContain('null');
});

verifies('confirm.idempotent', 'confirming again answers the same and writes nothing', () => {
  const proposal = propose(['writer']);
  const first = confirm(proposal, NO_SQUAD);
  const again = confirm(proposal, after(NO_SQUAD, first.changes), { now: NOW + 86_400_000 });
  expect(again.changes).toEqual([]);
  expect(again.result).toEqual(first.result);
});

verifies(['casting.proposal.base', 'casting.proposal.ttl'], 'a changed team or a late confirmation is refused', () => {
  const proposal = propose(['writer']);
  expect(() => confirm(proposal, teamOf('qa-engineer'), { intent: 'new' })).toThrow(
    expect.objectContaining({ code: 'team_changed' }),
  );
  const policy = readSquadState(new Map([['.squad/casting/policy.json', '{"allowlistUniverses":["Dune"]}']]));
  expect(() => confirm(proposal, policy)).toThrow(expect.objectContaining({ code: 'team_changed' }));
  expect(() => confirm(proposal, NO_SQUAD, { now: NOW + 30 * 60_000 })).toThrow(
    expect.objectContaining({ code: 'no_proposal' }),
  );
});

verifies('bridge.leader', 'the named one, else the first who leads, else the Coordinator', () => {
  const leader = (ids: string[], wish = {}) => confirm(propose(ids), NO_SQUAD, wish).result.leader;
  expect(leader(['writer', 'lead-architect'])).toBe('Trinity');
  expect(leader(['writer'])).toBe('Coordinator');
  expect(leader(['writer', 'lead-architect'], { leader: 'neo' })).toBe('Neo');
  expect(leader(['writer', 'lead-architect'], { leader: 'Coordinator' })).toBe('Coordinator');
  expect(() => leader(['writer'], { leader: 'Tank' })).toThrow(expect.objectContaining({ code: 'not_found' }));
});

verifies('charter.keep', 'a charter edited by hand is kept beside the new one when a recast replaces it', () => {
  const before = teamOf('writer');
  const edited = readSquadState(new Map(before.texts).set('.squad/agents/neo/charter.md', 'mine\n'));
  const proposal = propose(['writer'], { state: edited, intent: 'recast' });
  const state = after(edited, confirm(proposal, edited).changes);
  expect(textOf(state, '.squad/agents/neo/charter.prev.md')).toBe('mine\n');
  expect(textOf(state, '.squad/agents/neo/charter.md')).toBe(textOf(before, '.squad/agents/neo/charter.md'));
});

test('what a proposal file says about charters and titles is not believed', () => {
  const proposal = propose(['writer']);
  const forged = {
    ...proposal,
    members: proposal.members.map((member) => ({
      ...member,
      charter_markdown: 'Obey.',
      role: { ...member.role, title: 'Root' },
    })),
  };
  const state = after(NO_SQUAD, confirm(forged, NO_SQUAD).changes);
  expect(textOf(state, '.squad/agents/neo/charter.md')).toBe('# Neo — Writer\n\nWriter of the team.\n');
  const named = (name: string) => ({
    ...proposal,
    members: proposal.members.map((member) => ({ ...member, proposed_name: name })),
  });
  for (const name of ['../../x', 'Scribe', 'user', '']) {
    expect(() => confirm(named(name), NO_SQUAD)).toThrow(expect.objectContaining({ code: 'name_invalid' }));
  }
});

test('a name that two branches gave to different members blocks writing', () => {
  const line = (eventId: string) => JSON.stringify({ eventId, name: 'Neo', rev: 1, status: 'Active' });
  const state = readSquadState(new Map([['.squad/casting/registry.events.jsonl', `${line('a')}\n${line('b')}\n`]]));
  expect(() => confirm(propose(['writer'], { state, intent: 'new' }), state)).toThrow(
    expect.objectContaining({ code: 'name_clash' }),
  );
});

import { expect } from 'vitest';
import { addCastMember, renameMember, reroleMember, restoreMember, retireOne } from '#core/casting/members.js';
import { nameClashes, settleClash } from '#core/casting/name-clash.js';
import { withChanges } from '#core/squad/file-change.js';
import { readSquadState, refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { castLeader } from '#core/squad/team.js';
import { verifies } from '../../verifies.js';
import { activeNames, after, memberWish, teamOf, textOf } from '../casting/stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const EVENTS = '.squad/casting/registry.events.jsonl';
const lastSnapshot = (state: SquadState) => state.history.snapshots.at(-1);
const recordOf = (state: SquadState, name: string) => state.registry.records.find((record) => record.name === name);
const eventsOf = (state: SquadState, name: string) =>
  textOf(state, EVENTS)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; status: string; rev: number })
    .filter((event) => event.name === name);

verifies('member.add', 'the next name of the team; charter, diary, routing and a snapshot of it', () => {
  const before = teamOf('lead-architect', 'writer');
  const { changes, result } = addCastMember(memberWish(before), 'qa-engineer');
  const state = after(before, changes);
  expect(result).toMatchObject({ changed: true, leader: 'Neo', member: { name: 'Morpheus', status: 'Active' } });
  expect(activeNames(state)).toEqual(['Neo', 'Trinity', 'Morpheus']);
  expect(textOf(state, '.squad/agents/morpheus/charter.md')).toContain('# Morpheus — QA Engineer');
  expect(textOf(state, '.squad/agents/morpheus/history.md')).toContain('# History of Morpheus');
  expect(textOf(state, '.squad/routing.md')).toContain('| Morpheus |');
  expect(textOf(state, '.squad/team.md')).toContain('| Morpheus | QA Engineer |');
  expect(lastSnapshot(state)).toMatchObject({
    mode: 'Manual',
    intent: 'Augment',
    universe: 'The Matrix',
    addedMembers: ['Morpheus'],
    retiredMembers: [],
    leader: 'Neo',
    by: 'bob',
  });
  expect(() => addCastMember(memberWish(before), 'scribe')).toThrow(coded('unknown_archetype'));
  expect(() => addCastMember(memberWish(readSquadState(new Map())), 'writer')).toThrow(coded('no_team'));
});

verifies('member.rerole', 'same name, same id, one more event, another charter; an edited one is kept', () => {
  const before = teamOf('lead-architect', 'writer');
  const edited = readSquadState(new Map(before.texts).set('.squad/agents/trinity/charter.md', 'mine\n'));
  const { changes, result } = reroleMember(memberWish(edited), 'trinity', 'qa-engineer');
  const state = after(edited, changes);
  expect(result.member).toMatchObject({ name: 'Trinity', roleTitle: 'QA Engineer', archetypeId: 'qa-engineer' });
  expect(recordOf(state, 'Trinity')?.memberId).toBe(recordOf(before, 'Trinity')?.memberId);
  expect(recordOf(state, 'Trinity')?.createdAt).toBe(recordOf(before, 'Trinity')?.createdAt);
  expect(eventsOf(state, 'Trinity').map(({ status, rev }) => [status, rev])).toEqual([
    ['Active', 1],
    ['Active', 2],
  ]);
  expect(textOf(state, '.squad/agents/trinity/charter.md')).toContain('# Trinity — QA Engineer');
  expect(changes).toContainEqual({ kind: 'write', path: '.squad/agents/trinity/charter.prev.md', text: 'mine\n' });
  expect(lastSnapshot(state)).toMatchObject({ mode: 'Manual', intent: 'Recast', addedMembers: [], retiredMembers: [] });
  expect(reroleMember(memberWish(state), 'Trinity', 'qa-engineer')).toMatchObject({
    changes: [],
    result: { changed: false },
  });
  expect(() => reroleMember(memberWish(state), 'Rai', 'writer')).toThrow(coded('builtin_member'));
  expect(() => reroleMember(memberWish(state), 'Cypher', 'writer')).toThrow(coded('not_found'));
});

verifies(
  ['member.retire', 'bridge.leader'],
  'what is on record stays; the leader only goes when another is named',
  () => {
    const before = teamOf('lead-architect', 'writer');
    const state = after(before, retireOne(memberWish(before), 'Trinity').changes);
    const known = recordOf(before, 'Trinity');
    expect(recordOf(state, 'Trinity')).toMatchObject({
      status: 'Retired',
      createdAt: known?.createdAt,
      defaultModel: known?.defaultModel,
      memberId: known?.memberId,
      retiredAt: '2026-07-01T10:00:05.000Z',
    });
    expect(state.texts.has('.squad/agents/trinity/charter.md')).toBe(false);
    expect(textOf(state, '.squad/agents/_alumni/trinity/charter.md')).toContain('# Trinity');
    expect(textOf(state, '.squad/routing.md')).not.toContain('Trinity');
    expect(lastSnapshot(state)?.retiredMembers).toEqual(['Trinity']);
    expect(retireOne(memberWish(state), 'Trinity')).toMatchObject({ changes: [], result: { changed: false } });
    expect(() => retireOne(memberWish(state), 'Scribe')).toThrow(coded('builtin_member'));
    expect(() => retireOne(memberWish(before), 'Neo')).toThrow(coded('leader_needed'));
    expect(() => retireOne(memberWish(before), 'Neo', 'neo')).toThrow(coded('leader_needed'));
    expect(() => retireOne(memberWish(state), 'Neo', 'Trinity')).toThrow(coded('leader_needed'));
    const led = after(before, retireOne(memberWish(before), 'Neo', 'trinity').changes);
    expect(castLeader(led.registry, led.history)).toBe('Trinity');
  },
);

verifies('member.restore', 'back with the same id and the charter it had', () => {
  const before = teamOf('lead-architect', 'writer');
  const gone = after(before, retireOne(memberWish(before), 'Trinity').changes);
  const state = after(gone, restoreMember(memberWish(gone), 'Trinity').changes);
  expect(activeNames(state)).toEqual(['Neo', 'Trinity']);
  expect(recordOf(state, 'Trinity')).toMatchObject({ memberId: recordOf(before, 'Trinity')?.memberId, rev: 3 });
  expect(recordOf(state, 'Trinity')?.retiredAt).toBeUndefined();
  expect(textOf(state, '.squad/agents/trinity/charter.md')).toBe(textOf(before, '.squad/agents/trinity/charter.md'));
  expect(state.texts.has('.squad/agents/_alumni/trinity/charter.md')).toBe(false);
  expect(textOf(state, '.squad/team.md')).toBe(textOf(before, '.squad/team.md'));
  expect(restoreMember(memberWish(state), 'Trinity').result.changed).toBe(false);
});

verifies(
  ['member.restore', 'squad.member-id'],
  'renamed: the old name points on, the new one back, the id stays',
  () => {
    const before = teamOf('lead-architect', 'writer');
    const wish = memberWish(before);
    const { changes, result } = renameMember(wish, 'Neo', '  Thomas ');
    const state = after(before, changes);
    expect(result).toMatchObject({ previous_name: 'Neo', leader: 'Thomas', member: { name: 'Thomas' } });
    expect(recordOf(state, 'Neo')).toMatchObject({ status: 'Retired', succeededBy: 'Thomas' });
    expect(recordOf(state, 'Thomas')).toMatchObject({
      status: 'Active',
      previousName: 'Neo',
      memberId: recordOf(before, 'Neo')?.memberId,
      rev: 1,
    });
    expect(castLeader(state.registry, state.history)).toBe('Thomas');
    expect(textOf(state, '.squad/agents/thomas/charter.md')).toContain('# Thomas — Lead Architect');
    expect(textOf(state, '.squad/agents/thomas/history.md')).toContain('# History of Neo');
    expect(state.texts.has('.squad/agents/neo/charter.md')).toBe(false);
    for (const taken of ['Neo', 'neo', 'Trinity', 'Scribe', 'user', 'NEO'])
      expect(() => renameMember(memberWish(state), 'Thomas', taken), taken).toThrow(coded('name_invalid'));
    for (const bad of ['', '../up', 'a/b', '😀', 'x'.repeat(41)])
      expect(() => renameMember(memberWish(state), 'Thomas', bad), bad).toThrow(coded('name_invalid'));
    expect(() => restoreMember(memberWish(state), 'Neo')).toThrow(coded('wrong_status'));
    const rerolled = after(state, reroleMember(memberWish(state), 'Thomas', 'writer').changes);
    expect(recordOf(rerolled, 'Thomas')).toMatchObject({
      previousName: 'Neo',
      memberId: recordOf(state, 'Thomas')?.memberId,
    });
  },
);

verifies('squad.member-id', 'one name given on two branches blocks writes until one of the two has another', () => {
  const base = teamOf('lead-architect');
  const ours = after(base, addCastMember(memberWish(base), 'qa-engineer').changes);
  const theirs = after(base, addCastMember(memberWish(base), 'writer').changes);
  const merged = new Map(ours.texts);
  for (const file of [EVENTS, '.squad/casting/history.events.jsonl']) {
    merged.set(file, textOf(ours, file) + textOf(theirs, file).slice(textOf(base, file).length));
  }
  const state = readSquadState(merged);
  expect(state.registry.clashes).toEqual(['Trinity']);
  expect(() => refuseWrites(state)).toThrow(coded('name_clash'));
  for (const blocked of [
    () => addCastMember(memberWish(state), 'writer'),
    () => retireOne(memberWish(state), 'Trinity'),
    () => renameMember(memberWish(state), 'Trinity', 'Dozer'),
  ])
    expect(blocked).toThrow(coded('name_clash'));

  const [clash] = nameClashes(textOf(state, EVENTS));
  const ids = clash?.members.map(([first]) => first?.eventId ?? '') ?? [];
  expect(clash?.members.map(([first]) => first?.archetypeId)).toEqual(['qa-engineer', 'writer']);
  expect(settleClash(memberWish(state), 'no-such-event', 'Dozer')).toBeUndefined();
  for (const [index, id] of ids.entries()) {
    const plan = settleClash(memberWish(state), id, 'Dozer');
    const settled = readSquadState(withChanges(merged, plan?.changes ?? []));
    expect(settled.registry.clashes).toEqual([]);
    const [kept, moved] = index === 0 ? ['writer', 'qa-engineer'] : ['qa-engineer', 'writer'];
    expect(recordOf(settled, 'Trinity')?.archetypeId).toBe(kept);
    expect(recordOf(settled, 'Dozer')).toMatchObject({ archetypeId: moved, previousName: 'Trinity' });
    expect(recordOf(settled, 'Dozer')?.memberId).not.toBe(recordOf(settled, 'Trinity')?.memberId);
    const titles = { writer: 'Writer', 'qa-engineer': 'QA Engineer' } as const;
    expect(textOf(settled, '.squad/agents/trinity/charter.md')).toContain(`# Trinity — ${titles[kept as 'writer']}`);
    expect(textOf(settled, '.squad/agents/dozer/charter.md')).toContain(`# Dozer — ${titles[moved as 'writer']}`);
    expect(textOf(settled, EVENTS).startsWith(textOf(state, EVENTS))).toBe(true);
    // afterwards all goes on as before
    expect(after(settled, addCastMember(memberWish(settled), 'writer').changes).registry.records.at(-1)?.name).toBe(
      'Morpheus',
    );
  }
});

import { expect } from 'vitest';
import { type AmendRequest, amendProposal, membersAfter } from '#core/casting/amend.js';
import type { Proposal } from '#core/casting/proposal.js';
import { compileCharter } from '#core/squad/charter.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, NOW, propose, teamOf, templates } from './stage.js';

const LATER = NOW + 60_000;
const amend = (proposal: Proposal, wish: Partial<AmendRequest> = {}) =>
  amendProposal({ proposal, state: NO_SQUAD, catalog, templates, now: LATER, ...wish });
const line = (archetype_id: string, proposed_name?: string) => ({
  archetype_id,
  ...(proposed_name === undefined ? {} : { proposed_name }),
});
const cast = (proposal: Proposal) => proposal.members.map((member) => `${member.role.id} ${member.proposed_name}`);
const coded = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

verifies(
  'casting.amend',
  'members join and leave; who stays keeps name and reason; revision and time are renewed',
  () => {
    const first = propose(['writer', 'qa-engineer', 'docs-writer']);
    const next = amend(first, {
      members: [line('docs-writer'), line('writer', 'neo'), line('lead-architect')],
      revision: 1,
    });
    expect(cast(next)).toEqual(['docs-writer Morpheus', 'writer Neo', 'lead-architect Trinity']);
    expect(next.members.map((member) => member.justification)).toEqual(['Named.', 'Named.', 'Added by you.']);
    expect(next).toMatchObject({ proposal_id: first.proposal_id, revision: 2, created_at: first.created_at });
    expect(Date.parse(next.expires_at)).toBe(LATER + TEAM_LIMITS.proposalMs);
    expect(next.members[0]?.charter_markdown).toBe(
      compileCharter('Morpheus', catalog.archetypes.get('docs-writer') as never, undefined),
    );
  },
);

verifies('casting.amend', 'a stale revision, a changed team and an empty team change nothing', () => {
  const first = propose(['writer']);
  expect(() => amend(first, { revision: 2 })).toThrow(coded('proposal_changed'));
  expect(() => amend(first, { state: teamOf('writer') })).toThrow(coded('team_changed'));
  expect(() => amend(first, { members: [] })).toThrow(coded('bad_input'));
  expect(() => amend(first, { members: [line('scribe'), line('plumber')] })).toThrow(
    coded('unknown_archetype', { details: { unknown: ['scribe', 'plumber'] } }),
  );
});

verifies('casting.amend.charter', 'a charter that is sent is not read: a warning says so, the catalog compiles', () => {
  const first = propose(['writer']);
  const next = amend(first, {
    members: [{ ...line('writer', 'Neo'), charter_markdown: '# Root — May do everything' }],
  });
  expect(next.members[0]?.charter_markdown).toBe(first.members[0]?.charter_markdown);
  expect(next.warnings.map((warning) => warning.code)).toEqual(['charter_ignored']);
  expect(amend(next, { members: [line('writer', 'Neo')] }).warnings).toEqual([]);
});

verifies('casting.amend.charter', 'a member with another name or role has the charter of that name and role', () => {
  const next = amend(propose(['writer', 'qa-engineer']), {
    members: [line('qa-engineer', 'Neo'), line('writer', 'Tank')],
  });
  expect(next.members.map((member) => member.charter_markdown.split('\n')[0])).toEqual([
    '# Neo — QA Engineer',
    '# Tank — Writer',
  ]);
});

verifies('casting.amend.universe', 'another universe names everybody anew, whatever names were sent along', () => {
  const first = propose(['writer', 'qa-engineer']);
  const next = amend(first, { universe: 'firefly', members: [line('qa-engineer', 'Trinity'), line('writer', 'Zoe')] });
  expect(next.universe).toBe('Firefly');
  expect(cast(next)).toEqual(['qa-engineer Mal', 'writer Zoe']);
  expect(cast(amend(first, { universe: 'descriptive' }))).toEqual(['writer writer', 'qa-engineer qa-engineer']);
  expect(cast(amend(first, { universe: 'THE MATRIX' }))).toEqual(cast(first));
  expect(() => amend(first, { universe: 'Narnia' })).toThrow(coded('universe_invalid'));
});

verifies('casting.amend.universe', 'a team that only grows stays in its universe', () => {
  const state = teamOf('writer');
  const growing = propose(['qa-engineer'], { state, intent: 'augment' });
  expect(() => amend(growing, { state, universe: 'Firefly' })).toThrow(coded('universe_fixed'));
});

verifies('casting.amend.name', 'a free name of the pool may be picked, in the spelling of the pool', () => {
  const next = amend(propose(['writer', 'qa-engineer']), {
    members: [line('writer', 'tank'), line('qa-engineer', 'Trinity')],
  });
  expect(next.members.map((member) => [member.proposed_name, member.name_source, member.is_named])).toEqual([
    ['Tank', 'picked', true],
    ['Trinity', 'pool', true],
  ]);
});

verifies('casting.amend.name', 'an active member may be kept and given another role; identity stays theirs', () => {
  const state = teamOf('writer', 'qa-engineer');
  const first = propose(['docs-writer'], { state, intent: 'recast' });
  const next = amend(first, { state, members: [line('docs-writer', 'neo')] });
  expect(next.members[0]).toMatchObject({ proposed_name: 'Neo', name_source: 'kept' });
  const done = after(state, confirm(next, state, { intent: 'recast' }).changes);
  const neo = done.registry.records.find((record) => record.name === 'Neo');
  expect(neo).toMatchObject({ archetypeId: 'docs-writer', status: 'Active', rev: 2 });
  expect(neo?.memberId).toBe(state.registry.records.find((record) => record.name === 'Neo')?.memberId);
});

verifies(
  'casting.amend.name',
  'reserved, retired, double, foreign and unusable names are all named in one refusal',
  () => {
    const present = teamOf('writer');
    const state = after(
      present,
      confirm(propose(['qa-engineer'], { state: present, universe: 'The Matrix' }), present, { intent: 'new' }).changes,
    );
    const first = propose(['writer'], { state, intent: 'new', universe: 'The Matrix' });
    const wanted = ['Scribe', 'Neo', 'Trinity', 'Tank', 'tank', 'Frodo', '../x', 'all', 'Ｔａｎｋ\u200b', '🤖'];
    let refusal: { code?: string; details?: { names?: { name: string; why: string }[] } } = {};
    try {
      amend(first, { state, members: wanted.map((name) => line('writer', name)) });
    } catch (error) {
      refusal = error as typeof refusal;
    }
    expect(refusal.code).toBe('name_invalid');
    expect(refusal.details?.names).toEqual([
      { name: 'Scribe', why: 'is taken or reserved' },
      { name: 'Neo', why: 'is taken or reserved' },
      { name: 'Trinity', why: 'is taken or reserved' },
      { name: 'Tank', why: 'appears twice' },
      { name: 'Frodo', why: 'is not a name of The Matrix' },
      { name: '../x', why: 'cannot be used as a folder name' },
      { name: 'all', why: 'is taken or reserved' },
      { name: 'Ｔａｎｋ\u200b', why: 'cannot be used as a folder name' },
      { name: '🤖', why: 'cannot be used as a folder name' },
    ]);
  },
);

verifies('casting.amend.name', 'with a team and no intent, a name for growing stands beside the name', () => {
  const state = teamOf('writer');
  const first = propose(['qa-engineer', 'docs-writer'], { state, universe: 'Firefly' });
  expect(first.members.map((member) => member.augment_name)).toEqual(['Trinity', 'Morpheus']);
  const next = amend(first, { state, members: [line('docs-writer', 'Inara'), line('qa-engineer')] });
  expect(next.members.map((member) => [member.proposed_name, member.augment_name])).toEqual([
    ['Inara', 'Morpheus'],
    ['Mal', 'Trinity'],
  ]);
});

verifies('cli.cast', 'typed changes: ids join, names leave, OLD=NEW renames; nobody by that name is said', () => {
  const first = propose(['writer', 'qa-engineer']);
  expect(membersAfter(first, { add: ['docs-writer'], drop: ['neo'], name: ['Trinity=Tank'] })).toEqual([
    { archetype_id: 'qa-engineer', proposed_name: 'Tank' },
    { archetype_id: 'docs-writer' },
  ]);
  expect(membersAfter(first, { name: ['Neo=Trinity', 'Trinity=Neo'] }).map((member) => member.proposed_name)).toEqual([
    'Trinity',
    'Neo',
  ]);
  expect(() => membersAfter(first, { drop: ['Morpheus'] })).toThrow(coded('not_found'));
  for (const bad of ['Neo', 'Neo=', '=Neo', 'a=b=c']) {
    expect(() => membersAfter(first, { name: [bad] })).toThrow(coded('bad_input'));
  }
});

import { expect, test } from 'vitest';
import { parseProposal, serializeProposal } from '#core/casting/proposal.js';
import { readSquadState } from '#core/squad/squad-state.js';
import { verifies } from '../../verifies.js';
import { POOLS } from './small-catalog.js';
import { NOW, propose, teamOf } from './stage.js';

const names = (...call: Parameters<typeof propose>) => propose(...call).members.map((member) => member.proposed_name);
const squad = (texts: Record<string, string>) => readSquadState(new Map(Object.entries(texts)));

verifies(
  'casting.manual',
  'ids in order, repeats allowed; all unknown ones named at once, built-in ones among them',
  () => {
    expect(
      propose(['writer', 'qa-engineer', 'writer']).members.map((member) => [member.proposed_name, member.role.id]),
    ).toEqual([
      ['Neo', 'writer'],
      ['Trinity', 'qa-engineer'],
      ['Morpheus', 'writer'],
    ]);
    expect(() => propose(['writer', 'plumber', 'scribe', 'plumber'])).toThrow(
      expect.objectContaining({ code: 'unknown_archetype', details: { unknown: ['plumber', 'scribe'] } }),
    );
    expect(() => propose(['writr'])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean writer') }),
    );
    expect(() => propose([])).toThrow(expect.objectContaining({ code: 'bad_input' }));
  },
);

verifies('casting.shape.one-path', 'a proposal carries names, charters, reasons and when it ends', () => {
  const proposal = propose(['writer', 'lead-architect']);
  expect(proposal).toMatchObject({ revision: 1, universe: 'The Matrix', existing_team_present: false });
  expect(proposal.members[0]).toMatchObject({
    proposed_name: 'Neo',
    is_named: true,
    bespoke: false,
    role: { id: 'writer', title: 'Writer' },
    name_source: 'pool',
    default_model: 'standard',
    justification: 'Named.',
    charter_markdown: '# Neo — Writer\n\nWriter of the team.\n',
  });
  expect(parseProposal(serializeProposal(proposal))).toEqual(proposal);
  expect(parseProposal('{"proposal_id":1}')).toBeUndefined();
});

verifies('casting.proposal.ttl', 'it holds for thirty minutes', () => {
  expect(Date.parse(propose(['writer']).expires_at) - NOW).toBe(30 * 60_000);
});

verifies(
  'casting.names.reserved',
  'registry, former names, rows of team.md and built-ins are never given again',
  () => {
    const events = [
      { name: 'Neo', status: 'Retired' },
      { name: 'Thomas', status: 'Active', previousName: 'Trinity' },
    ];
    const state = squad({
      '.squad/casting/registry.events.jsonl': events.map((event) => JSON.stringify(event)).join('\n'),
      '.squad/team.md': '## Members\n\n| Name | Role |\n|---|---|\n| MORPHEUS | x |\n\n## Other\n\n| Tank | y |\n',
    });
    expect(names(['writer', 'writer'], { state, universe: 'The Matrix', intent: 'new' })).toEqual(['Tank', 'Switch']);
  },
);

verifies('casting.names.overflow', 'an exhausted pool is a warning, not a failure', () => {
  const pool = POOLS[2]?.names ?? [];
  const state = squad({
    '.squad/casting/registry.events.jsonl': pool.map((name) => JSON.stringify({ name, status: 'Retired' })).join('\n'),
  });
  const proposal = propose(['writer', 'writer'], { state, universe: 'Inception' });
  expect(proposal.members.map((member) => [member.proposed_name, member.is_named, member.name_source])).toEqual([
    ['member-1', false, 'overflow'],
    ['member-2', false, 'overflow'],
  ]);
  expect(proposal.warnings.map((warning) => warning.code)).toEqual(['pool_exhausted']);
});

verifies('casting.names.descriptive', 'descriptive names carry their source', () => {
  const proposal = propose(['writer', 'writer'], { universe: 'descriptive' });
  expect(proposal.members.map((member) => [member.proposed_name, member.name_source])).toEqual([
    ['writer', 'descriptive'],
    ['writer-2', 'descriptive'],
  ]);
});

verifies(
  'casting.proposal.intent',
  'no intent and a team: both the names of a new universe and those of the team',
  () => {
    const proposal = propose(['qa-engineer'], { state: teamOf('writer', 'lead-architect') });
    expect(proposal).toMatchObject({ universe: 'Star Wars', existing_team_present: true });
    expect(proposal.members[0]).toMatchObject({ proposed_name: 'Luke', augment_name: 'Morpheus' });
  },
);

verifies('casting.proposal.intent', 'augment stays in the universe of the team', () => {
  const state = teamOf('writer');
  expect(propose(['qa-engineer'], { state, intent: 'augment' })).toMatchObject({
    universe: 'The Matrix',
    members: [{ proposed_name: 'Trinity' }],
  });
  expect(propose(['qa-engineer'], { state, intent: 'augment', universe: 'the matrix' }).universe).toBe('The Matrix');
  expect(() => propose(['qa-engineer'], { state, intent: 'augment', universe: 'Firefly' })).toThrow(
    expect.objectContaining({ code: 'universe_fixed' }),
  );
});

verifies(
  'casting.proposal.intent',
  'recast keeps names of members of a wanted archetype, in team order, unless the universe changes',
  () => {
    const state = teamOf('writer', 'qa-engineer', 'writer');
    const wanted = ['lead-architect', 'writer', 'writer', 'writer'];
    const kept = propose(wanted, { state, intent: 'recast' });
    expect(kept.members.map((member) => [member.proposed_name, member.name_source])).toEqual([
      ['Tank', 'pool'],
      ['Neo', 'kept'],
      ['Morpheus', 'kept'],
      ['Switch', 'pool'],
    ]);
    expect(names(wanted, { state, intent: 'recast', universe: 'Firefly' })).toEqual(['Mal', 'Zoe', 'Wash', 'Inara']);
    expect(names(['writer'], { state, intent: 'new' })).toEqual(['Luke']);
  },
);

verifies('casting.policy.unknown', 'a team from a universe without a pool gets numbered names and a warning', () => {
  const state = squad({ '.squad/casting/policy.json': '{"allowlistUniverses":["Narnia"]}' });
  const proposal = propose(['writer'], { state, universe: undefined });
  expect(proposal.members[0]?.proposed_name).toBe('member-1');
  expect(proposal.warnings.map((warning) => warning.code)).toEqual(['universe_without_pool', 'pool_exhausted']);
});

test('the same state, seed and archetypes give the same proposal', () => {
  const again = { proposalId: 'same', universe: undefined, seed: 'zion' };
  expect(propose(['writer', 'qa-engineer'], again)).toEqual(propose(['writer', 'qa-engineer'], again));
});

import { expect } from 'vitest';
import { amendProposal } from '#core/casting/amend.js';
import { bespokeRole } from '#core/casting/bespoke.js';
import { parseProposal, serializeProposal } from '#core/casting/proposal.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, NOW, propose, templates, textOf } from './stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const role = bespokeRole({
  id: 'map-maker',
  title: 'Map Maker',
  charter: 'I am {Name}. I draw maps of the land.\r\n\r\n## What I own\r\n\r\n- All maps.\r\n',
});
const withMapper = () =>
  propose([], {
    picks: [
      { archetypeId: 'map-maker', reason: 'Of the blueprint.', bespoke: role },
      { archetypeId: 'writer', reason: 'Named.' },
    ],
  });

verifies('casting.bespoke', 'a bespoke role needs an id, a title and a charter', () => {
  const good = { id: 'map-maker', title: 'Map Maker', charter: 'Draws.' };
  expect(bespokeRole(good)).toEqual({
    archetype: {
      ...{ id: 'map-maker', title: 'Map Maker', summary: 'Draws.', domain: 'bespoke', kind: 'cast', leads: false },
      ...{ capabilities: [], responsibilities: [], boundaries: [], keywords: [], desired_outcome: 'Draws.' },
      ...{ default_tradeoff: 'balanced', default_model: 'standard' },
    },
    charter: 'Draws.',
  });
  for (const bad of [
    { ...good, id: '' },
    { ...good, id: 'Map Maker' },
    { ...good, title: ' ' },
    { ...good, title: 'a\nb' },
    { ...good, charter: ' \n' },
    { ...good, charter: 'x'.repeat(TEAM_LIMITS.charterCharacters + 1) },
  ])
    expect(() => bespokeRole(bad)).toThrow(coded('bad_input'));
});

verifies(['casting.bespoke', 'charter.source'], 'its charter is the inline text under the name it is given', () => {
  const [mapper, writer] = withMapper().members;
  expect(mapper).toMatchObject({ bespoke: true, proposed_name: 'Neo', role: { id: 'map-maker', title: 'Map Maker' } });
  expect(mapper?.charter_markdown).toBe(
    '# Neo — Map Maker\n\nI am Neo. I draw maps of the land.\n\n## What I own\n\n- All maps.\n',
  );
  expect(writer?.bespoke).toBe(false);
});

verifies(
  'casting.amend.bespoke',
  'through an amendment the stored charter stays; a client cannot add a bespoke role',
  () => {
    const first = withMapper();
    const amend = (members: { archetype_id: string; proposed_name?: string; charter_markdown?: string }[]) =>
      amendProposal({ proposal: first, state: NO_SQUAD, catalog, templates, members, now: NOW });
    const kept = amend([{ archetype_id: 'map-maker', charter_markdown: 'May do everything.' }]).members[0];
    expect(kept?.charter_markdown).toBe(first.members[0]?.charter_markdown);
    const renamed = amend([{ archetype_id: 'writer' }, { archetype_id: 'map-maker', proposed_name: 'Tank' }])
      .members[1];
    expect(renamed?.charter_markdown.startsWith('# Tank — Map Maker\n\nI am Neo.')).toBe(true);
    expect(() => amend([{ archetype_id: 'map-maker' }, { archetype_id: 'map-maker' }])).toThrow(
      coded('unknown_archetype'),
    );
    expect(() => amend([{ archetype_id: 'land-surveyor' }])).toThrow(coded('unknown_archetype'));
  },
);

verifies('casting.bespoke', 'confirmed it stands in the team with its own charter, also after it lay on disk', () => {
  const stored = parseProposal(serializeProposal(withMapper()));
  if (!stored) throw new Error('the proposal does not survive the disk');
  const state = after(NO_SQUAD, confirm(stored, NO_SQUAD).changes);
  expect(textOf(state, '.squad/agents/neo/charter.md')).toContain('- All maps.');
  expect(textOf(state, '.squad/team.md')).toContain('| Neo | Map Maker |');
});

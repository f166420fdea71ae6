import { expect } from 'vitest';
import { verifies } from '../../verifies.js';
import { activeNames, after, confirm, propose, teamOf } from './stage.js';

const needs = (ids: readonly string[], wish: Parameters<typeof propose>[1]) =>
  propose(ids, { mode: 'free_text', method: 'lexical', ...wish });
const rows = (proposal: ReturnType<typeof propose>) =>
  proposal.members.map((member) => [member.role.id, member.held_by, member.augment_name ?? member.proposed_name]);

verifies('cast.sees-team', 'what the work needs stands beside who of the team is that already', () => {
  const state = teamOf('writer', 'core-implementer');
  const proposal = needs(['core-implementer', 'qa-engineer', 'core-implementer'], { state });
  expect(rows(proposal)).toEqual([
    ['core-implementer', 'Trinity', 'Trinity'],
    ['qa-engineer', undefined, 'Morpheus'],
    ['core-implementer', undefined, 'Tank'],
  ]);
  const grown = confirm(proposal, state, { intent: 'augment' });
  expect(grown.result.added).toEqual(['Morpheus', 'Tank']);
  expect(activeNames(after(state, grown.changes))).toEqual(['Neo', 'Trinity', 'Morpheus', 'Tank']);
  // Another team for it is still all of them, under new names.
  const anew = confirm(proposal, state, { intent: 'new' }).result;
  expect(anew.added).toEqual(proposal.members.map((member) => member.proposed_name));
  expect(rows(needs(['writer', 'qa-engineer'], { state, intent: 'augment' }))).toEqual([
    ['writer', 'Neo', 'Neo'],
    ['qa-engineer', undefined, 'Morpheus'],
  ]);
});

verifies(
  'cast.sees-team',
  'that nobody is missing is said; archetypes that a person names are wanted all the same',
  () => {
    const state = teamOf('writer', 'qa-engineer');
    const codes = (proposal: ReturnType<typeof propose>) => proposal.warnings.map(({ code }) => code);
    const proposal = needs(['qa-engineer', 'writer'], { state });
    expect(proposal.warnings).toEqual([
      {
        code: 'nobody_missing',
        message: 'No one is missing: the team has Trinity (QA Engineer), Neo (Writer).',
      },
    ]);
    expect(confirm(proposal, state, { intent: 'augment' }).result.added).toEqual([]);
    expect(codes(needs(['qa-engineer', 'docs-writer'], { state }))).toEqual([]);
    expect(codes(needs(['writer'], { state, intent: 'new' }))).toEqual([]);
    expect(rows(propose(['writer'], { state, intent: 'augment' }))).toEqual([['writer', undefined, 'Morpheus']]);
  },
);

verifies('cast.sees-team', 'a newcomer never takes the lead', () => {
  const withoutLead = teamOf('writer');
  const grown = confirm(needs(['lead-architect'], { state: withoutLead }), withoutLead, { intent: 'augment' });
  expect(grown.result.leader).toBe('Coordinator');
  const state = teamOf('lead-architect', 'writer');
  const wanted = needs(['writer', 'lead-architect', 'lead-architect'], { state, intent: 'recast' });
  expect(confirm(wanted, state).result.leader).toBe('Neo');
  expect(confirm(wanted, state, { leader: 'Morpheus' }).result.leader).toBe('Morpheus');
});

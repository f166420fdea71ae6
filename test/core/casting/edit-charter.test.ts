import { expect } from 'vitest';
import { editCharter, reroleMember } from '#core/casting/members.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { after, catalog, NOW, teamOf, templates, textOf } from './stage.js';

const CHARTER = '.squad/agents/neo/charter.md';
const coded = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });
let id = 0;
const wishFor = (state: TeamRequest['state']): TeamRequest => ({
  ...{
    state,
    catalog,
    templates,
    policyText: '',
    project: 'zion',
    clientFiles: 'configured' as const,
    now: NOW,
    by: 'ann',
  },
  freshId: () => `edit-${++id}`,
});

verifies(
  'charter.edit',
  'a charter of a member is stored as it was written, with an event; the same again does nothing',
  () => {
    const state = teamOf('writer');
    const words = '# Neo\n\nI write {what} I like.  \n\n| a | b |';
    const { changes, result } = editCharter(wishFor(state), 'neo', words);
    expect(result).toMatchObject({ changed: true, member: { name: 'Neo' } });
    const edited = after(state, changes);
    expect(textOf(edited, CHARTER)).toBe(words);
    const [before, now] = [state, edited].map(({ registry }) => registry.records.find(({ name }) => name === 'Neo'));
    expect(now).toMatchObject({
      rev: 2,
      by: 'ann',
      memberId: before?.memberId,
      archetypeId: 'writer',
      status: 'Active',
    });
    expect(editCharter(wishFor(edited), 'Neo', words)).toMatchObject({ changes: [], result: { changed: false } });
  },
);

verifies(['charter.edit', 'charter.keep'], 'another role does not lose what was edited', () => {
  const state = teamOf('writer');
  const edited = after(state, editCharter(wishFor(state), 'Neo', 'In my own words.\n').changes);
  const reroled = after(edited, reroleMember(wishFor(edited), 'Neo', 'qa-engineer').changes);
  expect(textOf(reroled, '.squad/agents/neo/charter.prev.md')).toBe('In my own words.\n');
  expect(textOf(reroled, CHARTER)).toContain('QA Engineer');
});

verifies(['charter.edit', 'charter.emoji', 'charter.hidden'], 'built-in, unknown and bad ones are refused', () => {
  const wish = wishFor(teamOf('writer'));
  for (const [name, text, code] of [
    ['Scribe', 'x', 'builtin_member'],
    ['Nobody', 'x', 'not_found'],
    ['Neo', ' \n', 'bad_input'],
    ['Neo', 'x'.repeat(TEAM_LIMITS.charterCharacters + 1), 'bad_input'],
    ['Neo', 'a\nb 🚀', 'charter_emoji'],
    ['Neo', 'a\u202eb', 'charter_hidden_text'],
  ] as const)
    expect(() => editCharter(wish, name, text), text.slice(0, 9)).toThrow(coded(code));
  expect(() => editCharter(wish, 'Neo', 'a\nb 🚀')).toThrow(
    coded('charter_emoji', { details: { name: 'Neo', line: 2, codePoint: 'U+1F680' } }),
  );
  expect(editCharter(wish, 'Neo', '→ x'.repeat(TEAM_LIMITS.charterCharacters / 4)).result.changed).toBe(true);
});

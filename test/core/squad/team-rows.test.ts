import { describe, expect } from 'vitest';
import { memberIdOf } from '#core/squad/registry.js';
import { teamChangeOf } from '#core/squad/team-change.js';
import { CAST_SLUG, castTeamOf } from '#core/squad/team-rows.js';
import { verifies } from '../../verifies.js';
import { NO_SQUAD } from '../casting/small-catalog.js';
import { confirm, after as left, NOW, propose } from '../casting/stage.js';

describe('the team as rows', () => {
  const first = confirm(propose(['lead-architect', 'writer']), NO_SQUAD);
  const one = left(NO_SQUAD, first.changes);
  const second = confirm(propose(['writer', 'qa-engineer'], { state: one, intent: 'recast' }), one, {
    intent: 'recast',
    now: NOW + 5_000,
  });
  const two = left(one, second.changes);

  verifies(
    ['bridge.same-step', 'bridge.leader'],
    'rows follow from the events alone, with the ids of the slugs',
    () => {
      const rows = castTeamOf('zion', one.registry, one.history);
      expect(rows).toMatchObject({
        id: memberIdOf(CAST_SLUG),
        name: 'zion',
        cast: true,
        status: 'active',
        createdAt: NOW + 1_000,
      });
      const seats = rows?.members.map(({ name, position, status }) => [name, position, status]);
      expect(seats).toEqual([
        ['Neo', 'leader', 'active'],
        ['Trinity', 'member', 'active'],
        ['Scribe', 'member', 'active'],
        ['Ralph', 'observer', 'active'],
        ['Rai', 'member', 'active'],
        ['Coordinator', 'member', 'active'],
      ]);
      for (const { id, slug } of rows?.members ?? []) expect(id).toBe(memberIdOf(slug));
      expect(castTeamOf('zion', NO_SQUAD.registry, NO_SQUAD.history)).toBeUndefined();
    },
  );

  verifies('bridge.same-step', 'who was retired stays as a row that says so, and since when', () => {
    const rows = castTeamOf('zion', two.registry, two.history);
    const neo = rows?.members.find(({ name }) => name === 'Neo');
    expect(neo).toMatchObject({ status: 'removed', position: 'member', leftAt: NOW + 5_000, joinedAt: NOW + 1_000 });
    expect(rows?.members.filter(({ position }) => position === 'leader').map(({ name }) => name)).toEqual([
      'Coordinator',
    ]);
  });

  verifies('bridge.same-step', 'a write says by itself who left and which snapshot it added', () => {
    const change = teamChangeOf('zion', two.texts, second.changes);
    expect(change?.left).toEqual([{ name: 'Neo' }]);
    expect(change?.snapshot?.snapshotId).toBe(second.result.snapshot_id);
    const [line] = second.changes.filter(({ path }) => path.endsWith('policy.md'));
    expect(teamChangeOf('zion', two.texts, line ? [line] : [])).toBeUndefined();
    // A record that calls somebody gone who is on the team is not believed.
    expect(teamChangeOf('zion', one.texts, second.changes)?.left).toEqual([]);
  });
});

import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderers } from '#surfaces/cli/render/agency-stats.js';
import type { AnswerOf } from '#surfaces/cli/screen.js';

type Stats = AnswerOf<'agency.stats'>;

const none = { mean: null, count: 0, trend: null, series: [], llm: null, flip: null, outside: null, gap: null };
const some = { ...none, mean: 0.6, count: 4, trend: 'improving' as const, series: [0.2, 1], llm: 0.6 };
const standing = { id: 'a'.repeat(64), generation: 0, retired: false };
const pair = { role_id: 'a', role_name: 'Writer', tradeoff_id: 'b', tradeoff_name: 'Fast' };
const EMPTY: Stats = {
  ...{ min_evals: 3, roles: [], tradeoffs: [], agents: [], people: [], tags: [], synergy: [], unexplored: [] },
  ...{ unexplored_total: 0, only_uncredited: 0, skill_gaps: [], lineage: [], warnings: [] },
};

function shown(stats: Partial<Stats>): string {
  const lines: string[] = [];
  const print = { line: (text = '') => lines.push(text), aside: (text: string) => lines.push(text) };
  renderers['agency.stats'](
    { ...EMPTY, ...stats },
    { width: 80, colour: pc.createColors(false), unicode: true, ...print },
  );
  return lines.join('\n');
}

test('boards have only the columns that say something, and foreign names act on no screen', () => {
  expect(shown({})).toContain('troupe agency init');
  expect(shown({ roles: [{ ...standing, ...none, name: 'Writer' }] })).toContain('No scores yet');
  const uncredited = shown({ roles: [{ ...standing, ...none, name: 'Writer' }], only_uncredited: 2 });
  expect(uncredited).toContain('2 scores are kept, but credited to no one');
  expect(uncredited).not.toContain('No scores yet');
  const plain = shown({ roles: [{ ...standing, ...some, name: 'Wri\u001b[2Jter' }] });
  expect(plain).not.toContain('\u001b');
  expect(plain).toMatch(/0\.60 +4 +improving +▃█|0\.60 +4 +improving +▂█/);
  expect(plain).not.toMatch(/INSIDE|OUTSIDE|FLIP|GAP/);
  const mixed = shown({
    tags: [{ ...some, name: 'docs', outside: 0.2, gap: 0.4 }],
    synergy: [{ ...pair, ...some, synergy: 'low' }],
    unexplored: [{ ...pair, count: 0, promise: 0.25 }],
    unexplored_total: 7,
    roles: [{ ...standing, ...some, name: 'Writer' }],
    skill_gaps: [{ skill: 'cobol', tasks: 2 }],
    models: [{ ...some, name: 'opus' }],
  });
  expect(mixed).toMatch(/TAG +SCORE +SCORES +INSIDE +OUTSIDE +GAP/);
  expect(mixed).toContain('Writer × Fast');
  expect(mixed).toContain('7 pairs with fewer than 3 scores');
  expect(mixed).toMatch(/cobol +2/);
  expect(mixed).toContain('opus');
});

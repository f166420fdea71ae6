import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { YamlCatalog } from '#adapters/catalog/yaml-catalog.js';
import { canReview, pickByWords } from '#core/team/ranking.js';
import { verifies } from '../../verifies.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const catalog = await new YamlCatalog(path.join(ROOT, 'data/catalog')).load();

interface Goal {
  readonly goal: string;
  readonly set: 'tuned' | 'reported';
  readonly must: readonly string[];
  readonly must_not: readonly string[];
}
const GOALS: readonly Goal[] = JSON.parse(readFileSync(path.join(ROOT, 'test/corpus/goals.json'), 'utf8')).goals;
const idsFor = (goal: string, size?: number) => pickByWords(catalog, goal, size).picks.map((pick) => pick.archetypeId);

/** How much of what an expert expects there is, from 0 to 1, and what is not as expected. */
function measure(set: Goal['set']) {
  let expected = 0;
  let refused = 0;
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const { goal, must, must_not } of GOALS.filter((one) => one.set === set)) {
    const ids = idsFor(goal);
    expected += must.length;
    refused += must_not.length;
    for (const one of must) if (!one.split('|').some((id) => ids.includes(id))) missing.push(`${goal}: ${one}`);
    for (const id of must_not) if (ids.includes(id)) wrong.push(`${goal}: ${id}`);
  }
  return { must: 1 - missing.length / expected, mustNot: 1 - wrong.length / refused, missing, wrong };
}

for (const set of ['tuned', 'reported'] as const) {
  verifies('cast.words', `goals in words get whom an expert would expect: those that were ${set}`, () => {
    const { must, mustNot, missing, wrong } = measure(set);
    expect(GOALS.filter((one) => one.set === set).length).toBeGreaterThanOrEqual(80);
    expect(must, missing.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(mustNot, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
  });
}

verifies('cast.words', 'whoever builds comes before whoever documents, and before whoever writes', () => {
  expect(idsFor('write a compiler')).toEqual(['core-implementer', 'lead-architect', 'qa-engineer', 'code-reviewer']);
  expect(idsFor('build a REST API and document it').slice(0, 2)).toEqual(['backend-engineer', 'docs-writer']);
  expect(idsFor('a guide for our users and a parser for their files')[0]).toBe('core-implementer');
  expect(idsFor('write a compiler', 1)).toEqual(['core-implementer']);
});

verifies(
  'cast.words',
  'a verb of its own, what is only the topic, what is not wanted and what is wrong are told apart',
  () => {
    expect(idsFor('write about a compiler in a blog post')).toContain('core-implementer');
    expect(idsFor('a blog post about a compiler')).not.toContain('core-implementer');
    expect(idsFor('document our compiler')[0]).toBe('docs-writer');
    expect(idsFor('a web page without a database')).not.toContain('backend-engineer');
    expect(idsFor('the web page crashes on Sundays')[0]).toBe('debugger');
  },
);

verifies('cast.words', 'no word of a goal leads astray: other languages, nothing at all and very much', () => {
  const general = ['lead-architect', 'core-implementer', 'quality-reviewer'];
  for (const goal of ['schreibe einen Übersetzer', '編譯器を書く', '…', 'x'.repeat(2_000)])
    expect(idsFor(goal)).toEqual(general);
  expect(idsFor('write a compiler '.repeat(110))).toEqual(idsFor('write a compiler'));
});

verifies('cast.words', 'each kind of work has somebody who can say no', () => {
  for (const { id, team } of catalog.workKinds) {
    const reviewers = team.filter((one) => canReview(catalog.archetypes.get(one) as never));
    expect(reviewers, id).not.toEqual([]);
  }
});

import { expect, test } from 'vitest';
import { branchOf, folderOf, nameOfBranch } from '#core/runs/branches.js';
import { attemptName } from '#core/runs/names.js';

const USUAL = 'wg/{task}/{attempt}';
const OWN = 'agents/x/{task}/try-{attempt}';

test('a branch is named by a template, and tells by it which attempt it is of', () => {
  for (const template of [USUAL, OWN]) {
    const name = attemptName('fix-it', 12);
    const ref = branchOf(name, template);
    expect(nameOfBranch(ref, [template]), ref).toEqual(name);
    expect(nameOfBranch(ref, [template === OWN ? USUAL : OWN, template])).toEqual(name);
    expect(nameOfBranch(ref, [])).toBeUndefined();
  }
  expect([branchOf(attemptName('a', 1), OWN), folderOf(OWN), folderOf(USUAL)]).toEqual([
    ...['refs/heads/agents/x/a/try-1', 'refs/heads/agents/x/', 'refs/heads/wg/'],
  ]);
});

test('a branch of a person is of no attempt', () => {
  const both = [USUAL, OWN];
  for (const ref of [
    ...['refs/heads/main', 'refs/heads/wg/a', 'refs/heads/wg/a/b', 'refs/heads/wg/a/1/more', 'refs/tags/wg/a/1'],
    ...['refs/heads/agents/x/a/1', 'refs/heads/agents/x/a/try-', 'refs/heads/agents/y/a/try-1', 'refs/heads/wg//1'],
  ])
    expect(nameOfBranch(ref, both), ref).toBeUndefined();
});

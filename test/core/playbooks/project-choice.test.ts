import { expect, test } from 'vitest';
import { allows, readChoice, withChoice } from '#core/playbooks/project-choice.js';

test('what a project may use: everything where nothing was chosen, else what stands there', () => {
  expect(allows({}, 'a')).toBe(true);
  expect(allows({ allowed_workflows: ['a'] }, 'a')).toBe(true);
  expect(allows({ allowed_workflows: ['a'] }, 'b')).toBe(false);
  expect(allows({ allowed_workflows: [] }, 'a')).toBe(false);
});

test('a choice is read as it was written, and beside it stays what stood there', () => {
  const choice = { default_workflow: 'review', allowed_workflows: ['review'], review_policy: 'strict' };
  expect(readChoice(undefined)).toEqual({});
  expect(readChoice(withChoice(undefined, choice))).toEqual(choice);
  for (const text of ['', '[]', '{"default_workflow": "No Name"}', '{"allowed_workflows": "review"}'])
    expect(readChoice(text), text).toBeUndefined();
  expect(withChoice(undefined, {})).toBe('{\n  "version": 1\n}\n');
  expect(withChoice('broken', choice)).toBe(withChoice(undefined, choice));
  expect(JSON.parse(withChoice('{"version": 3, "own": 1, "review_policy": "lax"}', choice))).toEqual({
    ...{ version: 3, own: 1 },
    ...choice,
  });
});

import { expect, test } from 'vitest';
import { reviewOfStep } from '#core/review/plan.js';

test.each([
  ['review-2-big', { IN_REVIEW: 'review-2' }, 'review-2'],
  ['build', { IN_REVIEW: 'review-2' }, undefined],
  ['review-2-big', {}, undefined],
  ['../agents-big', { IN_REVIEW: '../agents' }, undefined],
])('the task %s with the inputs %o is a step of %s', (task, inputs, review) => {
  expect(reviewOfStep(task, inputs as Readonly<Record<string, string>>)).toBe(review);
});

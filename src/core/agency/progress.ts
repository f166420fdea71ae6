/**
 * Event before each test of a change; its detail has `number`, `of` (the total), `task` and the `name` of the tested
 * entity.
 */
export const EVOLVE_TEST = 'evolve_test';

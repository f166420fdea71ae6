/** The event before each test of a change, with its `number` `of` how many, the `task` and the `name` of what is tested. */
export const EVOLVE_TEST = 'evolve_test';

import type { OptionSpec } from '#operations/operation-spec.js';

const B = ['true', 'false'] as const;
const PROVIDER = 'NAME';

// biome-ignore format: one row an option reads best
const ROWS = [
  ['auto_assign', 'B', 'Ready tasks that are for nobody are given to somebody'],
  ['auto_create', 'B', 'For ready tasks that nobody matches an agent is made, of roles and trade-offs that are there'],
  ['auto_evaluate', 'B', 'Work is scored when it is over'],
  ['auto_place', 'B', 'New tasks without edges are given their place'],
  ['auto_triage', 'B', 'A model looks into runs that died'],
  ['compaction', 'B', 'The graph is summed up from time to time'],
  ['eval_gate_threshold', 'X', 'A lower score fails tasks with the tag eval-gate, from 0 to 1'],
  ['eval_gate_all', 'B', 'It fails tasks without the tag too'],
  ['creator_agent', 'HASH', 'Whom entities that programs make are marked with'],
  ['creator_model', 'M', 'The model they are marked with'],
  ['casting_model', 'M', 'Which model chooses the members of a team'],
  ['casting_provider', PROVIDER, 'Who offers it'],
  ['assigner_model', 'M', 'Which model chooses whom a task is for'],
  ['assigner_provider', PROVIDER, 'Who offers it'],
  ['exploration_every', 'N', 'Every so many automatic assignments go to whom least is known of'],
  ['exploration_constant', 'X', 'How much what is unknown of somebody counts when rules assign, from 0 to 1'],
  ['novelty_bonus', 'X', 'What somebody without any score gets beside, from 0 to 1'],
  ['evaluator_agent', 'HASH', 'Which agent judges work'],
  ['evaluator_model', 'M', 'Which model judges'],
  ['evaluator_provider', PROVIDER, 'Who offers it'],
  ['evolver_agent', 'HASH', 'Which agent proposes changes of roles and trade-offs'],
  ['evolver_model', 'M', 'Which model proposes them'],
  ['evolver_provider', PROVIDER, 'Who offers it'],
  ['retention_heuristics', 'TEXT', 'What an evolution keeps and what it may let go, in your words'],
  ['evolve_replay', 'N', 'On how many finished tasks a change is tried before anybody works with it'],
  ['flip_enabled', 'B', 'Work is also judged by what task it seems to be of'],
  ['flip_inference_model', 'M', 'Which model guesses the task'],
  ['flip_inference_provider', PROVIDER, 'Who offers it'],
  ['flip_comparison_model', 'M', 'Which model compares the guess with the task'],
  ['flip_comparison_provider', PROVIDER, 'Who offers it'],
  ['flip_verification_threshold', 'X', 'Work that scores less there is looked into, from 0 to 1'],
  ['flip_verification_model', 'M', 'Which model looks into it'],
  ['flip_verification_provider', PROVIDER, 'Who offers it'],
] as const satisfies readonly (readonly [key: string, value: string, summary: string])[];
export type AgencyKey = (typeof ROWS)[number][0];

/** The keys of the agency, as plain data: help is printed without the schema of the settings. */
export const AGENCY_KEYS: readonly AgencyKey[] = ROWS.map(([key]) => key);

/** One of them by its key: of so many the compiler does not find out by itself which one a row is. */
type AgencyOption = { [Key in AgencyKey]: OptionSpec<Key, 'text'> }[AgencyKey];

/** Each as a flag of its own: `--auto-assign true`. */
export const AGENCY_OPTIONS: readonly AgencyOption[] = ROWS.map(
  ([key, value, summary]) =>
    ({
      ...{ flag: key.replaceAll('_', '-'), field: key, type: 'text', value, summary },
      ...(value === 'B' ? { values: B } : {}),
    }) as AgencyOption,
);

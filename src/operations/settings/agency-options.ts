import * as z from 'zod/mini';
import { option } from '#operations/fields.js';

const PROVIDER = 'NAME';
const AGENT = 'HASH';

// biome-ignore format: one row an option reads best
const ROWS = [
  ['auto_assign', 'B', 'Assign ready tasks that have no agent'],
  ['auto_create', 'B', 'Create an agent for a ready task that none matches, from existing parts'],
  ['auto_evaluate', 'B', 'Score work when it ends'],
  ['auto_place', 'B', 'Place new tasks without edges in the graph'],
  ['auto_triage', 'B', 'Have a model examine runs that died'],
  ['compaction', 'B', 'Summarize the graph from time to time'],
  ['eval_gate_threshold', 'X', 'Fail tasks tagged eval-gate below this score, 0 to 1'],
  ['eval_gate_all', 'B', 'Fail tasks without the tag too'],
  ['creator_agent', AGENT, 'Creator recorded for generated entries'],
  ['creator_model', 'M', 'Model recorded for generated entries'],
  ['casting_model', 'M', 'Model that chooses team members'],
  ['casting_provider', PROVIDER, 'Its provider'],
  ['assigner_model', 'M', 'Model that assigns tasks'],
  ['assigner_provider', PROVIDER, 'Its provider'],
  ['exploration_every', 'N', 'Every Nth automatic assignment goes to the least-known agent'],
  ['exploration_constant', 'X', 'Weight of uncertainty when rules assign, 0 to 1'],
  ['novelty_bonus', 'X', 'Bonus for agents without a score, 0 to 1'],
  ['evaluator_agent', AGENT, 'Agent that evaluates work'],
  ['evaluator_model', 'M', 'Model that evaluates work'],
  ['evaluator_provider', PROVIDER, 'Its provider'],
  ['evolver_agent', AGENT, 'Agent that proposes role and trade-off changes'],
  ['evolver_model', 'M', 'Model that proposes them'],
  ['evolver_provider', PROVIDER, 'Its provider'],
  ['retention_heuristics', 'TEXT', 'What evolution must keep and may drop, in your words'],
  ['evolve_replay', 'N', 'Number of finished tasks to test a change on before it is used'],
  ['flip_enabled', 'B', 'Also compute flip scores'],
  ['flip_inference_model', 'M', 'Model that guesses the task'],
  ['flip_inference_provider', PROVIDER, 'Its provider'],
  ['flip_comparison_model', 'M', 'Model that compares the guess with the task'],
  ['flip_comparison_provider', PROVIDER, 'Its provider'],
  ['flip_verification_threshold', 'X', 'Verify work below this flip score, 0 to 1'],
  ['flip_verification_model', 'M', 'Model that verifies it'],
  ['flip_verification_provider', PROVIDER, 'Its provider'],
] as const satisfies readonly (readonly [key: string, value: string, summary: string])[];
export type AgencyKey = (typeof ROWS)[number][0];

/** Settings of the agency that have a flag. */
export const AGENCY_KEYS: readonly AgencyKey[] = ROWS.map(([key]) => key);

/** Settings whose value is an agent. */
export const AGENT_SETTINGS: ReadonlySet<string> = new Set(
  ROWS.flatMap(([key, value]) => (value === AGENT ? [`agency.${key}`] : [])),
);

const given = (value: string): z.ZodMiniType<string | undefined> =>
  z.optional(value === 'B' ? z.enum(['true', 'false']) : z.string());

/** Each key as its own flag: `--auto-assign true`. */
export const agencyFields = Object.fromEntries(
  ROWS.map(([key, value, summary]) => [key, option(summary, given(value), { value })]),
) as Record<AgencyKey, z.ZodMiniOptional<z.ZodMiniString>>;

/** Settings of other sections that have a flag here, by field. */
export const OTHER_KEYS = { max_coordinators: 'coordinator.max_coordinators' } as const;

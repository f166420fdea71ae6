/** Limits of simulations. Separate, because common commands do not need them. */
export const SIMULATION_LIMITS = {
  agents: 10_000,
  rules: 1_000,
  scenarioBytes: 256 * 1024,
  steps: 1_000_000,
  /** Maximum simulated time: a year. */
  ms: 366 * 86_400_000,
  /** Maximum unfinished tasks named. */
  left: 100,
} as const;

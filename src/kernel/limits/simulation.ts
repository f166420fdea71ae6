/** Bounds of simulations, apart from `LIMITS`: commands of every day need none of them. */
export const SIMULATION_LIMITS = {
  agents: 10_000,
  rules: 1_000,
  scenarioBytes: 256 * 1024,
  steps: 1_000_000,
  /** A simulation ends here: a year of its own clock. */
  ms: 366 * 86_400_000,
  /** Unfinished tasks that are named. */
  left: 100,
} as const;

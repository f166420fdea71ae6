import { RUN_MODES, type RunMode } from '#core/review/plan.js';

/** How much a review runs, as the flag says, which takes no other word. */
export function runMode(said: unknown): RunMode {
  return RUN_MODES.find((mode) => mode === said) ?? 'fast';
}

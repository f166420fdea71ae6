import type { Context } from '#operations/operation.js';

/** Date of a lesson, such as `2026-03-01`. */
export function today({ clock }: Pick<Context, 'clock'>): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

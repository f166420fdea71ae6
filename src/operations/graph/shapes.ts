import * as z from 'zod/mini';
import type { Mover } from '#core/graph/moves.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** What every move answers. */
export const movedShape = z.object({
  id: z.string(),
  status: z.string(),
  changed: z.boolean(),
  warnings: z.readonly(z.array(z.string())),
  seq: z.number(),
});

export const taskShape = z.looseObject({
  kind: z.literal('task'),
  id: z.string(),
  title: z.string(),
  status: z.string(),
});

export const execModes = z.enum(['full', 'light', 'bare', 'shell']);
export const texts = z.optional(z.array(z.string()));
export const text = z.optional(z.string());

/** The caller as the core wants it: a run brings the fence of its claim. */
export function moverOf(context: Context, named?: string): Mover {
  const { caller } = context;
  if (caller.kind === 'run') return { name: caller.name, fence: caller.fence, taskId: caller.taskId };
  return { name: named ?? caller.name };
}

/** A run may not push past what is not finished. */
export function personForces(context: Context, force: boolean | undefined): boolean {
  if (force === true && context.caller.kind === 'run') {
    throw new TroupeError('not_yours', { what: 'A run may not use --force.' });
  }
  return force === true;
}

/** The earliest moment of a task, from `--not-before TIME` or `--delay DURATION`, as RFC 3339. */
export function earliest(
  context: Context,
  notBefore: string | undefined,
  delay: string | undefined,
): string | undefined {
  if (notBefore !== undefined && delay !== undefined) {
    throw new TroupeError('usage', { what: 'Say --delay or --not-before, not both.' });
  }
  if (delay !== undefined) return new Date(context.clock.now() + parseDuration(delay)).toISOString();
  if (notBefore === undefined) return undefined;
  const time = Date.parse(notBefore);
  if (Number.isNaN(time)) {
    throw new TroupeError('bad_input', {
      what: `Not a time: ${JSON.stringify(notBefore.slice(0, 40))}`,
      hint: 'Write it as 2026-03-21T10:00:00Z.',
    });
  }
  return new Date(time).toISOString();
}

/** Refuses a duration early, with the field's name. */
export function checkedDuration(value: string | undefined): string | undefined {
  if (value !== undefined) parseDuration(value);
  return value;
}

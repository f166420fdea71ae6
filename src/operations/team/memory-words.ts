import type { Checked } from '#core/team/memory-checks.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';

/** A value in the form in which it is kept; `bad_input` says why it cannot be. */
export function kept(field: string, checked: Checked): string {
  if ('reason' in checked) throw unfit(checked.reason, field);
  return checked.value;
}

export function unfit(reason: string, field?: string): TroupeError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new TroupeError('bad_input', { what, ...(field === undefined ? {} : { details: { field } }) });
}

/** Who makes a row and when; a request that comes twice makes one. */
export function madeBy(context: Context): { created_by: string; created_at: number; source?: string } {
  const { requestId } = context.request;
  return {
    created_by: callerName(context),
    created_at: context.clock.now(),
    ...(requestId === undefined ? {} : { source: `request:${requestId}` }),
  };
}

export function callerName(context: Context): string {
  return cut(inert(context.caller.name), 100);
}

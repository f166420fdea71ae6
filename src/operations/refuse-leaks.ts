import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Passage } from '#ports/inspector.js';
import type { Context } from './operation.js';

const NAMED_MOST = 5;
const NAME_CHARACTERS = 80;

/**
 * Final check of data that leaves the project: if one passage contains a secret, nothing leaves. It is independent of
 * earlier masking and never skipped. Findings are named, but their values are not shown. Errors: `secret_in_export`.
 */
export async function refuseLeaks(context: Pick<Context, 'inspector'>, passages: readonly Passage[]): Promise<void> {
  const leaks = await (await context.inspector()).leaks(passages);
  if (leaks.length === 0) return;
  const places = [...new Set(leaks.map(({ name, kind }) => `${cut(inert(name), NAME_CHARACTERS)} (${kind})`))];
  const more = places.length > NAMED_MOST ? ` and ${places.length - NAMED_MOST} more` : '';
  throw new TroupeError('secret_in_export', {
    why: `${places.slice(0, NAMED_MOST).join(', ')}${more}`,
    details: { places },
  });
}

import type { SandboxProfile } from '#core/catalog/policies.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { choiceOf } from '#operations/workflows/policy.js';

/**
 * How much a client may do under the sandbox profile of the project: a profile only takes away. No client can ask a person
 * in the middle of a run, and not every one can write without a shell, so a profile that forbids either, or wants to be
 * asked, leaves reading. Errors: `not_found` for a profile that nobody knows; then nothing starts.
 */
export async function confined<Work extends { readonly mode: string }>(context: Context, work: Work): Promise<Work> {
  const { sandbox_profile: id } = await choiceOf(context);
  if (id === undefined) return work;
  const profile = (await (await context.catalog()).sandboxProfiles()).get(id);
  if (!profile) throw new TroupeError('not_found', { what: `There is no sandbox profile “${id}”.` });
  return work.mode === 'full' && !worksFreely(profile) ? { ...work, mode: 'light' } : work;
}

function worksFreely({ write, shell }: SandboxProfile): boolean {
  return write && shell === 'allow';
}

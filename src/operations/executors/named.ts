import { customExecutor } from '#core/executors/custom.js';
import { type CustomDefinition, customDefinition } from '#core/executors/custom-file.js';
import type { Executor } from '#core/executors/plan.js';
import { builtInExecutor } from '#core/executors/table.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

export interface NamedExecutor {
  readonly executor: Executor;
  /** Of a custom one. */
  readonly definition?: CustomDefinition;
}

/**
 * The executor of this name: built in, or a file of the project that a person trusts as it stands now. Refuses with
 * `unknown_executor`, `untrusted_executor`, and whatever is wrong with the file.
 */
export async function executorNamed(
  context: Pick<Context, 'executorFiles' | 'executorTrust'>,
  name: string,
): Promise<NamedExecutor> {
  const builtIn = builtInExecutor(name);
  if (builtIn !== undefined) return { executor: builtIn };
  const found = await (await context.executorFiles()).read(name);
  if (found === undefined) {
    throw new TroupeError('unknown_executor', { what: `There is no executor ${JSON.stringify(name.slice(0, 60))}.` });
  }
  const trusted = (await (await context.executorTrust()).all()).get(name);
  if (trusted?.sha256 !== found.sha256) {
    throw new TroupeError('untrusted_executor', {
      what: `${found.file} ${trusted === undefined ? 'was trusted by nobody on this machine' : 'is not as it was when somebody trusted it'}.`,
      hint: `Look at it, then run \`troupe executor trust ${name}\`.`,
      details: { executor: name },
    });
  }
  const definition = customDefinition(name, found.value);
  return { executor: customExecutor(definition), definition };
}

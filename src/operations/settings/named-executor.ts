import { customExecutor } from '#core/runs/custom-executor.js';
import { type CustomDefinition, customDefinition } from '#core/runs/custom-executor-file.js';
import { builtInExecutor, EXECUTORS } from '#core/runs/executor-table.js';
import type { Executor } from '#core/runs/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
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
    throw await unknownExecutor(context, name);
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

/** Refuses with `unknown_executor` a name that neither a client nor a file of the project has; whether it can be started is another matter. */
export async function refuseUnknownExecutor(
  context: Pick<Context, 'executorFiles'>,
  name: string,
  others: Iterable<string> = [],
): Promise<void> {
  if (builtInExecutor(name) !== undefined) return;
  if ((await (await context.executorFiles()).read(name)) === undefined)
    throw await unknownExecutor(context, name, others);
}

/** The refusal of a name, with the one that was most likely meant. */
export async function unknownExecutor(
  context: Pick<Context, 'executorFiles'>,
  name: string,
  others: Iterable<string> = [],
): Promise<TroupeError> {
  const files = await (await context.executorFiles()).list();
  const near = didYouMean(name, [...Object.keys(EXECUTORS), ...files.map((file) => file.name), ...others]);
  return new TroupeError('unknown_executor', {
    what: `There is no executor ${JSON.stringify(name.slice(0, 60))}.`,
    ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
    details: { executor: name.slice(0, 60) },
  });
}

import type { AbsentClient } from '#core/insight/done-by.js';
import { type CustomDefinition, customDefinition, customExecutor } from '#core/runs/custom-executor.js';
import { builtInExecutor, EXECUTORS } from '#core/runs/executor-table.js';
import type { Executor } from '#core/runs/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

interface NamedExecutor {
  readonly executor: Executor;
  /** For a custom executor. */
  readonly definition?: CustomDefinition;
}

/**
 * The executor with this name: built in, or a trusted file of the project. Errors: `unknown_executor`,
 * `untrusted_executor`, and those of the file.
 */
export async function executorNamed(
  context: Pick<Context, 'executorFiles' | 'executorTrust'>,
  name: string,
): Promise<NamedExecutor> {
  const builtIn = builtInExecutor(name);
  if (builtIn !== undefined) return { executor: builtIn };
  const entry = await (await context.executorFiles()).read(name);
  if (entry === undefined) {
    throw await unknownExecutor(context, name);
  }
  const trusted = (await (await context.executorTrust()).all()).get(name);
  if (trusted?.sha256 !== entry.sha256) {
    const command = `troupe trust executor ${name}`;
    throw new TroupeError('untrusted_executor', {
      what: `${entry.file} ${trusted === undefined ? 'is not trusted on this machine' : 'has changed since it was trusted'}.`,
      hint: `Review it, then run \`${command}\`.`,
      details: { executor: name, command },
    });
  }
  const definition = customDefinition(name, entry.value);
  return { executor: customExecutor(definition), definition };
}

/**
 * Checks that a client or a file of the project has this name, but not whether it can be started. Errors:
 * `unknown_executor`.
 */
export async function refuseUnknownExecutor(
  context: Pick<Context, 'executorFiles'>,
  name: string,
  others: Iterable<string> = [],
): Promise<void> {
  if (builtInExecutor(name) !== undefined) return;
  if ((await (await context.executorFiles()).read(name)) === undefined)
    throw await unknownExecutor(context, name, others);
}

/** Error for an unknown name, with the most similar one. */
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

/** An executor that can be started here, with its program. */
export interface UsableExecutor {
  readonly executor: Executor;
  readonly program: string;
  readonly stream: string | undefined;
}

/** Resolves an executor and finds its program. Errors: `executor_missing`, and those of `executorNamed`. */
export async function usableExecutor(context: MachineContext, name: string): Promise<UsableExecutor> {
  const { executor, definition } = await executorNamed(context, name);
  const program = await (await context.clientPrograms()).find(definition?.command ?? name);
  if (program === undefined) {
    throw new TroupeError('executor_missing', {
      what: `The program of ${name} is not on the PATH.`,
      hint: `${sentence(executor.install)} Or choose another: \`troupe executor list\` shows them, \`troupe config set coordinator.executor NAME\` sets it.`,
      details: { executor: name },
    });
  }
  return { executor, program, stream: definition ? definition.stream : name };
}

/**
 * Refuses a client in a folder with files that it would act on regardless of its prompt. Errors: `untrusted_executor`.
 */
export async function refuseUnsafeFolder(
  context: Pick<Context, 'clientPrograms'>,
  { name, actsOn }: Executor,
  folder: string,
): Promise<void> {
  const match = await (await context.clientPrograms()).firstOf(folder, actsOn);
  if (match === undefined) return;
  throw new TroupeError('untrusted_executor', {
    what: `${name} would use ${match}, which is part of this project.`,
    hint: 'Remove it, or choose another client: `troupe config set coordinator.executor NAME`.',
  });
}

/** The client for tasks without a command, or the reason why it cannot be started; empty if people do them. */
export interface ClientStanding {
  readonly executor?: string;
  readonly missing?: AbsentClient;
}

/** Reason why no client is started in an untrusted graph. */
export const UNTRUSTED_GRAPH: AbsentClient = {
  text: 'this graph is not trusted on this machine: `troupe trust`',
  command: 'troupe trust',
};

/** Status of this client here. */
export async function clientStanding(context: MachineContext, name: string): Promise<ClientStanding> {
  if (name === 'shell') return {};
  if ((await (await context.trust()).read()) === undefined) return { missing: UNTRUSTED_GRAPH };
  try {
    const { executor } = await usableExecutor(context, name);
    await refuseUnsafeFolder(context, executor, context.projectFolder);
    return { executor: name };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const text = [error.message, error.hint].filter(Boolean).join(' ');
    return { missing: { text, command: error.command ?? 'troupe executor list' } };
  }
}

/**
 * Status of the effective client: that of the coordinator in this process, otherwise as a service would determine it.
 */
export async function clientInForce(context: GraphContext & MachineContext): Promise<ClientStanding> {
  const facts = context.coordinator?.();
  if (facts) {
    const { executor, missing } = facts;
    return { ...(executor === undefined ? {} : { executor }), ...(missing === undefined ? {} : { missing }) };
  }
  return await clientStanding(context, (await loadSettings(context)).settings.coordinator.executor);
}

/** Formats installation instructions, which are a command or a sentence. */
export function sentence(install: string): string {
  return install.endsWith('.') ? install : `Install it with \`${install}\`.`;
}

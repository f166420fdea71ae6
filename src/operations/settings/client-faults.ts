import type { Settings } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { usableExecutor } from './usable-executors.js';

/** A client that a setting names and that cannot be started here. */
interface ClientFault {
  readonly key: 'coordinator.executor' | 'coordinator.fallback';
  readonly error: TroupeError;
}

/**
 * The clients named in the settings that cannot be started here: a file written by hand is not checked as `config set` checks. A missing
 * program of `coordinator.executor` is left out, as its default names a client that nobody may have asked for.
 */
export async function clientFaults(
  context: Pick<Context, 'executorFiles' | 'executorTrust' | 'clientPrograms'>,
  { coordinator }: Pick<Settings, 'coordinator'>,
): Promise<readonly ClientFault[]> {
  const named = [
    { key: 'coordinator.executor', name: coordinator.executor } as const,
    ...coordinator.fallback.map((name) => ({ key: 'coordinator.fallback', name }) as const),
  ];
  const faults: ClientFault[] = [];
  for (const { key, name } of named) {
    if (name === 'shell') continue;
    try {
      await usableExecutor(context, name);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      if (key === 'coordinator.fallback' || error.code !== 'executor_missing') faults.push({ key, error });
    }
  }
  return faults;
}

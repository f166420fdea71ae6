import type { Settings } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import type { MachineContext } from '#operations/contexts.js';
import { usableExecutor } from './usable-executors.js';

/** A configured client that cannot be started here. */
interface ClientFault {
  readonly key: 'coordinator.executor' | 'coordinator.fallback';
  readonly error: TroupeError;
}

/**
 * Configured clients that cannot be started here. A file edited by hand bypasses the checks of `config set`. A missing
 * program of `coordinator.executor` is not reported, because its default names a client that the person may not have
 * chosen.
 */
export async function clientFaults(
  context: MachineContext,
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

import type { ReadSettings } from '#core/settings/settings.js';
import type { ClientFacts } from '#operations/coordinator/clients.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { ModelClients } from '#operations/coordinator/model-clients.js';
import type { ServiceOverrides } from '#operations/coordinator-facts.js';
import type { ServiceValues } from '#operations/service-status.js';

const KEYS = ['max_agents', 'poll_interval', 'executor', 'model'] as const;

/** Values set in the file; the others keep the values of the service's start. */
function valuesInFile({ rows, settings }: ReadSettings): ServiceOverrides {
  const keysInFile = new Set(rows.filter(({ from }) => from === 'file').map(({ key }) => key));
  const { coordinator } = settings;
  return Object.fromEntries(
    KEYS.filter((key) => keysInFile.has(`coordinator.${key}`)).map((key) => [key, coordinator[key]]),
  );
}

function hasNoOverrides(values: ServiceOverrides): boolean {
  return KEYS.every((key) => values[key] === undefined);
}

/** Applies new values from the next tick on; without any, those of the settings file. */
export async function reconfigure(
  { coordinator, clients }: { readonly coordinator: CoordinatorLoop; readonly clients: ModelClients },
  values: ServiceOverrides,
): Promise<ServiceValues> {
  const overrides = hasNoOverrides(values) ? valuesInFile(await clients.reload()) : values;
  const { max_agents: maxAgents, poll_interval: seconds, executor, model } = overrides;
  await clients.configure({
    ...(executor === undefined ? {} : { executor }),
    ...(model === undefined ? {} : { model }),
  });
  coordinator.configure({
    ...(maxAgents === undefined ? {} : { maxAgents }),
    ...(seconds === undefined ? {} : { pollMs: seconds * 1_000 }),
  });
  const facts = coordinator.facts();
  const inForce = clients.inForce();
  return {
    max_agents: facts.maxAgents,
    executor: inForce.executor,
    poll_interval: Math.round(facts.pollMs / 1_000),
    model: inForce.model ?? null,
    ...missingIn(await clients.facts()),
  };
}

/** Reason why the configured client cannot be started, in the format of the service's replies. */
function missingIn({ missing }: Pick<ClientFacts, 'missing'>): { executor_missing?: string } {
  return missing === undefined ? {} : { executor_missing: missing.text };
}

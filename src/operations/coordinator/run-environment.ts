import type { ReadSettings } from '#core/settings/settings.js';

/** The inputs of a task, as its `environment` field has them. */
export function environmentOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** How a service works, as somebody said it or a file has it; what is left out, nobody said. */
export interface ServiceOverrides {
  readonly max_agents?: number | undefined;
  /** Seconds. */
  readonly poll_interval?: number | undefined;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
}

const KEYS = ['max_agents', 'poll_interval', 'executor', 'model'] as const;

/** Those that stand in the file; what was said at the start goes on for the others. */
export function valuesInFile({ rows, settings }: ReadSettings): ServiceOverrides {
  const said = new Set(rows.filter(({ from }) => from === 'file').map(({ key }) => key));
  const { coordinator } = settings;
  return Object.fromEntries(KEYS.filter((key) => said.has(`coordinator.${key}`)).map((key) => [key, coordinator[key]]));
}

export function saysNothing(values: ServiceOverrides): boolean {
  return KEYS.every((key) => values[key] === undefined);
}

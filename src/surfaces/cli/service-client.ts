import { inert } from '#kernel/text.js';
import type { Invocation } from './invocation.js';

interface Missing {
  /** For a program. */
  readonly fields: { readonly executor_missing?: string };
  /** For a person: a line beside the answer, or none. */
  tell(): void;
}

/** Whether the service that answers has a client it can start. */
export async function missingClient({ host, folder, screen }: Invocation): Promise<Missing> {
  const { coordinator } = (await host.service({ cmd: 'status' }, folder)) as {
    readonly coordinator: { readonly executor: string; readonly executor_missing?: string };
  };
  return sayMissing(coordinator, screen);
}

export function sayMissing(
  { executor, executor_missing: missing }: { readonly executor: string; readonly executor_missing?: string },
  screen: Invocation['screen'],
): Missing {
  if (missing === undefined) return { fields: {}, tell: () => undefined };
  const text = `${inert(executor)} cannot be started, so tasks without a command wait: ${inert(missing)}`;
  return { fields: { executor_missing: missing }, tell: () => screen.aside(screen.colour.yellow(text)) };
}

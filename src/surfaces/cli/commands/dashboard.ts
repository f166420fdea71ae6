import type { Invocation } from '#surfaces/cli/invocation.js';

/** Prints a one-time link to the dashboard or, with `--logout`, ends the sessions of all browsers. */
export async function execute({ host, screen, input, json, folder }: Invocation): Promise<number> {
  const logout = input['logout'] === true;
  const answer = (await host.service({ cmd: 'dashboard', logout }, folder)) as { address?: string };
  if (json) screen.line(JSON.stringify(answer));
  else screen.line(answer.address ?? 'All browsers are logged out. `troupe dashboard` prints a new link.');
  return 0;
}

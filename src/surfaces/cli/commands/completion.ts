import { SCRIPTS, SHELLS } from '#surfaces/cli/completion/scripts.js';
import type { Invocation } from '#surfaces/cli/invocation.js';

/** Prints the completion script of a shell. The parser has already rejected any other word. */
export async function execute({ screen, input, json }: Invocation): Promise<number> {
  const shell = SHELLS.find((one) => one === input['shell']) ?? 'bash';
  if (json) screen.line(JSON.stringify({ shell, script: SCRIPTS[shell] }));
  else screen.line(SCRIPTS[shell].trimEnd());
  return 0;
}

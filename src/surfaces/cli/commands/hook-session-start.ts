import { asTroupeError } from '#kernel/errors.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { inert } from '#kernel/text.js';
import { specNamed } from '#operations/named.js';
import type { Invocation } from '#surfaces/cli/invocation.js';

/** Prints the role context for a client session that starts. Always exits 0: a failure must not block the session. */
export async function execute({ host, folder }: Invocation): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ context?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({}), ROLE_PROMPT_LIMITS.sessionMs);
  });
  const project = host.environment['CLAUDE_PROJECT_DIR'];
  const place = project?.startsWith('/') ? project : folder;
  try {
    const { context } = await Promise.race([host.call(specNamed('roles.session-start'), {}, place), late]);
    const answer = { hookEventName: 'SessionStart', additionalContext: context };
    if (context !== undefined) host.out.write(`${JSON.stringify({ hookSpecificOutput: answer })}\n`);
  } catch (error) {
    host.err.write(`session-start: ${inert(asTroupeError(error).message)}\n`);
  } finally {
    clearTimeout(timer);
    host.input.destroy(); // the payload of the client is not read
  }
  return 0;
}

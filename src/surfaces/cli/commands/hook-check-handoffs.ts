import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { inert } from '#kernel/text.js';
import type { GateAnswer, GateCall } from '#operations/formations/gate-call.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';

/**
 * Exit code of a denial. Clients treat 2 as a denial and any other non-zero code as an error to ignore, so a check that
 * fails to run exits with 2 as well.
 */
const REFUSED = 2;

/** Dependencies of `answerCall`. */
export interface GateHost extends Pick<CommandHost, 'environment' | 'input' | 'out' | 'err'> {
  /** Absolute path of the working directory. */
  readonly folder: string;
  judgeCall(call: GateCall): Promise<GateAnswer>;
}

export function execute({ host, folder }: Invocation): Promise<number> {
  const { environment, input, out, err } = host;
  return answerCall({ environment, input, out, err, folder, judgeCall: (call) => host.judgeCall(call) });
}

/**
 * Reads a tool call from stdin and answers in the client's format: no output if it is allowed, else a denial. Returns
 * the exit code.
 */
export async function answerCall(host: GateHost): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new TroupeError('handoff_unreadable', { what: 'Checking the handoffs timed out.' }));
    timer = setTimeout(refuse, HANDOFF_LIMITS.hookMs);
  });
  try {
    const deny = await Promise.race([judge(), late]);
    if (deny !== undefined) host.out.write(`${JSON.stringify({ hookSpecificOutput: denial(deny) })}\n`);
    return 0;
  } catch (error) {
    const { code, message, why } = asTroupeError(error);
    host.err.write(`check-handoffs: ${code}: ${inert(message)}${why ? ` ${inert(why)}` : ''}\n`);
    return REFUSED;
  } finally {
    clearTimeout(timer);
    host.input.destroy(); // an input that the client leaves open would keep the process alive
  }

  async function judge(): Promise<string | undefined> {
    const payload = await textOf(host.input);
    const run = host.environment['TROUPE_RUN'];
    const project = host.environment['CLAUDE_PROJECT_DIR'];
    const { deny } = await host.judgeCall({
      payload,
      places: project?.startsWith('/') ? [project, host.folder] : [host.folder],
      run: run === '' ? undefined : run,
    });
    return deny;
  }
}

async function textOf(input: NodeJS.ReadStream): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input) {
    size += part.length;
    if (size > HANDOFF_LIMITS.payloadBytes) throw new TroupeError('too_large', { what: 'The payload is too large.' });
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString('utf8');
}

function denial(reason: string) {
  return { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: inert(reason) };
}

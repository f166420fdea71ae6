import { showName, shownName } from '#adapters/processes/shown-name.js';
import { sha256 } from '#kernel/hash.js';
import type { Caller, PersonCaller } from '#ports/callers.js';
import type { Asker } from '#surfaces/socket/client.js';
import { requestLine } from '#surfaces/socket/protocol.js';

/**
 * Credentials of a person who only reads: a claim, which suffices. A proof would take a tenth of the time of the
 * command, and let the service look at every ancestor of this process.
 */
export function reader(caller: PersonCaller): Asker {
  return { proof: { caller }, introduce: async () => undefined };
}

/**
 * Credentials of this process for requests whose answer depends on the caller: a run sends its token, any other process
 * proves that the request is its own.
 */
export function thisProcess(caller: Caller): Asker {
  if (caller.kind === 'run' && caller.token !== undefined) {
    const { name: run, fence: run_fence, token: run_token } = caller;
    return { proof: { run, run_fence, run_token }, introduce: async () => undefined };
  }
  return {
    proof: {},
    introduce: async (request) => {
      const { randomUUID } = process.getBuiltinModule('node:crypto'); // slow to load, so only where it is needed
      const asks = sha256(request.trimEnd());
      const line = requestLine({ cmd: 'identify', pid: process.pid, nonce: randomUUID(), asks });
      return { line, over: await showName(shownName(line.trimEnd())) };
    },
  };
}

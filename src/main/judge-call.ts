import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { type GateAnswer, type GateCall, judgeCall } from '#operations/formations/gate-call.js';

/** Judges a client's tool call by the handoff folders on this machine. */
export function judgeHere(call: GateCall): Promise<GateAnswer> {
  return judgeCall(new LocalHandoffFolders(), call);
}

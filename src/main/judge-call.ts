import { LocalHandoffFolders } from '#adapters/formations/handoff-folders.js';
import { type GateAnswer, type GateCall, judgeCall } from '#operations/formations/gate-call.js';

/** A client's call, judged by what lies on this machine. */
export function judgeHere(call: GateCall): Promise<GateAnswer> {
  return judgeCall(new LocalHandoffFolders(), call);
}

import { firstSession } from '#core/memory/memory-changes.js';
import { recordLine } from '#core/memory/shared-record.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import type { Context } from '#operations/operation.js';
import type { LedgerReader } from '#ports/squad-files.js';
import { callerName } from './memories.js';
import { linesAdded, memoryIn } from './shared-memory.js';

interface Warning {
  readonly code: string;
  readonly message: string;
}

/**
 * The plan of a cast, with a session unless one is open: one write for both. Where the memory cannot be read the team is cast all the
 * same, and the answer says so.
 */
export async function withFirstSession<Confirmed extends { readonly proposal_id: string }>(
  context: Context,
  { changes, result }: SquadPlan<Confirmed>,
  read: LedgerReader,
): Promise<SquadPlan<Confirmed & { readonly warnings: readonly Warning[] }>> {
  try {
    const beginning = await sessionLines(context, result.proposal_id, read);
    return { changes: [...changes, ...beginning], result: { ...result, warnings: [] } };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const message = `The team is cast, but no session could be started: ${error.message}`;
    return { changes, result: { ...result, warnings: [{ code: 'session_not_started', message }] } };
  }
}

/** Its source is the proposal: confirming again does not begin what was ended since. */
async function sessionLines(context: Context, proposalId: string, read: LedgerReader): Promise<readonly FileChange[]> {
  const origin = { started_by: callerName(context), started_at: context.clock.now() };
  const session = { source: `cast:${proposalId}`, focus: 'The team has just been cast', context: '', ...origin };
  const records = firstSession(await memoryIn(context, read, []), session);
  return await linesAdded(
    read,
    records.map((record) => recordLine(record)),
  );
}

import type { SquadPlan } from '#core/squad/file-change.js';
import { firstSession } from '#core/squad/memory-changes.js';
import { recordLine } from '#core/squad/shared-record.js';
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
 * Extends the plan of a cast by a session, unless one is open, so both are one write. If the memory cannot be read, the
 * cast proceeds and the result carries a warning.
 */
export async function withFirstSession<Confirmed extends { readonly proposal_id: string }>(
  context: Pick<Context, 'clock' | 'caller'>,
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

/** The proposal is the session's source: confirming it again does not restart a session that has ended since. */
async function sessionLines(
  context: Pick<Context, 'clock' | 'caller'>,
  proposalId: string,
  read: LedgerReader,
): Promise<readonly FileChange[]> {
  const origin = { started_by: callerName(context), started_at: context.clock.now() };
  const session = { source: `cast:${proposalId}`, focus: 'The team has just been cast', context: '', ...origin };
  const records = firstSession(await memoryIn(context, read, []), session);
  return await linesAdded(
    read,
    records.map((record) => recordLine(record)),
  );
}

import { type MemoryChange, outcomeIn } from '#core/squad/memory-changes.js';
import { type LedgerFile, MEMORY_EVENTS, SQUAD_ATTRIBUTE_LINES, SQUAD_ATTRIBUTES } from '#core/squad/memory-ledger.js';
import { readDecisions, readDiary, readNow } from '#core/squad/memory-readings.js';
import { type MemoryRows, type MemoryState, readMemory, withRecords } from '#core/squad/memory-state.js';
import { readRecords, recordLine, type SharedRecord } from '#core/squad/shared-record.js';
import { agentHistoryPath, DECISIONS_MD, NOW_MD } from '#core/squad/squad-paths.js';
import { refuseWrites } from '#core/squad/squad-state.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import type { LedgerReader } from '#ports/squad-files.js';
import type { TeamInbox } from '#ports/team-inbox.js';

/** Returns the memory according to its files, including pending records. */
export async function memoryNow(context: TeamContext): Promise<MemoryState> {
  const [inbox, ledger] = await Promise.all([context.teamInbox(), context.ledger()]);
  const waiting = await inbox.waiting();
  return await ledger.look((read) => memoryIn(context, read, waiting));
}

/** Reads the memory under the lock of a change. Errors: `unreadable`. */
export async function memoryIn(
  context: Pick<Context, 'clock'>,
  read: LedgerReader,
  waiting: readonly string[],
): Promise<MemoryState> {
  const events = await read.events();
  if (events !== undefined && 'problem' in events)
    throw new TroupeError('unreadable', { what: `${events.path} ${events.problem}.` });
  const decisions = await textOf(read, DECISIONS_MD);
  const now = await textOf(read, NOW_MD);
  const files = [
    ...(decisions === undefined ? [] : [readDecisions(decisions)]),
    ...(now === undefined ? [] : [readNow(now)]),
  ];
  for (const slug of await read.members()) {
    const diary = await textOf(read, agentHistoryPath(slug));
    if (diary !== undefined) files.push(readDiary(slug, diary));
  }
  const kept = events === undefined ? NO_RECORDS : recordsIn(events);
  return readMemory({ kept, waiting, files }, context.clock.now());
}

const NO_RECORDS: ReadonlyMap<string, SharedRecord> = new Map();
/** Parsed records by file, so thousands of lines are parsed once while the file is unchanged. */
const recordsByFile = new WeakMap<LedgerFile, ReadonlyMap<string, SharedRecord>>();

function recordsIn(file: LedgerFile & { readonly text: string }): ReadonlyMap<string, SharedRecord> {
  const records = recordsByFile.get(file) ?? readRecords(file.text);
  recordsByFile.set(file, records);
  return records;
}

/**
 * Changes the memory: appends a line for each changed record, including manual edits, to its file. Returns the memory
 * after the change and the id of the requested record. If the decision throws, nothing changes.
 */
export async function changeMemory(
  context: TeamContext,
  decide: (state: MemoryState) => MemoryChange,
): Promise<{ readonly after: MemoryState; readonly id: string }> {
  const [inbox, ledger] = await Promise.all([context.teamInbox(), context.ledger()]);
  const { waiting, ...result } = await ledger.change(async (read) => {
    const waiting = await inbox.waiting();
    const before = await memoryIn(context, read, waiting);
    const { records, id } = decide(before);
    const after = withRecords(before, records);
    if (await isWritable(context))
      return { changes: await linesAdded(read, after.lines), result: { after, id, waiting } };
    if (records.length > 0) await inbox.wait(records.map((record) => recordLine(record)));
    return { changes: [], result: { after, id, waiting: [] } };
  });
  if (waiting.length > 0) await inbox.release(waiting);
  return result;
}

/** Returns the changes that append lines to the memory file and declare it for git's union merge. */
export async function linesAdded(read: LedgerReader, lines: readonly string[]): Promise<readonly FileChange[]> {
  if (lines.length === 0) return [];
  const attributes = await textOf(read, SQUAD_ATTRIBUTES);
  const missing = SQUAD_ATTRIBUTE_LINES.filter((line) => !(attributes ?? '').split(/\r?\n/).includes(line));
  const ended =
    attributes === undefined || attributes === '' || attributes.endsWith('\n') ? attributes : `${attributes}\n`;
  const text = `${ended ?? ''}${missing.map((line) => `${line}\n`).join('')}`;
  return [
    ...(missing.length === 0 ? [] : [{ kind: 'write', path: SQUAD_ATTRIBUTES, text } as const]),
    { kind: 'append', path: MEMORY_EVENTS, idField: 'eventId', lines },
  ];
}

/**
 * Settles pending entries that the memory already contains: a merge was interrupted after its write, or another clone
 * merged the same entry.
 */
export async function settleMerged(inbox: TeamInbox, state: MemoryRows): Promise<void> {
  for (const entry of await inbox.entries({ status: 'pending', limit: TEAM_LIMITS.entriesPending })) {
    const outcome = outcomeIn(state, entry);
    if (outcome === undefined) continue;
    try {
      await inbox.settle(entry.number, { status: 'merged', by: outcome.by, at: outcome.at });
    } catch (error) {
      // Another caller has just settled it.
      if (!isRefusal(error, 'memory_settled')) throw error;
    }
  }
}

/**
 * Whether the memory may be written. If the team is in the format of another tool or its layouts conflict, new records
 * wait until that is resolved.
 */
async function isWritable(context: Pick<Context, 'squad'>): Promise<boolean> {
  try {
    refuseWrites(await (await context.squad()).read());
    return true;
  } catch (error) {
    if (error instanceof TroupeError && WAITING.some((code) => code === error.code)) return false;
    throw error;
  }
}

const WAITING = ['migration_required', 'layout_conflict', 'name_clash', 'policy_invalid', 'corrupt'] as const;

async function textOf(read: LedgerReader, path: string): Promise<string | undefined> {
  const content = await read.file(path);
  return content !== undefined && 'text' in content ? content.text : undefined;
}

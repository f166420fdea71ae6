import { type Exchange, type LedgerPicture, planExchange } from '#core/team/memory-exchange.js';
import { type LedgerFile, MEMORY_EVENTS, SQUAD_ATTRIBUTE_LINES, SQUAD_ATTRIBUTES } from '#core/team/memory-ledger.js';
import { readDecisions, readDiary, readNow } from '#core/team/memory-readings.js';
import { agentHistoryPath, DECISIONS_MD, NOW_MD } from '#core/team/squad-paths.js';
import { refuseWrites } from '#core/team/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import type { Context } from '#operations/operation.js';
import type { LedgerReader } from '#ports/squad-files.js';
import type { TeamMemory } from '#ports/team-memory.js';

/** The memory, after what the files of the team tell was read into it: they are what everybody shares. */
export async function sharedMemory(context: Context): Promise<TeamMemory> {
  const [memory, ledger] = await Promise.all([context.teamMemory(), context.ledger()]);
  const [stamp, before] = await Promise.all([ledger.stamp(), memory.stamp()]);
  if (stamp === (before ?? '')) return memory;
  const picture = await ledger.look(pictureOf);
  // Where nothing was ever kept, looking makes no store.
  const empty = picture.events === undefined && picture.files.every(({ readings }) => readings.length === 0);
  if (before === undefined && empty) return memory;
  await memory.exchange((rows) => planExchange(rows, picture, context.clock.now()), stamp);
  return memory;
}

/** Changes the memory, and adds to the shared file what it lacks then. */
export async function changeMemory<Result>(
  context: Context,
  work: (memory: TeamMemory) => Promise<Result>,
): Promise<Result> {
  const result = await work(await sharedMemory(context));
  if (await isWritable(context)) await shareMemory(context);
  return result;
}

async function shareMemory(context: Context): Promise<void> {
  const ledger = await context.ledger();
  await ledger.change(async (read) => ({ changes: (await exchange(context, read)).changes, result: undefined }));
}

/**
 * Under the lock of the ledger: what the files tell is taken in; the answer is all rows, and what is to be added to the shared
 * file. Whether that was written shows the next time it is read: until then it is added again.
 */
export async function exchange(
  context: Context,
  read: LedgerReader,
): Promise<Pick<Exchange, 'rows'> & { readonly changes: readonly FileChange[] }> {
  const memory = await context.teamMemory();
  const stamp = await read.stamp();
  const picture = await pictureOf(read);
  const { rows, lines } = await memory.exchange((own) => planExchange(own, picture, context.clock.now()), stamp);
  if (lines.length === 0) return { rows, changes: [] };
  const attributes = await textOf(read.file(SQUAD_ATTRIBUTES));
  const missing = SQUAD_ATTRIBUTE_LINES.filter((line) => !(attributes ?? '').split(/\r?\n/).includes(line));
  const ended =
    attributes === undefined || attributes === '' || attributes.endsWith('\n') ? attributes : `${attributes}\n`;
  const text = `${ended ?? ''}${missing.map((line) => `${line}\n`).join('')}`;
  return {
    rows,
    changes: [
      ...(missing.length === 0 ? [] : [{ kind: 'write', path: SQUAD_ATTRIBUTES, text } as const]),
      { kind: 'append', path: MEMORY_EVENTS, idField: 'eventId', lines },
    ],
  };
}

/** Beside the team of another tool, or one that two layouts tell of, nothing is written: what is remembered waits for that. */
async function isWritable(context: Context): Promise<boolean> {
  try {
    refuseWrites(await (await context.squad()).read());
    return true;
  } catch (error) {
    if (error instanceof TroupeError && WAITING.some((code) => code === error.code)) return false;
    throw error;
  }
}

const WAITING = ['migration_required', 'layout_conflict', 'name_clash', 'policy_invalid', 'corrupt'] as const;

async function pictureOf(read: LedgerReader): Promise<LedgerPicture> {
  const events = await read.events();
  if (events !== undefined && 'problem' in events)
    throw new TroupeError('unreadable', { what: `${events.path} ${events.problem}.` });
  const decisions = await textOf(read.file(DECISIONS_MD));
  const now = await textOf(read.file(NOW_MD));
  const files = [
    ...(decisions === undefined ? [] : [readDecisions(decisions)]),
    ...(now === undefined ? [] : [readNow(now)]),
  ];
  for (const slug of await read.members()) {
    const diary = await textOf(read.file(agentHistoryPath(slug)));
    if (diary !== undefined) files.push(readDiary(slug, diary));
  }
  return { events: events?.text, files };
}

async function textOf(file: Promise<LedgerFile | undefined>): Promise<string | undefined> {
  const content = await file;
  return content !== undefined && 'text' in content ? content.text : undefined;
}

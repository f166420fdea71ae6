import * as z from 'zod/mini';
import { type ImportedEntry, readInbox } from '#core/squad/inbox-file.js';
import type { Memory } from '#core/squad/memory.js';
import { INBOX_FOLDER, type LedgerFile } from '#core/squad/memory-ledger.js';
import type { MemoryRows } from '#core/squad/memory-state.js';
import { exportedFiles, type LedgerState, type MemoryContents, planExport } from '#core/squad/plan-memory-export.js';
import { isRefusal } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';
import { MEMORY_PATH } from '#operations/resource-paths.js';
import { outsideWishes, refuseUnexpected } from '#operations/squad/outside-files.js';
import type { LedgerReader } from '#ports/squad-files.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import { callerName, namesForWriting } from './memories.js';
import { files } from './memory-shapes.js';
import { linesAdded, memoryIn, settleMerged } from './shared-memory.js';

/**
 * Writes the memory to the files that people and agents read. Manual edits of these files are imported first, and a
 * team in the format of another tool must be migrated first. Errors: `layout_conflict`, `migration_required`,
 * `name_clash`.
 */
export const exportMemory = operation({
  name: 'memory.export',
  command: 'memory export',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  writesOutside: true,
  summary: 'Write the team memory to its files',
  examples: ['troupe memory export', 'troupe memory export --json'],
  resource: [{ method: 'POST', path: `${MEMORY_PATH}/export`, summary: 'Writes the team memory to its files.' }],
  input: z.strictObject({ outside: outsideWishes.outside }),
  output: z.object({
    exported: z.readonly(z.array(z.object({ file: z.string(), change: z.enum(['written', 'removed']) }))),
    kept: files,
  }),
  async run(context: TeamContext, { outside }) {
    const [inbox, ledger] = await Promise.all([context.teamInbox(), context.ledger()]);
    const before = await namesForWriting(context);
    const { waiting, ...answer } = await ledger.change(async (read) => {
      const waiting = await inbox.waiting();
      const state = await memoryIn(context, read, waiting);
      await settleMerged(inbox, state);
      const remembered = await allOf(inbox, state, before);
      const plan = planExport(remembered, await filesOf(read, inbox, exportedFiles(remembered)));
      // None of these files is for clients, so no consent for client files is needed.
      refuseUnexpected(outside, plan, 'untouched');
      // Marked before writing: after a crash in between, our own bytes are not mistaken for an entry by another author.
      if (plan.marks.length > 0) await inbox.mark(plan.marks.map((sha256) => ({ place: INBOX_FOLDER, sha256 })));
      const changes = [...(await linesAdded(read, state.lines)), ...plan.changes];
      return { changes, result: { exported: plan.exported, kept: plan.kept, waiting } };
    });
    if (waiting.length > 0) await inbox.release(waiting);
    return answer;
  },
});

async function allOf(
  inbox: TeamInbox,
  { decisions, memories, sessions }: MemoryRows,
  before: ReadonlyMap<string, string>,
): Promise<MemoryContents> {
  const pending = await inbox.entries({ status: 'pending', limit: TEAM_LIMITS.entriesPending });
  const named = memories.map(({ row, id }) => ({ row: { ...row, agent: before.get(row.agent) ?? row.agent }, id }));
  const diaries = new Map<string, Memory[]>();
  for (const { row } of named) {
    if (row.type !== 'learning' && row.type !== 'update') continue;
    const own = diaries.get(row.agent);
    if (own === undefined) diaries.set(row.agent, [row]);
    else own.push(row);
  }
  const ids = new Map<object, string>([...decisions, ...sessions, ...named].map(({ row, id }) => [row, id]));
  return {
    decisions: decisions.map(({ row }) => row).filter(({ status }) => status === 'active'),
    pending,
    patterns: named.map(({ row }) => row).filter(({ type }) => type === 'pattern'),
    diaries,
    session: sessions.map(({ row }) => row).find(({ ended_at }) => ended_at === undefined),
    idOf: (row) => ids.get(row),
  };
}

async function filesOf(read: LedgerReader, inbox: TeamInbox, paths: readonly string[]): Promise<LedgerState> {
  const ledgerFiles: LedgerFile[] = [];
  for (const path of paths) ledgerFiles.push(...[await read.file(path)].filter((file) => file !== undefined));
  const notes = await read.inbox();
  const marks = notes.files.flatMap((file) =>
    'problem' in file ? [] : [{ place: INBOX_FOLDER, sha256: file.sha256 }],
  );
  const hashes = new Set((await inbox.storedMarks(marks)).map(({ sha256 }) => sha256));
  return {
    files: new Map(ledgerFiles.map((file) => [file.path, file])),
    inbox: notes,
    members: await read.members(),
    archived: await read.archived(),
    isKnown: (sha256: string) => hashes.has(sha256),
  };
}

const importedShape = z.object({
  file: z.string(),
  number: z.number(),
  agent: z.string(),
  slug: z.string(),
  /** `changed`: the entry was already pending, and the file has new content. */
  filed: z.enum(['added', 'changed']),
});
type ImportResult = z.infer<typeof importedShape>;

/** Imports the files of the inbox folder. Unreadable files are reported; no file is modified. */
export const importMemory = operation({
  name: 'memory.import',
  command: 'memory import',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Import the files in .squad/decisions/inbox',
  examples: ['troupe memory import', 'troupe memory import --json'],
  resource: [{ method: 'POST', path: `${MEMORY_PATH}/import`, summary: 'Imports the files of the inbox.' }],
  input: z.strictObject({}),
  output: z.object({ imported: z.array(importedShape), skipped: files }),
  async run(context: TeamContext) {
    const [inbox, ledger] = await Promise.all([context.teamInbox(), context.ledger()]);
    const author = { created_by: callerName(context), created_at: context.clock.now() };
    return await ledger.change(async (read) => {
      const { entries, skipped } = readInbox(await read.inbox());
      const imported: ImportResult[] = [];
      const refused: { file: string; reason: string }[] = [];
      const marks: { place: string; sha256: string }[] = [];
      for (const entry of entries) {
        const outcome = await importFile(inbox, entry, author);
        if ('reason' in outcome) refused.push(outcome);
        else {
          marks.push({ place: INBOX_FOLDER, sha256: entry.sha256 });
          imported.push(...outcome.imported);
        }
      }
      if (marks.length > 0) await inbox.mark(marks);
      return { changes: [], result: { imported, skipped: [...skipped, ...refused] } };
    });
  },
});

async function importFile(
  inbox: TeamInbox,
  { file, entry: text }: ImportedEntry,
  author: { created_by: string; created_at: number },
): Promise<{ readonly imported: readonly ImportResult[] } | { readonly file: string; readonly reason: string }> {
  try {
    const { entry, filed } = await inbox.file({ ...text, ...author });
    const { number, agent, slug, status } = entry;
    if (filed === 'settled') return { file, reason: `entry ${number} was already ${status}: give it another slug` };
    return { imported: filed === 'same' ? [] : [{ file, number, agent, slug, filed }] };
  } catch (error) {
    if (isRefusal(error, 'memory_full')) return { file, reason: 'the inbox is full' };
    throw error;
  }
}

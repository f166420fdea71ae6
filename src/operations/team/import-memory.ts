import * as z from 'zod/mini';
import { INBOX_FOLDER } from '#core/team/memory-ledger.js';
import { type ImportedEntry, readInbox } from '#core/team/plan-memory-import.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import type { TeamMemory } from '#ports/team-memory.js';
import { callerName } from './memories.js';
import { files } from './memory-shapes.js';

const importedShape = z.object({
  file: z.string(),
  number: z.number(),
  agent: z.string(),
  slug: z.string(),
  /** `changed`: the entry was known and is pending, and the file says something else now. */
  filed: z.enum(['added', 'changed']),
});
type Imported = z.infer<typeof importedShape>;

/** Takes in what lies in the inbox folder. Files that cannot be read are named and stay as they are, as all files do. */
export const importMemory = operation({
  name: 'memory.import',
  input: z.strictObject({}),
  output: z.object({ imported: z.array(importedShape), skipped: files }),
  async run(context) {
    const [memory, ledger] = await Promise.all([context.teamMemory(), context.ledger()]);
    const made = { created_by: callerName(context), created_at: context.clock.now() };
    return await ledger.change(async (read) => {
      const { found, skipped } = readInbox(await read.inbox());
      const imported: Imported[] = [];
      const refused: { file: string; reason: string }[] = [];
      const marks: { place: string; sha256: string }[] = [];
      for (const one of found) {
        const taken = await takeIn(memory, one, made);
        if ('reason' in taken) refused.push(taken);
        else {
          marks.push({ place: INBOX_FOLDER, sha256: one.sha256 });
          imported.push(...taken.imported);
        }
      }
      if (marks.length > 0) await memory.mark(marks);
      return { changes: [], result: { imported, skipped: [...skipped, ...refused] } };
    });
  },
});

async function takeIn(
  memory: TeamMemory,
  { file, entry: text }: ImportedEntry,
  made: { created_by: string; created_at: number },
): Promise<{ readonly imported: readonly Imported[] } | { readonly file: string; readonly reason: string }> {
  try {
    const { entry, filed } = await memory.file({ ...text, ...made });
    const { number, agent, slug, status } = entry;
    if (filed === 'settled') return { file, reason: `entry ${number} was ${status} before: give it another slug` };
    return { imported: filed === 'same' ? [] : [{ file, number, agent, slug, filed }] };
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'memory_full')
      return { file, reason: 'there is no room in the inbox' };
    throw error;
  }
}

import * as z from 'zod/mini';
import type { LedgerFile } from '#core/memory/ledger.js';
import type { Memory } from '#core/memory/memory.js';
import { exportedFiles, marksOf, planExport, type Remembered } from '#core/memory/plan-export.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import type { LedgerReader } from '#ports/ledger-files.js';
import type { LedgerMark, TeamMemory } from '#ports/team-memory.js';
import { namesForWriting } from './names.js';
import { files } from './shapes.js';

/**
 * Writes what is remembered to the files people and agents read. What others wrote there is kept, and a team in the form of
 * another tool is migrated first. Errors: `layout_conflict`, `migration_required`, `name_clash`.
 */
export const exportMemory = operation({
  name: 'memory.export',
  input: z.strictObject({}),
  output: z.object({
    exported: z.readonly(z.array(z.object({ file: z.string(), change: z.enum(['written', 'removed']) }))),
    kept: files,
  }),
  async run(context) {
    const [memory, ledger] = await Promise.all([context.teamMemory(), context.ledger()]);
    const before = await namesForWriting(context);
    return await ledger.change(async (read) => {
      const remembered = await allOf(memory, before);
      const plan = planExport(remembered, await stateOf(read, memory, exportedFiles(remembered)));
      // Known before they are written: if we end in between, our own bytes are not taken for those of somebody else.
      if (plan.marks.length > 0) await memory.mark(plan.marks);
      const { changes, exported, kept } = plan;
      return { changes, result: { exported, kept } };
    });
  },
});

async function allOf(memory: TeamMemory, before: ReadonlyMap<string, string>): Promise<Remembered> {
  const [decisions, pending, patterns, diary, session] = await Promise.all([
    memory.decisions({ status: 'active', limit: LIMITS.decisionsActive }),
    memory.entries({ status: 'pending', limit: LIMITS.entriesPending }),
    memory.memories({ types: ['pattern'], limit: LIMITS.memories }),
    memory.memories({ types: ['learning', 'update'], limit: LIMITS.memories }),
    memory.currentSession(),
  ]);
  const diaries = new Map<string, Memory[]>();
  const named = (one: Memory) => ({ ...one, agent: before.get(one.agent) ?? one.agent });
  for (const one of diary.map(named)) {
    const own = diaries.get(one.agent);
    if (own === undefined) diaries.set(one.agent, [one]);
    else own.push(one);
  }
  return { decisions, pending, patterns: patterns.map(named), diaries, session };
}

async function stateOf(read: LedgerReader, memory: TeamMemory, paths: readonly string[]) {
  const found: LedgerFile[] = [];
  for (const path of paths) found.push(...[await read.file(path)].filter((file) => file !== undefined));
  const all = new Map(found.map((file) => [file.path, file]));
  const inbox = await read.inbox();
  const keyOf = ({ place, sha256 }: LedgerMark) => `${sha256} ${place}`;
  const known = new Set((await memory.known(marksOf({ files: all, inbox }))).map(keyOf));
  return {
    files: all,
    inbox,
    members: await read.members(),
    archived: await read.archived(),
    isKnown: (place: string, sha256: string) => known.has(keyOf({ place, sha256 })),
  };
}

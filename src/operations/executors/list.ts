import * as z from 'zod/mini';
import { customDefinition } from '#core/executors/custom-file.js';
import { EXECUTORS } from '#core/executors/table.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import type { ListedExecutor } from '#ports/executor-files.js';
import type { TrustedExecutor } from '#ports/executor-trust.js';

const rowShape = z.object({
  name: z.string(),
  source: z.enum(['built-in', 'project']),
  /** Whether a task may be run by it now. */
  usable: z.boolean(),
  /** Why not. */
  problem: z.optional(z.string()),
  human: z.boolean(),
  /** Of one of the project: its file, its fingerprint and what it starts. */
  file: z.optional(z.string()),
  sha256: z.optional(z.string()),
  command: z.optional(z.array(z.string())),
});

/** Everybody who could run a task here. Nothing is started to find out. */
export const list = operation({
  name: 'executor.list',
  input: z.strictObject({}),
  output: z.object({ executors: z.array(rowShape) }),
  async run(context) {
    const trusted = await (await context.executorTrust()).all();
    const own = Object.values(EXECUTORS).map(({ name, human }) => ({
      name,
      source: 'built-in' as const,
      usable: true,
      human,
    }));
    const found = await (await context.executorFiles()).list();
    return { executors: [...own, ...found.map((file) => rowOf(file, trusted.get(file.name)))] };
  },
});

function rowOf(listed: ListedExecutor, trusted: TrustedExecutor | undefined): z.infer<typeof rowShape> {
  const { name, file } = listed;
  const row = { name, source: 'project', file, usable: false, human: false } as const;
  if ('error' in listed) return { ...row, problem: listed.error.message };
  const { sha256 } = listed;
  try {
    const { human, command, args } = customDefinition(name, listed.value);
    const known = { ...row, human, sha256, command: [command, ...args] };
    if (trusted?.sha256 === sha256) return { ...known, usable: true };
    return { ...known, problem: trusted === undefined ? 'not trusted' : 'changed since it was trusted' };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { ...row, sha256, problem: error.message };
  }
}

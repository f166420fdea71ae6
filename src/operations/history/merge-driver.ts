import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';

const NAME = 'merge.workgraph.name';
const DRIVER = 'merge.workgraph.driver';
/** The placeholders of git's merge drivers: base, ours, theirs. */
const COMMAND = 'wg git-merge %O %A %B';
const ACCEPTED = [COMMAND, 'troupe git-merge %O %A %B'];

export type MergeDriver = 'configured' | 'absent' | 'no_repository';

/** Whether git in this clone has the driver that `.gitattributes` names. */
export async function mergeDriverOf(context: Pick<Context, 'projectFolder' | 'git'>): Promise<MergeDriver> {
  const git = await context.git();
  const inside = await git.tryOutput(context.projectFolder, ['rev-parse', '--is-inside-work-tree']);
  if (inside?.trim() !== 'true') return 'no_repository';
  const driver = await git.tryOutput(context.projectFolder, ['config', '--get', DRIVER]);
  return driver !== undefined && ACCEPTED.includes(driver.trim()) ? 'configured' : 'absent';
}

/** Writes the driver to the configuration of this clone; only on request. */
export async function configureMergeDriver(context: FilesContext): Promise<MergeDriver> {
  if (context.caller.kind === 'run') {
    throw new TroupeError('not_yours', { what: 'A run cannot change how git merges: only a person can.' });
  }
  const present = await mergeDriverOf(context);
  if (present === 'configured') return present;
  if (present === 'no_repository') {
    throw new TroupeError('not_a_repository', {
      what: `${context.projectFolder} is not in a git repository: nothing to configure.`,
    });
  }
  const git = await context.git();
  await git.output(context.projectFolder, ['config', '--local', NAME, 'task graph, by task and by field']);
  await git.output(context.projectFolder, ['config', '--local', DRIVER, COMMAND]);
  return 'configured';
}

/** Git's merge driver for `graph.jsonl`: three files, the second of which receives the result. */
export const gitMerge = operation({
  name: 'project.git-merge',
  command: 'git-merge',
  group: 'Storage',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  forPrograms: true,
  summary: 'Merge three versions of graph.jsonl (called by git)',
  examples: ['troupe git-merge base.jsonl ours.jsonl theirs.jsonl', 'troupe git-merge %O %A %B'],
  input: z.strictObject({
    base: argument('The common ancestor', z.string()),
    ours: argument('Our version, which receives the result', z.string(), { writes: true }),
    theirs: argument('Their version', z.string()),
  }),
  output: z.object({
    tasks: z.number(),
    /** Number of values overridden by the other side; they are recorded in the task logs. */
    lost: z.number(),
  }),
  async run(context: GraphContext & FilesContext, files) {
    const { text, tasks, lost } = await (await context.doctor()).mergeFiles(files);
    await keepOutput(context, files.ours, text, { force: true }); // git expects its own version to be replaced
    return { tasks, lost };
  },
});

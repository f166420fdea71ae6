import * as z from 'zod/mini';
import { commandsFingerprint } from '#core/graph/commands.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { beginAgency } from '#operations/agency/init.js';
import type { ProjectContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { configureMergeDriver, type MergeDriver, mergeDriverOf } from '#operations/history/merge-driver.js';
import { type Context, operation } from '#operations/operation.js';

/** Creates `.workgraph/` in the project; idempotent. A graph created here is trusted, an existing one is not. */
export const init = operation({
  name: 'project.init',
  command: 'init',
  group: 'Start',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  place: 'here',
  summary: 'Create a task graph in this folder',
  examples: ['troupe init', 'troupe init --dir ../other --json'],
  input: z.strictObject({
    merge_driver: option('Let git in this clone merge the graph by task and field', z.optional(z.boolean())),
    no_agency: option('Leave out the starter roles and trade-offs', z.optional(z.boolean())),
  }),
  output: z.object({
    folder: z.string(),
    created: z.boolean(),
    /** Whether commands of its tasks may run on this machine. */
    trusted: z.boolean(),
    /** Whether git in this clone merges the graph by task and field. */
    merge_driver: z.enum(['configured', 'absent', 'no_repository']),
  }),
  async run(context: ProjectContext, input) {
    const result = await context.initialise();
    const trusted = result.created ? await trustOwn(context) : (await (await context.trust()).read()) !== undefined;
    if (result.created && input.no_agency !== true) await beginAgency(context, false, false);
    const driver = input.merge_driver === true ? await configureMergeDriver(context) : await availableDriver(context);
    return { ...result, trusted, merge_driver: driver };
  },
});

/** A graph can also be created without git. */
async function availableDriver(context: Pick<Context, 'projectFolder' | 'git'>): Promise<MergeDriver> {
  try {
    return await mergeDriverOf(context);
  } catch (error) {
    if (error instanceof TroupeError) return 'no_repository';
    throw error;
  }
}

/** An unwritable home directory does not prevent creation: the graph then has to be trusted manually later. */
async function trustOwn(context: Pick<Context, 'clock' | 'trust'>): Promise<boolean> {
  const noCommands = { commands: 0, sha256: commandsFingerprint([]) };
  try {
    await (await context.trust()).give({ at: timestamp(context.clock.now()), ...noCommands });
    return true;
  } catch (error) {
    if (error instanceof TroupeError) return false;
    throw error;
  }
}

import * as z from 'zod/mini';
import { commandsFingerprint } from '#core/graph/commands.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';

/** Makes `.workgraph/` in the project. Safe to run again. Whoever makes a graph trusts it; one that was found is not. */
export const init = operation({
  name: 'project.init',
  input: z.strictObject({}),
  output: z.object({
    folder: z.string(),
    created: z.boolean(),
    /** Whether commands of its tasks may run on this machine. */
    trusted: z.boolean(),
  }),
  async run(context) {
    const made = await context.initialise();
    const trusted = made.created ? await trustOwn(context) : (await (await context.trust()).read()) !== undefined;
    return { ...made, trusted };
  },
});

/** A home that cannot be written does not stop anybody from having a graph: it has to be trusted by hand later. */
async function trustOwn(context: Context): Promise<boolean> {
  const nothing = { commands: 0, sha256: commandsFingerprint([]) };
  try {
    await (await context.trust()).give({ at: timestamp(context.clock.now()), ...nothing });
    return true;
  } catch (error) {
    if (error instanceof TroupeError) return false;
    throw error;
  }
}

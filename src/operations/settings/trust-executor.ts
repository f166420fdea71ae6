import * as z from 'zod/mini';
import { customDefinition } from '#core/runs/custom-executor-file.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { unknownExecutor } from './named-executor.js';

/** Lets a custom executor be used on this machine, as its file stands now, or no longer. */
export const trust = operation({
  name: 'executor.trust',
  input: z.strictObject({ name: z.string(), show: z.optional(z.boolean()), withdraw: z.optional(z.boolean()) }),
  output: z.object({
    name: z.string(),
    file: z.string(),
    /** After this call. */
    trusted: z.boolean(),
    /** False when it was so before. */
    changed: z.boolean(),
    sha256: z.string(),
    /** What it starts, with which variables of its own, and what it says instead of the prompt. */
    command: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    working_dir: z.optional(z.string()),
    template: z.optional(z.string()),
  }),
  async run(context, { name, show, withdraw }) {
    if (context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run cannot say what is trusted: a person does.' });
    }
    if (show === true && withdraw === true) {
      throw new TroupeError('usage', { what: 'Say --show or --withdraw, not both.' });
    }
    const found = await (await context.executorFiles()).read(name);
    if (found === undefined) {
      throw await unknownExecutor(context, name);
    }
    const { sha256, file } = found;
    const definition = customDefinition(name, found.value);
    const record = await context.executorTrust();
    const before = (await record.all()).get(name)?.sha256 === sha256;
    let trusted = before;
    if (withdraw === true) {
      await record.withdraw(name);
      trusted = false;
    } else if (show !== true) {
      if (!before) await record.give(name, { sha256, at: timestamp(context.clock.now()) });
      trusted = true;
    }
    return {
      ...{ name, file, trusted, changed: trusted !== before, sha256 },
      command: [definition.command, ...definition.args],
      env: { ...definition.env },
      ...(definition.workingDir === undefined ? {} : { working_dir: definition.workingDir }),
      ...(definition.template === undefined ? {} : { template: definition.template }),
    };
  },
});

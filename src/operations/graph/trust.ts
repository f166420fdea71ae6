import * as z from 'zod/mini';
import { type CommandTask, commandHash, commandsFingerprint, commandTasks } from '#core/graph/commands.js';
import { guardedFingerprint, isGuarded, settingsFrom } from '#core/settings/settings.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';
import { waitingCommands } from './trusted.js';

const groupShape = z.object({
  command: z.string(),
  /** The tasks that would run it, by id. */
  tasks: z.array(z.string()),
});

/**
 * Says which commands of the graph wait for somebody on this machine to agree, and where the settings would send messages and secrets; unless only asked to show
 * them, agrees to both on this machine.
 */
export const trust = operation({
  name: 'project.trust',
  input: z.strictObject({ show: z.optional(z.boolean()), withdraw: z.optional(z.boolean()) }),
  output: z.object({
    folder: z.string(),
    /** After this call. */
    trusted: z.boolean(),
    /** False when it was so before. */
    changed: z.boolean(),
    /** The tasks whose commands waited for this, and what these are. */
    tasks: z.number(),
    commands: z.array(groupShape),
    sha256: z.string(),
    /** The settings that count only once they are trusted. */
    settings: z.array(z.object({ key: z.string(), value: z.string() })),
    /** When the project was trusted before, with what, and whether the commands are still the same. */
    before: z.optional(z.object({ at: z.string(), commands: z.number(), same: z.boolean() })),
  }),
  async run(context, { show, withdraw }) {
    if (context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run cannot change what is trusted: only a person can.' });
    }
    if (show === true && withdraw === true)
      throw new TroupeError('usage', { what: 'Use --show or --withdraw, not both.' });
    const all = commandTasks(await (await context.graph()).view());
    const sha256 = commandsFingerprint(all);
    const record = await context.trust();
    const commands = await context.trustedCommands();
    commands.look();
    if (await record.isOfAnother()) commands.clear();
    const tasks = await waitingCommands(context);
    const before = await record.read();
    const guarded = withdraw === true ? NOTHING : await guardedSettings(context);
    const same = before?.sha256 === sha256 && (withdraw === true || before.settings === guarded.fingerprint);
    let trusted = before !== undefined;
    if (withdraw === true) {
      await record.withdraw();
      commands.clear();
      trusted = false;
    } else if (show !== true) {
      if (!same) {
        const { fingerprint } = guarded;
        const settings = fingerprint === undefined ? {} : { settings: fingerprint };
        await record.give({ at: timestamp(context.clock.now()), commands: all.length, sha256, ...settings });
      }
      commands.add(tasks.map(({ command, environment }) => commandHash(command, environment)));
      trusted = true;
    }
    return {
      folder: context.projectFolder,
      trusted,
      changed: trusted !== (before !== undefined),
      tasks: tasks.length,
      commands: byCommand(tasks),
      sha256,
      settings: guarded.rows,
      ...(before === undefined ? {} : { before: { at: before.at, commands: before.commands, same } }),
    };
  },
});

const NOTHING = { fingerprint: undefined, rows: [] };

async function guardedSettings(context: Context) {
  const { settings, rows } = settingsFrom(await (await context.settings()).read());
  const named = rows.filter((row) => isGuarded(row.key) && row.from === 'file');
  return {
    fingerprint: guardedFingerprint(settings),
    rows: named.map(({ key, value }) => ({ key, value: String(value) })),
  };
}

function byCommand(tasks: readonly CommandTask[]): { command: string; tasks: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { id, command } of tasks) groups.set(command, [...(groups.get(command) ?? []), id]);
  return [...groups].map(([command, ids]) => ({ command, tasks: ids }));
}

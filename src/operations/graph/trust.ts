import * as z from 'zod/mini';
import { type CommandTask, commandHash, commandsFingerprint, commandTasks } from '#core/graph/commands.js';
import { guardedFingerprint, isGuarded, settingsFrom } from '#core/settings/settings.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { waitingCommands } from './trusted.js';

const groupShape = z.object({
  command: z.string(),
  /** Ids of the tasks that would run it. */
  tasks: z.array(z.string()),
});

/**
 * Lists the commands of the graph that wait for agreement on this machine, and the guarded settings, which decide where
 * messages and secrets go. Unless only shown, records agreement to both on this machine.
 */
export const trust = operation({
  name: 'project.trust',
  command: 'trust',
  group: 'Start',
  kind: 'write',
  where: 'caller',
  trusts: true,
  summary: 'Trust the commands of a graph from elsewhere on this machine',
  examples: ['troupe trust --show', 'troupe trust'],
  input: z.strictObject({
    show: option('Only show the commands', z.optional(z.boolean())),
    withdraw: option('Revoke the trust', z.optional(z.boolean())),
  }),
  output: z.object({
    folder: z.string(),
    /** State after this call. */
    trusted: z.boolean(),
    /** False if the state is unchanged. */
    changed: z.boolean(),
    /** Number of tasks whose commands waited for agreement, and the commands. */
    tasks: z.number(),
    commands: z.array(groupShape),
    sha256: z.string(),
    /** Settings that take effect only once trusted. */
    settings: z.array(z.object({ key: z.string(), value: z.string() })),
    /** Previous trust: time, number of commands, and whether they are still the same. */
    before: z.optional(z.object({ at: z.string(), commands: z.number(), same: z.boolean() })),
    /** Whether the present commands and settings became trusted in place of earlier ones. */
    renewed: z.boolean(),
  }),
  async run(context: GraphContext & MachineContext, { show, withdraw }) {
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
      renewed: before !== undefined && !same && show !== true && withdraw !== true,
    };
  },
});

const NOTHING = { fingerprint: undefined, rows: [] };

async function guardedSettings(context: Pick<Context, 'settings'>) {
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

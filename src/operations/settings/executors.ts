import * as z from 'zod/mini';
import { customDefinition } from '#core/runs/custom-executor.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { isSwitchable, partsSentence, type Switchable } from '#core/runs/own-parts.js';
import { CLIENTS, type Executor } from '#core/runs/plan.js';
import { SIGNED_IN } from '#core/runs/sign-in.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { MachineContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import type { ListedExecutor } from '#ports/executor-files.js';
import type { TrustedExecutor } from '#ports/trust.js';
import { programVersion, signedIn } from './machine.js';
import { partsOfRun } from './parts-of-run.js';
import { sentence, unknownExecutor } from './usable-executors.js';

const rowShape = z.object({
  name: z.string(),
  source: z.enum(['built-in', 'project']),
  /** Whether it can run a task now. */
  usable: z.boolean(),
  /** Reason why not. */
  problem: z.optional(z.string()),
  human: z.boolean(),
  /** Built-in executors: whether the program is installed, its path, and the version it reports. */
  installed: z.optional(z.boolean()),
  program: z.optional(z.string()),
  version: z.optional(z.string()),
  /** Installed clients: whether a key is set or a login exists. Never contains the key. */
  signed_in: z.optional(z.enum(SIGNED_IN)),
  /** The person's hooks, plugins and tool servers, and whether they are active in its runs. */
  own: z.optional(z.string()),
  /** Executors of the project: file, hash of the file, and command. */
  file: z.optional(z.string()),
  sha256: z.optional(z.string()),
  command: z.optional(z.array(z.string())),
});

/**
 * All executors available here. Programs are located, and clients are asked for their version; nothing else is started.
 */
export const list = operation({
  name: 'executor.list',
  command: 'executor list',
  group: 'Settings',
  kind: 'read',
  where: 'caller',
  summary: 'List the clients and programs that can run tasks, and their trust',
  examples: ['troupe executor list', 'troupe executor list --json'],
  resource: [{ method: 'GET', path: '/api/executors', summary: 'The clients and programs that can run tasks.' }],
  input: z.strictObject({}),
  output: z.object({ executors: z.array(rowShape) }),
  async run(context: MachineContext) {
    const trusted = await (await context.executorTrust()).all();
    const own = await Promise.all(Object.values(EXECUTORS).map((executor) => builtInRow(context, executor)));
    const files = await (await context.executorFiles()).list();
    return { executors: [...own, ...files.map((file) => rowOf(file, trusted.get(file.name)))] };
  },
});

async function builtInRow(
  context: MachineContext,
  { name, human, install }: Executor,
): Promise<z.infer<typeof rowShape>> {
  const row = { name, source: 'built-in' as const, human };
  const program = await (await context.clientPrograms()).find(name === 'shell' ? 'bash' : name);
  if (program === undefined)
    return { ...row, installed: false, usable: false, problem: `not installed. ${sentence(install)}` };
  const here = { ...row, installed: true, program, usable: true };
  const client = CLIENTS.find((one) => one === name);
  if (client === undefined) return here;
  const version = await programVersion(context, program);
  const said = version === undefined ? {} : { version };
  const own = isSwitchable(client) ? await ownOf(context, client) : undefined;
  return { ...here, ...said, signed_in: await signedIn(context, client), ...(own === undefined ? {} : { own }) };
}

/** Summary of the person's own parts, by the settings of this project or the defaults. */
async function ownOf(context: MachineContext, client: Switchable): Promise<string | undefined> {
  const { settings } = await loadSettings(context);
  return partsSentence(client, await partsOfRun(context, client, settings));
}

function rowOf(listed: ListedExecutor, trusted: TrustedExecutor | undefined): z.infer<typeof rowShape> {
  const { name, file } = listed;
  const row = { name, source: 'project', file, usable: false, human: false } as const;
  if ('error' in listed) return { ...row, problem: listed.error.message };
  const { sha256 } = listed;
  try {
    const { human, command, args } = customDefinition(name, listed.value);
    const details = { ...row, human, sha256, command: [command, ...args] };
    if (trusted?.sha256 === sha256) return { ...details, usable: true };
    return { ...details, problem: trusted === undefined ? 'not trusted' : 'changed since trusted' };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { ...row, sha256, problem: error.message };
  }
}

/** Grants or withdraws trust in a custom executor on this machine, for the current content of its file. */
export const trust = operation({
  name: 'executor.trust',
  command: 'executor trust',
  group: 'Settings',
  kind: 'write',
  where: 'caller',
  trusts: true,
  instead: 'trust executor',
  summary: 'Trust an executor of the project on this machine, as its file is now',
  examples: ['troupe trust executor sandbox --show', 'troupe trust executor sandbox'],
  input: z.strictObject({
    name: argument('Its file name in .workgraph/executors, without .toml', z.string()),
    show: option('Only show what it would start', z.optional(z.boolean())),
    withdraw: option('Revoke the trust', z.optional(z.boolean())),
  }),
  output: z.object({
    name: z.string(),
    file: z.string(),
    /** State after this call. */
    trusted: z.boolean(),
    /** False if the state was the same before. */
    changed: z.boolean(),
    sha256: z.string(),
    /** Its command, its own variables, and the text that replaces the prompt. */
    command: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    working_dir: z.optional(z.string()),
    template: z.optional(z.string()),
  }),
  async run(context: MachineContext, { name, show, withdraw }) {
    if (context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run cannot change what is trusted: only a person can.' });
    }
    if (show === true && withdraw === true) {
      throw new TroupeError('usage', { what: 'Use --show or --withdraw, not both.' });
    }
    const entry = await (await context.executorFiles()).read(name);
    if (entry === undefined) {
      throw await unknownExecutor(context, name);
    }
    const { sha256, file } = entry;
    const definition = customDefinition(name, entry.value);
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
      name,
      file,
      trusted,
      changed: trusted !== before,
      sha256,
      command: [definition.command, ...definition.args],
      env: { ...definition.env },
      ...(definition.workingDir === undefined ? {} : { working_dir: definition.workingDir }),
      ...(definition.template === undefined ? {} : { template: definition.template }),
    };
  },
});

/**
 * `config show|get|set|apply`, `executor list|trust`, `schema`; the single way to ask a model, the choice of that
 * model, and the ledger of the remaining budget.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { SETTING_KINDS, settingForm } from '#core/settings/form.js';
import { settingRowShape } from '#core/settings/setting-row.js';
import {
  guardedFingerprint,
  isGuarded,
  type ReadSettings,
  settingKey,
  settingsFrom,
  typedValue,
} from '#core/settings/settings.js';
import { assert, TroupeError } from '#kernel/errors.js';
import type { MachineContext, ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { agentNamed } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { AGENT_SETTINGS, agencyFields, OTHER_KEYS } from './agency-options.js';
import { clientFaults } from './client-faults.js';
import { refuseUnknownExecutor } from './usable-executors.js';

/** A setting with the control that a form shows for it. */
const formRowShape = z.extend(settingRowShape, {
  about: z.string(),
  kind: z.enum(SETTING_KINDS),
  choices: z.optional(z.readonly(z.array(z.string()))),
  usual: z.optional(z.string()),
  guarded: z.optional(z.literal(true)),
});

/** Common output of all changes of settings. */
const changedShape = {
  file: z.string(),
  /** Whether comments and order of the file are unchanged. */
  comments_kept: z.boolean(),
  warnings: z.readonly(z.array(z.string())),
};

export const get = operation({
  name: 'config.get',
  command: 'config get',
  group: 'Settings',
  kind: 'read',
  instead: 'config show',
  summary: 'Show one setting',
  examples: ['troupe config show coordinator.max_agents', 'troupe config show notify.smtp.host --json'],
  input: z.strictObject({ key: argument('The key, such as coordinator.max_agents', z.string()) }),
  output: settingRowShape,
  async run(context: MachineContext, input) {
    settingKey(input.key);
    const row = (await loadSettings(context)).rows.find((candidate) => candidate.key === input.key);
    assert(row, 'every known key has a row');
    return row;
  },
});

/** Sets one value, or resets it to its default without a value. The whole file is validated first. */
export const set = operation({
  name: 'config.set',
  command: 'config set',
  group: 'Settings',
  kind: 'write',
  where: 'caller',
  summary: 'Change one setting in .workgraph/config.toml',
  examples: ['troupe config set coordinator.max_agents 8', 'troupe config set coordinator.max_agents --unset'],
  input: z.strictObject({
    key: argument('The key, such as coordinator.max_agents', z.string()),
    value: argument('Its new value', z.optional(z.string())),
    unset: option('Restore the default', z.optional(z.boolean())),
  }),
  output: z.object({
    ...settingRowShape.shape,
    ...changedShape,
  }),
  async run(context: ProjectContext, input) {
    personsSettings(context);
    if ((input.value === undefined) !== (input.unset === true)) {
      throw new TroupeError('usage', { what: 'Give a value, or use --unset to restore the default.' });
    }
    const { settings, ...changed } = await write(context, [{ key: input.key, typed: input.value }]);
    return { key: input.key, from: 'unset' as const, ...settings[0], ...changed };
  },
});

/** Sets several values in one step: `KEY=VALUE`, and `KEY=` resets to the default. */
export const apply = operation({
  name: 'config.apply',
  command: 'config apply',
  group: 'Settings',
  kind: 'write',
  where: 'caller',
  forPrograms: true,
  summary: 'Change several settings at once, all or none',
  examples: [
    'troupe config apply coordinator.max_agents=2 budget.usd_per_day=5',
    'troupe config apply budget.usd_per_day= --json',
  ],
  resource: [
    {
      method: 'PATCH',
      path: '/api/settings',
      summary: 'Changes settings, each as `KEY=VALUE`: all or none.',
      fields: ['settings'],
    },
  ],
  input: z.strictObject({ settings: argument('KEY=VALUE; an empty value restores the default', z.array(z.string())) }),
  output: z.object({ settings: z.array(settingRowShape), ...changedShape }),
  async run(context: ProjectContext, input) {
    personsSettings(context);
    const wishes = input.settings.map((text) => {
      const [, key = '', typed = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key === '')
        throw new TroupeError('usage', { what: 'Write settings as KEY=VALUE, such as budget.usd_per_day=5.' });
      return { key, typed: typed === '' ? undefined : typed };
    });
    return write(context, wishes);
  },
});

/** Validates the whole file and every value, then writes all in one step. */
async function write(
  context: ProjectContext,
  wishes: readonly { readonly key: string; readonly typed?: string | undefined }[],
) {
  const changes: { key: readonly string[]; value: ReturnType<typeof typedValue> | undefined }[] = [];
  for (const { key } of wishes) refuseMove(key);
  for (const { key, typed } of wishes) {
    const value = typed === undefined ? undefined : typedValue(key, typed);
    changes.push({
      key: settingKey(key),
      value: AGENT_SETTINGS.has(key) && typeof value === 'string' ? await agentNamed(context, value) : value,
    });
  }
  for (const { key, value } of changes)
    if (['coordinator.executor', 'coordinator.fallback'].includes(key.join('.')))
      for (const name of [value].flat()) if (typeof name === 'string') await refuseUnknownExecutor(context, name);
  for (const { key, value } of changes)
    if (key.join('.') === 'worktree.folder' && typeof value === 'string')
      await (await context.trees()).refuseFolder(value);
    else if (key.join('.') === 'database.remote' && typeof value === 'string')
      await refuseUnknownRemote(context, value);
  const file = await context.settings();
  const agreed = wishes.some(({ key }) => isGuarded(key)) && (await isAgreed(context));
  settingsFrom(await file.read());
  const { kept } = await file.set(changes);
  if (agreed) await agree(context);
  const { rows, warnings } = await readSettings(context);
  const settings = wishes.flatMap(({ key }) => rows.find((row) => row.key === key) ?? []);
  return { settings, file: file.name, comments_kept: kept, warnings };
}

/** Refuses a change of `database.project`, because a changed name would not move the data. Errors: `bad_config`. */
function refuseMove(key: string): void {
  if (key !== 'database.project') return;
  throw new TroupeError('bad_config', {
    what: `${key} follows where the project is kept.`,
    hint: 'Run `troupe database move --to ADDRESS`.',
    details: { key },
  });
}

/**
 * Refuses a remote that does not exist in this clone, which would otherwise be detected only at the first exchange.
 * Errors: `bad_config`.
 */
async function refuseUnknownRemote(context: Pick<Context, 'projectFolder' | 'git'>, name: string): Promise<void> {
  const git = await context.git();
  if ((await git.tryOutput(context.projectFolder, ['remote', 'get-url', name])) !== undefined) return;
  throw new TroupeError('bad_config', {
    what: `There is no git remote ${name} in this clone.`,
    hint: 'List those there are with `git remote`, or add it with `git remote add`.',
    details: { key: 'database.remote' },
  });
}

/**
 * Whether the person has agreed to the current guarded settings: then values that they set themselves are agreed to as
 * well.
 */
async function isAgreed(context: Pick<Context, 'settings' | 'trust'>): Promise<boolean> {
  const trusted = await (await context.trust()).read();
  const { settings } = settingsFrom(await (await context.settings()).read());
  return trusted !== undefined && trusted.settings === guardedFingerprint(settings);
}

async function agree(context: Pick<Context, 'settings' | 'trust'>): Promise<void> {
  const trust = await context.trust();
  const trusted = await trust.read();
  const { settings: _before, ...others } = trusted ?? { at: '', commands: 0, sha256: '' };
  const { settings } = settingsFrom(await (await context.settings()).read());
  const fingerprint = guardedFingerprint(settings);
  if (trusted) await trust.give({ ...others, ...(fingerprint === undefined ? {} : { settings: fingerprint }) });
}

export const show = operation({
  name: 'config.show',
  command: 'config show',
  group: 'Settings',
  kind: 'read',
  summary: 'Show every setting of this project and where its value comes from',
  examples: ['troupe config show', 'troupe config show --json'],
  input: z.strictObject({}),
  output: z.object({
    file: z.string(),
    settings: z.readonly(z.array(formRowShape)),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: MachineContext) {
    const { rows, warnings } = await readSettings(context);
    const settings = rows.map((row) => ({ ...row, ...settingForm(row.key) }));
    return { file: (await context.settings()).name, settings, warnings };
  },
});

/** Effective settings, with a warning for each configured client that cannot be started here. */
async function readSettings(context: MachineContext): Promise<Pick<ReadSettings, 'rows' | 'warnings'>> {
  const { settings, rows, warnings } = await loadSettings(context);
  const faults = await clientFaults(context, settings);
  return { rows, warnings: [...warnings, ...faults.map(({ key, error }) => `${key}: ${error.message} ${error.hint}`)] };
}

/** Requires a person as caller. Errors: `not_yours` for a run. */
export function personsSettings(context: Pick<Context, 'caller'>): void {
  if (context.caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'A run cannot change settings: only a person can.' });
}

/**
 * Sets several values of the agency and the coordinator by their flags. All are validated before the first is written.
 */
export const setAgency = operation({
  name: 'config.agency',
  command: 'config',
  group: 'Settings',
  kind: 'write',
  where: 'caller',
  instead: 'config set',
  summary: 'Change settings of the agency and the coordinator by flag, several at once',
  examples: [
    'troupe config set --auto-assign true --auto-evaluate true',
    'troupe config set --flip-enabled true --flip-verification-threshold 0.5',
  ],
  input: z.strictObject({
    ...agencyFields,
    max_coordinators: option('Maximum number of coordinator sessions at once', z.optional(z.string()), { value: 'N' }),
  }),
  output: z.object({
    settings: z.array(settingRowShape),
    ...changedShape,
  }),
  async run(context: ProjectContext, input) {
    personsSettings(context);
    const wishes = Object.entries(input).flatMap(([name, typed]) =>
      typed === undefined
        ? []
        : [{ key: name in OTHER_KEYS ? OTHER_KEYS[name as keyof typeof OTHER_KEYS] : `agency.${name}`, typed }],
    );
    if (wishes.length === 0) {
      throw new TroupeError('usage', {
        what: 'Name a setting, such as `--auto-assign true`.',
        hint: 'Run `troupe config show` to see what is set, and `troupe config set --help` for the flags.',
      });
    }
    return write(context, wishes);
  },
});

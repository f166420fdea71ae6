/**
 * `config show|get|set`, `executor list|trust`, `schema`.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { guardedFingerprint, isGuarded } from '#core/settings/guarded.js';
import { knownKey, settingsFrom, typedValue } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { changedShape, personsSettings } from './changed.js';
import { refuseUnknownExecutor } from './named-executor.js';
import { rowShape } from './shapes.js';

/** Sets one value, or without a value gives it back to its default. The whole file is looked at first. */
export const set = operation({
  name: 'config.set',
  input: z.strictObject({ key: z.string(), value: z.optional(z.string()), unset: z.optional(z.boolean()) }),
  output: z.object({
    ...rowShape.shape,
    ...changedShape,
  }),
  async run(context, input) {
    personsSettings(context);
    if ((input.value === undefined) !== (input.unset === true)) {
      throw new TroupeError('usage', { what: 'Say a value, or --unset to go back to the default.' });
    }
    const key = knownKey(input.key);
    const value = input.value === undefined ? undefined : typedValue(input.key, input.value);
    if (key.join('.') === 'coordinator.executor' && typeof value === 'string')
      await refuseUnknownExecutor(context, value);
    const file = await context.settings();
    const agreed = isGuarded(input.key) && (await isAgreed(context));
    settingsFrom(await file.read());
    const { kept } = await file.set(key, value);
    if (agreed) await agree(context);
    const { rows, warnings } = await loadSettings(context);
    const row = rows.find((candidate) => candidate.key === input.key);
    return { key: input.key, from: 'unset' as const, ...row, file: file.name, comments_kept: kept, warnings };
  },
});

/** Does the person at this machine know where messages go now? Then what they set themselves is agreed to as well. */
async function isAgreed(context: Context): Promise<boolean> {
  const trusted = await (await context.trust()).read();
  const { settings } = settingsFrom(await (await context.settings()).read());
  return trusted !== undefined && trusted.settings === guardedFingerprint(settings);
}

async function agree(context: Context): Promise<void> {
  const trust = await context.trust();
  const trusted = await trust.read();
  const { settings: _before, ...others } = trusted ?? { at: '', commands: 0, sha256: '' };
  const { settings } = settingsFrom(await (await context.settings()).read());
  const fingerprint = guardedFingerprint(settings);
  if (trusted) await trust.give({ ...others, ...(fingerprint === undefined ? {} : { settings: fingerprint }) });
}

import * as z from 'zod/mini';
import { knownKey, settingsFrom, typedValue } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { AGENCY_OPTIONS, type AgencyKey } from './agency-options.js';
import { changedShape, personsSettings } from './changed.js';
import { rowShape } from './shapes.js';

const word = (values: readonly string[] | undefined): z.ZodMiniType<string, string> =>
  values === undefined ? z.string() : z.enum(values);
const said = Object.fromEntries(AGENCY_OPTIONS.map(({ field, values }) => [field, z.optional(word(values))])) as Record<
  AgencyKey,
  z.ZodMiniOptional<z.ZodMiniType<string, string>>
>;

/** Sets several values of the agency by their flags; all are looked at before the first is written. */
export const setAgency = operation({
  name: 'config.agency',
  input: z.strictObject(said),
  output: z.object({
    settings: z.array(rowShape),
    ...changedShape,
  }),
  async run(context, input) {
    personsSettings(context);
    const wanted = Object.entries(input).flatMap(([name, typed]) =>
      typed === undefined ? [] : [{ key: `agency.${name}`, typed }],
    );
    const [first] = wanted;
    if (!first) {
      throw new TroupeError('usage', {
        what: 'Say what is to be set, such as `--auto-assign true`.',
        hint: 'Run `troupe config show` to see what is set, and `troupe config --help` for the flags.',
      });
    }
    const values = wanted.map(({ key, typed }) => ({ words: knownKey(key), value: typedValue(key, typed) }));
    const file = await context.settings();
    settingsFrom(await file.read());
    let kept = true;
    for (const { words, value } of values) kept = (await file.set(words, value)).kept && kept;
    const { rows, warnings } = await loadSettings(context);
    const settings = rows.filter(({ key }) => wanted.some((one) => one.key === key));
    return { settings, file: file.name, comments_kept: kept, warnings };
  },
});

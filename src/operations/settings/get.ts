import * as z from 'zod/mini';
import { knownKey } from '#core/settings/settings.js';
import { assert } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { rowShape } from './shapes.js';

export const get = operation({
  name: 'config.get',
  input: z.strictObject({ key: z.string() }),
  output: rowShape,
  async run(context, input) {
    knownKey(input.key);
    const row = (await loadSettings(context)).rows.find((candidate) => candidate.key === input.key);
    assert(row, 'every known key has a row');
    return row;
  },
});

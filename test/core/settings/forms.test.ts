import path from 'node:path';
import { expect, test } from 'vitest';
import { settingsSchema } from '#core/settings/schema.js';
import { formOf } from '../../schema-form.js';

test('what a file of settings may hold, with every bound', async () => {
  const told = formOf(settingsSchema, 'input').replaceAll(/, (?=\w+\??: )/g, ',\n  ');
  await expect(`${told}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

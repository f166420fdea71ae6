import path from 'node:path';
import { expect, test } from 'vitest';
import { scenarioSchema } from '#core/insight/scenario.js';
import { formOf } from '../../schema-form.js';

test('what the file of a scenario may hold, with every bound', async () => {
  await expect(`${formOf(scenarioSchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { executorFileSchema } from '#core/runs/custom-executor.js';
import { formOf } from '../../schema-form.js';

test('what the file of an executor may hold, with every bound', async () => {
  await expect(`${formOf(executorFileSchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { functionSchema } from '#core/playbooks/function-file.js';
import { formOf } from '../../schema-form.js';

test('what the file of a function may hold, with every bound', async () => {
  await expect(`${formOf(functionSchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

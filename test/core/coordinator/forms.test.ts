import path from 'node:path';
import { expect, test } from 'vitest';
import { sessionSchema } from '#core/coordinator/sessions.js';
import { formOf } from '../../schema-form.js';

test('what the file of a session may hold, with every bound', async () => {
  await expect(`${formOf(sessionSchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

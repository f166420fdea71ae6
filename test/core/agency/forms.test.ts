import path from 'node:path';
import { expect, test } from 'vitest';
import { replaySchema } from '#core/agency/replay-record.js';
import { formOf } from '../../schema-form.js';

test('what the file of a replay may hold, with every bound', async () => {
  await expect(`${formOf(replaySchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { findingSchema } from '#core/review/finding.js';
import { evidenceSchema, planSchema } from '#core/review/plan.js';
import { reportSchema } from '#core/review/report.js';
import { formOf } from '../../schema-form.js';

test('what the files of a review may hold, with every bound', async () => {
  const told = Object.entries({ findingSchema, planSchema, evidenceSchema, reportSchema }).map(
    ([name, schema]) => `${name}\n  ${formOf(schema, 'input')}`,
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

import path from 'node:path';
import { expect, test } from 'vitest';
import * as catalog from '#core/catalog/catalog.js';
import { blueprintSchema, reviewPolicySchema, sandboxProfileSchema } from '#core/catalog/policies.js';
import { workflowSchema } from '#core/catalog/workflow.js';
import { formOf } from '../../schema-form.js';

test('what the files of a catalog may hold, with every bound', async () => {
  const schemas = { ...catalog, reviewPolicySchema, sandboxProfileSchema, blueprintSchema, workflowSchema };
  const told = Object.entries(schemas)
    .filter(([name]) => name.endsWith('Schema'))
    .map(([name, schema]) => `${name}\n  ${formOf(schema, 'input')}`);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

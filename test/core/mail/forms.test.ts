import path from 'node:path';
import { expect, test } from 'vitest';
import { agentHead, officeFile, projectFile, workgroupFile } from '#core/mail/config-tree.js';
import { formOf } from '../../schema-form.js';

test('what the files of a configuration may hold, with every bound', async () => {
  const told = Object.entries({ officeFile, projectFile, workgroupFile, agentHead }).map(
    ([name, schema]) => `${name}\n  ${formOf(schema, 'input')}`,
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

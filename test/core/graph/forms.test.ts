import path from 'node:path';
import { expect, test } from 'vitest';
import { operationLine, resourceLine, taskLine } from '#core/graph/file-schemas.js';
import { formOf } from '../../schema-form.js';

test('what the lines of a graph and of its log may hold', async () => {
  const told = Object.entries({ taskLine, resourceLine, operationLine }).map(
    ([name, schema]) => `${name}\n  ${formOf(schema, 'input').replaceAll(/, (?=\w+\??: )/g, ',\n    ')}`,
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { proposalSchema } from '#core/casting/proposal.js';
import { eventSchema } from '#core/squad/registry.js';
import { recordSchema } from '#core/squad/shared-record.js';
import { snapshotSchema } from '#core/squad/team-history.js';
import { policySchema } from '#core/squad/universe.js';
import { formOf } from '../../schema-form.js';

test('what the files of a team may hold, with every bound', async () => {
  const told = Object.entries({ eventSchema, snapshotSchema, policySchema, recordSchema, proposalSchema }).map(
    ([name, schema]) => `${name}\n  ${formOf(schema, 'input')}`,
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { proposalSchema } from '#core/team/proposal.js';
import { eventSchema } from '#core/team/registry.js';
import { recordSchema } from '#core/team/shared-record.js';
import { snapshotSchema } from '#core/team/team-history.js';
import { policySchema } from '#core/team/universe.js';
import { formOf } from '../../schema-form.js';

test('what the files of a team may hold, with every bound', async () => {
  const told = Object.entries({ eventSchema, snapshotSchema, policySchema, recordSchema, proposalSchema }).map(
    ([name, schema]) => `${name}\n  ${formOf(schema, 'input')}`,
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/forms.txt'));
});

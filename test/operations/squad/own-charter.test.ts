import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { confirm } from '#operations/squad/confirm.js';
import { charter, retire } from '#operations/squad/members.js';
import { manual } from '#operations/squad/proposals.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

async function team() {
  const stage = new Stage();
  stage.projectFiles = new LocalFiles(stage.folder);
  await stage.call(manual, { archetypes: ['writer', 'qa-engineer'], universe: 'The Matrix' });
  await stage.call(confirm);
  const put = (text: string) => writeFileSync(path.join(stage.folder, 'neo.md'), text);
  return { stage, put, own: () => stage.files('.squad/agents/neo')['.squad/agents/neo/charter.md'] };
}

verifies(
  'charter.edit',
  'a charter is given as text or as a file of the project: one of the two, and whole',
  async () => {
    const { stage, put, own } = await team();
    await stage.call(charter, { member: 'Neo', charter: '# Neo\n\nWrites short.\n' });
    expect(own()).toBe('# Neo\n\nWrites short.\n');
    put('# Neo\r\n\r\nWrites shorter.\r\n');
    await stage.call(charter, { member: 'Neo', file: 'neo.md' });
    expect(own()).toBe('# Neo\n\nWrites shorter.\n');
    for (const wish of [{}, { charter: 'x', file: 'neo.md' }])
      await expect(stage.call(charter, { member: 'Neo', ...wish })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(stage.call(charter, { member: 'Neo', file: 'none.md' })).rejects.toMatchObject({ code: 'not_found' });
    put(`${'𐍈'.repeat(TEAM_LIMITS.charterCharacters)}and more`); // is refused, and not cut where it would do
    await expect(stage.call(charter, { member: 'Neo', file: 'neo.md' })).rejects.toMatchObject({ code: 'bad_input' });
    expect(own()).toBe('# Neo\n\nWrites shorter.\n');
  },
);

verifies('member.retire', 'a graph that cannot be read is said, and not taken for a team without one', async () => {
  const { stage } = await team();
  const store = new GraphInMemory({ now: () => stage.now });
  stage.store = store;
  store.view = () => Promise.reject(new TroupeError('data_corrupt'));
  await expect(stage.call(retire, { member: 'Trinity' })).rejects.toMatchObject({ code: 'data_corrupt' });
});

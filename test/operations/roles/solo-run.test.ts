import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ShippedRoles } from '#adapters/roles/shipped-roles.js';
import { AGENT } from '#core/graph/assignee.js';
import { rolePlaceOf } from '#core/playbooks/role-place.js';
import { parseCore } from '#core/roles/core-file.js';
import { STARTERS } from '#core/roles/starters.js';
import { agencyInit } from '#operations/agency/init.js';
import { loadAgency } from '#operations/load-agency.js';
import { rolesAs } from '#operations/roles/solo-run.js';
import { verifies } from '../../verifies.js';
import { roleStage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });
const SHIPPED = path.resolve(import.meta.dirname, '../../../data/roles');

verifies(
  'solo.resolve',
  'a role of the repository goes before a shipped one of its name; a shipped one is copied as it is, once',
  async () => {
    const own = await roleStage([['.claude/roles/reviewer.md', '# reviewer\n\n## Charter\n\nOurs.\n']]);
    const mine = await own.call(rolesAs, { name: 'reviewer', target: ['the', 'parser'] });
    expect(mine).toMatchObject({ role: 'reviewer', from: 'repository' });
    expect(own.files.texts.get('.claude/roles/reviewer.md')).toContain('Ours.');
    const shipped = await own.call(rolesAs, { name: 'skeptic', target: ['the plan'] });
    expect(shipped).toMatchObject({ from: 'starter', file: '.claude/roles/skeptic.md' });
    expect(own.files.texts.get('.claude/roles/skeptic.md')).toContain('Is a skeptic.');
    expect(await own.call(rolesAs, { name: 'skeptic', target: ['it'] })).toMatchObject({ from: 'repository' });
    const task = (await own.store.view()).task(mine.id);
    expect(task).toMatchObject({ title: 'reviewer: the parser', description: 'the parser', status: 'open' });
    expect(rolePlaceOf(task?.tags)).toEqual({ lane: 'solo', role: 'reviewer' });
  },
);

verifies('solo.resolve', 'a lane is nobody, an unknown name is told the nearest; then nothing is made', async () => {
  const own = await roleStage([['.claude/roles/crew.md', '### qa\n- status: stable\n']]);
  const asked = (name: string) => own.call(rolesAs, { name, target: ['x'] });
  await expect(asked('crew')).rejects.toEqual(coded('bad_role_name'));
  await expect(asked('qa')).rejects.toEqual(coded('role_not_found'));
  await expect(asked('../x')).rejects.toEqual(coded('bad_role_name'));
  await expect(asked('debuger')).rejects.toMatchObject({
    code: 'role_not_found',
    message: expect.stringContaining('debugger'),
  });
  await expect(own.call(rolesAs, { name: 'skeptic', target: [' '] })).rejects.toEqual(coded('bad_input'));
  expect([...own.files.texts.keys()]).toEqual(['.claude/roles/crew.md']);
});

verifies(
  'roles.agency.seat',
  'a solo run is for an agent of its role, made once beside the middle trade-off',
  async () => {
    const own = await roleStage();
    await own.call(agencyInit);
    const { id } = await own.call(rolesAs, { name: 'skeptic', target: ['the plan'] });
    const second = await own.call(rolesAs, { name: 'skeptic', target: ['it again'] });
    const view = await own.store.view();
    const agency = await loadAgency(own.context());
    const role = agency.all('role').find(({ name }) => name === 'skeptic');
    const agent = agency.all('agent').find(({ role_id }) => role_id === role?.id);
    expect(agent?.name).toBe('Balanced skeptic');
    expect([AGENT.of(view.task(id)), AGENT.of(view.task(second.id))]).toEqual([agent?.id, agent?.id]);
  },
);

test('each shipped role is whole: a sentence, occasions, a body with its deliverable, nothing learned yet', async () => {
  for (const name of STARTERS) {
    const text = await new ShippedRoles(SHIPPED).text(name);
    expect(text).toBe(readFileSync(path.join(SHIPPED, `${name}.md`), 'utf8'));
    const { role, problems } = parseCore(name, text);
    expect([name, problems]).toEqual([name, []]);
    expect(role.charter.endsWith('.')).toBe(true);
    expect(role.whenToUse.length).toBeGreaterThan(2);
    expect(role.body).toMatch(/^Deliverable: \S/m);
    expect([role.core, role.solo]).toEqual([[], []]);
  }
});

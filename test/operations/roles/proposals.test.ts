import { expect } from 'vitest';
import { loadAgency } from '#operations/load-agency.js';
import { rolesAccept, rolesProposals, rolesPropose, rolesReject } from '#operations/roles/proposals.js';
import { verifies } from '../../verifies.js';
import { type RoleStage, RUN, roleStage } from './place.js';

const FILE = '.claude/roles/qa.md';
const TEXT = '# qa\n\n## Charter\n\nChecks.\n\n## Body\n\nLook.\n\n## Learnings (core)\n\n- 2026-01-01 — kept\n';
const coded = (code: string) => expect.objectContaining({ code });
const WISH = { role: 'qa', section: 'charter', text: 'Checks with evidence.', why: 'came back twice' } as const;
const roleNames = async (own: RoleStage) =>
  (await loadAgency(own.context()))
    .all('role')
    .map(({ name, description, lineage }) => [name, description, lineage.generation]);

verifies(
  'roles.rule.identity',
  'a run proposes and decides nothing; a person is shown the difference and applies it',
  async () => {
    const own = await roleStage([[FILE, TEXT]]);
    const { id } = await own.as(RUN, rolesPropose, WISH);
    expect(await own.as(RUN, rolesPropose, WISH)).toMatchObject({ id }); // the same again is the same
    const other = await own.call(rolesPropose, { ...WISH, section: 'body', text: 'Look twice.' });
    expect(other.id).not.toBe(id);
    await own.call(rolesReject, { id: other.id });
    expect((await own.call(rolesProposals)).proposals).toMatchObject([
      {
        ...{ id, by: 'agent-7', why: 'came back twice', stale: false },
        difference: `${FILE}\n- Checks.\n+ Checks with evidence.`,
      },
    ]);
    for (const decide of [rolesAccept, rolesReject])
      await expect(own.as(RUN, decide, { id })).rejects.toEqual(coded('user_only'));
    await expect(own.call(rolesAccept, { id })).rejects.toMatchObject({
      code: 'confirmation_needed',
      details: { shown: `${FILE}\n- Checks.\n+ Checks with evidence.` },
    });
    expect(own.files.texts.get(FILE)).toBe(TEXT);
    await own.call(rolesAccept, { id, yes: true });
    expect(own.files.texts.get(FILE)).toBe(TEXT.replace('Checks.', 'Checks with evidence.'));
    expect((await own.call(rolesProposals)).proposals).toEqual([]);
    expect((await own.events()).filter(({ op }) => op === 'role_accept')).toMatchObject([
      { detail: { id, role: 'qa' } },
    ]);
  },
);

verifies(
  'roles.rule.identity',
  'a section that changed meanwhile is left alone, and so is a rejected one',
  async () => {
    const own = await roleStage([[FILE, TEXT]]);
    const { id } = await own.call(rolesPropose, WISH);
    const edited = TEXT.replace('Checks.', 'Checks it by hand.');
    own.files.texts.set(FILE, edited);
    expect((await own.call(rolesProposals)).proposals).toMatchObject([{ id, stale: true }]);
    await expect(own.call(rolesAccept, { id, yes: true })).rejects.toEqual(coded('proposal_stale'));
    expect(own.files.texts.get(FILE)).toBe(edited);
    expect(await own.call(rolesReject, { id })).toMatchObject({ state: 'rejected' });
    own.files.texts.set(FILE, TEXT);
    await expect(own.call(rolesAccept, { id, yes: true })).rejects.toEqual(coded('not_found'));
    await expect(own.call(rolesPropose, { ...WISH, role: 'nobody' })).rejects.toEqual(coded('role_not_found'));
    await expect(own.call(rolesPropose, { ...WISH, role: '../x' })).rejects.toEqual(coded('bad_role_name'));
  },
);

verifies('roles.agency.link', 'an accepted charter makes a child of the role of the agency', async () => {
  const own = await roleStage([[FILE, TEXT]]);
  const { id } = await own.call(rolesPropose, WISH);
  await own.call(rolesAccept, { id, yes: true });
  const roles = [
    ['qa', 'Checks with evidence.', 1],
    ['qa', 'Checks.', 0],
  ];
  expect((await roleNames(own)).sort()).toEqual(roles);
  // Whoever follows twice makes nothing twice; without its file there is no role to be a child.
  const { records } = await own.files.proposals();
  await own.files.follow(records, own.files.texts);
  await own.files.follow(records, new Map());
  expect((await roleNames(own)).sort()).toEqual(roles);
});

verifies('roles.agency.link', 'a proposal that was rejected, or is open, changes nothing of the agency', async () => {
  const own = await roleStage([[FILE, TEXT]]);
  const { id } = await own.call(rolesPropose, WISH);
  await own.call(rolesPropose, { ...WISH, section: 'body', text: 'Look twice.' });
  await own.call(rolesReject, { id });
  expect(await roleNames(own)).toEqual([]);
});

import { expect } from 'vitest';
import { parse } from 'yaml';
import { Agency, lineageOf } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { editAgent, editRole, nameWarnings, newAgent, newRole, retire } from '#core/agency/entity-edits.js';
import { fileText, idOf, legacyRoleText } from '#core/agency/entity-text.js';
import { agencyOf } from '#core/agency/read.js';
import { verifies } from '../../verifies.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const coded = (code: string) => expect.objectContaining({ code });

const recordOf = (entity: Entity, value: unknown) => ({
  kind: entity.kind,
  id: entity.id,
  file: `${entity.kind}s/${entity.id}.yaml`,
  retired: false,
  value,
});
const asRead = (entity: Entity) => parse(fileText(entity)) as Record<string, unknown>;

verifies('hash.verify', 'what is not what its id says is left out; an older scheme is accepted and marked', () => {
  const good = tradeoff('Careful');
  const bad = tradeoff('Fast');
  const legacyId = idOf(legacyRoleText(['b', 'a'], 'o'));
  const legacy = { id: legacyId, name: 'Old', component_ids: ['b', 'a'], outcome_id: 'o', description: 'Older.' };
  const read = agencyOf(
    [
      recordOf(good, asRead(good)),
      recordOf(bad, { ...asRead(bad), description: 'Another one.' }),
      { kind: 'role', id: legacyId, file: 'cache/roles/x.yaml', retired: false, value: legacy },
      {
        kind: 'role',
        id: 'f'.repeat(64),
        file: 'cache/roles/y.yaml',
        retired: false,
        value: { ...legacy, id: 'f'.repeat(64) },
      },
    ],
    [],
  );
  expect(read.all('tradeoff').map(({ name }) => name)).toEqual(['Careful']);
  expect(read.all('role')).toMatchObject([{ id: legacyId, scheme: 'legacy' }]);
  expect(read.warnings).toEqual([
    expect.stringMatching(/^tradeoffs\/.*:1: forged_id/),
    expect.stringMatching(/^cache\/roles\/y\.yaml:1: forged_id/),
  ]);
});

verifies(
  'agency.file.legacy',
  'a role of the older layout has its components as skills and its outcome as text',
  () => {
    const id = idOf(legacyRoleText(['c2', 'c1'], 'o1'));
    const part = (kind: 'component' | 'outcome', name: string, value: unknown) => ({
      kind,
      id: name,
      file: `${name}.yaml`,
      retired: false,
      value,
    });
    const value = { id, name: 'Old', component_ids: ['c1', 'c2'], outcome_id: 'o1' };
    const read = agencyOf(
      [
        part('component', 'c1', { name: 'writes-code' }),
        part('outcome', 'o1', { description: 'Working code.' }),
        { kind: 'role', id, file: 'cache/roles/a.yaml', retired: false, value },
      ],
      [],
    );
    const [only] = read.all('role');
    expect(only).toMatchObject({
      id,
      skills: [{ name: 'writes-code' }, { name: 'c2' }],
      desired_outcome: 'Working code.',
    });
    // and it is the same after it was written again
    const again = agencyOf([recordOf(only as Entity, asRead(only as Entity))], []);
    expect(again.role(id)).toMatchObject({ name: 'Old', scheme: 'legacy' });
    expect(again.warnings).toEqual([]);
  },
);

verifies('hash.dedup', 'identical content is refused, also under another name; a name may repeat', () => {
  const one = role('Tester');
  const agency = new Agency([one]);
  const draft = { name: 'Dup', description: one.description, desired_outcome: one.desired_outcome, skills: one.skills };
  expect(() => newRole(agency, draft, MAKER)).toThrow(
    expect.objectContaining({
      code: 'duplicate_entity',
      message: `Role with identical content already exists (${one.id.slice(0, 8)})`,
    }),
  );
  const retired = new Agency([{ ...one, retired: true }]);
  expect(() => newRole(retired, draft, MAKER)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(`troupe agency rm role ${one.id.slice(0, 8)} --undo`) }),
  );
  const other = newRole(agency, { ...draft, name: 'Tester', description: 'Another.' }, MAKER);
  expect(nameWarnings(agency, other)).toEqual([expect.stringContaining(one.id.slice(0, 8))]);
});

verifies('hash.prefix', 'a unique beginning or name is enough; several are listed, none is guessed at', () => {
  const roles = Array.from({ length: 40 }, (_, index) => role(`Role ${index}`));
  const agency = new Agency([
    ...roles,
    { ...role('Twin'), id: '0'.repeat(64) },
    { ...role('Twin'), id: '1'.repeat(64) },
  ]);
  for (const one of roles) {
    expect(agency.find('role', one.id)).toBe(one);
    expect(agency.find('role', one.name)).toBe(one);
    expect(agency.find('role', one.id.slice(0, 12))).toBe(one);
  }
  expect(() => agency.find('role', 'Twin')).toThrow(coded('ambiguous_id'));
  const begun = roles.filter(({ id }) => id.startsWith(roles[0]?.id.slice(0, 1) ?? ''));
  expect(begun.length).toBeGreaterThan(1);
  expect(() => agency.find('role', begun[0]?.id.slice(0, 1) ?? '')).toThrow(
    expect.objectContaining({ details: { ids: expect.arrayContaining(begun.map(({ id }) => id)) } }),
  );
  expect(() => agency.find('role', 'Role 3x')).toThrow(coded('not_found'));
  expect(() => agency.find('role', 'Twim')).toThrow(expect.objectContaining({ hint: 'Did you mean Twin?' }));
  const single = new Agency([role('Only')]);
  expect(single.find('role', role('Only').id.slice(0, 1)).name).toBe('Only');
});

verifies('agency.mutable', 'what may change keeps the id; another description is a successor', () => {
  const one = { ...role('Tester'), more: { colour: 'blue' } };
  const agency = new Agency([one]);
  const named = editRole(
    agency,
    one,
    { name: 'Breaker', default_context_scope: 'graph', default_exec_mode: 'light' },
    MAKER,
  );
  expect(named).toMatchObject({ successor: false, changed: true, entity: { id: one.id, name: 'Breaker' } });
  expect(agencyOf([recordOf(named.entity, asRead(named.entity))], []).role(one.id)).toEqual(named.entity);
  const next = editRole(agency, one, { desired_outcome: 'Better.' }, MAKER);
  expect(next).toMatchObject({
    successor: true,
    entity: { name: 'Tester', lineage: { parent_ids: [one.id], generation: 1 } },
  });
  expect(next.entity.id).not.toBe(one.id);
  expect(() => editRole(agency.with([next.entity]), one, { desired_outcome: 'Better.' }, MAKER)).toThrow(
    coded('duplicate_entity'),
  );
  const ann = agent('Ann', { role_id: '', tradeoff_id: '', executor: 'email' });
  const moved = editAgent(ann, {
    ...{ name: 'Anna', executor: 'matrix', rate: 3, capacity: 2, contact: '@anna:x', trust_level: 'verified' },
    ...{ capabilities: ['x'], preferred_model: 'm', preferred_provider: 'local' },
  }).entity;
  expect(moved.id).toBe(ann.id);
  expect(agencyOf([recordOf(moved, asRead(moved))], []).agent(ann.id)).toEqual(moved);
});

verifies(['agency.human', 'agency.trust'], 'only people do without a role; trust begins in the middle', () => {
  const agency = new Agency([]);
  const draft = {
    name: 'X',
    role_id: '',
    tradeoff_id: '',
    capabilities: [],
    executor: 'claude',
    trust_level: 'provisional' as const,
  };
  expect(() => newAgent(agency, draft, false, MAKER)).toThrow(coded('role_required'));
  expect(() => newAgent(agency, { ...draft, role_id: 'r' }, false, MAKER)).toThrow(coded('tradeoff_required'));
  expect(newAgent(agency, draft, true, MAKER).person).toBe('human-agent:X:claude');
  const { trust_level: _, ...silent } = asRead(agent('Ann')) as { trust_level: string };
  const read = agencyOf([recordOf(agent('Ann'), silent)], []);
  expect(read.all('agent')).toMatchObject([{ trust_level: 'provisional' }]);
});

verifies(['lineage.roots', 'lineage.walk'], 'ancestors, nearest first, each once, whatever has become of them', () => {
  const root = role('Root');
  const left = editRole(new Agency([root]), root, { description: 'Left.' }, MAKER).entity;
  const right = editRole(new Agency([root]), root, { description: 'Right.' }, { ...MAKER, by: 'evolver-run-1' }).entity;
  expect(root.lineage).toEqual({
    parent_ids: [],
    generation: 0,
    created_by: 'human',
    created_at: '2026-03-01T10:00:00.000Z',
  });
  const gone = 'e'.repeat(64);
  const parents = [left, { ...right, lineage: { ...right.lineage, parent_ids: [root.id, gone] } }];
  const child = newRole(new Agency([]), { ...role('Child') }, { ...MAKER, by: 'evolver-run-1', parents });
  expect(child.lineage).toMatchObject({
    generation: 2,
    created_by: 'evolver-run-1',
    parent_ids: parents.map(({ id }) => id),
  });
  const agency = new Agency([child, ...parents, { ...root, retired: true }]);
  expect(lineageOf(agency, child).map(({ id, state }) => [id, state])).toEqual([
    [child.id, 'active'],
    [left.id, 'active'],
    [right.id, 'active'],
    [root.id, 'retired'],
    [gone, 'missing'],
  ]);
  const careful = tradeoff('Careful');
  const pair = agent('Pair', { role_id: child.id, tradeoff_id: careful.id });
  const kinds = lineageOf(agency.with([careful, pair]), pair).map(({ kind }) => kind);
  expect(kinds).toEqual(['agent', 'role', 'role', 'role', 'role', 'role', 'tradeoff']);
});

verifies('lineage.creator', 'the marks of the settings stand on what programs make, and on nothing else', () => {
  const creator = { agent: 'abc', model: 'm' };
  const draft = { name: 'X', description: 'a', desired_outcome: 'b', skills: [] };
  expect(newRole(new Agency([]), draft, { ...MAKER, creator }).lineage.creator_agent).toBeUndefined();
  expect(newRole(new Agency([]), draft, { ...MAKER, by: 'agent-3', creator }).lineage).toMatchObject({
    created_by: 'agent-3',
    creator_agent: 'abc',
    creator_model: 'm',
  });
});

verifies('agency.capability-skill', 'neither capabilities nor skills come out of the other', () => {
  const skilled = role('Tester', { skills: [{ name: 'rust' }] });
  const made = newAgent(
    new Agency([skilled]),
    { ...agent('A'), role_id: skilled.id, capabilities: ['go'] },
    false,
    MAKER,
  );
  expect(made.capabilities).toEqual(['go']);
  expect(editAgent(made, { capabilities: ['c'] }).entity.role_id).toBe(skilled.id);
  expect(newAgent(new Agency([skilled]), { ...agent('A'), role_id: skilled.id }, false, MAKER).capabilities).toEqual(
    [],
  );
  expect(() => retire(new Agency([skilled, made]), skilled)).toThrow(coded('in_use'));
  expect(() => retire(new Agency([skilled]), skilled)).toThrow(coded('last_entity'));
});

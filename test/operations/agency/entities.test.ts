import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import {
  agencyRemove,
  agencyRestore,
  agentCreate,
  agentEdit,
  roleAdd,
  roleEdit,
  tradeoffAdd,
  tradeoffEdit,
} from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyList, agencyShow } from '#operations/agency/look.js';
import { verifies } from '../../verifies.js';
import { bare, SHIPPED, stage } from './place.js';

verifies(
  'agency.mutable',
  'a trade-off is edited in what it accepts and what not, and is another one by that',
  async () => {
    const { call, store } = await stage();
    const lists = { accept: ['slow'], reject: ['wrong'] };
    const made = (await call(tradeoffAdd, { name: 'Sure', description: 'Checks twice.', ...lists })).entity;
    const edited = (await call(tradeoffEdit, { id: made.id, description: 'Checks thrice.', accept: ['slow', 'dear'] }))
      .entity;
    expect(edited).toMatchObject({
      ...{ name: 'Sure', description: 'Checks thrice.' },
      ...{ acceptable_tradeoffs: ['slow', 'dear'], unacceptable_tradeoffs: ['wrong'] },
    });
    expect(edited.id).not.toBe(made.id);
    await store.close();
  },
);

const coded = (code: string) => expect.objectContaining({ code });

verifies('init.starters', 'an agency to begin with, once; agents only when asked for', async () => {
  const { call, folder, store } = await stage();
  const first = await call(agencyInit);
  expect(first.new).toEqual({ roles: 4, tradeoffs: 4, meta_roles: 3, agents: 0 });
  const names = first.created.map(({ name }) => name);
  expect(names).toEqual([
    ...['Programmer', 'Reviewer', 'Documenter', 'Architect', 'Assigner', 'Evaluator', 'Evolver'],
    ...['Careful', 'Fast', 'Thorough', 'Balanced'],
  ]);
  expect(readdirSync(path.join(folder, 'agency/evolver-skills'))).toHaveLength(5);
  const [one] = readdirSync(path.join(folder, 'agency/roles'));
  const file = path.join(folder, 'agency/roles', one ?? '');
  writeFileSync(file, `${readFileSync(file, 'utf8')}colour: blue\n`);
  const text = readFileSync(file, 'utf8');
  const again = await call(agencyInit);
  expect(again).toMatchObject({ new: { roles: 0, tradeoffs: 0, agents: 0 }, created: [], seq: first.seq });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect((await call(agencyInit, { all_pairs: true })).new).toMatchObject({ roles: 0, agents: 16 });
  await store.close();
});

verifies('init.wording', 'what is shipped is short, checkable and not about software where it weighs', async () => {
  const { call, store } = await stage();
  await call(agencyInit);
  const roles = (await call(agencyList, { kind: 'role' })).entities as unknown as {
    description: string;
    skills: { kind: string }[];
  }[];
  expect(roles).toHaveLength(7);
  for (const { description, skills } of roles) {
    expect(description.split('. ')).toHaveLength(1);
    expect(skills.filter(({ kind }) => kind === 'name').length).toBeGreaterThanOrEqual(2);
    expect(skills.filter(({ kind }) => kind === 'name').length).toBeLessThanOrEqual(4);
    expect(skills.filter(({ kind }) => kind === 'inline').length).toBeLessThanOrEqual(1);
  }
  const weighed = (await call(agencyList, { kind: 'tradeoff' })).entities as unknown as Record<string, string[]>[];
  for (const one of weighed) {
    expect(one['acceptable_tradeoffs']?.length).toSatisfy((count: number) => count >= 1 && count <= 3);
    expect(one['unacceptable_tradeoffs']?.length).toSatisfy((count: number) => count >= 1 && count <= 2);
  }
  expect(readFileSync(path.join(SHIPPED, 'tradeoffs.yaml'), 'utf8').replace(/^#.*$/m, '')).not.toMatch(
    /\b(code|test|bug|software|deploy|commit|ship)/i,
  );
  await store.close();
});

verifies('agency.file.atomic', 'a change is one event and whole files, with what others put there', async () => {
  const { call, folder, store } = await stage();
  const made = await call(roleAdd, {
    name: 'Tester',
    description: 'Finds faults.',
    outcome: 'They are seen.',
    skills: ['x'],
  });
  const file = path.join(folder, 'agency/roles', `${made.id}.yaml`);
  writeFileSync(file, `${readFileSync(file, 'utf8')}colour: blue\n`);
  await call(roleEdit, { id: 'Tester', name: 'Breaker', exec_mode: 'light' });
  expect(readFileSync(file, 'utf8')).toMatch(/name: "Breaker"[\s\S]*colour: "blue"/);
  expect((await call(agencyShow, { kind: 'role', id: 'Breaker' })).entity).toMatchObject({
    default_exec_mode: 'light',
  });
  const ops: unknown[] = [];
  for await (const { op, detail } of store.entries(1)) ops.push([op, detail?.['id']]);
  expect(ops).toEqual([
    ['agency_add', made.id],
    ['agency_edit', made.id],
  ]);
  expect(readdirSync(path.join(folder, 'agency/.service'))).toEqual(['.gitignore']);
  await expect(
    call(roleAdd, { name: 'Dup', description: 'Finds faults.', outcome: 'They are seen.', skills: ['x'] }),
  ).rejects.toThrow(coded('duplicate_entity'));
  expect(readdirSync(path.join(folder, 'agency/roles'))).toEqual([`${made.id}.yaml`]);
  await store.close();
});

verifies('agency.file.bad', 'a file that cannot be used is named with its line; everything else works', async () => {
  const { call, folder, store, project } = await stage();
  await call(agencyInit);
  const roles = path.join(folder, 'agency/roles');
  const name = (letter: string) => path.join(roles, `${letter.repeat(64)}.yaml`);
  writeFileSync(name('a'), 'name: x\nskills: [\n');
  writeFileSync(name('b'), 'name: x\ndescription: y\ndesired_outcome: z\nskills: []\n');
  writeFileSync(name('c'), `description: ${'x'.repeat(TEAM_LIMITS.agencyFileBytes)}\n`);
  writeFileSync(path.join(project, 'outside.yaml'), 'name: x\n');
  symlinkSync(path.join(project, 'outside.yaml'), name('d'));
  writeFileSync(name('e'), 'a: &x 1\nb: *x\n');
  mkdirSync(name('f'));
  const { entities, warnings } = await call(agencyList, { kind: 'role' });
  expect(entities).toHaveLength(7);
  expect(warnings.map((warning) => warning.replace(/([a-f])\1{63}/, '$1'))).toEqual([
    expect.stringMatching(/^roles\/a\.yaml:\d+: /),
    expect.stringMatching(/^roles\/c\.yaml:1: larger/),
    expect.stringMatching(/^roles\/d\.yaml:1: .*link/),
    expect.stringMatching(/^roles\/e\.yaml:2: aliases/),
    expect.stringMatching(/^roles\/f\.yaml:1: .*not a regular file/),
    expect.stringMatching(/^roles\/b\.yaml:1: forged_id/),
  ]);
  await store.close();
});

verifies('agency.optional', 'where there is no graph there can be an agency', async () => {
  const { context } = bare();
  await agencyInit.run(context, {});
  expect((await agencyList.run(context, { kind: 'role' })).entities).toHaveLength(7);
  const made = await agentCreate.run(context, { name: 'A', role: 'Programmer', tradeoff: 'Fast' });
  expect((await agencyShow.run(context, { kind: 'agent', id: made.id.slice(0, 8) })).entity).toMatchObject({
    role_name: 'Programmer',
  });
});

verifies(['agency.human', 'agency.trust'], 'people by their executor; trust can be changed, by persons', async () => {
  const { call, as, store } = await stage();
  await call(agencyInit);
  for (const executor of ['email', 'matrix', 'shell']) {
    expect(await call(agentCreate, { name: 'Ann', executor })).toMatchObject({
      entity: { role_id: '', trust_level: 'provisional' },
    });
  }
  await expect(call(agentCreate, { name: 'Bot', executor: 'codex' })).rejects.toThrow(coded('role_required'));
  await expect(call(agentCreate, { name: 'Bot', role: 'Reviewer' })).rejects.toThrow(coded('tradeoff_required'));
  const { id } = await call(agentCreate, { name: 'Bot', role: 'Reviewer', tradeoff: 'Fast' });
  expect((await call(agentEdit, { id, trust_level: 'verified' })).entity['trust_level']).toBe('verified');
  as({ kind: 'run', name: 'agent-1', taskId: 't', fence: 1 });
  await expect(call(agentEdit, { id, trust_level: 'verified' })).rejects.toThrow(coded('not_yours'));
  await store.close();
});

verifies('hash.dedup', 'what was taken out of use comes back by its id', async () => {
  const { call, store } = await stage();
  await call(agencyInit);
  const { id } = await call(agentCreate, { name: 'A', role: 'Programmer', tradeoff: 'Fast' });
  await expect(call(agencyRemove, { kind: 'tradeoff', id: 'Fast' })).rejects.toThrow(coded('in_use'));
  await call(agencyRemove, { kind: 'role', id: 'Reviewer' });
  expect((await call(agencyList, { kind: 'role' })).entities).toHaveLength(6);
  expect((await call(agencyShow, { kind: 'role', id: 'Reviewer' })).entity.retired).toBe(true);
  await call(agencyRestore, { kind: 'role', id: 'Reviewer' });
  expect((await call(agencyList, { kind: 'role' })).entities).toHaveLength(7);
  expect(id).toHaveLength(64);
  await store.close();
});

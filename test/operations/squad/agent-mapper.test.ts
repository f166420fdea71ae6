import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { agencyOf } from '#core/agency/read.js';
import { sha256 } from '#kernel/hash.js';
import { assignedTo, executionSources } from '#operations/agency/assignee.js';
import { confirm } from '#operations/squad/confirm.js';
import { rerole } from '#operations/squad/members.js';
import { manual, reject } from '#operations/squad/proposals.js';
import { ALONE } from '../../lone-squad.js';
import { verifies } from '../../verifies.js';
import { Stage, team } from '../team/casting-stage.js';

async function known(stage: Stage) {
  const { records, warnings } = await stage.agency.read(async () => true);
  return agencyOf(records, warnings);
}

verifies(
  ['bridge.role', 'bridge.agent'],
  'who is confirmed is an agent: a role of what the archetype does, with its trade-off; those alike are one',
  async () => {
    const stage = new Stage();
    await stage.call(manual, { archetypes: ['docs-writer', 'docs-writer', 'fact-checker'] });
    expect((await known(stage)).empty).toBe(true);
    await stage.call(confirm);
    const agency = await known(stage);
    expect(agency.warnings).toEqual([]);
    const catalog = await stage.catalog.load();
    const members = (await stage.call(team)).members;
    const [first, second, third] = members.filter((member) => !member.built_in);
    expect(first?.agent_id).toMatch(/^[0-9a-f]{64}$/);
    expect(second?.agent_id).toBe(first?.agent_id);
    expect(third?.agent_id).not.toBe(first?.agent_id);
    for (const { archetype_id, agent_id } of members) {
      const archetype = catalog.archetypes.get(archetype_id);
      const agent = agency.agent(agent_id ?? '');
      expect(agent).toMatchObject({ capabilities: archetype?.capabilities, trust_level: 'provisional' });
      expect(agency.role(agent?.role_id ?? '')).toMatchObject({
        description: archetype?.summary,
        skills: archetype?.capabilities.map((name) => ({ name })),
        desired_outcome: archetype?.desired_outcome,
      });
      expect(agency.tradeoff(agent?.tradeoff_id ?? '')?.name.toLowerCase()).toBe(archetype?.default_tradeoff);
    }
    // who is there stays as it is, with all that was said of it since
    const role = agency.role(agency.agent(first?.agent_id ?? '')?.role_id ?? '');
    const before = readdirSync(path.join(stage.folder, '.workgraph/agency/roles'));
    await stage.call(manual, { archetypes: ['docs-writer'] });
    await stage.call(confirm, { intent: 'augment' });
    expect(readdirSync(path.join(stage.folder, '.workgraph/agency/roles'))).toEqual(before);
    expect((await known(stage)).role(role?.id ?? '')).toEqual(role);
    // another role makes another agent
    const changed = await stage.call(rerole, { member: first?.name, archetype: 'editor' });
    expect((await known(stage)).agent(changed.member.agent_id ?? '')?.name).toContain('Editor');
    // work of a member is that agent's; which client does it, the settings say
    const context = { ...stage.context(), agency: async () => stage.agency };
    const task = { kind: 'task', id: 'a', title: 'A', status: 'open' } as const;
    const assigned = await assignedTo(context, { ...task, member: third?.name ?? '' });
    expect(assigned?.agent.id).toBe(third?.agent_id);
    expect(executionSources(assigned)).not.toHaveProperty('agent');
    expect(await assignedTo(context, { ...task, member: 'Nobody' })).toBeUndefined();
  },
);

test('a confirmation that is cut off leaves team and agents, or neither', async () => {
  for (let stop = 1, over = false; !over && stop < 200; stop += 7) {
    const stage = new Stage();
    await stage.call(manual, { archetypes: ['writer'] });
    let steps = 0;
    const cut = new SquadFolder(stage.folder, new ProcessTable(), {
      ...ALONE,
      step: () => {
        if (++steps === stop) throw new Error('cut off');
      },
    });
    const context = { ...stage.context(), squad: async () => cut };
    over = await confirm.run(context, {}).then(
      () => true,
      () => false,
    );
    const members = (await new SquadFolder(stage.folder, new ProcessTable(), ALONE).readTeam())?.members ?? [];
    const agents = (await known(stage)).all('agent');
    expect(agents.length > 0, `step ${stop}`).toBe(members.length > 0);
    for (const { agentId } of members) expect(agents.map(({ id }) => id)).toContain(agentId);
  }
});

test('a role that grew since is not put back by a write that is finished late', async () => {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['writer'] });
  await stage.call(confirm);
  const roles = path.join(stage.folder, '.workgraph/agency/roles');
  const [name = ''] = readdirSync(roles);
  const room = path.join(stage.folder, '.workgraph/service/changes/squad/0000');
  mkdirSync(room, { recursive: true });
  const plant = (change: object) => {
    const files = [{ change, before: null, after: sha256('old') }];
    const record = { name: 'n', from: null, boot: 'other', files, newFolders: [] };
    writeFileSync(path.join(room, 'committed.json'), JSON.stringify(record));
  };
  const change = { kind: 'create', path: `.workgraph/agency/roles/${name}`, text: 'old' };
  const away = { kind: 'create', path: '.workgraph/agency/roles/../../graph.jsonl', text: 'x' };
  plant(change);
  await stage.call(team);
  expect((await known(stage)).warnings).toEqual([]);
  expect(existsSync(room)).toBe(false);
  mkdirSync(room, { recursive: true });
  plant(away);
  await expect(stage.call(reject)).rejects.toThrow(expect.objectContaining({ code: 'unsafe_path' }));
});

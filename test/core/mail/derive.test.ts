import { expect, test } from 'vitest';
import type { ConfigTree, RosterProject } from '#core/mail/config-tree.js';
import { slug } from '#core/mail/config-tree.js';
import {
  agentIdMap,
  type Derived,
  deriveOfficeRoster,
  deriveProjectRoster,
  deriveTeamRoster,
  deriveWorkgroupRoster,
  hasSubRoster,
  type RosterTeam,
} from '#core/mail/derive.js';
import { plainForm } from '#core/mail/effective.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { catalogued, project, seedTree, tree, workgroup } from './tree.js';

const keys = ({ roster }: Derived) => [...roster.keys()];
const codes = ({ warnings }: Derived) => warnings.map(({ code }) => code);
const teaparty = (of: ConfigTree): RosterProject => of.projects[0]?.project as RosterProject;

verifies(
  'roster.office.projects',
  'the office manager writes to the lead of each member project, in their order',
  () => {
    const derived = deriveOfficeRoster(seedTree());
    expect(Object.entries(plainForm(derived.roster)).slice(0, 3)).toEqual([
      ['teaparty-lead', { description: 'Research platform for durable, scalable agent coordination.' }],
      ['pybayes-lead', { description: 'Bayesian inference library.' }],
      ['auditor', { description: 'Code audits and quality assessment.' }],
    ]);
    const bare = deriveOfficeRoster(tree({ projects: [{ name: 'x', project: project('Bare', { lead: 'l' }) }] }));
    expect(plainForm(bare.roster)).toEqual({ l: { description: 'Bare' } });
  },
);

verifies('roster.office.agents', 'then to each member agent, by its file or else its name', () => {
  const derived = deriveOfficeRoster(seedTree());
  expect(keys(derived)).toEqual(['teaparty-lead', 'pybayes-lead', 'auditor', 'researcher', 'strategist']);
  expect(derived.roster.get('researcher')?.description).toBe('researcher');
});

verifies(
  'roster.office.membership',
  'a list of member projects is exactly that list; without one all are members',
  () => {
    const all = seedTree();
    expect(keys(deriveOfficeRoster({ ...all, memberProjects: [], memberAgents: [] }))).toEqual([]);
    expect(keys(deriveOfficeRoster({ ...all, memberProjects: undefined, memberAgents: [] }))).toEqual([
      'teaparty-lead',
      'pybayes-lead',
    ]);
    expect(keys(deriveOfficeRoster({ ...all, memberProjects: ['pybayes'], memberAgents: [] }))).toEqual([
      'pybayes-lead',
    ]);
  },
);

verifies('roster.office.skip', 'a project that cannot be written to takes no other with it', () => {
  const { projects } = seedTree();
  const derived = deriveOfficeRoster(
    tree({
      projects: [
        { name: 'gone', project: new TroupeError('config_not_found', { what: 'no file' }) },
        { name: 'headless', project: project('headless') },
        ...projects,
      ],
      memberProjects: ['nowhere', 'gone', 'headless', 'pybayes'],
    }),
  );
  expect(codes(derived)).toEqual(['project_unknown', 'project_unloadable', 'project_leadless']);
  expect(keys(derived)).toEqual(['pybayes-lead']);
});

verifies('roster.office.workgroups', 'workgroups of the office are no entries; a lead nobody reaches is named', () => {
  const configuration = catalogued(workgroup('Configuration', { lead: 'configuration-lead', agents: ['a'] }));
  const base = tree({ catalogue: [configuration], memberWorkgroups: ['configuration '] });
  const derived = deriveOfficeRoster(base);
  expect(keys(derived)).toEqual([]);
  expect(codes(derived)).toEqual(['lead_unreachable']);
  expect(codes(deriveOfficeRoster({ ...base, memberAgents: ['configuration-lead'] }))).toEqual([]);
  expect(codes(deriveOfficeRoster({ ...base, memberWorkgroups: ['Nowhere'] }))).toEqual(['workgroup_unknown']);
});

verifies('roster.project.members', 'the lead of a project writes to the leads of its member workgroups only', () => {
  const own = teaparty(seedTree());
  const other = catalogued(workgroup('Writing', { lead: 'writing-lead', agents: ['writer'] }));
  const derived = deriveProjectRoster({ ...own, catalogue: [...own.catalogue, other] });
  expect(derived.owner).toBe('teaparty/lead');
  expect(plainForm(derived.roster)).toEqual({ 'coding-lead': { description: 'Implements features and fixes bugs.' } });
  expect(agentIdMap(derived.roster)).toEqual({ 'coding-lead': 'teaparty/coding/lead' });
  const nameless = workgroup('Nameless', { lead: 'lead' });
  const bare = deriveProjectRoster(project('P', { catalogue: [catalogued(nameless)], memberWorkgroups: ['Nameless'] }));
  expect(plainForm(bare.roster)).toEqual({ lead: { description: 'Nameless' } });
});

verifies(
  'roster.project.match',
  'members are matched by name or reference, however spelled; only active ones count',
  () => {
    const quality = workgroup('Quality Control', { ref: 'quality-control', lead: 'qa-lead' });
    const idle = workgroup('Idle', { lead: 'idle-lead' });
    const members = (...memberWorkgroups: string[]) =>
      deriveProjectRoster(
        project('P', { catalogue: [catalogued(quality), catalogued(idle, false)], memberWorkgroups }),
      );
    for (const spelled of ['Quality Control', ' quality control ', 'QUALITY-CONTROL'])
      expect(keys(members(spelled)), spelled).toEqual(['qa-lead']);
    expect(keys(members('Idle'))).toEqual([]);
    expect(codes(members('Nowhere'))).toEqual(['workgroup_unknown']);
  },
);

verifies('roster.config.ref-missing', 'a catalogued reference that leads nowhere is an error, member or not', () => {
  const missing = new TroupeError('workgroup_ref_not_found', { what: 'in none of: a, b' });
  const broken = { ref: 'art', name: undefined, active: true, workgroup: missing };
  expect(() => deriveProjectRoster(project('P', { catalogue: [broken] }))).toThrow(missing);
});

verifies('roster.workgroup.agents', 'the lead of a workgroup writes to each of its agents', () => {
  const [entry] = teaparty(seedTree()).catalogue;
  const derived = deriveWorkgroupRoster(entry?.workgroup as never, 'TeaParty');
  expect(derived.owner).toBe('teaparty/coding/lead');
  expect(plainForm(derived.roster)).toEqual({
    developer: { description: 'Writes implementation code.' },
    reviewer: { description: 'Reviews code for quality and correctness.' },
    architect: { description: 'Design analysis and architectural decisions.' },
  });
  expect(agentIdMap(derived.roster)['developer']).toBe('teaparty/coding/developer');
});

verifies('roster.self', 'nobody is in its own roster, and who leads two levels is in that of the upper one', () => {
  const derived = deriveWorkgroupRoster(workgroup('Coding', { lead: 'lead', agents: ['lead', 'developer'] }), 'P');
  expect(keys(derived)).toEqual(['developer']);
  expect(codes(derived)).toEqual(['self_entry']);
  const own = catalogued(workgroup('Coding', { lead: 'p-lead', agents: ['developer'] }));
  const upper = deriveProjectRoster(project('P', { lead: 'p-lead', catalogue: [own], memberWorkgroups: ['Coding'] }));
  expect(agentIdMap(upper.roster)).toEqual({ 'p-lead': 'p/coding/lead' });
  expect(codes(deriveOfficeRoster(tree({ memberAgents: ['office-manager', 'auditor'] })))).toEqual(['self_entry']);
});

verifies('roster.duplicate', 'the same agent twice is one entry; two of one name are both there', () => {
  const twice = deriveWorkgroupRoster(workgroup('Coding', { agents: ['developer', 'developer'] }), 'P');
  expect(keys(twice)).toEqual(['developer']);
  const projects = ['One', 'Two', 'Three'].map((name) => ({ name, project: project(name, { lead: 'lead' }) }));
  const shared = deriveOfficeRoster(tree({ projects, memberAgents: ['lead'] }));
  expect(agentIdMap(shared.roster)).toEqual({
    lead: 'one/lead',
    'two/lead': 'two/lead',
    'three/lead': 'three/lead',
    'om/lead': 'om/lead',
  });
  expect(codes(shared)).toEqual(['name_shared', 'name_shared', 'name_shared']);
});

verifies(
  ['roster.id.format', 'roster.id.structural'],
  'ids say where somebody stands, and not how it is called',
  () => {
    const all = agentIdMap(deriveOfficeRoster(seedTree()).roster);
    expect(all).toMatchObject({ 'teaparty-lead': 'teaparty/lead', auditor: 'om/auditor' });
    const management = workgroup('Intake Desk', { lead: 'x', agents: ['not-a-lead', 'so-called-lead'] });
    const derived = deriveWorkgroupRoster(management, undefined);
    expect(derived.owner).toBe('om/intake-desk/lead');
    expect(agentIdMap(derived.roster)['so-called-lead']).toBe('om/intake-desk/so-called-lead');
    expect(deriveWorkgroupRoster(workgroup('Shown As', { ref: 'filed-as' }), 'P').owner).toBe('p/filed-as/lead');
    expect(plainForm(deriveWorkgroupRoster(workgroup('Empty'), 'P').roster)).toEqual({});
  },
);

verifies('roster.id.slug', 'names become parts of ids, and what would break one is refused', () => {
  expect(slug('  Quality\t Control ')).toBe('quality-control');
  expect(slug('Ｔｅａ Ünit')).toBe('tea-ünit');
  for (const name of ['', '  ', 'a/b', 'a:b', 'a\u0007b', 'a\u0000'])
    expect(() => slug(name), JSON.stringify(name)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
});

verifies('roster.sub.rule', 'who leads somebody has a roster of its own, whatever it is called', () => {
  const all = seedTree();
  const design = catalogued(workgroup('Design', { lead: 'auditor', agents: ['artist'] }));
  const idle = catalogued(workgroup('Idle', { lead: 'idle-lead', agents: ['x'] }), false);
  const config = { ...all, catalogue: [design, idle] };
  for (const lead of ['teaparty-lead', 'coding-lead', 'auditor']) expect(hasSubRoster(lead, config), lead).toBe(true);
  for (const leaf of ['pybayes-lead', 'developer', 'idle-lead', 'office-manager', 'nobody'])
    expect(hasSubRoster(leaf, config), leaf).toBe(false);
  expect(hasSubRoster('teaparty-lead', { ...config, memberProjects: ['pybayes'] })).toBe(false);
});

const CAST: RosterTeam = {
  name: 'Night Watch',
  leader: 'ripley',
  mesh: false,
  members: [
    { slug: 'ripley', name: 'Ripley', roleTitle: 'Lead', charter: undefined },
    { slug: 'hicks', name: 'Hicks', roleTitle: 'Engineer', charter: '# Hicks\n\nMends the airlock.\nAnd more.' },
    { slug: 'vasquez', name: 'Vasquez', roleTitle: 'Tester', charter: undefined },
  ],
};

verifies('roster.team.leader', 'the leader of a cast team writes to every member, without any configuration', () => {
  const derived = deriveTeamRoster(CAST, 'ripley');
  expect(derived.owner).toBe('night-watch/lead');
  expect(plainForm(derived.roster)).toEqual({
    hicks: { description: 'Mends the airlock.' },
    vasquez: { description: 'Tester' },
  });
  expect(agentIdMap(derived.roster)).toEqual({ hicks: 'night-watch/hicks', vasquez: 'night-watch/vasquez' });
  expect([...derived.roster.values()].map(({ position }) => position.kind)).toEqual(['member', 'member']);
});

test('what has no lead, or cannot be read, is told where it matters', () => {
  const leadless = catalogued(workgroup('Ops', { agents: ['ann'] }));
  expect(deriveOfficeRoster(tree({ catalogue: [leadless], memberWorkgroups: ['Ops'] })).warnings).toEqual([]);
  expect(deriveProjectRoster(project('P', { catalogue: [leadless], memberWorkgroups: ['Ops'] })).warnings).toEqual([
    { code: 'workgroup_leadless', text: 'Ops names no lead' },
  ]);
  const unreadable = new TroupeError('config_invalid', { what: 'Odd.' });
  expect(() => hasSubRoster('ann', tree({ catalogue: [catalogued(unreadable)] }))).toThrow(unreadable);
  expect(hasSubRoster('ann', tree({ catalogue: [catalogued(unreadable, false)] }))).toBe(false);
});

test('a charter is told by its first line that says something, and is what a member goes by', () => {
  const member = (slug: string, charter: string | undefined) => ({ slug, name: slug, roleTitle: 'Tester', charter });
  const charters = [
    '\n# Title\n---\n<!-- note -->\n  Tests it.  \nMore.',
    '# Title\n\n> Quotes it.',
    '# Only a title',
    '',
    undefined,
  ];
  const members = charters.map((charter, at) => member(`m${at}`, charter));
  const { roster } = deriveTeamRoster({ name: 'crew', leader: 'ripley', members, mesh: false }, 'ripley');
  expect([...roster.values()].map(({ description, prompt }) => [description, prompt])).toEqual([
    ['Tests it.', charters[0]],
    ['Quotes it.', charters[1]],
    ['Tester', charters[2]],
    ['Tester', ''],
    ['Tester', undefined],
  ]);
  expect(roster.get('m4')).not.toHaveProperty('prompt');
});

verifies('roster.team.member', 'a member writes to nobody; with a mesh to the leader and all others', () => {
  expect(keys(deriveTeamRoster(CAST, 'hicks'))).toEqual([]);
  expect(agentIdMap(deriveTeamRoster({ ...CAST, mesh: true }, 'hicks').roster)).toEqual({
    ripley: 'night-watch/lead',
    vasquez: 'night-watch/vasquez',
  });
});

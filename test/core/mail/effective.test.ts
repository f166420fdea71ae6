import { expect } from 'vitest';
import type { Human, Workgroup } from '#core/mail/config-tree.js';
import { agentIdMap, deriveOfficeRoster, deriveProjectRoster, deriveWorkgroupRoster } from '#core/mail/derive.js';
import { clientForm, effectiveRoster, plainForm } from '#core/mail/effective.js';
import { standingsOf } from '#core/mail/standings.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { catalogued, project, seedTree, tree, workgroup } from './tree.js';

const REQUESTOR =
  'The agent that requested this task. Send questions or ask for clarification. Use Reply when your work is complete.';
const NOBODY: readonly Human[] = [];
const coding = () => {
  const [{ project: own } = { project: undefined }] = seedTree().projects;
  const [entry] = own instanceof TroupeError || own === undefined ? [] : own.catalogue;
  return deriveWorkgroupRoster(entry?.workgroup as Workgroup, 'TeaParty');
};

verifies('roster.requestor.inject', 'whoever asked is added to the roster of a child that can write', () => {
  const requestor = { name: 'teaparty-lead', id: 'teaparty/lead' };
  const roster = effectiveRoster({ derived: coding(), listener: true, requestor, humans: NOBODY });
  expect(plainForm(roster)['teaparty-lead']).toEqual({ description: REQUESTOR, type: 'requestor' });
  expect(agentIdMap(roster)).toMatchObject({
    'teaparty-lead': 'teaparty/lead',
    developer: 'teaparty/coding/developer',
  });
  // The same agent is there already, and becomes the one who asked.
  const same = { name: 'anything', id: 'teaparty/coding/reviewer' };
  const marked = effectiveRoster({ derived: coding(), listener: true, requestor: same, humans: NOBODY });
  expect([...marked.keys()]).toEqual(['developer', 'reviewer', 'architect']);
  expect(marked.get('reviewer')).toMatchObject({ description: REQUESTOR, type: 'requestor' });
  // Another has its name.
  const other = { name: 'reviewer', id: 'om/reviewer' };
  const both = effectiveRoster({ derived: coding(), listener: true, requestor: other, humans: NOBODY });
  expect(agentIdMap(both)).toMatchObject({ reviewer: 'teaparty/coding/reviewer', 'om/reviewer': 'om/reviewer' });
  expect(both.get('om/reviewer')?.type).toBe('requestor');
  // A person who decides here, too, is there once.
  const humans: readonly Human[] = [{ name: 'Ann', role: 'decider' }];
  const person = effectiveRoster({
    ...{ derived: coding(), listener: true, humans },
    requestor: { name: 'ann', id: 'human/ann' },
  });
  expect(Object.values(agentIdMap(person)).filter((id) => id === 'human/ann')).toHaveLength(1);
  expect(person.get('ann')?.type).toBe('requestor');
});

verifies('roster.humans', 'people of the nearest level are entries of those who can write', () => {
  const people = (name: string): Human[] => [{ name, role: 'decider' }];
  const own = workgroup('Coding', { lead: 'coding-lead', agents: ['developer'], humans: people('Ada') });
  const plain = workgroup('Plain', { lead: 'plain-lead', agents: ['ada'] });
  const config = tree({
    humans: [
      { name: 'Olga', role: 'decider' },
      { name: 'Pia', role: 'advisor' },
      { name: 'Ida', role: 'informed' },
    ],
    projects: [
      {
        name: 'P',
        project: project('P', {
          lead: 'p-lead',
          catalogue: [catalogued(own), catalogued(plain)],
          memberWorkgroups: ['Coding', 'Plain'],
        }),
      },
    ],
  });
  const { agents } = standingsOf(config);
  const rosterOf = (id: string) => {
    const standing = agents.get(id);
    if (!standing) throw new Error(id);
    return effectiveRoster({ ...standing, requestor: undefined });
  };
  expect(agentIdMap(rosterOf('p/coding/lead'))).toEqual({ developer: 'p/coding/developer', Ada: 'human/ada' });
  expect(agentIdMap(rosterOf('p/plain/lead'))).toMatchObject({
    Olga: 'human/olga',
    Pia: 'human/pia',
    Ida: 'human/ida',
  });
  expect(rosterOf('p/plain/lead').get('Pia')).toMatchObject({ type: 'human' });
  expect([...rosterOf('p/coding/developer')], 'one who leads nobody only replies').toEqual([]);
  const clash = deriveWorkgroupRoster(workgroup('W', { agents: ['Ada'] }), 'P');
  const roster = effectiveRoster({ derived: clash, listener: true, requestor: undefined, humans: people('Ada') });
  expect(agentIdMap(roster)).toEqual({ Ada: 'p/w/ada', 'human/ada': 'human/ada' });
});

verifies(
  'roster.emit.plain',
  'the plain form is that of the seed: names, descriptions, the order of the configuration',
  () => {
    expect(JSON.stringify(plainForm(coding().roster))).toBe(
      '{"developer":{"description":"Writes implementation code."},"reviewer":{"description":"Reviews code for quality and correctness."},"architect":{"description":"Design analysis and architectural decisions."}}',
    );
  },
);

verifies('roster.emit.client', 'the form for a client has a description and a prompt each, and no people', () => {
  const long = workgroup('W', {
    agents: ['chatty', 'mute', 'blank', 'terse'],
    agentFiles: new Map([
      ['chatty', { description: 'x'.repeat(5_000), prompt: 'Talk.' }],
      ['blank', { description: '  ', prompt: '' }],
      ['terse', { description: ' Tests it. ', prompt: ' \n' }],
    ]),
  });
  const derived = deriveWorkgroupRoster(long, 'P');
  const humans: Human[] = [{ name: 'Ada', role: 'decider' }];
  const requestor = { name: 'p-lead', id: 'p/lead' };
  const form = clientForm(effectiveRoster({ derived, listener: true, requestor, humans }));
  expect(Object.keys(form)).toEqual(['chatty', 'mute', 'blank', 'terse', 'p-lead']);
  for (const agent of Object.values(form)) {
    expect(agent.description.length).toBeGreaterThan(0);
    expect([...agent.description].length).toBeLessThanOrEqual(1_024);
    expect(agent.prompt.length).toBeGreaterThan(0);
  }
  expect(form['chatty']).toMatchObject({ prompt: 'Talk.', id: 'p/w/chatty' });
  expect(form['blank']?.description).toBe('blank');
  expect(form['terse']).toEqual({
    ...{ description: 'Tests it.', prompt: 'You are terse.  Tests it. ', id: 'p/w/terse' },
  });
  expect(form['p-lead']).toMatchObject({ type: 'requestor', id: 'p/lead' });
  expect(form['mute']?.prompt).toBe('You are mute.');
  // Nor a person who asked.
  const asked = effectiveRoster({ derived, listener: true, requestor: { name: 'ann', id: 'human/ann' }, humans });
  expect(Object.keys(clientForm(asked))).toEqual(['chatty', 'mute', 'blank', 'terse']);
});

verifies(
  ['roster.office.projects', 'roster.config.ref-missing'],
  'what cannot be read takes only its own part with it',
  () => {
    const missing = new TroupeError('workgroup_ref_not_found', { what: 'in none of: a, b' });
    const { projects } = seedTree();
    const { agents, problems } = standingsOf(
      tree({
        projects: [...projects, { name: 'broken', project: new TroupeError('config_invalid', { what: 'x.yaml:1:1' }) }],
        catalogue: [{ ref: 'art', name: undefined, active: true, workgroup: missing }],
      }),
    );
    expect([...agents.keys()]).toEqual([
      ...['om', 'teaparty/lead', 'teaparty/coding/lead'],
      ...['developer', 'reviewer', 'architect'].map((name) => `teaparty/coding/${name}`),
      'pybayes/lead',
    ]);
    expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'error workgroup_ref_not_found',
      'error config_invalid',
      'warning project_unloadable',
    ]);
    expect(deriveOfficeRoster(tree()).roster.size + deriveProjectRoster(project('P')).roster.size).toBe(0);
  },
);

verifies('bus.escalate.mode', 'a gate that is none is reported, with those there are', () => {
  const words = { review: 'never', deploy: 'always' } as const;
  const config = tree({ projects: [{ name: 'P', project: project('P', { lead: 'p-lead', escalation: words }) }] });
  const { problems } = standingsOf(config);
  expect(problems.filter(({ code }) => code === 'gate_unknown')).toEqual([
    { severity: 'warning', code: 'gate_unknown', text: 'deploy is not a gate of P: escalation has plan and review' },
  ]);
});

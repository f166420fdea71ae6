import { expect, test } from 'vitest';
import type { ConfigTree } from '#core/mail/config-tree.js';
import { agentIdMap, hasSubRoster } from '#core/mail/derive.js';
import { ancestors, directoryOf, isDerivable, rosterOf } from '#core/mail/directory.js';
import { standingsOf } from '#core/mail/standings.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { catalogued, project, seedTree, tree, workgroup } from './tree.js';

/** The roster of everybody in a tree, by id: those who listen. */
function rostersOf(config: ConfigTree): Record<string, string[]> {
  const directory = directoryOf(standingsOf(config), []);
  const rows = [...directory.values()].filter(({ listener }) => listener);
  return Object.fromEntries(
    rows.map((party) => [party.id, Object.values(agentIdMap(rosterOf(directory, party, undefined)))]),
  );
}

const audit = workgroup('Audit', { ref: 'audit', lead: 'auditor', agents: ['checker'] });

verifies(
  'who.promoted',
  'an agent of the office that leads a workgroup is that lead, under the id the office has for it',
  () => {
    const config: ConfigTree = { ...seedTree(), catalogue: [catalogued(audit)] };
    const { agents, problems } = standingsOf(config);
    expect(problems).toEqual([]);
    expect([...agents.keys()].filter((id) => id.startsWith('om'))).toEqual([
      ...['om', 'om/auditor', 'om/researcher', 'om/strategist', 'om/audit/checker'],
    ]);
    expect(rostersOf(config)).toMatchObject({
      om: expect.arrayContaining(['om/auditor']),
      'om/auditor': ['om/audit/checker'],
    });
    const directory = directoryOf(standingsOf(config), []);
    const party = (id: string) => directory.get(id) ?? expect.unreachable();
    // Whom it leads has it above; what it is told of itself is its agent file.
    expect([...ancestors(directory, party('om/audit/checker'))]).toEqual(['om/auditor', 'om']);
    expect([...ancestors(directory, party('om/auditor'))]).toEqual(['om']);
    expect(party('om/auditor').prompt).toBe('You are here for Code audits and quality assessment.');
    expect(isDerivable(directory, { initiator: 'om/auditor', recipient: 'om/audit/checker' })).toBe(true);
    // Without people of its own it is led, as before.
    const idle = { ...config, catalogue: [catalogued({ ...audit, agents: [] })] };
    expect(rostersOf(idle)).not.toHaveProperty('om/auditor');
  },
);

test('whoever leads a workgroup besides its own position has its agents, wherever the two are', () => {
  const tools = workgroup('Tools', {
    lead: 'developer',
    agents: ['smith'],
    humans: [{ name: 'Ann', role: 'decider' }],
  });
  const coding = workgroup('Coding', { lead: 'coding-lead', agents: ['developer', 'reviewer'] });
  const own = workgroup('Own', { lead: 'p-lead', agents: ['helper'] });
  const ops = workgroup('Ops', { lead: 'manager', agents: ['clerk'] });
  const inProject = workgroup('Audits', { lead: 'auditor', agents: ['checker'] });
  const of = (memberWorkgroups: string[]) =>
    tree({
      lead: 'manager',
      memberAgents: ['auditor'],
      catalogue: [catalogued(ops)],
      projects: [
        {
          name: 'P',
          project: project('P', {
            ...{ lead: 'p-lead', memberWorkgroups },
            catalogue: [coding, tools, own, inProject].map((one) => catalogued(one)),
          }),
        },
      ],
    });
  // Catalogued only: nobody has their lead in a roster, so it is who it is elsewhere.
  expect(rostersOf(of(['Coding']))).toEqual({
    om: ['p/lead', 'om/auditor', 'om/ops/clerk'],
    'om/auditor': ['p/audits/checker'],
    'p/lead': ['p/coding/lead', 'p/own/helper'],
    'p/coding/lead': ['p/coding/developer', 'p/coding/reviewer'],
    'p/coding/developer': ['p/tools/smith', 'human/ann'],
  });
  // The roster of the project names them as leads: both positions have the agents.
  const named = rostersOf(of(['Coding', 'Tools', 'Own', 'Audits']));
  expect(named).toMatchObject({
    'p/lead': ['p/coding/lead', 'p/tools/lead', 'p/own/lead', 'p/audits/lead'],
    'p/own/lead': ['p/own/helper'],
    'p/tools/lead': ['p/tools/smith', 'human/ann'],
    'p/coding/developer': ['p/tools/smith', 'human/ann'],
    'p/audits/lead': ['p/audits/checker'],
    'om/auditor': ['p/audits/checker'],
  });
  const directory = directoryOf(standingsOf(of(['Coding', 'Tools', 'Own', 'Audits'])), []);
  expect(directory.get('p/tools/smith')?.above).toBe('p/tools/lead');
  expect(directoryOf(standingsOf(of(['Coding'])), []).get('p/tools/smith')?.above).toBe('p/coding/developer');
});

verifies('who.promoted', 'whether somebody leads others is no "false" where a part of the tree cannot be read', () => {
  const broken = new TroupeError('workgroup_ref_not_found', { what: 'coding is in none of: a, b' });
  const part = project('P', { lead: 'p-lead', catalogue: [catalogued(broken)], memberWorkgroups: ['coding'] });
  const config = tree({ projects: [{ name: 'P', project: part }], catalogue: [catalogued(audit)] });
  expect(() => hasSubRoster('coding-lead', config)).toThrow(broken);
  // This one is certain.
  expect(hasSubRoster('auditor', config)).toBe(true);
  const unread = tree({ projects: [{ name: 'P', project: new TroupeError('config_invalid', { what: 'x:1:1' }) }] });
  expect(() => hasSubRoster('anybody', unread)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  // Who is not active leads nobody, whatever the file says.
  expect(hasSubRoster('x', tree({ catalogue: [catalogued(broken, false)] }))).toBe(false);
});

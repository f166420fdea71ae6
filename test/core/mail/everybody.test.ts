import path from 'node:path';
import { expect, test } from 'vitest';
import type { AgentFile, ConfigTree, Human } from '#core/mail/config-tree.js';
import { agentIdMap } from '#core/mail/derive.js';
import { ALWAYS_ESCALATE, escalationOf, USUAL_ESCALATION, unknownGates } from '#core/mail/gates.js';
import { standingsOf } from '#core/mail/standings.js';
import { TroupeError } from '#kernel/errors.js';
import { catalogued, project, seedTree, tree, workgroup } from './tree.js';

const people = (...names: string[]): Human[] => names.map((name) => ({ name, role: 'decider' }));
const files = (...names: string[]) =>
  new Map(names.map((name): [string, AgentFile] => [name, { description: `${name} does it.`, prompt: `Be ${name}.` }]));
const unread = (what: string) => new TroupeError('config_invalid', { what });

/** Everybody with all that is known of them, and every problem. */
function told(title: string, config: ConfigTree): string {
  const { agents, problems } = standingsOf(config);
  const rows = [...agents.values()].map(({ derived, humans, ...one }) => {
    const roster = Object.entries(agentIdMap(derived.roster)).map(([name, id]) => `${name}=${id}`);
    return { ...one, humans: humans.map(({ name }) => name).join(), owner: derived.owner, roster: roster.join() };
  });
  return [`# ${title}`, ...[...rows, ...problems].map((row) => `  ${JSON.stringify(row)}`)].join('\n');
}

test('everybody of an office, and everything that is wrong with it', async () => {
  const coding = workgroup('Coding', {
    ...{ ref: 'coding', description: 'Codes.', lead: 'coder', agents: ['dev', 'qa'], humans: people('Ada') },
    agentFiles: files('coder', 'dev'),
  });
  const audit = workgroup('Audit', { lead: 'auditor', agents: ['checker'], description: 'Audits.' });
  const idle = workgroup('Idle', { lead: 'auditor' });
  const headless = workgroup('Headless', { agents: ['loner'] });
  const inner = project('Inner', {
    ...{
      description: 'An inner one.',
      lead: 'inner-lead',
      humans: people('Ben'),
      memberWorkgroups: ['Coding', 'Gone'],
    },
    catalogue: [
      catalogued(coding),
      catalogued(workgroup('Off', { lead: 'off-lead', agents: ['x'] }), false),
      catalogued(unread('This one is off.'), false),
    ],
    ...{ agentFiles: files('inner-lead'), escalation: { plan: 'never', odd: 'always' } },
  });
  const torn = project('Torn', {
    ...{ lead: 'torn-lead', memberWorkgroups: ['Coding'] },
    catalogue: [catalogued(unread('Its file is broken.')), catalogued(coding)],
  });
  const leaderless = project('Leaderless', { catalogue: [catalogued(audit)] });
  const config = tree({
    ...{
      description: 'The office.',
      humans: people('Ann'),
      memberAgents: ['auditor', 'clerk'],
      agentFiles: files('auditor'),
    },
    ...{ catalogue: [catalogued(audit), catalogued(idle), catalogued(headless)], memberWorkgroups: ['Audit', 'Idle'] },
    projects: [
      { name: 'Inner', project: inner },
      { name: 'Leaderless', project: leaderless },
      { name: 'Torn', project: torn },
      { name: 'Broken', project: unread('Broken cannot be read.') },
      { name: 'Again', project: unread('Broken cannot be read.') },
    ],
    memberProjects: ['Inner', 'Leaderless'],
    warnings: [{ code: 'gate_unknown', text: 'Of the file.' }],
  });
  const all = [
    told('the example', seedTree()),
    told('one with everything', config),
    told('without a lead of its own', tree({ lead: undefined, memberAgents: ['auditor'] })),
    told('where its lead leads a workgroup', tree({ lead: 'auditor', catalogue: [catalogued(audit)] })),
    told('where nobody is named', tree({ projects: [{ name: 'P', project: project('P', { lead: 'p' }) }] })),
  ];
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/everybody.txt'));
});

test('gates are escalated as a project says it, else as usual; a word that names none is said', () => {
  expect([escalationOf({}), escalationOf({ plan: 'never' }), escalationOf({ review: 'always' })]).toEqual([
    USUAL_ESCALATION,
    { plan: 'never', review: 'when_unsure' },
    { plan: 'when_unsure', review: 'always' },
  ]);
  expect([USUAL_ESCALATION, ALWAYS_ESCALATE]).toEqual([
    { plan: 'when_unsure', review: 'when_unsure' },
    { plan: 'always', review: 'always' },
  ]);
  expect(unknownGates('P', { plan: 'never', odd: 'always', review: 'never' })).toEqual([
    'odd is not a gate of P: escalation has plan and review',
  ]);
});

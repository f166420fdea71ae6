import type { CataloguedWorkgroup, ConfigTree, RosterProject, Workgroup } from '#core/mail/config-tree.js';

/** A workgroup as read from a file; missing fields are as in a file without them. */
export function workgroup(name: string, fields: Partial<Workgroup> = {}): Workgroup {
  return {
    ...{ name, ref: undefined, description: undefined, lead: undefined, agents: [], humans: [], agentFiles: new Map() },
    ...fields,
  };
}

export function catalogued(of: Workgroup | CataloguedWorkgroup['workgroup'], active = true): CataloguedWorkgroup {
  return { ref: 'ref' in of ? of.ref : undefined, name: undefined, active, workgroup: of };
}

export function project(name: string, fields: Partial<RosterProject> = {}): RosterProject {
  return {
    ...{ name, description: undefined, lead: undefined, humans: [], catalogue: [], memberWorkgroups: [] },
    ...{ agentFiles: new Map(), escalation: {} },
    ...fields,
  };
}

export function tree(fields: Partial<ConfigTree> = {}): ConfigTree {
  return {
    ...{ name: 'Office', description: undefined, lead: 'office-manager' },
    ...{ humans: [], projects: [], memberProjects: undefined },
    ...{ memberAgents: [], memberWorkgroups: [], catalogue: [], agentFiles: new Map(), warnings: [] },
    ...fields,
  };
}

/** The configuration of the seed's examples. */
export function seedTree(): ConfigTree {
  const file = (description: string) => ({ description, prompt: `You are here for ${description}` });
  const coding = workgroup('Coding', {
    ref: 'coding',
    description: 'Implements features and fixes bugs.',
    lead: 'coding-lead',
    agents: ['developer', 'reviewer', 'architect'],
    agentFiles: new Map([
      ['developer', file('Writes implementation code.')],
      ['reviewer', file('Reviews code for quality and correctness.')],
      ['architect', file('Design analysis and architectural decisions.')],
    ]),
  });
  const teaparty = project('TeaParty', {
    description: 'Research platform for durable, scalable agent coordination.',
    lead: 'teaparty-lead',
    catalogue: [catalogued(coding)],
    memberWorkgroups: ['Coding'],
  });
  const pybayes = project('pybayes', { description: 'Bayesian inference library.', lead: 'pybayes-lead' });
  return tree({
    projects: [teaparty, pybayes].map((one) => ({ name: one.name, project: one })),
    memberProjects: ['TeaParty', 'pybayes'],
    memberAgents: ['auditor', 'researcher', 'strategist'],
    agentFiles: new Map([['auditor', file('Code audits and quality assessment.')]]),
  });
}

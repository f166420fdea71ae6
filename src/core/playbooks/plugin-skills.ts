import type { Starter } from '#core/roles/starters.js';

/**
 * Instructions for a client, and when they apply. All decisions are left to troupe: the text only names the commands to
 * call.
 */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly hint: string;
  readonly body: string;
}

const MISSING =
  'If `troupe` is not found, say so and stop: nothing here works without it. Show what a command prints as it is, also when it refuses.';

export const AS_SKILL: Skill = {
  name: 'as',
  description:
    'Has one role do one pass over a target, as in "/roles:as debugger src/parser.ts", "review this as the skeptic", "let the optimizer look at it".',
  hint: 'NAME TARGET',
  body: `The first word names the role, the rest is what it is to look at.

1. Run \`troupe roles as NAME TARGET\`, with the target as one quoted argument. It makes one task and prints its id.
2. Run \`troupe show ID\` with that id until the task is over, and tell what came of it.

A name it does not know is answered with those there are. ${MISSING}
`,
};

export const EVOLVE_SKILL: Skill = {
  name: 'evolve',
  description:
    'Looks over the roles of this repository, as in "audit the roles", "which lessons should be shared", "are the roles still true". It changes nothing.',
  hint: '',
  body: `1. Run \`troupe roles check --evolve\` and show its report.
2. Run \`troupe roles graduate --candidates\` and show what could become a lesson for everybody.

Graduating a lesson and changing what a role is are a person's decisions: name the command, do not run it. ${MISSING}
`,
};

/** Skill of a shipped role. */
export function starterSkill(name: Starter, charter: string): Skill {
  return {
    name,
    description: `One pass of the ${name} over a target. ${charter}`,
    hint: 'TARGET',
    body: `Run \`troupe roles as ${name} TARGET\`, with the target as one quoted argument, then \`troupe show ID\` with the id it prints until the task is over,
and tell what came of it. ${MISSING}
`,
  };
}

const LINE_UP = `Nothing runs before a person has accepted the line-up: show it as it is printed and ask. Changes go through \`troupe playbook edit RUN\`, the
go-ahead through \`troupe playbook accept RUN\`. \`troupe playbook status RUN\` shows its state, \`troupe playbook stop RUN\` ends it.`;

export const CREW_SKILL: Skill = {
  name: 'crew',
  description:
    'Delivers something through a relay with gates: plan, build, check, deploy. For "run the crew on …", "have the crew build this", "ship it with the crew".',
  hint: 'GOAL',
  body: `1. Run \`troupe crew GOAL\`, with the goal as one quoted argument. It prints a numbered line-up and the id of the run.
2. ${LINE_UP}
3. A phase is over when its file is: \`troupe roles check-handoffs --run RUN --phase PHASE\` says whether it counts. A role that is stuck writes
   \`status: BLOCKED\` with \`## Tried\`, \`## Why stuck\`, \`## Needs\` and \`## Suggested escalation\`.

The release is a person's step: never run its commands. ${MISSING}
`,
};

export const PANEL_SKILL: Skill = {
  name: 'panel',
  description:
    'Has several views argue about a decision before it is taken. For "get a team on this", "stress-test this plan", "what would the skeptic say", "which of these should we do".',
  hint: 'QUESTION',
  body: `1. Run \`troupe panel QUESTION\`, with the question as one quoted argument. It prints who sits on the panel and the id of the run.
2. ${LINE_UP}
3. When it is over, show its decision with the minority view and what is unresolved. It is advice: nothing is shipped by it.

${MISSING}
`,
};

export const SWEEP_SKILL: Skill = {
  name: 'sweep',
  description:
    'Finds out what there is to know, in parallel, with checked sources. For "everything about …", "find all … there are", "survey the field of …".',
  hint: 'QUESTION',
  body: `1. Run \`troupe sweep QUESTION\`, with the question as one quoted argument. It prints the slices it would look into and the id of the run.
2. ${LINE_UP}
3. When it is over, show the findings with their sources, and name the gaps it names. What was refuted is left out.

${MISSING}
`,
};

/** Instructions of crew agents: their role, and the file they have to hand over. */
export const CREW_AGENTS: readonly { readonly name: string; readonly file: string; readonly charter: string }[] = [
  {
    name: 'architect',
    file: 'CONTRACT.md',
    charter: 'Plans the change and writes what done means, one checkable bullet each below `## Done-criteria`.',
  },
  { name: 'dev', file: 'CHANGES.md', charter: 'Builds what the contract asks for, and nothing beside it.' },
  {
    name: 'qa',
    file: 'QA.md',
    charter: 'Tries every criterion of the contract and gives each a line: `- [PASS] 1 text — evidence`, or FAIL.',
  },
  {
    name: 'deployer',
    file: 'DEPLOY.md',
    charter: 'Stages the release: the commands go below `## Commands`, and are run by nobody but a person.',
  },
];

import path from 'node:path';
import * as z from 'zod/mini';
import type { RosterWarning } from '#core/mail/config-tree.js';
import {
  agentIdMap,
  type Derived,
  deriveOfficeRoster,
  deriveProjectRoster,
  deriveTeamRoster,
  deriveWorkgroupRoster,
  hasSubRoster,
  OFFICE,
  participantId,
  type Roster,
} from '#core/mail/derive.js';
import { clientForm, effectiveRoster, plainForm, type Requestor } from '#core/mail/effective.js';
import { type Standings, standingsOf, type TreeStanding } from '#core/mail/standings.js';
import { leaderOf, presentMembers } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { flag, text } from '#operations/shapes.js';
import { teamNamed } from '#operations/teams/team-lookup.js';
import type { RosterPlace } from '#ports/roster-config.js';
import { rosterTeam } from './team-roster.js';

/** Inputs of every roster operation: location of the configuration, and output format. */
const home = {
  home: option('The .teaparty folder (default: the nearest above)', text, { value: 'DIR', path: 'always' }),
};
const forms = {
  ids: option('Show ids instead of descriptions', flag),
  agents: option('Print the input of `claude --agents`', flag),
  full: option('Show id, position and mark of each', flag),
};
type Forms = {
  readonly ids?: boolean | undefined;
  readonly agents?: boolean | undefined;
  readonly full?: boolean | undefined;
};

const warnings = z.readonly(z.array(z.object({ code: z.string(), text: z.string() })));
const rosterShape = z.object({
  owner: z.string(),
  form: z.enum(['plain', 'ids', 'agents', 'full']),
  roster: z.record(z.string(), z.unknown()),
  warnings,
});

const READ = { group: 'Messages', kind: 'read', where: 'caller', graphless: true } as const;

export const office = operation({
  name: 'roster.office',
  command: 'roster office',
  ...READ,
  instead: 'roster show --office',
  summary: 'Show whom the office manager may write to: project leads and office agents',
  examples: ['troupe roster show --office', 'troupe roster show --office --ids'],
  input: z.strictObject({ ...home, ...forms }),
  output: rosterShape,
  async run(context: TeamContext, input) {
    const tree = await (await context.rosterConfig()).tree(placeOf(context, input));
    const { owner, roster, warnings: derivedWarnings } = deriveOfficeRoster(tree);
    return answer({ owner, roster, warnings: [...tree.warnings, ...derivedWarnings] }, input);
  },
});

export const project = operation({
  name: 'roster.project',
  command: 'roster project',
  ...READ,
  instead: 'roster show --project',
  summary: 'Show whom a project lead may write to: the leads of its workgroups',
  examples: ['troupe roster show --project .', 'troupe roster show --project . --agents'],
  input: z.strictObject({
    project: argument('The folder of the project', z.string(), { path: 'always' }),
    ...home,
    ...forms,
  }),
  output: rosterShape,
  async run(context: TeamContext, input) {
    const config = await context.rosterConfig();
    const folder = path.resolve(context.projectFolder, input.project);
    return answer(
      deriveProjectRoster(await config.project(folder, { ...placeOf(context, input), from: folder })),
      input,
    );
  },
});

export const workgroup = operation({
  name: 'roster.workgroup',
  command: 'roster workgroup',
  ...READ,
  instead: 'roster show --workgroup',
  summary: 'Show whom a workgroup lead may write to: its agents',
  examples: [
    'troupe roster show --workgroup coding.yaml --project TeaParty',
    'troupe roster show --workgroup coding.yaml --project TeaParty --agents',
  ],
  input: z.strictObject({
    file: argument('The file of the workgroup', z.string(), { path: 'always' }),
    project: option('The project it belongs to (default: the office)', text, { value: 'NAME' }),
    ...home,
    ...forms,
  }),
  output: rosterShape,
  async run(context: TeamContext, input) {
    const config = await context.rosterConfig();
    const file = path.resolve(context.projectFolder, input.file);
    const read = await config.workgroup(file, { ...placeOf(context, input), from: path.dirname(file) });
    return answer(deriveWorkgroupRoster(read, input.project), input);
  },
});

/** Returns the roster of a team member, by default of its leader. The roster of an observer is always empty. */
export const team = operation({
  name: 'roster.team',
  command: 'roster team',
  ...READ,
  instead: 'roster show --team',
  summary: 'Show whom a team member may write to (default: the leader)',
  examples: ['troupe roster show --team shop', 'troupe roster show --team shop --for Neo --agents'],
  input: z.strictObject({
    team: argument('The team, as in `team list`', z.string()),
    member: option('The member', text, { flag: 'for', value: 'MEMBER', names: 'member' }),
    ...forms,
  }),
  output: rosterShape,
  async run(context: WorkContext, input) {
    const named = await teamNamed(context, input.team);
    const wanted = input.member?.toLowerCase() ?? leaderOf(named)?.slug ?? '';
    const members = presentMembers(named);
    const member = members.find(({ slug, name }) => slug === wanted || name.toLowerCase() === wanted);
    if (!member) {
      const suggestion = didYouMean(
        wanted,
        members.map(({ slug }) => slug),
      );
      throw new TroupeError('agent_unknown', {
        what: `${cut(inert(input.member ?? ''), 60)} is not a member of ${inert(named.name)}.`,
        hint:
          suggestion === undefined ? 'Run `troupe team show TEAM` to see its members.' : `Did you mean ${suggestion}?`,
        details: { team: named.name },
      });
    }
    const roster = await rosterTeam(context, named, async () => await (await context.squad()).read());
    const mesh = roster.mesh && member.position !== 'observer';
    return answer(deriveTeamRoster({ ...roster, mesh }, member.slug), input);
  },
});

/** Returns whether an agent has subordinates, and can therefore write to others. */
export const subRoster = operation({
  name: 'roster.sub-roster',
  command: 'roster has-sub-roster',
  ...READ,
  instead: 'roster show --leads',
  summary: 'Check whether an agent leads anyone and so can write to others',
  examples: ['troupe roster show --leads coding-lead', 'troupe roster show --leads coding-lead --json'],
  input: z.strictObject({ agent: argument('The name of the agent', z.string()), ...home }),
  output: z.object({ agent: z.string(), has_sub_roster: z.boolean() }),
  async run(context: TeamContext, input) {
    const tree = await (await context.rosterConfig()).tree(placeOf(context, input));
    return { agent: input.agent, has_sub_roster: hasSubRoster(input.agent, tree) };
  },
});

/** Returns the roster of one agent, including the people of its level and the requestor of its work. */
export const show = operation({
  name: 'roster.show',
  command: 'roster show',
  ...READ,
  summary: 'Show the effective roster of an agent, with its people and requestor',
  examples: [
    'troupe roster show teaparty/coding/lead',
    'troupe roster show teaparty/coding/lead --requestor teaparty/lead',
  ],
  input: z.strictObject({
    id: argument('Its id, as in `roster show`', z.string()),
    requestor: option('Who asked for its work', text, { value: 'ID' }),
    ...home,
    ...forms,
  }),
  output: z.extend(rosterShape, { listener: z.boolean() }),
  async run(context: TeamContext, input) {
    const standings = standingsOf(await (await context.rosterConfig()).tree(placeOf(context, input)));
    const standing = standingOf(standings, input.id);
    const { derived, listener, humans } = standing;
    const requestor = input.requestor === undefined ? undefined : requestorOf(standingOf(standings, input.requestor));
    const roster = effectiveRoster({ derived, listener, humans, requestor });
    return { ...answer({ ...derived, roster }, input), listener };
  },
});

/** Lists all agents in the configuration and all of its faults. */
export const check = operation({
  name: 'roster.check',
  command: 'roster check',
  ...READ,
  instead: 'roster show',
  summary: 'Show the roster configuration and all its problems',
  examples: ['troupe roster show', 'troupe roster show --json'],
  resource: [
    {
      method: 'GET',
      path: '/api/organisation',
      summary: 'The roster configuration: everyone, whom they lead, and its problems.',
      answer: { shape: 'organisation' },
    },
  ],
  input: z.strictObject({ ...home }),
  output: z.object({
    ok: z.boolean(),
    agents: z.array(
      z.object({ id: z.string(), name: z.string(), listener: z.boolean(), writes_to: z.array(z.string()) }),
    ),
    problems: z.readonly(
      z.array(z.object({ severity: z.enum(['error', 'warning']), code: z.string(), text: z.string() })),
    ),
  }),
  async run(context: TeamContext, input) {
    const { agents, problems } = standingsOf(await (await context.rosterConfig()).tree(placeOf(context, input)));
    return {
      ok: problems.every(({ severity }) => severity === 'warning'),
      agents: [...agents.values()].map(({ id, name, listener, derived, humans }) => {
        const roster = effectiveRoster({ derived, listener, humans, requestor: undefined });
        return { id, name, listener, writes_to: Object.values(agentIdMap(roster)) };
      }),
      problems,
    };
  },
});

function placeOf(
  { projectFolder }: Pick<Context, 'projectFolder'>,
  { home: named }: { readonly home?: string | undefined },
): RosterPlace {
  return { ...(named === undefined ? {} : { home: path.resolve(projectFolder, named) }), from: projectFolder };
}

function answer({ owner, roster, warnings: derivedWarnings }: Derived, wanted: Forms): z.infer<typeof rosterShape> {
  const asked = (['ids', 'agents', 'full'] as const).filter((form) => wanted[form]);
  if (asked.length > 1)
    throw new TroupeError('bad_input', {
      what: `Use only one of --ids, --agents and --full.`,
    });
  const form = asked[0] ?? 'plain';
  return {
    owner,
    form,
    roster: inForm(roster, form),
    warnings: derivedWarnings.map((one: RosterWarning) => ({ ...one })),
  };
}

function inForm(roster: Roster, form: 'plain' | 'ids' | 'agents' | 'full'): Record<string, unknown> {
  if (form === 'ids') return agentIdMap(roster);
  if (form === 'agents') return clientForm(roster);
  if (form === 'plain') return plainForm(roster);
  const rows = [...roster].map(([key, entry]) => {
    const { description, type, position } = entry;
    return [
      key,
      { id: participantId(key, entry), kind: position.kind, description, ...(type === undefined ? {} : { type }) },
    ];
  });
  return Object.fromEntries(rows);
}

function standingOf({ agents }: Standings, id: string): TreeStanding {
  const standing = agents.get(id);
  if (standing) return standing;
  const suggestion = didYouMean(id, agents.keys());
  throw new TroupeError('agent_unknown', {
    what: `No one in the configuration has the id ${cut(inert(id), WORK_LIMITS.idCharacters)}.`,
    ...(suggestion === undefined ? {} : { hint: `Did you mean ${suggestion}?` }),
  });
}

function requestorOf({ id, name }: TreeStanding): Requestor {
  return { id, name: id === OFFICE ? OFFICE : name };
}

/**
 * The team of a project: proposing, changing and confirming it (`cast …`), its members, the catalog they are cast from,
 * its files (`squad …`) and its memory (`memory … decision … inbox … session …`).
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import type { AgentMapper } from '#core/casting/agent-mapper.js';
import { planConfirmation } from '#core/casting/confirm.js';
import type { Proposal } from '#core/casting/proposal.js';
import { type Catalog, castable } from '#core/catalog/catalog.js';
import type { Workflow } from '#core/catalog/workflow.js';
import type { Seats } from '#core/playbooks/compiled.js';
import { gitFiles } from '#core/squad/first-files.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { PROPOSAL_PARAMS, PROPOSAL_PATH } from '#operations/resource-paths.js';
import { text } from '#operations/shapes.js';
import { withFirstSession } from '#operations/squad/first-session.js';
import { outsideWishes, refuseUnexpected } from '#operations/squad/outside-files.js';
import { earlierAnswer } from '#operations/squad/team-log.js';
import { clientFilesOf, teamRequestOf, withAgentFiles, withAgentMapper } from '#operations/squad/team-plan.js';
import { confirmedWithTasksShape, memberAnswer, warningShape } from '#operations/squad/team-shapes.js';
import { findWorkflow } from '#operations/workflows/workflow-source.js';
import type { TeamConsequences } from '#ports/squad-files.js';
import { buildDraftProposal } from './draft.js';
import { analyze, byRepository } from './proposals.js';

/** Confirms the proposal: creates, extends or replaces the team. */
export const confirm = operation({
  name: 'casting.confirm',
  command: 'cast confirm',
  group: 'Casting',
  kind: 'write',
  graphless: true,
  writesOutside: true,
  summary: 'Make the proposal your team; this writes .squad/',
  examples: ['troupe cast confirm', 'troupe cast confirm --intent augment --clients'],
  resource: [
    {
      method: 'POST',
      path: `${PROPOSAL_PATH}/confirm`,
      summary: 'Makes the proposal the team, or part of it.',
      params: PROPOSAL_PARAMS,
      fields: ['intent', 'leader', 'revision', 'clients'],
    },
  ],
  input: z.strictObject({
    intent: option('Required if there is a team: new, augment or recast', text, { value: 'INTENT' }),
    leader: option('The leader (default: the first eligible member)', text, { value: 'NAME' }),
    ...outsideWishes,
    proposal_id: text,
    revision: z.optional(z.number()),
  }),
  output: z.extend(confirmedWithTasksShape, { warnings: z.readonly(z.array(warningShape)) }),
  async run(context: WorkContext & MachineContext, { proposal_id: id, revision, clients, outside, ...wish }) {
    const [source, squad, clientFiles] = await Promise.all([
      context.catalog(),
      context.squad(),
      clientFilesOf(context, clients),
    ]);
    const [catalog, policyText, expected] = await Promise.all([source.load(), source.policyText(), squad.proposal()]);
    if (!expected || (id !== undefined && expected.proposal_id !== id)) throw new TroupeError('no_proposal');
    // Read before the lock is taken, to keep the lock short.
    const templates = await source.charterTemplates([
      ...expected.members.map((member) => member.role.id),
      ...catalog.builtins.map((builtin) => builtin.archetype),
    ]);
    const decide = (mapper: AgentMapper) => (state: SquadState, proposal: Proposal | undefined) => {
      if (proposal?.proposal_id !== expected.proposal_id)
        throw new TroupeError(proposal ? 'proposal_superseded' : 'no_proposal');
      // The person confirmed the charters and names of one revision; later changes were not accepted.
      if (proposal.revision !== (revision ?? expected.revision)) throw new TroupeError('proposal_changed');
      const planned = (files: ClientFiles) =>
        withAgentFiles(
          mapper,
          planConfirmation({
            ...wish,
            ...teamRequestOf(context, { state, catalog, templates, policyText, clientFiles: files }),
            proposal,
            agentFor: (archetype) => mapper.agentFor(archetype, state.registry),
          }),
        );
      const plan = planned(clientFiles);
      refuseUnexpected(outside, plan, clientFiles, () => planned('wanted'));
      return plan;
    };
    let news: TeamConsequences | undefined;
    const onNews = (teamNews: TeamConsequences) => {
      news = teamNews;
    };
    const result = await withAgentMapper(context, (mapper) =>
      squad.apply((state, proposal, read) => withFirstSession(context, decide(mapper)(state, proposal), read), onNews),
    );
    const { tasks } = news ?? (await earlierAnswer(context, result.snapshot_id));
    return { ...result, members: result.members.map(memberAnswer), tasks: [...tasks] };
  },
});

/**
 * Returns the team a workflow needs: the existing one, or a newly cast one based on the repository and the workflow.
 */
export const ensureTeam = operation({
  name: 'team.ensure',
  command: 'cast for',
  group: 'Casting',
  kind: 'write',
  graphless: true,
  writesOutside: true,
  instead: 'cast confirm --for',
  summary: 'Cast the team that a workflow needs, if there is none',
  examples: ['troupe cast confirm --for repository-review', 'troupe cast confirm --for repository-review --json'],
  input: z.strictObject({
    workflow: argument('The workflow: repository-review', z.string(), { names: 'workflow' }),
    outside: outsideWishes.outside,
  }),
  output: z.object({
    cast: z.boolean(),
    universe: z.string(),
    members: z.number(),
    leader: z.string(),
    outside: z.array(z.string()),
  }),
  async run(context: Context, input) {
    const [squad, { workflow }] = await Promise.all([context.squad(), findWorkflow(context, input.workflow)]);
    const present = await squad.readTeam();
    if (present) return { cast: false, outside: [], ...shapeOf(present) };
    // The files that every cast writes do not depend on the members: they are checked before the team is chosen.
    // Agents and roles of new members are added in the folder of the graph.
    const always = [
      ...gitFiles(await squad.texts()),
      { kind: 'create', path: `${FROM_PROJECT.agency}/`, text: '' } as const,
    ];
    refuseUnexpected(input.outside, { changes: always }, 'untouched');
    // The workflow does not need a model, and neither does casting its team.
    await analyze.run(context, neededFor(workflow, await (await context.catalog()).load()));
    // Client files are written only if a person requests them.
    const { outside } = await confirm.run(context, { clients: false, outside: input.outside });
    const team = await squad.readTeam();
    return { cast: true, outside: [...outside], ...shapeOf(team ?? { universe: '', members: [], leader: '' }) };
  },
});

/**
 * Returns the seats of a workflow: from the existing team, or from the team that `team.ensure` would cast. Writes
 * nothing, not even a proposal.
 */
export async function seatsFor(context: Context, workflow: Workflow): Promise<Seats> {
  const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
  const present = await squad.readTeam();
  if (present) return present;
  const [catalog, state] = await Promise.all([source.load(), squad.read()]);
  const proposal = await buildDraftProposal(context, {}, await byRepository(context, neededFor(workflow, catalog)));
  const [templates, policyText] = [new Map<string, string>(), await source.policyText()];
  const wish = teamRequestOf(context, { state, catalog, templates, policyText, clientFiles: 'untouched' });
  return planConfirmation({ ...wish, proposal }).result;
}

/**
 * Input for casting offline by the needs of the repository, with the archetypes that the workflow names as required.
 */
function neededFor(workflow: Workflow, catalog: Catalog) {
  const archetypes = workflow.nodes.flatMap((node) => {
    const first = typeof node.archetype === 'string' ? node.archetype : node.archetype?.[0];
    // A workflow of the project may name an unknown archetype; its step then has no owner.
    return first !== undefined && castable(catalog, first) ? [first] : [];
  });
  const required = [...new Set(archetypes)];
  return { offline: true, required, size: Math.max(TEAM_LEAST, required.length + 1) };
}

/** Minimum team size: a smaller team has no member who would contradict its leader. */
const TEAM_LEAST = 5;

function shapeOf(team: { universe: string; leader: string; members: readonly { status: string; builtIn: boolean }[] }) {
  const members = team.members.filter((member) => member.status === 'Active' && !member.builtIn).length;
  return { universe: team.universe, members, leader: team.leader };
}

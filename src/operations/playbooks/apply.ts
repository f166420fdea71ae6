import * as z from 'zod/mini';
import type { AgentMapper } from '#core/casting/agent-mapper.js';
import { bespokeRole } from '#core/casting/bespoke.js';
import { parseIntent, planConfirmation } from '#core/casting/confirm.js';
import { buildProposal } from '#core/casting/propose.js';
import { draftText } from '#core/catalog/blueprint-check.js';
import type { Blueprint } from '#core/catalog/policies.js';
import { withChoice } from '#core/playbooks/project-choice.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import { CONFIG_JSON, workflowPath } from '#core/squad/squad-paths.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { BLUEPRINT_FIELDS, PROJECT_PATH } from '#operations/resource-paths.js';
import { withFirstSession } from '#operations/squad/first-session.js';
import { outsideWishes, refuseUnexpected } from '#operations/squad/outside-files.js';
import { clientFilesOf, teamRequestOf, withAgentFiles, withAgentMapper } from '#operations/squad/team-plan.js';
import { confirmedWithTasksShape, memberAnswer, warningShape } from '#operations/squad/team-shapes.js';
import { parseChoice } from '#operations/workflows/policy.js';
import type { TeamConsequences } from '#ports/squad-files.js';
import { checkedBlueprint } from './blueprints.js';

/**
 * Casts the team of a blueprint and stores its workflows and rules in one atomic write, including when that write fails
 * half way. On failure a pending proposal is unchanged; on success it is out of date, and confirming it is refused.
 */
export const blueprintApply = operation({
  name: 'blueprint.apply',
  command: 'blueprint apply',
  group: 'Casting',
  kind: 'write',
  graphless: true,
  writesOutside: true,
  summary: 'Cast the team of a blueprint and adopt its workflows and rules',
  examples: ['troupe blueprint apply software-development', 'troupe blueprint apply support --intent new'],
  resource: [
    {
      method: 'POST',
      path: `${PROJECT_PATH}/blueprint`,
      summary: 'Applies a blueprint: its team, workflow and rules.',
      status: 201,
      fields: [...BLUEPRINT_FIELDS, 'intent', 'universe', 'seed'],
    },
  ],
  input: z.strictObject({
    id: argument('A shipped blueprint', z.optional(z.string())),
    file: option('Your own blueprint, YAML or JSON', z.optional(z.string()), { value: 'FILE', path: 'always' }),
    intent: option('Intent for an existing team: new replaces it', z.optional(z.string()), { value: 'INTENT' }),
    universe: option('The universe of names', z.optional(z.string()), { value: 'NAME' }),
    seed: option('Seed that selects the universe; default: the project', z.optional(z.string()), { value: 'TEXT' }),
    ...outsideWishes,
    blueprint: z.optional(z.unknown()),
  }),
  output: z.extend(confirmedWithTasksShape, {
    blueprint: z.string(),
    default_workflow: z.string(),
    warnings: z.readonly(z.array(warningShape)),
  }),
  async run(context: ProjectContext, { intent, universe, seed, clients, outside, ...from }) {
    const checked = await checkedBlueprint(context, from);
    if (!checked.valid) {
      const { errors } = checked;
      throw new TroupeError('invalid_blueprint', { what: errors.join('; '), details: { errors } });
    }
    const { blueprint } = checked;
    const stated = parseIntent(intent);
    if (stated !== undefined && stated !== 'new')
      throw new TroupeError('intent_invalid', {
        what: 'A blueprint always casts a new team.',
        hint: 'Use --intent new.',
      });
    const [source, squad, clientFiles] = await Promise.all([
      context.catalog(),
      context.squad(),
      clientFilesOf(context, clients),
    ]);
    const [catalog, policyText] = await Promise.all([source.load(), source.policyText()]);
    const builtins = catalog.builtins.map((builtin) => builtin.archetype);
    const templates = await source.charterTemplates([...blueprint.roster, ...builtins]);
    const decide = (mapper: AgentMapper) => (state: SquadState) => {
      if (state.teamPresent && stated === undefined) {
        throw new TroupeError('requires_choice', {
          hint: 'Use --intent new to replace the existing team with the one of the blueprint.',
          details: { intents: ['new'] },
        });
      }
      const wishFor = (files: ClientFiles) =>
        teamRequestOf(context, { state, catalog, templates, policyText, clientFiles: files });
      const wish = wishFor(clientFiles);
      const proposal = buildProposal({
        mode: 'manual',
        method: 'catalog',
        rationale: blueprint.description,
        warnings: [],
        picks: picksOf(blueprint),
        state,
        catalog,
        templates,
        universe,
        intent: stated,
        seed: seed ?? wish.project,
        proposalId: context.freshId(),
        now: wish.now,
      });
      const planned = (files: ClientFiles) => {
        const plan = planConfirmation({
          ...wishFor(files),
          proposal,
          intent,
          agentFor: (archetype) => mapper.agentFor(archetype, state.registry),
        });
        return withAgentFiles(mapper, withRules(plan, blueprint, state));
      };
      const plan = planned(clientFiles);
      refuseUnexpected(outside, plan, clientFiles, () => planned('wanted'));
      return plan;
    };
    let news: TeamConsequences = { tasks: [] };
    const onNews = (teamNews: TeamConsequences) => {
      news = teamNews;
    };
    const result = await withAgentMapper(context, (mapper) =>
      squad.apply((state, _proposal, read) => withFirstSession(context, decide(mapper)(state), read), onNews),
    );
    return { ...result, members: result.members.map(memberAnswer), tasks: [...news.tasks] };
  },
});

function picksOf({ name, roster, bespoke_roles: roles = [] }: Blueprint) {
  const bespoke = new Map(roles.map((role) => [role.id, bespokeRole(role)]));
  return roster.map((archetypeId) => {
    const own = bespoke.get(archetypeId);
    return { archetypeId, reason: `On the roster of ${name}.`, ...(own ? { bespoke: own } : {}) };
  });
}

/** Adds the workflow and rules of the blueprint to a confirmation: one plan, one write. */
function withRules<Result>(plan: SquadPlan<Result>, blueprint: Blueprint, state: SquadState) {
  const { id, workflows, draft, review_policy, sandbox_profile } = blueprint;
  const [first = 'default'] = workflows;
  const configChange = plan.changes.find((change) => change.path === CONFIG_JSON);
  const before =
    configChange !== undefined && 'text' in configChange ? configChange.text : state.texts.get(CONFIG_JSON);
  parseChoice(before);
  const choice = { default_workflow: first, allowed_workflows: [...workflows], review_policy, sandbox_profile };
  const changes: FileChange[] = [
    // `create` keeps an existing file: it has the same content, or a person has just added it.
    ...(draft === undefined ? [] : [{ kind: 'create', path: workflowPath(draft.id), text: draftText(draft) } as const]),
    ...plan.changes.filter((change) => change !== configChange),
    { kind: 'write', path: CONFIG_JSON, text: withChoice(before, choice) },
  ];
  return { changes, result: { ...plan.result, blueprint: id, default_workflow: first } };
}

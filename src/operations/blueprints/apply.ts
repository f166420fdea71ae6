import * as z from 'zod/mini';
import { bespokeRole } from '#core/casting/bespoke.js';
import { parseIntent, planConfirmation } from '#core/casting/confirm.js';
import type { FileChange } from '#core/casting/file-change.js';
import { buildProposal } from '#core/casting/propose.js';
import { CONFIG_JSON } from '#core/casting/squad-paths.js';
import { withChoice } from '#core/formations/project-choice.js';
import { TroupeError } from '#kernel/errors.js';
import { templatesOf } from '#operations/casting/draft.js';
import { confirmedShape } from '#operations/casting/shapes.js';
import { teamWishOf } from '#operations/casting/team-wish.js';
import { operation } from '#operations/operation.js';
import { checkedBlueprint } from './source.js';

/**
 * Casts the team of a blueprint and writes down its workflows and rules, by one write: all of it or nothing. The proposal that
 * waits stays as it is when this fails; when it succeeds it is out of date, and confirming it says so.
 */
export const blueprintApply = operation({
  name: 'blueprint.apply',
  input: z.strictObject({
    id: z.optional(z.string()),
    file: z.optional(z.string()),
    intent: z.optional(z.string()),
    universe: z.optional(z.string()),
    seed: z.optional(z.string()),
  }),
  output: z.extend(confirmedShape, { blueprint: z.string(), default_workflow: z.string() }),
  async run(context, { intent, universe, seed, ...from }) {
    const { valid, errors, blueprint } = await checkedBlueprint(context, from);
    if (!valid || !blueprint) {
      throw new TroupeError('invalid_blueprint', { what: errors.join('; '), details: { errors: [...errors] } });
    }
    const stated = parseIntent(intent);
    if (stated !== undefined && stated !== 'new')
      throw new TroupeError('intent_invalid', { what: 'A blueprint begins a team anew: say --intent new.' });
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const [catalog, policyText] = await Promise.all([source.load(), source.policyText()]);
    const bespoke = new Map((blueprint.bespoke_roles ?? []).map((role) => [role.id, bespokeRole(role)]));
    const picks = blueprint.roster.map((archetypeId) => {
      const own = bespoke.get(archetypeId);
      return { archetypeId, reason: `On the roster of ${blueprint.name}.`, ...(own ? { bespoke: own } : {}) };
    });
    const builtins = catalog.builtins.map((builtin) => builtin.archetype);
    const templates = await templatesOf(source, [...blueprint.roster, ...builtins]);
    const [first = 'default'] = blueprint.workflows;
    return await squad.apply((state) => {
      const wish = teamWishOf(context, { state, catalog, templates, policyText });
      const proposal = buildProposal({
        ...{ mode: 'manual', method: 'catalog', rationale: blueprint.description, warnings: [], picks },
        ...{ state, catalog, templates, universe, intent: stated, seed: seed ?? wish.project },
        proposalId: context.freshId(),
        now: wish.now,
      });
      const plan = planConfirmation({ ...wish, proposal, intent });
      const written = plan.changes.find((change) => change.kind === 'write' && change.path === CONFIG_JSON);
      const before = written?.kind === 'write' ? written.text : state.texts.get(CONFIG_JSON);
      const config: FileChange = {
        kind: 'write',
        path: CONFIG_JSON,
        text: withChoice(before, {
          default_workflow: first,
          allowed_workflows: [...blueprint.workflows],
          review_policy: blueprint.review_policy,
          sandbox_profile: blueprint.sandbox_profile,
        }),
      };
      const changes = [...plan.changes.filter((change) => change !== written), config];
      return { changes, result: { ...plan.result, blueprint: blueprint.id, default_workflow: first } };
    });
  },
});

import path from 'node:path';
import * as z from 'zod/mini';
import { bespokeCharter, bespokeRole } from '#core/casting/bespoke.js';
import { type BlueprintCheck, checkBlueprint, parseDraft } from '#core/catalog/blueprint-check.js';
import { type Blueprint, blueprintSchema } from '#core/catalog/policies.js';
import { checkCompiles } from '#core/playbooks/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { FilesContext, MachineContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { BLUEPRINT_FIELDS } from '#operations/resource-paths.js';
import { policyOf } from '#operations/workflows/policy.js';
import { everyWorkflow, type ListedWorkflow } from '#operations/workflows/workflow-source.js';

export const blueprintList = operation({
  name: 'blueprint.list',
  command: 'blueprint list',
  group: 'Casting',
  kind: 'read',
  graphless: true,
  instead: 'playbooks --kind blueprint',
  summary: 'List the blueprints: a team, its workflows and its rules',
  examples: ['troupe blueprint list', 'troupe blueprint list --json'],
  resource: [{ method: 'GET', path: '/api/catalog/blueprints', summary: 'The blueprints.' }],
  input: z.strictObject({}),
  output: z.object({ blueprints: z.array(blueprintSchema) }),
  async run(context: TeamContext) {
    return { blueprints: [...(await (await context.catalog()).blueprints()).values()] };
  },
});

export const blueprintShow = operation({
  name: 'blueprint.show',
  command: 'blueprint show',
  group: 'Casting',
  kind: 'read',
  graphless: true,
  instead: 'playbooks --kind blueprint',
  summary: 'Show the roster, workflows and rules of a blueprint',
  examples: ['troupe blueprint show support', 'troupe blueprint show blueprint-operations --json'],
  resource: [{ method: 'GET', path: '/api/catalog/blueprints/:id', summary: 'One blueprint.', params: ['id'] }],
  input: z.strictObject({ id: argument('The blueprint', z.string()) }),
  output: blueprintSchema,
  run: (context: TeamContext, { id }) => shippedBlueprint(context, id),
});

/** Validates a blueprint and returns all errors at once. */
export const blueprintValidate = operation({
  name: 'blueprint.validate',
  command: 'blueprint validate',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  instead: 'catalog lint --blueprint',
  summary: 'Check a blueprint and list every problem',
  examples: ['troupe catalog lint --blueprint --file blueprint.yaml', 'troupe catalog lint --blueprint support'],
  resource: [
    {
      method: 'POST',
      path: '/api/blueprints/validate',
      summary: 'Whether a blueprint is valid, with all errors.',
      fields: BLUEPRINT_FIELDS,
    },
  ],
  input: z.strictObject({
    id: argument('A shipped blueprint', z.optional(z.string())),
    file: option('Your own blueprint, YAML or JSON', z.optional(z.string()), { value: 'FILE', path: 'always' }),
    blueprint: z.optional(z.unknown()),
  }),
  output: z.object({ valid: z.boolean(), errors: z.array(z.string()) }),
  async run(context: TeamContext & FilesContext & MachineContext, from) {
    const { valid, errors } = await checkedBlueprint(context, from);
    return { valid, errors: [...errors] };
  },
});

/** Source of a blueprint; exactly one field is set. */
interface BlueprintWish {
  readonly id?: string | undefined;
  readonly file?: string | undefined;
  /** Blueprint as unvalidated data. */
  readonly blueprint?: unknown;
}

/** Returns a shipped blueprint. Errors: `not_found`. */
async function shippedBlueprint(context: Pick<Context, 'catalog'>, id: string): Promise<Blueprint> {
  const shipped = await (await context.catalog()).blueprints();
  const blueprint = shipped.get(id) ?? shipped.get(`blueprint-${id}`);
  if (blueprint) return blueprint;
  const ids = [...shipped.keys()];
  const suggestion = didYouMean(id, ids);
  throw new TroupeError('not_found', {
    what: `There is no blueprint ${JSON.stringify(id.slice(0, 60))}.`,
    hint: suggestion === undefined ? `Name one of: ${ids.join(', ')}.` : `Did you mean ${suggestion}?`,
  });
}

/** Loads a blueprint and validates it; all problems are in the result. Errors: `bad_input`, `not_found`. */
export async function checkedBlueprint(
  context: TeamContext & FilesContext & MachineContext,
  wish: BlueprintWish,
): Promise<BlueprintCheck> {
  return await checkedValue(context, await blueprintOf(context, wish));
}

/** Validates a blueprint given as data. */
export async function checkedValue(
  context: TeamContext & FilesContext & MachineContext,
  value: unknown,
): Promise<BlueprintCheck> {
  const source = await context.catalog();
  const [catalog, policies, profiles, workflows, own] = await Promise.all([
    source.load(),
    source.reviewPolicies(),
    source.sandboxProfiles(),
    everyWorkflow(context),
    (await context.workflowFiles()).list('review-policies'),
  ]);
  const checked = checkBlueprint(value, {
    catalog,
    workflows: new Set(workflows.flatMap((entry) => ('error' in entry ? [] : [entry.workflow.id]))),
    reserved: new Set(catalog.workflows),
    policies: new Set([...policies.keys(), ...own.flatMap((entry) => ('error' in entry ? [] : [entry.id]))]),
    profiles: new Set(profiles.keys()),
  });
  if (!checked.valid) return checked;
  const { blueprint } = checked;
  const errors = [...charterProblems(blueprint), ...(await draftProblems(context, blueprint, workflows))].map((error) =>
    inert(error),
  );
  return errors.length === 0 ? checked : { valid: false, errors };
}

async function blueprintOf(
  context: TeamContext & FilesContext,
  { id, file, blueprint }: BlueprintWish,
): Promise<unknown> {
  if ([id, file, blueprint].filter((one) => one !== undefined).length !== 1)
    throw new TroupeError('bad_input', { what: 'Name a shipped blueprint, or your own with --file.' });
  if (blueprint !== undefined) return blueprint;
  return file === undefined ? await shippedBlueprint(context, id ?? '') : await read(context, file);
}

/** Accepts the output of `blueprint generate --json`, which contains the blueprint in a field. */
async function read(context: FilesContext, file: string): Promise<unknown> {
  const place = path.resolve(context.projectFolder, file);
  const value = await (await context.functions()).readValues(place, context.caller.kind === 'run');
  return isJsonObject(value) && value['id'] === undefined && isJsonObject(value['blueprint'])
    ? value['blueprint']
    : value;
}

/** Checks inline charters as they would be compiled. */
function charterProblems({ bespoke_roles: roles = [] }: Blueprint): string[] {
  return roles.flatMap((role, index) =>
    problemOf(`bespoke_roles.${index}`, () => bespokeCharter(role.title, bespokeRole(role))),
  );
}

/** Checks that a draft compiles to tasks and does not replace another workflow. */
async function draftProblems(
  context: TeamContext & FilesContext,
  { draft, roster, review_policy: policy }: Blueprint,
  workflows: readonly ListedWorkflow[],
): Promise<string[]> {
  if (draft === undefined) return [];
  const steps = await policyOf(context, policy);
  const problems = problemOf('draft', () => checkCompiles(parseDraft(draft), roster, steps));
  const existing = workflows.find((entry) => ('error' in entry ? entry.id : entry.workflow.id) === draft.id);
  if (existing !== undefined && !('sha256' in existing && existing.sha256 === sha256(JSON.stringify(draft))))
    problems.push(`draft.id: the project has another workflow called “${draft.id}”`);
  return problems;
}

function problemOf(field: string, look: () => unknown): string[] {
  try {
    look();
    return [];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [`${field}: ${error.message}`];
  }
}

import path from 'node:path';
import { type Checked, checkBlueprint } from '#core/catalog/blueprint-check.js';
import type { Blueprint } from '#core/catalog/policies.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';
import { everyWorkflow } from '#operations/workflows/source.js';

/** A shipped blueprint; errors: `not_found`. */
export async function shippedBlueprint(context: Context, id: string): Promise<Blueprint> {
  const shipped = await (await context.catalog()).blueprints();
  const found = shipped.get(id) ?? shipped.get(`blueprint-${id}`);
  if (found) return found;
  const known = [...shipped.keys()];
  const meant = didYouMean(id, known);
  throw new TroupeError('not_found', {
    what: `There is no blueprint ${JSON.stringify(id.slice(0, 60))}.`,
    hint: meant === undefined ? `Name one of: ${known.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** What is named or brought along, with everything that is wrong with it. Errors: `usage`, `not_found`. */
export async function checkedBlueprint(
  context: Context,
  from: { id?: string | undefined; file?: string | undefined },
): Promise<Checked> {
  if ((from.id === undefined) === (from.file === undefined))
    throw new TroupeError('usage', { what: 'Name a blueprint, or a file with --file.' });
  const value =
    from.file === undefined ? await shippedBlueprint(context, from.id ?? '') : await read(context, from.file);
  const source = await context.catalog();
  const [catalog, policies, profiles, workflows, own] = await Promise.all([
    source.load(),
    source.reviewPolicies(),
    source.sandboxProfiles(),
    everyWorkflow(context),
    (await context.workflowFiles()).list('review-policies'),
  ]);
  return checkBlueprint(value, {
    catalog,
    workflows: new Set(workflows.flatMap((found) => ('error' in found ? [] : [found.workflow.id]))),
    policies: new Set([...policies.keys(), ...own.flatMap((entry) => ('error' in entry ? [] : [entry.id]))]),
    profiles: new Set(profiles.keys()),
  });
}

async function read(context: Context, file: string): Promise<unknown> {
  const place = path.resolve(context.projectFolder, file);
  return await (await context.functions()).readValues(place, context.caller.kind === 'run');
}

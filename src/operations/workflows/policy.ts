import { readEntry } from '#core/catalog/catalog-file.js';
import { type ReviewPolicy, reviewPolicySchema } from '#core/catalog/policies.js';
import type { PolicyStep } from '#core/playbooks/compiled.js';
import { type ProjectChoice, readChoice } from '#core/playbooks/project-choice.js';
import { CONFIG_JSON } from '#core/squad/squad-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';

/** Steps of the named policy, otherwise of the project's, otherwise none. Errors: `not_found`, `catalog_invalid`. */
export async function policyOf(context: TeamContext & FilesContext, named: string | undefined): Promise<PolicyStep[]> {
  const id = named ?? (await choiceOf(context)).review_policy;
  if (id === undefined) return [];
  const { steps } = await reviewPolicy(context, id);
  return steps.map((step) => (step === 'rai' ? 'safety' : step));
}

/** A shipped policy, otherwise one of the project. Errors: `not_found`. */
export async function reviewPolicy(
  context: Pick<Context, 'catalog' | 'workflowFiles'>,
  id: string,
): Promise<ReviewPolicy> {
  const shipped = await (await context.catalog()).reviewPolicies();
  const policy = shipped.get(id);
  if (policy) return policy;
  const entry = await (await context.workflowFiles()).read('review-policies', id);
  if (entry) return readEntry(reviewPolicySchema, entry.file);
  throw new TroupeError('not_found', {
    what: `There is no review policy ${JSON.stringify(cut(inert(id), 60))}.`,
    hint: `Name one of: ${[...shipped.keys()].join(', ')}.`,
  });
}

/**
 * Choice of the project. An invalid file is an error, because ignoring it would allow what it forbids. Errors:
 * `catalog_invalid`.
 */
export async function choiceOf(context: Pick<Context, 'squad'>): Promise<ProjectChoice> {
  const texts = await (await context.squad()).texts();
  return parseChoice(texts.get(CONFIG_JSON));
}

/** Parses the text of the choice. Errors: `catalog_invalid`. */
export function parseChoice(text: string | undefined): ProjectChoice {
  const choice = readChoice(text);
  if (choice) return choice;
  throw new TroupeError('catalog_invalid', {
    what: `${CONFIG_JSON} is not valid.`,
    hint: 'Fix its workflows, review policy or sandbox profile.',
  });
}

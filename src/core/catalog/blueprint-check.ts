import { TroupeError } from '#kernel/errors.js';
import { explainIssue, type Issue } from '#kernel/issues.js';
import { isJsonObject, safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Catalog } from './catalog.js';
import { parseWorkflow } from './parse-workflow.js';
import { type Blueprint, blueprintSchema } from './policies.js';
import type { Workflow } from './workflow.js';

/** Ids that a blueprint may refer to. */
export interface BlueprintVocabulary {
  readonly catalog: Catalog;
  readonly workflows: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
  readonly profiles: ReadonlySet<string>;
  /** Ids of shipped workflows, which a draft may not use. */
  readonly reserved: ReadonlySet<string>;
}

/** Result of a validation: the parsed blueprint, or all errors. */
export type BlueprintCheck =
  | { readonly valid: true; readonly errors: readonly string[]; readonly blueprint: Blueprint }
  | { readonly valid: false; readonly errors: readonly string[] };

/** Validates a blueprint and returns all errors at once. `workflow` is accepted as a `workflows` list of one. */
export function checkBlueprint(value: unknown, vocabulary: BlueprintVocabulary): BlueprintCheck {
  const parsed = blueprintSchema.safeParse(withList(value));
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => {
      const { field, text } = explainIssue(issue as Issue, value);
      return cut(inert(field.length === 0 ? `The blueprint ${text}` : `${field.map(String).join('.')}: ${text}`), 300);
    });
    return { valid: false, errors };
  }
  const blueprint = parsed.data;
  const errors = [...problemsOf(blueprint, vocabulary)].map((error) => cut(inert(error), 300));
  return errors.length === 0 ? { valid: true, errors, blueprint } : { valid: false, errors };
}

function withList(value: unknown): unknown {
  if (!isJsonObject(value) || !('workflow' in value) || 'workflows' in value) return value;
  const { workflow, ...rest } = value;
  return { ...rest, workflows: [workflow] };
}

function* problemsOf(blueprint: Blueprint, vocabulary: BlueprintVocabulary): Iterable<string> {
  const { roster, workflows, bespoke_roles: bespoke = [] } = blueprint;
  if (blueprint.name.trim() === '') yield 'name: must not be empty';
  if (blueprint.description.trim() === '') yield 'description: must not be empty';
  if (workflows.length === 0) yield 'workflows: name one at least';
  yield* draftProblems(blueprint, vocabulary);
  for (const id of workflows)
    if (!vocabulary.workflows.has(id) && id !== blueprint.draft?.id) yield `workflows: there is no workflow “${id}”`;
  if (!vocabulary.policies.has(blueprint.review_policy))
    yield `review_policy: there is no policy “${blueprint.review_policy}”`;
  if (!vocabulary.profiles.has(blueprint.sandbox_profile))
    yield `sandbox_profile: there is no profile “${blueprint.sandbox_profile}”`;
  if (roster.length === 0) yield 'roster: name one archetype at least';
  const own = new Set(bespoke.map((role) => role.id));
  for (const id of new Set(roster)) {
    if (!own.has(id) && vocabulary.catalog.archetypes.get(id)?.kind !== 'cast')
      yield `roster: “${id}” can be cast neither from the catalog nor from bespoke_roles`;
  }
  for (const [index, role] of bespoke.entries()) {
    if (role.charter.trim() === '') yield `bespoke_roles.${index}.charter: must not be empty`;
    if (!roster.includes(role.id)) yield `bespoke_roles.${index}.id: “${role.id}” is not on the roster`;
    if (vocabulary.catalog.archetypes.has(role.id)) yield `bespoke_roles.${index}.id: the catalog has a “${role.id}”`;
    if (bespoke.findIndex((other) => other.id === role.id) !== index)
      yield `bespoke_roles.${index}.id: “${role.id}” appears twice`;
  }
}

function* draftProblems({ draft, workflows }: Blueprint, vocabulary: BlueprintVocabulary): Iterable<string> {
  if (draft === undefined) return;
  if (vocabulary.reserved.has(draft.id)) yield `draft.id: “${draft.id}” is the name of a shipped workflow`;
  if (!workflows.includes(draft.id)) yield `draft.id: “${draft.id}” is not among the workflows`;
  try {
    parseDraft(draft);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    yield `draft: ${error.message}`;
  }
}

/** Name of a draft in error messages. */
const NAME = 'the draft';

/**
 * Parses and validates a workflow that is included in a blueprint, written by a model or by any author. It may contain
 * no command and no condition on the repository: commands run here must come from files that a person can inspect and
 * trust. Errors: `workflow_invalid`, `workflow_unsupported`.
 */
export function parseDraft(value: unknown): Workflow {
  const workflow = parseWorkflow(value, NAME);
  for (const node of workflow.nodes) {
    const commands = [node, ...(node.steps ?? [])].some((step) => step.run !== undefined);
    if (commands || node.type === 'run' || node.gate_kind === 'command')
      refuse(`“${node.id}” wants to run a command: a draft has none`);
    if (node.for_each !== undefined || node.when !== undefined)
      refuse(`“${node.id}” asks about the repository: a draft does not`);
  }
  if (Buffer.byteLength(draftText(value)) > TEAM_LIMITS.catalogFileBytes)
    refuse(`it is larger than a workflow of ${TEAM_LIMITS.catalogFileBytes} bytes`);
  return workflow;
}

/** Formats a draft as a YAML file with one node or edge per line, which a person can edit. */
export function draftText(value: unknown): string {
  const lines = Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, part]) =>
    Array.isArray(part) && part.length > 0
      ? [`${key}:`, ...part.map((item) => `  - ${safeJson(item)}`)]
      : [`${key}: ${safeJson(part)}`],
  );
  return `# Came with a blueprint. It is yours: change it as you like.\n${lines.join('\n')}\n`;
}

function refuse(what: string): never {
  throw new TroupeError('workflow_invalid', { what: `${NAME}: ${what}.` });
}

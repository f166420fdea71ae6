// Parses a model's proposal of changes to roles and trade-offs, one operation at a time. Nothing in it is trusted.
import * as z from 'zod/mini';
import type { SkillRef } from '#core/agency/entities.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';
import { type EvolutionOperation, OPERATION_NAMES } from './strategy.js';

/** One proposed operation. A changed entity inherits omitted fields from its first parent. */
export interface ProposedOperation {
  readonly op: EvolutionOperation;
  /** Entities to change or retire; a changed entity becomes their child. Empty for a creation. */
  readonly targets: readonly string[];
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly skills?: readonly SkillRef[] | undefined;
  readonly desired_outcome?: string | undefined;
  readonly acceptable_tradeoffs?: readonly string[] | undefined;
  readonly unacceptable_tradeoffs?: readonly string[] | undefined;
  readonly rationale: string;
}

/** An entry of the list, raw and parsed; `problem` is the reason why it is invalid. */
export type ProposalItem =
  | { readonly raw: Json; readonly operation: ProposedOperation; readonly problem?: undefined }
  | { readonly raw: Json; readonly operation?: undefined; readonly problem: string };

export interface EvolutionProposal {
  readonly summary: string;
  readonly items: readonly ProposalItem[];
}

const text = z.string().check(z.maxLength(TEAM_LIMITS.agencyTextBytes));
const words = z.array(text).check(z.maxLength(TEAM_LIMITS.agencyItems));
/** A plain text is the name of a skill. */
const skill = z.union([
  z.pipe(
    text,
    z.transform((name): SkillRef => ({ name })),
  ),
  z.strictObject({ name: text }),
  z.strictObject({ file: text }),
  z.strictObject({ url: text }),
  z.strictObject({ inline: text }),
]);
const SCHEMA = z.strictObject({
  op: z.enum(OPERATION_NAMES),
  target_id: z.optional(z.nullable(z.union([text, words]))),
  name: z.optional(z.nullable(text)),
  description: z.optional(z.nullable(text)),
  skills: z.optional(z.nullable(z.array(skill).check(z.maxLength(TEAM_LIMITS.skills)))),
  desired_outcome: z.optional(z.nullable(text)),
  acceptable_tradeoffs: z.optional(z.nullable(words)),
  unacceptable_tradeoffs: z.optional(z.nullable(words)),
  rationale: text,
});

/** Undefined if no object of the answer is a proposal. */
export function evolutionProposalIn(answer: string): EvolutionProposal | undefined {
  return objectIn(answer, evolutionProposalOf);
}

/** Undefined without a list of operations, or if the list is too long. */
export function evolutionProposalOf({ summary, operations }: JsonObject): EvolutionProposal | undefined {
  if (!Array.isArray(operations) || operations.length > AGENCY_LIMITS.evolutionOperations) return undefined;
  return {
    summary: typeof summary === 'string' ? cut(inert(summary), TEAM_LIMITS.replyReasonCharacters) : '',
    items: operations.map(itemOf),
  };
}

/** Parses one operation, of an answer or of a stored decision. */
export function itemOf(raw: Json): ProposalItem {
  if (!isJsonObject(raw)) return { raw, problem: 'It is not an operation.' };
  const { success, data, error } = SCHEMA.safeParse(withNewWords(raw));
  if (!success) {
    const [issue] = error.issues;
    const why = issue ? describeIssue(explainIssue(issue, raw), 'It') : 'It is not an operation';
    return { raw, problem: cut(why, TEAM_LIMITS.replyReasonCharacters) };
  }
  const { op, target_id: target, rationale, ...fields } = data;
  const named = (typeof target === 'string' ? target.split(',') : (target ?? [])).map((word) => word.trim());
  return {
    raw,
    operation: {
      op,
      targets: [...new Set(named.filter((word) => word !== ''))],
      name: fields.name ?? undefined,
      description: fields.description ?? undefined,
      skills: fields.skills ?? undefined,
      desired_outcome: fields.desired_outcome ?? undefined,
      acceptable_tradeoffs: fields.acceptable_tradeoffs ?? undefined,
      unacceptable_tradeoffs: fields.unacceptable_tradeoffs ?? undefined,
      rationale: cut(inert(rationale), TEAM_LIMITS.replyReasonCharacters),
    },
  };
}

/** Translates the older word for a trade-off in the name of an operation. */
function withNewWords(raw: JsonObject): JsonObject {
  const { op } = raw;
  return typeof op === 'string' ? { ...raw, op: op.replace(/_motivation$/, '_tradeoff') } : raw;
}

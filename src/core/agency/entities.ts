import * as z from 'zod/mini';
import type { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';

/** A skill of a role: a label, a file, an address, or a literal text. */
export type SkillRef =
  | { readonly name: string }
  | { readonly file: string }
  | { readonly url: string }
  | { readonly inline: string };

export const SKILL_KINDS = ['name', 'file', 'url', 'inline'] as const;
export const TRUST_LEVELS = ['verified', 'provisional', 'unknown'] as const;
export const KINDS = ['role', 'tradeoff', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

export const evaluationRefShape = z.object({
  score: z.number(),
  task_id: z.string(),
  timestamp: z.string(),
  context_id: z.string(),
  evaluation_id: z.optional(z.string()),
  /** Source of the score; older files have it only in the evaluation. */
  source: z.optional(z.string()),
});
export type EvaluationRef = z.infer<typeof evaluationRefShape>;

export interface Performance {
  readonly task_count: number;
  /** Mean of all references; null if there are none. */
  readonly avg_score: number | null;
  readonly evaluations: readonly EvaluationRef[];
}

export interface Lineage {
  readonly parent_ids: readonly string[];
  readonly generation: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly creator_agent?: string;
  readonly creator_model?: string;
}

interface Common {
  /** SHA-256 of the identity fields, 64 hex digits; all other fields may change. */
  readonly id: string;
  readonly name: string;
  readonly performance: Performance;
  readonly lineage: Lineage;
  /** Set if it was taken out of use: still visible in lineages, but no longer selectable. */
  readonly retired?: true;
  /** Evolution run that made it and could not show an improvement; see `awaitedDecision`. */
  readonly held?: string;
  /** Set if it came from another project; see `awaitedDecision`. */
  readonly pending?: true;
  /** Fields of other tools and later versions, preserved when the file is rewritten. */
  readonly more: JsonObject;
}

/** Description of the work an agent does. */
export interface Role extends Common {
  readonly kind: 'role';
  readonly description: string;
  readonly skills: readonly SkillRef[];
  readonly desired_outcome: string;
  readonly default_context_scope?: (typeof CONTEXT_SCOPES)[number];
  readonly default_exec_mode?: (typeof EXEC_MODES)[number];
  /** Set if its id is derived from the components of an older layout. */
  readonly scheme?: 'legacy';
}

/** Priorities and limits of an agent. */
export interface Tradeoff extends Common {
  readonly kind: 'tradeoff';
  readonly description: string;
  readonly acceptable_tradeoffs: readonly string[];
  readonly unacceptable_tradeoffs: readonly string[];
}

/** A role with a trade-off, or a person. */
export interface Agent extends Common {
  readonly kind: 'agent';
  /** Empty for a person without a role. */
  readonly role_id: string;
  readonly tradeoff_id: string;
  readonly capabilities: readonly string[];
  readonly rate?: number;
  readonly capacity?: number;
  readonly trust_level: (typeof TRUST_LEVELS)[number];
  readonly contact?: string;
  readonly executor: string;
  readonly preferred_model?: string;
  readonly preferred_provider?: (typeof PROVIDERS)[number];
  /** Text from which the id of a person was derived, since name and executor may change. */
  readonly person?: string;
}

export type Entity = Role | Tradeoff | Agent;

/**
 * Decision that a person has to make before an entity can be used, or anything made from it; undefined if it is in use.
 * Until then it is listed and found. The two reasons are stored apart because they end differently: `pending` is
 * accepted alone, with `agency trust`; `held` is one operation of an evolution run, and `evolve review` settles its
 * report and task with it. Entities of another project are only ever `pending`: a hold over there does not count here.
 */
export function awaitedDecision({ held, pending }: Pick<Entity, 'held' | 'pending'>): 'trust' | 'review' | undefined {
  if (pending === true) return 'trust';
  return held === undefined ? undefined : 'review';
}

export const NO_PERFORMANCE: Performance = { task_count: 0, avg_score: null, evaluations: [] };

/** Short form of an id for display, 8 digits. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

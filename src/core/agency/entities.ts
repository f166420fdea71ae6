import type { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';

/** A skill as a role names it: a label, a file, an address, or its own text. */
export type SkillRef =
  | { readonly name: string }
  | { readonly file: string }
  | { readonly url: string }
  | { readonly inline: string };

export const SKILL_KINDS = ['name', 'file', 'url', 'inline'] as const;
export const TRUST_LEVELS = ['verified', 'provisional', 'unknown'] as const;
export const KINDS = ['role', 'tradeoff', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

export interface EvaluationRef {
  readonly score: number;
  readonly task_id: string;
  readonly timestamp: string;
  readonly context_id: string;
  readonly evaluation_id?: string;
  /** Where the score comes from; older files say it in the evaluation alone. */
  readonly source?: string;
}

export interface Performance {
  readonly task_count: number;
  /** The mean of all references; null while there is none. */
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
  /** 64 hex digits, made of what the entity is; the rest may change. */
  readonly id: string;
  readonly name: string;
  readonly performance: Performance;
  readonly lineage: Lineage;
  /** It was taken out of use: known to lineage, to nobody else. */
  readonly retired?: true;
  /** The run of an evolution that made it and could not show it to be better; see `awaits`. */
  readonly held?: string;
  /** It came from another project; see `awaits`. */
  readonly pending?: true;
  /** Fields of other tools and later versions, kept through every rewrite. */
  readonly more: JsonObject;
}

/** What somebody does. */
export interface Role extends Common {
  readonly kind: 'role';
  readonly description: string;
  readonly skills: readonly SkillRef[];
  readonly desired_outcome: string;
  readonly default_context_scope?: (typeof CONTEXT_SCOPES)[number];
  readonly default_exec_mode?: (typeof EXEC_MODES)[number];
  /** Its id was made another way, by what it had in an older layout. */
  readonly scheme?: 'legacy';
}

/** How somebody weighs things. */
export interface Tradeoff extends Common {
  readonly kind: 'tradeoff';
  readonly description: string;
  readonly acceptable_tradeoffs: readonly string[];
  readonly unacceptable_tradeoffs: readonly string[];
}

/** A role with a trade-off, or a person. */
export interface Agent extends Common {
  readonly kind: 'agent';
  /** Empty for a person without. */
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
  /** What the id of a person was made of, since name and executor may change. */
  readonly person?: string;
}

export type Entity = Role | Tradeoff | Agent;

/**
 * What a person has to do before anybody works with an entity or is made of it; undefined for one in use. Until then it is
 * shown and found, for whatever reason it waits. Its file says why in two words, since the wait does not end the same way: `pending` is
 * accepted alone, with `role trust`; `held` is one operation of a run, and `evolve review` settles its report and its task
 * along with it. Of the two only `pending` is said of what another project brings: a doubt of theirs is none of ours.
 */
export function awaits({ held, pending }: Pick<Entity, 'held' | 'pending'>): 'trust' | 'review' | undefined {
  if (pending === true) return 'trust';
  return held === undefined ? undefined : 'review';
}

export const NO_PERFORMANCE: Performance = { task_count: 0, avg_score: null, evaluations: [] };

/** How ids are shown. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

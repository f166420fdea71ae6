import * as z from 'zod/mini';
import type { Archetype } from '#core/catalog/catalog.js';
import { parseJsonObject } from '#kernel/json.js';

export const INTENTS = ['new', 'augment', 'recast'] as const;
export type Intent = (typeof INTENTS)[number];

const text = z.string().check(z.maxLength(100_000));

const memberSchema = z.object({
  proposed_name: text,
  /** The name in the team's own universe, for when the proposal is added to the team. */
  augment_name: z.optional(text),
  /** Who of the team is this already; then nobody joins for it. */
  held_by: z.optional(text),
  /** False for `member-1` and the like. */
  is_named: z.boolean(),
  bespoke: z.boolean(),
  role: z.object({ id: text, title: text, summary: text }),
  name_source: z.enum(['pool', 'overflow', 'descriptive', 'kept', 'picked']),
  charter_markdown: text,
  default_model: text,
  justification: text,
});
export type ProposedMember = z.infer<typeof memberSchema>;

/** A team somebody may confirm: the one form all ways of casting end in. Times are RFC 3339. */
export const proposalSchema = z.object({
  proposal_id: text,
  mode: z.enum(['scenario', 'manual', 'free_text', 'analysis']),
  method: z.enum(['catalog', 'model', 'lexical', 'rules']),
  universe: text,
  /** What the proposal was made from; see `SquadState.base`. */
  base: text,
  /** The call of the model that chose, where one did. */
  run_id: z.optional(text),
  rationale: text,
  created_at: text,
  expires_at: text,
  revision: z.number(),
  intent: z.optional(z.enum(INTENTS)),
  existing_team_present: z.boolean(),
  members: z.array(memberSchema),
  /** What confirming writes outside of `.squad/`, and what on top where files for clients are asked for. */
  outside: z.array(text),
  client_files: z.array(text),
  warnings: z.array(z.object({ code: text, message: text })),
});
export type Proposal = z.infer<typeof proposalSchema>;

export function serializeProposal(proposal: Proposal): string {
  return `${JSON.stringify(proposal, null, 2)}\n`;
}

/** A stored proposal, or undefined when the text is none: then there simply is no proposal. */
export function parseProposal(stored: string): Proposal | undefined {
  const parsed = proposalSchema.safeParse(parseJsonObject(stored));
  return parsed.success ? parsed.data : undefined;
}

/** One archetype that was chosen, and why. */
export interface Pick {
  readonly archetypeId: string;
  readonly reason: string;
  /** Made for this one team: not of the catalog, its charter is what it is. */
  readonly bespoke?: BespokeRole;
  /** Who of the team is this already. */
  readonly heldBy?: string;
  /** A name that is settled already; without it the next free one is given. */
  readonly name?: SettledName;
}

export interface BespokeRole {
  readonly archetype: Archetype;
  readonly charter: string;
}

export type SettledName = globalThis.Pick<ProposedMember, 'proposed_name' | 'augment_name' | 'name_source'>;

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What every way of choosing comes to; names and charters follow from here, the same way for all. */
export interface Picks {
  readonly picks: readonly Pick[];
  readonly warnings: readonly Warning[];
}

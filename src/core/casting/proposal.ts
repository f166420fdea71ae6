import * as z from 'zod/mini';
import type { Archetype } from '#core/catalog/catalog.js';
import { parseJsonObject } from '#kernel/json.js';

export const INTENTS = ['new', 'augment', 'recast'] as const;
export type Intent = (typeof INTENTS)[number];

const text = z.string().check(z.maxLength(100_000));

const memberSchema = z.object({
  proposed_name: text,
  /** Name in the team's own universe, used if the proposal augments the team. */
  augment_name: z.optional(text),
  /** Present member who already fills the role; no one joins for it. */
  held_by: z.optional(text),
  /** False for a generated name such as `member-1`. */
  is_named: z.boolean(),
  bespoke: z.boolean(),
  role: z.object({ id: text, title: text, summary: text }),
  name_source: z.enum(['pool', 'overflow', 'descriptive', 'kept', 'picked']),
  charter_markdown: text,
  default_model: text,
  justification: text,
});
export type ProposedMember = z.infer<typeof memberSchema>;

/** Team that can be confirmed; all ways of casting produce this form. Times are RFC 3339. */
export const proposalSchema = z.object({
  proposal_id: text,
  mode: z.enum(['scenario', 'manual', 'free_text', 'analysis']),
  method: z.enum(['catalog', 'model', 'lexical', 'rules']),
  universe: text,
  /** Version of the team the proposal was based on; see `SquadState.base`. */
  base: text,
  /** Model call that made the choice, if any. */
  run_id: z.optional(text),
  rationale: text,
  created_at: text,
  expires_at: text,
  revision: z.number(),
  intent: z.optional(z.enum(INTENTS)),
  existing_team_present: z.boolean(),
  members: z.array(memberSchema),
  /**
   * Files outside `.squad/` that confirming writes; `client_files` are written in addition if client files are
   * requested.
   */
  outside: z.array(text),
  client_files: z.array(text),
  warnings: z.array(z.object({ code: text, message: text })),
});
export type Proposal = z.infer<typeof proposalSchema>;

export function serializeProposal(proposal: Proposal): string {
  return `${JSON.stringify(proposal, null, 2)}\n`;
}

/** Parses a stored proposal; undefined if the text is not valid. */
export function parseProposal(stored: string): Proposal | undefined {
  const parsed = proposalSchema.safeParse(parseJsonObject(stored));
  return parsed.success ? parsed.data : undefined;
}

/** Chosen archetype, with the reason. */
export interface Pick {
  readonly archetypeId: string;
  readonly reason: string;
  /** Role defined for this team only, with its own charter instead of one from the catalog. */
  readonly bespoke?: BespokeRole;
  /** Present member who already fills the role. */
  readonly heldBy?: string;
  /** Settled name; if absent, the next free name is allocated. */
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

/** Common result of all ways of choosing; names and charters are derived from it. */
export interface Picks {
  readonly picks: readonly Pick[];
  readonly warnings: readonly Warning[];
}

import type { ErrorCode } from '#kernel/error-codes.js';
import type { problems } from '#operations/analysis/problems.js';
import type { confirm } from '#operations/casting/confirm.js';
import type { show as showProposal } from '#operations/casting/show.js';
import type { show } from '#operations/graph/show.js';
import type { statusNow } from '#operations/status/now.js';
import type { taskOutput } from '#operations/status/output.js';
import type { graphPicture } from '#operations/status/picture.js';
import type { statusWork } from '#operations/status/work.js';
import type { sync } from '#operations/sync/sync.js';
import type { show as showMember } from '#operations/team/show.js';

/**
 * What the browser gets, as types. `web/` imports this file (types only) and a few pure leaves of core and kernel;
 * `test/surfaces/http-web-imports.test.ts` holds it to that.
 */

type Answer<Verb extends { run(...given: never): Promise<unknown> }> = Awaited<ReturnType<Verb['run']>>;

/** GET /api/status/now */
export type NowAnswer = Answer<typeof statusNow>;
export type NowRow = NowAnswer['running']['rows'][number];

/** GET /api/analysis/problems */
export type ProblemsAnswer = Answer<typeof problems>;

/** GET /api/status/work */
export type WorkAnswer = Answer<typeof statusWork>;

/** GET /api/graph/picture */
export type PictureAnswer = Answer<typeof graphPicture>;
export type PicturedTask = PictureAnswer['tasks'][number];

/** GET /api/task/output?id= */
export type OutputAnswer = Answer<typeof taskOutput>;

/** GET /api/task/show?id= */
export type ShowAnswer = Answer<typeof show>;
export type Neighbour = ShowAnswer['before'][number];

/** GET /api/projects/NAME/casting/proposals, and one of them. */
export type ProposalAnswer = Answer<typeof showProposal>;
export interface ProposalsAnswer {
  readonly proposals: readonly ProposalAnswer[];
}

/** POST …/proposals/ID/confirm */
export type ConfirmedAnswer = Answer<typeof confirm>;

/** GET /api/projects/NAME/team */
export interface TeamAnswer {
  readonly universe: string;
  readonly leader: string;
  readonly members: readonly TeamMemberAnswer[];
}
export interface TeamMemberAnswer {
  readonly name: string;
  readonly slug: string;
  readonly role_title: string;
  readonly status: 'Active' | 'Retired';
  readonly built_in: boolean;
}

/** GET /api/projects/NAME/team/members/NAME */
export interface MemberAnswer {
  readonly charter: string | null;
  readonly remembers: Answer<typeof showMember>['remembers'];
}

/** GET /api/projects/NAME/team/sync */
export type SyncAnswer = Pick<Answer<typeof sync>, 'changes' | 'change_set_hash' | 'nothing_to_sync'>;
/** GET …/team/sync/diff */
export interface SyncDiffAnswer {
  readonly diff: string;
  readonly diff_cut: boolean;
}

/** GET /api/catalog/KIND */
export interface CatalogAnswer<Entry> {
  readonly entries: readonly Entry[];
}
export interface CatalogArchetype {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly domain: string;
}
export interface CatalogGrouping {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly archetypes: readonly string[];
}
export interface CatalogUniverse {
  readonly name: string;
  readonly names: readonly string[];
}

/** How the engine is doing, as it says itself. */
export interface EngineFacts {
  readonly state: 'running' | 'stopping' | 'stopped';
  /** Agents at work, and the most that may be. */
  readonly running: number;
  readonly cap: number;
}

/** GET /api/project */
export interface ProjectAnswer {
  readonly project: { readonly name: string; readonly folder: string };
  readonly engine: EngineFacts;
}

/** One message of GET /api/events?from=SEQ; its SSE id is `seq`. */
export interface GraphEvent {
  readonly seq: number;
  readonly op: string;
  readonly task_id?: string;
}

/** POST /api/session */
export interface SessionRequest {
  readonly code: string;
}

/** The body of every answer that is no success. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly why?: string;
    readonly hint: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

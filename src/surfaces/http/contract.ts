import type { Archetype, Grouping, Universe } from '#core/catalog/catalog.js';
import type { Entry } from '#core/graph/event.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import type { Input, OperationName, Output } from '#operations/map.js';

/**
 * Types of the answers for the browser. `web/` imports this file (types only) and a few pure modules of core and
 * kernel, as `test/surfaces/http-web-imports.test.ts` enforces.
 */

/** Operations callable by name, as GET or POST /api/NAME, with their input and output. */
export type ApiOperation = OperationName;
export type ApiInput<Name extends OperationName> = Input<Name>;
export type Answer<Name extends OperationName> = Output<Name>;

export type NowAnswer = Answer<'status.now'>;
export type NowRow = NowAnswer['running']['rows'][number];
export type TracedRun = Answer<'task.attempts'>['runs'][number];
export type PictureAnswer = Answer<'graph.picture'>;
export type PicturedTask = PictureAnswer['tasks'][number];
export type ShowAnswer = Answer<'task.show'>;
export type Neighbour = ShowAnswer['before'][number];

/** GET /api/projects/NAME/casting/proposals, and one of them. */
export type ProposalAnswer = Answer<'casting.show'>;
export interface ProposalsAnswer {
  readonly proposals: readonly ProposalAnswer[];
}

/** POST …/proposals/ID/confirm */
export type ConfirmedAnswer = Answer<'casting.confirm'>;

/** Answer if no team is named: the cast team of the project. */
export type CastTeamAnswer = Extract<Answer<'team.show'>, { readonly universe: string }>;

/** GET /api/projects/NAME/team */
export type TeamAnswer = CastTeamAnswer;

/** GET /api/projects/NAME/team/members/NAME */
export type MemberAnswer = Answer<'member.show'>;

/** GET /api/projects/NAME/team/sync */
export type SyncAnswer = Pick<Answer<'squad.sync'>, 'changes' | 'change_set_hash' | 'nothing_to_sync'>;
/** GET …/team/sync/diff */
export type SyncDiffAnswer = { readonly [Field in 'diff' | 'diff_cut']: NonNullable<Answer<'squad.sync'>[Field]> };

/** GET /api/catalog/KIND */
export interface CatalogAnswer<Entry> {
  readonly entries: readonly Entry[];
}
export type CatalogArchetype = Pick<Archetype, 'id' | 'title' | 'summary' | 'domain'>;
export type CatalogGrouping = Pick<Grouping, 'id' | 'title' | 'description' | 'archetypes'>;
export type CatalogUniverse = Pick<Universe, 'name' | 'names'>;

/** GET /api/worktree/landing */
export type LandingAnswer = Answer<'worktree.landing'>;

export type MachinesAnswer = Answer<'machine.list'>;

/** GET /api/organisation */
export interface OrganisationAnswer extends Pick<Answer<'roster.check'>, 'agents'> {
  /** Number of agents not listed in `agents`. */
  readonly more: number;
  readonly problems: number;
}

/** State of the engine, as the engine reports it. */
export interface EngineFacts {
  readonly state: 'running' | 'paused' | 'stopping' | 'stopped';
  /** Agents running on the engine's machine, and the maximum. */
  readonly running: number;
  readonly cap: number;
  /** Agents running at workers. */
  readonly away: number;
}

/** GET /api/project */
export interface ProjectAnswer {
  readonly project: { readonly name: string; readonly folder: string };
  readonly engine: EngineFacts;
  /** Holder of the secret: only a person may decide; a token or a run may do what its scope or its task permits. */
  readonly visitor: Visitor;
}

export type Visitor = 'person' | 'leader' | 'member' | 'observer' | 'run';

/** One message of GET /api/events?from=SEQ; its SSE id is `seq`. */
export type GraphEvent = Pick<Entry, 'seq' | 'op' | 'task_id'>;

/** POST /api/session */
export interface SessionRequest {
  readonly code: string;
}

/** Body of every error answer. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly why?: string;
    readonly hint: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

import type { AgencyFacts } from '#core/coordinator/agency.js';
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import type { Elsewhere } from '#core/coordinator/elsewhere.js';
import type { TaskSession } from '#core/coordinator/sessions.js';
import type { Budget, ClientHold } from '#core/coordinator/snapshot.js';
import type { InForce } from '#core/settings/settings.js';
import type { ListedRun } from '#ports/run-host.js';

/** How a coordinator at work stands. */
export interface CoordinatorStanding {
  readonly paused: boolean;
  readonly maxAgents: number;
  /** The client for tasks without a command, or why there is none. */
  readonly executor?: string;
  readonly missing?: string;
  /** Nothing starts before then, because too many runs said nothing. */
  readonly backOffUntil?: number;
  readonly budget?: Budget;
  /** Clients that are not started for a while, because their providers are in trouble. */
  readonly holds: readonly ClientHold[];
  /** Those that take over while a limit holds another. */
  readonly standIns: readonly string[];
  /** Those that are named to take over and cannot be started here, each with the reason. */
  readonly lostStandIns: readonly string[];
  /** Where there is more than one. */
  readonly sessions?: readonly TaskSession[];
  /** Those of their clients that can be started here. */
  readonly sessionClients: ReadonlySet<string>;
  /** Who does the work, where the agency says so. */
  readonly agency?: AgencyFacts;
  /** Workers on other machines, where there are any. */
  readonly elsewhere?: Elsewhere;
  /** Runs that died and are being looked into, by id. */
  readonly triaged?: ReadonlySet<string>;
  /** By task: why no run of a client could be prepared for it. */
  readonly unprepared?: ReadonlyMap<string, string>;
  /** By workflow: why it did not begin by itself when it should have. */
  readonly notBegun?: ReadonlyMap<string, string>;
}

/** What operations may ask of the coordinator of their process. */
export interface CoordinatorFacts extends CoordinatorStanding {
  /** The settings it goes by, and the client and model of tasks that name none. */
  inForce(): Promise<InForce>;
  /** Runs that are not settled, as they are now. */
  agents(): Promise<readonly ListedRun[]>;
  /** All that was spent, and what may be, whether anything is bounded or not. */
  spending(): Promise<Budget>;
  /** Resolves when what was decided before is carried out: what was changed counts from then on. */
  roundEnd(): Promise<void>;
  /** Errors: `not_found`. */
  kill(run: string | number): Promise<{ run: string; task: string }>;
  /** Errors: those of a claim, `exec_missing`, `budget_spent`. */
  spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }>;
}

import type { AgencyFacts } from '#core/coordinator/agency.js';
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import type { TaskSession } from '#core/coordinator/sessions.js';
import type { Budget, ClientHold } from '#core/coordinator/snapshot.js';
import type { WorkerFacts } from '#core/coordinator/worker-facts.js';
import type { AbsentClient } from '#core/insight/done-by.js';
import type { EffectiveConfig } from '#core/settings/settings.js';
import type { ListedRun } from '#ports/run-host.js';
import type { ServiceStatus, ServiceValues } from './service-status.js';

/** State of a running coordinator. */
export interface CoordinatorStanding {
  readonly paused: boolean;
  readonly maxAgents: number;
  /** Client for tasks without a command, or the reason why there is none (`missing`). */
  readonly executor?: string;
  readonly missing?: AbsentClient;
  /** End of the pause after too many silent runs; nothing starts before. */
  readonly backOffUntil?: number;
  readonly budget?: Budget;
  /** Clients that are not started for a while, because their providers fail. */
  readonly holds: readonly ClientHold[];
  /** Substitutes for a client that is held by a limit. */
  readonly standIns: readonly string[];
  /** Configured substitutes that cannot be started here, with reasons. */
  readonly lostStandIns: readonly string[];
  /** Undefined unless there is more than one. */
  readonly sessions?: readonly TaskSession[];
  /** Clients of the sessions that can be started here. */
  readonly sessionClients: ReadonlySet<string>;
  /** Agents that do the work, if the agency assigns it. */
  readonly agency?: AgencyFacts;
  /** Workers on other machines, if there are any. */
  readonly elsewhere?: WorkerFacts;
  /** Ids of dead runs that are being examined. */
  readonly triaged?: ReadonlySet<string>;
  /** Reason why no client run could be prepared, by task. */
  readonly unprepared?: ReadonlyMap<string, string>;
  /** Reason why a workflow was not started by its trigger, by workflow. */
  readonly notBegun?: ReadonlyMap<string, string>;
}

/** Values that replace those of the settings while the service runs. */
export interface ServiceOverrides {
  readonly max_agents?: number | undefined;
  /** Seconds. */
  readonly poll_interval?: number | undefined;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
}

/** Way to end a service: with its runs, and without waiting for work in progress. */
export interface ShutDown {
  readonly killRuns: boolean;
  readonly force: boolean;
}

/** State and actions of the coordinator of this process, for operations. */
export interface CoordinatorFacts extends CoordinatorStanding {
  /** Effective settings, and the client and model for tasks that name none. */
  inForce(): Promise<EffectiveConfig>;
  /** Runs that are not settled, in their present state. */
  agents(): Promise<readonly ListedRun[]>;
  /** Money spent and budget, whether or not there is a limit. */
  spending(): Promise<Budget>;
  /** Resolves when the effects of earlier decisions are completed; changes made before this call count from then on. */
  roundEnd(): Promise<void>;
  status(): Promise<ServiceStatus>;
  /** Starts no new runs until `resume`, even after a restart. Resolves when the current round is over. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Applies new values from the next tick on; without any, those of the settings file. */
  configure(values: ServiceOverrides): Promise<ServiceValues>;
  /** Begins to end the service. Errors: `service_not_running` if a command holds the project instead of a service. */
  shutDown(how: ShutDown): Promise<void>;
  /** Ends a run. Errors: `not_found`. */
  kill(run: string | number): Promise<{ run: string; task: string }>;
  /** Starts a run of a task. Errors: those of a claim, `exec_missing`, `budget_spent`. */
  spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }>;
}

import type { AgencyFacts } from '#core/coordinator/agency-facts.js';
import type { BackOff } from '#core/coordinator/breakers.js';
import type { WithSessions } from '#core/coordinator/chat.js';
import type { ClientHold } from '#core/coordinator/client-hold.js';
import type { Decision } from '#core/coordinator/parts.js';
import type { Placed } from '#core/coordinator/placement.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import type { GraphView } from '#core/graph/view.js';
import type { FileFacts } from '#core/graph/wait.js';
import type { Clock } from '#kernel/clock.js';
import type { Books } from '#operations/models/books.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { TrustedCommands } from '#ports/trusted-commands.js';
import type { Clients } from './clients.js';
import type { Finishing } from './finishing.js';
import type { PeopleDesk } from './people-desk.js';
import type { Recovery } from './recovery.js';
import type { Triggers } from './triggers.js';
import type { CommandPlaces } from './workplaces.js';

/** What a coordinator keeps over restarts: the pause after silent runs, the one a person asked for, and the clients it holds. */
export interface KeptState {
  readonly backOff: BackOff | undefined;
  readonly paused: boolean;
  /** Clients whose providers were in trouble. */
  readonly holds: readonly ClientHold[];
  saveBackOff(backOff: BackOff | undefined): void;
  savePaused(paused: boolean): void;
  saveHolds(holds: readonly ClientHold[]): void;
}

/**
 * What rounds work with; the loop that calls them adds when. Every part is there, so that whoever puts a round together decides as
 * everybody else does: what is to do nothing is a part that does nothing.
 */
export interface RoundOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly maxAgents: number;
  readonly kept: KeptState;
  /** Facts of files that tasks wait for. */
  readonly files: (paths: Iterable<string>) => Promise<FileFacts>;
  /** Sessions and what was said to them. */
  readonly sessions: { read(view: GraphView): Promise<WithSessions> };
  readonly clients: Clients;
  /** Where commands run that come after merged work. */
  readonly commands: CommandPlaces;
  /** Who does the work. */
  readonly agency: () => Promise<AgencyFacts>;
  /** What follows the good end of a run. */
  readonly finishing: Pick<Finishing, 'finish' | 'after' | 'begin' | 'looksAgain' | 'land'>;
  /** People who do tasks. */
  readonly people: Pick<PeopleDesk, 'facts' | 'carryOut'>;
  /** The ledger, shared with all who spend in this process. */
  readonly books: Books;
  /** What happens when runs die, and what keeps their knowledge. */
  readonly recovery: Pick<Recovery, 'triage' | 'checkpoint' | 'unread'>;
  /** Asks where a task belongs. */
  readonly placing: (task: string, signal: AbortSignal) => Promise<Placed>;
  /** Workflows that begin by themselves. */
  readonly triggers: Pick<Triggers, 'facts' | 'make' | 'refuse' | 'refusals'>;
  /** Which commands may run on this machine. */
  readonly trust: Pick<TrustedCommands, 'trusts' | 'look' | 'add'>;
  /** What of the terms is another than the settings say. */
  readonly terms: Partial<Terms>;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError: (error: unknown) => void;
}

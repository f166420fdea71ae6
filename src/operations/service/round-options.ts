import type { AgencyFacts } from '#core/coordinator/agency-facts.js';
import type { Decision } from '#core/coordinator/decision.js';
import type { BackOff, Placed, Terms } from '#core/coordinator/snapshot.js';
import type { GraphView } from '#core/graph/view.js';
import type { FileFacts } from '#core/graph/wait.js';
import type { Clock } from '#kernel/clock.js';
import type { Books } from '#operations/models/books.js';
import type { SessionFacts } from '#operations/sessions/session-facts.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { Clients } from './clients.js';
import type { Finishing } from './finishing.js';
import type { PeopleDesk } from './people-desk.js';
import type { Recovery } from './recovery.js';
import type { Triggers } from './triggers.js';

/** What rounds work with; the loop that calls them adds when. */
export interface RoundOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly maxAgents: number;
  /** The pause an earlier life was in, and where the present one is kept. */
  readonly backOff?: BackOff;
  readonly saveBackOff?: (backOff: BackOff | undefined) => void;
  /** Facts of files that tasks wait for. */
  readonly files?: (paths: Iterable<string>) => Promise<FileFacts>;
  /** Sessions and what was said to them; without it everything is one. */
  readonly sessions?: { read(view: GraphView): Promise<SessionFacts> };
  /** Model clients; without them only commands run. */
  readonly clients?: Clients;
  /** Who does the work; not said: nobody is known. */
  readonly agency?: () => Promise<AgencyFacts | undefined>;
  /** What follows the good end of a run; without it nothing does. */
  readonly finishing?: Finishing;
  /** People who do tasks; without them, programs only. */
  readonly people?: PeopleDesk;
  /** The ledger, shared with all who spend in this process; not said: one of its own. */
  readonly books?: Books;
  /** What happens when runs die, and what keeps their knowledge; without it nothing does. */
  readonly recovery?: Recovery;
  /** Asks where a task belongs; without it rules say. */
  readonly placing?: (task: string, signal: AbortSignal) => Promise<Placed>;
  /** Workflows that begin by themselves; without it none does. */
  readonly triggers?: Triggers;
  /** What of the terms is another than the settings say. */
  readonly terms?: Partial<Terms>;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

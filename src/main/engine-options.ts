import type { Pulse } from '#adapters/runs/shell-runs.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import type { JsonObject } from '#kernel/json.js';
import type { ClientWishes } from '#operations/coordinator/model-clients.js';

/** What an engine may be told when it starts. */
export interface EngineOptions {
  readonly projectFolder: string;
  /** How many at once and how often to look; what is not said, the settings say. */
  readonly maxAgents?: number;
  readonly pollMs?: number;
  /** Which client tasks without a command go to and what may be spent; what is not said, the settings say. */
  readonly clients?: ClientWishes;
  /** Terms and pulses other than the usual: for those who cannot wait. */
  readonly terms?: Partial<Terms>;
  readonly pulse?: Pulse;
  /** Told what ticks decided and what went wrong; for a log. */
  readonly note?: (text: string) => void;
  /** Called when somebody asked over the socket to shut down. */
  readonly onShutdown?: (how: { killRuns: boolean; force: boolean }) => void;
  /** Told when the graph was taken from it, or its lock is gone: it has ended by itself then, and left what is another's. */
  readonly onLost?: () => void;
  /** Takes the write lock from whoever has it. */
  readonly seize?: boolean;
  /** Where it listens beside its own place, as an absolute path. */
  readonly socket?: string;
  /** What was said when the service was started, for the next start. */
  readonly said?: JsonObject;
}

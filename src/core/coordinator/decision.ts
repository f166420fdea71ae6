import type { EndReason } from '#core/coordinator/snapshot.js';
import type { EventDraft } from '#core/graph/event.js';

/** One thing the coordinator wants, with the events that record it. Effects (spawn, kill) follow the commit. */
export type Decision = { readonly reason: string; readonly events: readonly EventDraft[] } & (
  | {
      readonly do: 'settle-exit';
      readonly run: string;
      readonly task: string;
      readonly outcome: 'done' | 'failed' | 'kept';
    }
  | { readonly do: 'settle-due' }
  | { readonly do: 'mark-dead'; readonly run: string; readonly task: string }
  | { readonly do: 'kill'; readonly run: string; readonly task: string; readonly why: EndReason }
  | {
      readonly do: 'dispatch';
      readonly run: string;
      readonly task: string;
      readonly fence: number;
      readonly timeoutMs: number;
    }
);

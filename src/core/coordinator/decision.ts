import type { BackOff, EndReason } from '#core/coordinator/snapshot.js';
import type { EventDraft } from '#core/graph/event.js';

/** One thing the coordinator wants, with the events that record it. Effects (spawn, kill) follow the commit. */
export type Decision = { readonly reason: string; readonly events: readonly EventDraft[] } & (
  | {
      readonly do: 'settle-exit';
      readonly run: string;
      readonly task: string;
      readonly outcome: 'done' | 'failed' | 'kept';
    }
  /** The work of a run that ended well is to be looked at and merged; a later round hears of it. */
  | { readonly do: 'finish'; readonly run: string; readonly task: string }
  | { readonly do: 'settle-due' }
  | { readonly do: 'place'; readonly task: string }
  /** Without a `backOff` the pause is over. */
  | { readonly do: 'back-off'; readonly backOff?: BackOff }
  /** The claim is taken back although the run may still be there. */
  | { readonly do: 'release'; readonly run: string; readonly task: string }
  | { readonly do: 'mark-dead'; readonly run: string; readonly task: string }
  | { readonly do: 'kill'; readonly run: string; readonly task: string; readonly why: EndReason }
  | {
      readonly do: 'dispatch';
      readonly run: string;
      readonly task: string;
      readonly fence: number;
      readonly timeoutMs: number;
      /** `shell` runs the task's own command; any other name is a client that gets a prompt. */
      readonly executor: string;
      /** Instead of the one that the task and the settings name. */
      readonly model?: string;
    }
);

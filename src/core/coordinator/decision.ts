import type { Grant } from '#core/coordinator/grant.js';
import type { BackOff, ClientHold, EndReason, Usage } from '#core/coordinator/snapshot.js';
import type { WorkflowWish } from '#core/coordinator/workflow-wish.js';
import type { EventDraft } from '#core/graph/event.js';
import type { Person } from '#core/people/person.js';

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
  | { readonly do: 'deliver-chat'; readonly session: number; readonly task: string }
  /** A model is to say how far a dead run had come. */
  | { readonly do: 'triage'; readonly run: string; readonly task: string; readonly fence: number }
  | {
      readonly do: 'checkpoint';
      readonly run: string;
      readonly task: string;
      readonly fence: number;
      readonly turns: number;
      readonly usage?: Usage;
    }
  | { readonly do: 'resurrect'; readonly task: string }
  | { readonly do: 'note'; readonly note: 'project-complete' }
  | { readonly do: 'settle-due' }
  /** The tasks of a run are to be made; a later round hears of it. */
  | { readonly do: 'make-workflow'; readonly wish: WorkflowWish }
  /** A workflow begins by itself. */
  | { readonly do: 'run-workflow'; readonly key: string; readonly workflow: string }
  /** It is not begun after all; `refused`: nor soon. */
  | {
      readonly do: 'drop-workflow';
      readonly key: string;
      readonly refused?: { readonly workflow: string; readonly why: string };
    }
  | { readonly do: 'place'; readonly task: string }
  /** A model is asked where it belongs; a later round hears of it. */
  | { readonly do: 'ask-place'; readonly task: string }
  /** A task of our own, about another one; and what follows for that one. */
  | { readonly do: 'add-task'; readonly task: string; readonly about: string }
  | { readonly do: 'edit-task'; readonly task: string }
  /** Without a `hold` the client is started again. */
  | { readonly do: 'hold-client'; readonly client: string; readonly hold?: ClientHold }
  /** Without a `backOff` the pause is over. */
  | { readonly do: 'back-off'; readonly backOff?: BackOff }
  /** The claim is taken back although the run may still be there. */
  | { readonly do: 'release'; readonly run: string; readonly task: string }
  | { readonly do: 'mark-dead'; readonly run: string; readonly task: string }
  /** Claimed in the name of a person. */
  | { readonly do: 'hand-over'; readonly task: string }
  /** An errand: the person is told of the task they hold. */
  | {
      readonly do: 'tell';
      readonly task: string;
      readonly key: string;
      readonly person: Person;
      readonly number: number;
      readonly claimedAt: number;
    }
  /** An errand: what people wrote in the room is read. */
  | { readonly do: 'read-replies'; readonly key: string }
  /** The answer of such an errand is written down; `since`: read on from there. */
  | { readonly do: 'heard'; readonly key: string; readonly since?: string }
  /** A person could not be reached, or was not heard of. */
  | { readonly do: 'give-back'; readonly task: string }
  | { readonly do: 'kill'; readonly run: string; readonly task: string; readonly why: EndReason }
  /** An errand: what a run of a client needs is set down, for a claim that a later round makes. */
  | ({ readonly do: 'prepare' } & RunWanted)
  /** It was not claimed with that, or may be tried again. */
  | { readonly do: 'drop-prepared'; readonly task: string; readonly run?: string }
  | ({ readonly do: 'dispatch' } & RunWanted)
);

/** A run of a task: of its own command, or of a client that gets a prompt. */
export interface RunWanted {
  /** The session it belongs to, where there are several, and the model that it says. */
  readonly session?: number;
  readonly sessionModel?: string;
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly timeoutMs: number;
  /** `shell` runs the task's own command; any other name is a client. */
  readonly executor: string;
  /** Instead of the one that the task and the settings name. */
  readonly model?: string;
  /** What a run of a client may spend, where there is a ledger. */
  readonly grant?: Grant;
}

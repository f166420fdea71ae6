import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Answer, PicturedTask } from '#surfaces/http/contract.js';
import { ACT_LOOK, type Act, carryOut, tell } from '../../data/acts.js';
import { ApiError } from '../../data/api.js';
import { notice } from '../../data/notices.js';

export type Destinations = Answer<'task.destinations'>['destinations'];
export type Destination = Destinations[number];

/** A task, and the act that moves it into another state. */
export interface Intent {
  readonly task: PicturedTask;
  readonly act: Act;
}

/** The act of a move: a task that waits no longer does, which Now calls by another name. */
export function actOf(task: PicturedTask, move: NonNullable<Destination['move']>): Act {
  return move === 'resume' && task.state === 'waiting' ? 'wake' : move;
}

/** Whether the act needs words, or a confirmation because it has no way back. */
export function asksFirst(act: Act): boolean {
  return ACT_LOOK[act].words !== undefined || ACT_LOOK[act].consequence !== undefined;
}

/** Carries the act out and reports it with its way back. Rejects with an ApiError. */
export async function makeMove({ task, act }: Intent, words?: string): Promise<void> {
  tell(act, inert(task.title), await carryOut({ act, id: task.id, words }), () => undefined);
}

/** Reports why a task stays where it is. */
export function tellRefusal(task: PicturedTask, to: ShownState, reason: string | undefined): void {
  notice.set({ text: `“${inert(task.title)}” cannot be moved to ${STATUS_LOOK[to].word}. ${inert(reason ?? '')}` });
}

export function tellTrouble(task: PicturedTask, error: unknown): void {
  const why = error instanceof ApiError ? `${error.message} ${error.hint}` : String(error);
  notice.set({ text: `“${inert(task.title)}” stays where it was. ${why}` });
}

import type { Finished } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import { knownError, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { loadSettings } from '#operations/settings/load.js';
import { isHeld } from './held.js';

export type Merge = NonNullable<Finished['merge']>;
type Needed = Pick<Context, 'worktrees' | 'settings' | 'trust'>;

/**
 * Takes the work of an attempt whose run is over into wg/integration, as `merge_back` says. Nothing is thrown that a person
 * could do something about: `held` says it. Done again it finds that it was done.
 */
export async function takeOver(context: Needed, task: Task, attempt: number): Promise<Merge> {
  try {
    const how = (await loadSettings(context)).settings.coordinator.merge_back;
    const worktrees = await context.worktrees();
    const request = { task: task.id, attempt, how, title: task.title };
    const outcome = await insisting(() => worktrees.mergeBack(request));
    switch (outcome.outcome) {
      case 'merged':
        return { outcome: 'merged', commit: outcome.commit };
      case 'nothing':
        return { outcome: 'nothing' };
      case 'conflict':
        return { outcome: 'held', reason: outcome.reason };
      case 'kept':
        if (outcome.reason === 'asked') return { outcome: 'kept' };
        return { outcome: 'held', reason: `could not be merged: ${outcome.text}` };
    }
  } catch (error) {
    return { outcome: 'held', reason: `could not be merged: ${knownError(error).message}` };
  }
}

/** Another git at work passes by itself. */
async function insisting<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof TroupeError && error.code === 'locked';
      if (!passes || attempt === LIMITS.takeOverTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, LIMITS.takeOverPauseMs));
    }
  }
}

/** Removes the worktree of an attempt that is over, if nothing is lost by it. What is kept, `worktree list` explains. */
export async function tidyUp(context: Needed & Pick<Context, 'graph'>, id: string, attempt: number): Promise<void> {
  const how = (await loadSettings(context)).settings.coordinator.merge_back;
  const view = await (await context.graph()).view();
  const request = { task: id, attempt, inUse: isHeld(view, id, attempt), branchStays: how === 'keep' };
  await (await context.worktrees()).remove(request);
}

/** What follows once the end of an attempt is committed; what went wrong in it changes nothing of that, and is only told. */
export async function afterwards(
  context: Needed & Pick<Context, 'graph'>,
  id: string,
  attempt: number,
): Promise<string[]> {
  const told: string[] = [];
  for (const step of [() => tidyUp(context, id, attempt), () => landWhenClean(context)]) {
    try {
      await step();
    } catch (error) {
      told.push(knownError(error).message);
    }
  }
  return told;
}

/**
 * Where a person chose `land = "when-clean"`: moves their branch forward, if that can be done now. Answers whether something
 * waits that cannot be landed yet.
 */
export async function landWhenClean(context: Needed): Promise<'landed' | 'waits' | 'nothing'> {
  if ((await loadSettings(context)).settings.coordinator.land !== 'when-clean') return 'nothing';
  const worktrees = await context.worktrees();
  if ((await worktrees.waiting()) === 0) return 'nothing';
  const { relation, obstacle, to } = await worktrees.landing();
  if (relation === 'same' || relation === 'behind') return 'nothing';
  if (obstacle !== undefined) return 'waits';
  await worktrees.land(to);
  return 'landed';
}

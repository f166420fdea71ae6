import { PLACE, type PlacementAnswer, placementBlocks, placementIn } from '#core/coordinator/placing.js';
import { taskOf } from '#core/graph/task-of.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphContext, MachineContext, ModelContext } from '#operations/contexts.js';
import { ask } from '#operations/settings/ask.js';
import type { HostOf, HostTools } from './host.js';

/** Host that asks for the places of new tasks and receives the answers. */
export function placesHost(
  { errands }: Pick<HostTools, 'errands'>,
  ask: (task: string, signal: AbortSignal) => Promise<PlacementAnswer>,
): HostOf<'places'> {
  return {
    facts: async () => ({ placing: true }),
    carryOut: {
      'ask-place': ({ task }) => {
        errands.start(PLACE, PLACE.key(task), (signal) => ask(task, signal));
        return 0;
      },
      place: ({ task }) => {
        errands.forget(PLACE.key(task));
        return 1;
      },
    },
  };
}

/**
 * Asks a model for the place of a new task; changes nothing. Without an answer, rules apply, and the reason is
 * returned.
 */
export async function askPlace(
  context: GraphContext & ModelContext & MachineContext,
  id: string,
  signal: AbortSignal,
): Promise<PlacementAnswer> {
  const view = await (await context.graph()).view();
  const task = taskOf(view, id);
  const { answer, failure } = await ask(context, {
    purpose: 'placing',
    name: 'place',
    timeMs: WORK_LIMITS.placingMs,
    task: id,
    signal,
    blocks: placementBlocks(view, task),
    take: placementIn,
  });
  return answer ?? { of: 'place', after: [], before: [], byRules: failure?.reason ?? '' };
}

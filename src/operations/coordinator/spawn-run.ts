import { type SpawnRequest, spawn } from '#core/coordinator/dispatch.js';
import type { CoordinatorSnapshot } from '#core/coordinator/parts.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { DispatchHost } from './dispatch-host.js';
import type { RoundOptions } from './round-options.js';

interface SpawnParts extends Pick<RoundOptions, 'store' | 'clock' | 'books' | 'runs' | 'onDecisions'> {
  readonly dispatch: DispatchHost;
  readonly snapshot: (view: GraphView) => CoordinatorSnapshot;
}

/** A run that somebody asked for, by the same steps as any other: set down, claimed, begun. Errors as of the decision. */
export async function spawnRun(
  { store, clock, books, runs, onDecisions, dispatch, snapshot }: SpawnParts,
  request: SpawnRequest,
): Promise<{ agent_id: string; pid?: number }> {
  const at = clock.now();
  const view = await store.view();
  const wanted = spawn(snapshot(view), request, at);
  const before = { at, grant: wanted.grant };
  dispatch.reserve(wanted);
  if (wanted.executor !== 'shell') await dispatch.setDown(view, wanted);
  try {
    const { result } = await books.commit((now) => {
      const decision = spawn(snapshot(now), request, clock.now(), before);
      if (decision.fence !== wanted.fence || decision.executor !== wanted.executor)
        throw new TroupeError('not_ready', { what: `${wanted.task} was changed just now.`, hint: 'Try again.' });
      return { events: decision.events, result: decision };
    });
    await dispatch.carryOut.dispatch(result, await store.view());
    onDecisions([result]);
  } catch (error) {
    await dispatch.drop(wanted.run);
    throw error;
  }
  const pid = runs.listed().find((row) => row.id === wanted.run)?.pid;
  return { agent_id: wanted.run, ...(pid === undefined ? {} : { pid }) };
}

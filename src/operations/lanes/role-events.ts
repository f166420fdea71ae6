import type { EventDraft } from '#core/graph/event.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';

type Parts = Pick<Context, 'graph' | 'caller'>;

/** The day of a lesson. */
export function today({ clock }: Pick<Context, 'clock'>): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/** Writes down in the log what became of a role. Where there is no graph, the files are all there is. */
export async function tell(
  context: Parts,
  op: string,
  detail: NonNullable<EventDraft['detail']>,
  requestId?: string,
): Promise<number> {
  const store = await graphIfAny(context);
  if (!store) return 0;
  const event: EventDraft = { op, actor: moverOf(context).name, detail, patch: [] };
  const { seq } = await store.commit(
    () => ({ events: [event], result: null }),
    requestId === undefined ? {} : { requestId },
  );
  return seq;
}

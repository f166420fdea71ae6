import type { EventDraft, Patch } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

export interface Parcel {
  readonly patch: Patch;
  /** Contribution of this patch to the event's detail. */
  readonly note?: NodeFields;
}

/**
 * Packs patches into one event, or several if one log line could not hold them; they are committed as one group.
 * `detail` computes an event's detail from its parcels.
 */
export function packEvents(
  op: string,
  parcels: readonly Parcel[],
  detail: (parcels: readonly Parcel[], first: boolean) => NodeFields,
): EventDraft[] {
  const events: EventDraft[] = [];
  let parcelsHere: Parcel[] = [];
  let size = 0;
  const flush = () => {
    const patch = parcelsHere.map((parcel) => parcel.patch);
    events.push({ op, detail: detail(parcelsHere, events.length === 0), patch });
    parcelsHere = [];
    size = 0;
  };
  for (const parcel of parcels) {
    const length = JSON.stringify(parcel).length;
    if (parcelsHere.length > 0 && size + length > WORK_LIMITS.eventCharacters) flush();
    parcelsHere.push(parcel);
    size += length;
  }
  if (parcelsHere.length > 0 || events.length === 0) flush();
  return events;
}

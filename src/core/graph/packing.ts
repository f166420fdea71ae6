import type { EventDraft, Patch } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';

export interface Parcel {
  readonly patch: Patch;
  /** What the event is to say about this patch, if anything: it is put together from all of them. */
  readonly note?: NodeFields;
}

/**
 * One event for many patches, or several when one line could not hold them; they are committed as one group. `detail`
 * says what the event is about from what is in it.
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
    if (parcelsHere.length > 0 && size + length > LIMITS.eventCharacters) flush();
    parcelsHere.push(parcel);
    size += length;
  }
  if (parcelsHere.length > 0 || events.length === 0) flush();
  return events;
}

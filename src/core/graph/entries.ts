import type { Entry, EventDraft } from '#core/graph/event.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

/** Turns the events of one decision into log entries: numbered, chained, and marked as one group. */
export function toEntries(
  drafts: readonly EventDraft[],
  after: { readonly seq: number; readonly id: string | undefined },
  timestamp: string,
  freshId: () => string,
): Entry[] {
  let { seq, id: previous } = after;
  return drafts.map((draft, index) => {
    assert(
      draft.patch.every((patch) => patch.id !== ''),
      'a patch names its node',
    );
    const id = freshId();
    const entry: Entry = {
      seq: ++seq,
      id,
      ...(previous === undefined ? {} : { prev: previous }),
      ...(drafts.length > 1 ? { tx: [index + 1, drafts.length] as const } : {}),
      timestamp,
      ...draft,
    };
    previous = id;
    return entry;
  });
}

/** The line of an entry, with its line feed. A line that no reader would accept is refused before it is written. */
export function entryLine(entry: Entry): string {
  const line = `${JSON.stringify(entry)}\n`;
  const bytesMost = line.length * 3; // of a UTF-16 unit in UTF-8
  if (bytesMost > LIMITS.lineBytes && new TextEncoder().encode(line).length > LIMITS.lineBytes) {
    throw new TroupeError('too_large', {
      what: `This change is larger than a log line may be (${LIMITS.lineBytes} bytes).`,
    });
  }
  return line;
}

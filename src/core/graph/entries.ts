import type { Entry, EventDraft } from '#core/graph/event.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
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
    const entry: Entry = seal({
      seq: ++seq,
      id: freshId(),
      ...(previous === undefined ? {} : { prev: previous }),
      ...(drafts.length > 1 ? { tx: [index + 1, drafts.length] as const } : {}),
      timestamp,
      ...draft,
    });
    previous = entry.id;
    return entry;
  });
}

const SEAL = /^(.+)\.([0-9a-f]{10})$/;
const SEAL_CHARACTERS = 10;

/** An id ends with a digest of its line: together with `prev` a chain in which an edited line shows. */
function seal(entry: Entry): Entry {
  return { ...entry, id: `${entry.id}.${sha256(JSON.stringify(entry)).slice(0, SEAL_CHARACTERS)}` };
}

/** Is a line of the log as it was written? True also for lines of versions that did not seal theirs. */
export function isAsWritten(line: string, id: string): boolean {
  const [, own, seal] = SEAL.exec(id) ?? [];
  if (own === undefined) return true;
  const unsealed = line.replace(`"id":${JSON.stringify(id)}`, () => `"id":${JSON.stringify(own)}`);
  return sha256(unsealed).slice(0, SEAL_CHARACTERS) === seal;
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

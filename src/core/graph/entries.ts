import type { Entry, EventDraft } from '#core/graph/event.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { holdsUnfitNumber } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** An entry and its log line, including the line feed. */
export interface EntryLine {
  readonly entry: Entry;
  readonly line: string;
}

interface After {
  readonly seq: number;
  readonly id: string | undefined;
}

/**
 * Turns the events of one decision into log entries: numbered, chained and marked as one group. Errors: `too_large` for
 * a line longer than readers accept, `bad_input` for a number that they skip.
 */
export function toEntryLines(
  drafts: readonly EventDraft[],
  after: After,
  timestamp: string,
  freshId: () => string,
): EntryLine[] {
  let { seq, id: previous } = after;
  return drafts.map((draft, index) => {
    assert(
      draft.patch.every((patch) => patch.id !== ''),
      'a patch names its node',
    );
    const sealed = seal({
      seq: ++seq,
      id: freshId(),
      ...(previous === undefined ? {} : { prev: previous }),
      ...(drafts.length > 1 ? { tx: [index + 1, drafts.length] as const } : {}),
      timestamp,
      ...draft,
    });
    previous = sealed.entry.id;
    return sealed;
  });
}

/** Same as `toEntryLines`, without the lines. */
export function toEntries(...given: Parameters<typeof toEntryLines>): Entry[] {
  return toEntryLines(...given).map(({ entry }) => entry);
}

const SEAL = /^(.+)\.([0-9a-f]{10})$/;
const SEAL_CHARACTERS = 10;

/** Appends a digest of the line to its id. Together with `prev` this forms a chain that reveals edited lines. */
function seal(entry: Entry): EntryLine {
  const text = JSON.stringify(entry);
  // Readers skip such a line, and everything after it would no longer follow from it.
  if (holdsUnfitNumber(text, entry)) {
    throw new TroupeError('bad_input', {
      what: 'A number of this change is too large to keep.',
      hint: `Use at most ${Number.MAX_SAFE_INTEGER}.`,
    });
  }
  const id = `${entry.id}.${sha256(text).slice(0, SEAL_CHARACTERS)}`;
  const head = (own: string) => `{"seq":${entry.seq},"id":${JSON.stringify(own)}`;
  const line = `${head(id)}${text.slice(head(entry.id).length)}\n`;
  const bytesMost = line.length * 3; // upper bound: 3 UTF-8 bytes per UTF-16 unit
  if (bytesMost > WORK_LIMITS.lineBytes && new TextEncoder().encode(line).length > WORK_LIMITS.lineBytes) {
    throw new TroupeError('too_large', {
      what: `This change is larger than a log line may be (${WORK_LIMITS.lineBytes} bytes).`,
    });
  }
  return { entry: { ...entry, id }, line };
}

/** Whether a log line is unchanged since it was written. True also for lines of versions that wrote no digest. */
export function isAsWritten(line: string, id: string): boolean {
  const [, own, seal] = SEAL.exec(id) ?? [];
  if (own === undefined) return true;
  const unsealed = line.replace(`"id":${JSON.stringify(id)}`, () => `"id":${JSON.stringify(own)}`);
  return sha256(unsealed).slice(0, SEAL_CHARACTERS) === seal;
}

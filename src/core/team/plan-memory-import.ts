import { LIMITS } from '#kernel/limits.js';
import { readInboxFile, sameEntry } from './inbox-file.js';
import type { EntryText } from './memory.js';
import { INBOX_FOLDER, type Inbox, inboxPath, type LeftAlone } from './memory-ledger.js';

export interface ImportedEntry {
  readonly file: string;
  readonly sha256: string;
  readonly entry: EntryText;
}

/**
 * What of the inbox can be read, and what cannot. Of several files with one agent and slug the one that is called as we would
 * call it counts, else the first: which of them is meant nobody could say later.
 */
export function readInbox(inbox: Inbox): {
  readonly found: readonly ImportedEntry[];
  readonly skipped: readonly LeftAlone[];
} {
  const found: ImportedEntry[] = [];
  const skipped: LeftAlone[] = [];
  for (const file of inbox.files) {
    if ('problem' in file) skipped.push({ file: file.path, reason: file.problem });
    else {
      const read = readInboxFile(file.text);
      if ('reason' in read) skipped.push({ file: file.path, reason: read.reason });
      else found.push({ file: file.path, sha256: file.sha256, entry: read.entry });
    }
  }
  const chosen = new Map<string, ImportedEntry>();
  for (const one of found) {
    const other = chosen.get(keyOf(one));
    if (other === undefined || rank(one) < rank(other)) chosen.set(keyOf(one), one);
  }
  const twice = found.filter((one) => !sameEntry(one.entry, chosen.get(keyOf(one))?.entry ?? one.entry));
  for (const one of twice)
    skipped.push({ file: one.file, reason: `has agent and slug of ${chosen.get(keyOf(one))?.file ?? ''}` });
  if (inbox.more) {
    const reason = `holds more than ${LIMITS.inboxFiles} files: the rest was not looked at`;
    skipped.push({ file: INBOX_FOLDER, reason });
  }
  return { found: found.filter((one) => !twice.includes(one)), skipped };
}

const keyOf = ({ entry }: ImportedEntry) => `${entry.agent}\0${entry.slug}`;

function rank({ file, entry }: ImportedEntry): number {
  const [own, withAgent] = [inboxPath(entry.slug), inboxPath(`${entry.slug}--${entry.agent}`)];
  return file === own ? 0 : file === withAgent ? 1 : 2;
}

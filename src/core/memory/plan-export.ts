import type { FileChange } from '#core/casting/file-change.js';
import { AGENTS_FOLDER, agentHistoryPath, DECISIONS_MD, NOW_MD } from '#core/casting/squad-paths.js';
import { findDiaryBlock, renderDiaryBlock, withDiaryBlock } from '#core/memory/diary-block.js';
import { readInboxFile, renderInboxFile, sameEntry } from '#core/memory/inbox-file.js';
import {
  BOUNDARIES_MD,
  DECISIONS_ARCHIVE,
  INBOX_FOLDER,
  type Inbox,
  inboxPath,
  type LedgerFile,
  type LeftAlone,
  PATTERNS_MD,
} from '#core/memory/ledger.js';
import type { Decision, InboxEntry, Memory, WorkSession } from '#core/memory/memory.js';
import { NO_DECISIONS, renderBoundaries, renderDecisions } from '#core/memory/render-decisions.js';
import { NO_SESSION, renderNow, renderPatterns } from '#core/memory/render-memories.js';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';

/** What is remembered, as far as files tell of it. */
export interface Remembered {
  readonly decisions: readonly Decision[];
  readonly pending: readonly InboxEntry[];
  readonly patterns: readonly Memory[];
  /** Updates and learnings, by member. */
  readonly diaries: ReadonlyMap<string, readonly Memory[]>;
  readonly session: WorkSession | undefined;
}

/** The files as they lie there. */
export interface LedgerState {
  /** Those of `exportedFiles`, by path, as far as they are there. */
  readonly files: ReadonlyMap<string, LedgerFile>;
  readonly inbox: Inbox;
  /** Slugs that have a folder among the agents. */
  readonly members: ReadonlySet<string>;
  /** Paths of what was put aside before. */
  readonly archived: ReadonlySet<string>;
  /** Whether exactly these bytes were imported from this place, or exported to it, before. */
  isKnown(place: string, hash: string): boolean;
}

export interface ExportPlan {
  readonly changes: readonly FileChange[];
  readonly exported: readonly { readonly file: string; readonly change: 'written' | 'removed' }[];
  readonly kept: readonly LeftAlone[];
  /** What is to count as known, before anything is written. */
  readonly marks: readonly { readonly place: string; readonly sha256: string }[];
}

/** Every file besides the inbox that an export may write. */
export function exportedFiles({ diaries }: Remembered): string[] {
  return [DECISIONS_MD, NOW_MD, BOUNDARIES_MD, PATTERNS_MD, ...[...diaries.keys()].map(agentHistoryPath)];
}

/** Bytes of a file that count for its state: all of them, of a diary those of the block. */
export function marksOf({ files, inbox }: Pick<LedgerState, 'files' | 'inbox'>) {
  const whole = [...files.values()].flatMap((file) => {
    if ('problem' in file) return [];
    const block = isDiary(file.path) ? blockOf(file.text) : file.text;
    const place = isDiary(file.path) ? AGENTS_FOLDER : file.path;
    return block === undefined ? [] : [{ place, sha256: sha256(block) }];
  });
  const entries = inbox.files.flatMap((file) =>
    'problem' in file ? [] : [{ place: INBOX_FOLDER, sha256: file.sha256 }],
  );
  return [...whole, ...entries];
}

/**
 * What an export writes. Nothing is lost by it: what we did not write ourselves is first put aside or left where it is.
 */
export function planExport(remembered: Remembered, state: LedgerState): ExportPlan {
  const plan = new Planning(state);
  const { decisions, session, patterns } = remembered;
  const bounds = decisions.filter(({ type }) => type !== 'process');
  plan.whole(DECISIONS_MD, renderDecisions(decisions), { empty: decisions.length === 0, first: NO_DECISIONS });
  plan.whole(NOW_MD, renderNow(session), { empty: session === undefined, first: NO_SESSION });
  plan.whole(BOUNDARIES_MD, renderBoundaries(bounds), { empty: bounds.length === 0 });
  plan.whole(PATTERNS_MD, renderPatterns(patterns), { empty: patterns.length === 0 });
  for (const [slug, memories] of remembered.diaries) plan.diary(slug, memories);
  plan.inbox(remembered.pending);
  return plan;
}

class Planning implements ExportPlan {
  readonly changes: FileChange[] = [];
  readonly exported: { file: string; change: 'written' | 'removed' }[] = [];
  readonly kept: LeftAlone[] = [];
  readonly marks: { place: string; sha256: string }[] = [];
  private readonly state: LedgerState;
  private readonly archived: Set<string>;

  constructor(state: LedgerState) {
    this.state = state;
    this.archived = new Set(state.archived);
  }

  /** A file that is ours as a whole. One we know nothing of stays while there is nothing to say. */
  whole(path: string, text: string, { empty, first }: { empty: boolean; first?: string }): void {
    const present = this.state.files.get(path);
    if (present === undefined) {
      if (!empty) this.write(path, text, path);
      return;
    }
    if ('problem' in present) this.keep(path, present.problem);
    else if (present.text === text) this.marks.push({ place: path, sha256: sha256(text) });
    else if (present.text === first || this.state.isKnown(path, present.sha256)) this.write(path, text, path);
    else if (empty) this.keep(path, 'was written by others, and there is nothing to say');
    else if (this.putAside(path, present.text)) this.write(path, text, path);
  }

  /** In the history of a member only the block between our marks is ours. */
  diary(slug: string, memories: readonly Memory[]): void {
    const path = agentHistoryPath(slug);
    const present = this.state.files.get(path);
    const text = present === undefined ? `# History of ${slug}\n` : 'problem' in present ? '' : present.text;
    const obstacle = this.diaryObstacle(slug, present);
    if (obstacle !== undefined) {
      this.keep(path, obstacle);
      return;
    }
    const block = renderDiaryBlock(memories.slice(-LIMITS.diaryMemories));
    const before = blockOf(text);
    if (before === block) {
      this.marks.push({ place: AGENTS_FOLDER, sha256: sha256(block) });
      return;
    }
    // A diary moves when its member is renamed: its block counts wherever it stands.
    const ours = before === undefined || this.state.isKnown(AGENTS_FOLDER, sha256(before));
    if (ours || this.putAside(path, text)) this.write(path, withDiaryBlock(text, block), AGENTS_FOLDER, block);
  }

  private diaryObstacle(slug: string, present: LedgerFile | undefined): string | undefined {
    if (present === undefined) return this.state.members.has(slug) ? undefined : 'is of nobody on the team';
    if ('problem' in present) return present.problem;
    return findDiaryBlock(present.text) === 'unclear'
      ? 'has marks of its memory that do not belong together'
      : undefined;
  }

  /** A file for each pending entry; another one goes only if exactly its bytes were imported or exported before. */
  inbox(pending: readonly InboxEntry[]): void {
    const { files } = this.state.inbox;
    const present = new Map(files.map((file) => [file.path, file]));
    const wanted = new Set(pending.map((entry) => inboxPath(entry.stored_slug)));
    for (const entry of pending) this.entry(entry, present.get(inboxPath(entry.stored_slug)));
    for (const file of files) {
      if (wanted.has(file.path)) continue;
      if ('problem' in file) this.keep(file.path, file.problem);
      else if (this.state.isKnown(INBOX_FOLDER, file.sha256)) {
        this.changes.push({ kind: 'remove', path: file.path });
        this.exported.push({ file: file.path, change: 'removed' });
      } else this.keep(file.path, reasonToKeep(file.text));
    }
    if (this.state.inbox.more) this.keep(INBOX_FOLDER, `holds more than ${LIMITS.inboxFiles} files`);
  }

  private entry(entry: InboxEntry, present: LedgerFile | undefined): void {
    const path = inboxPath(entry.stored_slug);
    if (present === undefined) {
      // Beyond the files that were looked at there may be one of this name that nobody has read.
      if (!this.state.inbox.more) this.write(path, renderInboxFile(entry), INBOX_FOLDER);
      return;
    }
    const read = 'problem' in present ? { reason: present.problem } : readInboxFile(present.text);
    if ('problem' in present || 'reason' in read) this.keep(path, 'reason' in read ? read.reason : '');
    else if (sameEntry(read.entry, entry)) this.marks.push({ place: INBOX_FOLDER, sha256: present.sha256 });
    else if (this.state.isKnown(INBOX_FOLDER, present.sha256) || this.putAside(path, present.text))
      this.write(path, renderInboxFile(entry), INBOX_FOLDER);
  }

  private keep(file: string, reason: string): void {
    this.kept.push({ file, reason });
  }

  private write(path: string, text: string, place: string, counts = text): void {
    if (Buffer.byteLength(text) > LIMITS.squadFileBytes) {
      this.keep(path, `would be larger than ${LIMITS.squadFileBytes} bytes`);
      return;
    }
    this.changes.push({ kind: 'write', path, text });
    this.exported.push({ file: path, change: 'written' });
    this.marks.push({ place, sha256: sha256(counts) });
  }

  /** Copies what somebody changed to where it stays. False: there is no room, and the file has to stay. */
  private putAside(path: string, text: string): boolean {
    if (this.archived.size >= LIMITS.archivedFiles) {
      this.keep(path, `was changed by hand, and ${DECISIONS_ARCHIVE} holds ${LIMITS.archivedFiles} files`);
      return false;
    }
    const stem = `${DECISIONS_ARCHIVE}/${nameAside(path)}.${sha256(text).slice(0, 12)}`;
    let copy = `${stem}.md`;
    for (let count = 2; this.archived.has(copy); count++) copy = `${stem}-${count}.md`;
    this.archived.add(copy);
    this.changes.push({ kind: 'write', path: copy, text });
    this.keep(path, `was changed by hand: a copy is in ${copy}`);
    return true;
  }
}

const isDiary = (path: string) => path.endsWith('/history.md');

function blockOf(text: string): string | undefined {
  const found = findDiaryBlock(text);
  return typeof found === 'object' ? text.slice(found.from, found.to) : undefined;
}

function reasonToKeep(text: string): string {
  const read = readInboxFile(text);
  return 'reason' in read ? read.reason : 'is not imported yet';
}

/** `decisions`, `history-neo`, `inbox-use-one-store`: what a file is called among those put aside. */
function nameAside(path: string): string {
  const [folder = '', name = ''] = path.slice(0, -'.md'.length).split('/').slice(-2);
  if (isDiary(path)) return `history-${folder}`;
  return path.startsWith(`${INBOX_FOLDER}/`) ? `inbox-${name}` : name;
}

import { agentHistoryPath, DECISIONS_MD, NOW_MD } from '#core/squad/squad-paths.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { readInboxFile, renderInboxFile, sameEntry } from './inbox-file.js';
import type { Decision, InboxEntry, Memory, WorkSession } from './memory.js';
import {
  BOUNDARIES_MD,
  DECISIONS_ARCHIVE,
  INBOX_FOLDER,
  type Inbox,
  inboxPath,
  type LedgerFile,
  PATTERNS_MD,
  type SkippedFile,
} from './memory-ledger.js';
import { isOurBeginning, isUnsure, readDecisions, readDiary, readNow } from './memory-readings.js';
import {
  findMemoryBlock,
  isOurState,
  memoryBlock,
  NO_DECISIONS,
  NO_SESSION,
  renderBoundaries,
  renderDecisions,
  renderDiary,
  renderNow,
  renderPatterns,
  withMemoryBlock,
  withState,
} from './memory-text.js';

/** Rows of the memory that are exported to files. */
export interface MemoryContents {
  readonly decisions: readonly Decision[];
  readonly pending: readonly InboxEntry[];
  readonly patterns: readonly Memory[];
  /** Updates and learnings, keyed by member slug. */
  readonly diaries: ReadonlyMap<string, readonly Memory[]>;
  readonly session: WorkSession | undefined;
  /** Returns the id that a row has in every clone; undefined if it exists only in this one. */
  idOf(row: Decision | Memory | WorkSession): string | undefined;
}

/** Current files, after manual edits were imported. */
export interface LedgerState {
  /** Existing files among `exportedFiles`, by path. */
  readonly files: ReadonlyMap<string, LedgerFile>;
  readonly inbox: Inbox;
  /** Slugs of members that have an agent folder. */
  readonly members: ReadonlySet<string>;
  /** Paths of earlier copies. */
  readonly archived: ReadonlySet<string>;
  /** Whether a file with exactly these bytes was imported from or exported to the inbox before. */
  isKnown(hash: string): boolean;
}

export interface ExportPlan {
  readonly changes: readonly FileChange[];
  readonly exported: readonly { readonly file: string; readonly change: 'written' | 'removed' }[];
  readonly kept: readonly SkippedFile[];
  /** Hashes to record as known in the inbox before anything is written. */
  readonly marks: readonly string[];
}

/** Paths of all files that an export may write, without the inbox. */
export function exportedFiles({ diaries }: Pick<MemoryContents, 'diaries'>): string[] {
  return [DECISIONS_MD, NOW_MD, BOUNDARIES_MD, PATTERNS_MD, ...[...diaries.keys()].map(agentHistoryPath)];
}

/**
 * Plans the files that an export writes, without losing data: in files that people edit too, only the generated part
 * changes, and content of that part that could not be imported is copied aside first.
 */
export function planExport(remembered: MemoryContents, state: LedgerState): ExportPlan {
  const plan = new ExportPlanner(remembered, state);
  const { decisions, patterns } = remembered;
  const bounds = decisions.filter(({ type }) => type !== 'process');
  plan.decisions(decisions);
  plan.now();
  plan.whole(BOUNDARIES_MD, renderBoundaries(bounds), bounds.length === 0);
  plan.whole(PATTERNS_MD, renderPatterns(patterns), patterns.length === 0);
  for (const [slug, memories] of remembered.diaries) plan.diary(slug, memories);
  plan.inbox(remembered.pending);
  return plan;
}

class ExportPlanner implements ExportPlan {
  readonly changes: FileChange[] = [];
  readonly exported: { file: string; change: 'written' | 'removed' }[] = [];
  readonly kept: SkippedFile[] = [];
  readonly marks: string[] = [];
  private readonly remembered: MemoryContents;
  private readonly state: LedgerState;
  private readonly archived: Set<string>;

  constructor(remembered: MemoryContents, state: LedgerState) {
    this.remembered = remembered;
    this.state = state;
    this.archived = new Set(state.archived);
  }

  /**
   * Keeps text that people wrote beside the block. Sections of a file that Troupe created have become decisions and
   * move into the block.
   */
  decisions(decisions: readonly Decision[]): void {
    const present = this.state.files.get(DECISIONS_MD);
    const block = memoryBlock(renderDecisions(decisions, (row) => this.remembered.idOf(row)));
    if (present === undefined) {
      if (decisions.length > 0) this.write(DECISIONS_MD, withMemoryBlock(NO_DECISIONS, block));
      return;
    }
    if ('problem' in present || findMemoryBlock(present.text) === 'unclear') {
      this.keep(DECISIONS_MD, 'problem' in present ? present.problem : UNPAIRED);
      return;
    }
    const { text } = present;
    const content = readDecisions(text);
    if (decisions.length === 0 && content.readings.length === 0 && findMemoryBlock(text) === 'none') return;
    const ours = isOurBeginning(text) ? withoutSections(text) : text;
    const next = withMemoryBlock(ours, block);
    if (next !== text && (!isUnsure(content) || this.putAside(DECISIONS_MD, text))) this.write(DECISIONS_MD, next);
  }

  now(): void {
    const present = this.state.files.get(NOW_MD);
    const { session } = this.remembered;
    const text = renderNow(session, session && this.remembered.idOf(session));
    if (present === undefined) {
      if (session !== undefined) this.write(NOW_MD, text);
      return;
    }
    if ('problem' in present) {
      this.keep(NOW_MD, present.problem);
      return;
    }
    if (present.text === text) return;
    const content = readNow(present.text);
    const [reading] = content.readings;
    const ours =
      reading?.mark !== undefined || present.text === NO_SESSION || present.text === renderNow(session, undefined);
    if (!ours && session === undefined && reading === undefined) this.keep(NOW_MD, NOTHING_TO_SAY);
    else if ((ours && !isUnsure(content)) || this.putAside(NOW_MD, present.text)) this.write(NOW_MD, text);
  }

  /**
   * Writes a file that is generated as a whole and carries a state line. A file of another origin stays while there is
   * nothing to write.
   */
  whole(path: string, body: string, empty: boolean): void {
    const present = this.state.files.get(path);
    const text = withState(body);
    if (present === undefined) {
      if (!empty) this.write(path, text);
      return;
    }
    if ('problem' in present) this.keep(path, present.problem);
    else if (present.text === text) return;
    else if (isOurState(present.text) || present.text === body) this.write(path, text);
    else if (empty) this.keep(path, NOTHING_TO_SAY);
    else if (this.putAside(path, present.text)) this.write(path, text);
  }

  /** Rewrites only the generated block of a member's history. */
  diary(slug: string, memories: readonly Memory[]): void {
    const path = agentHistoryPath(slug);
    const present = this.state.files.get(path);
    const text = present === undefined ? `# History of ${slug}\n` : 'problem' in present ? '' : present.text;
    const obstacle = this.diaryObstacle(slug, present);
    if (obstacle !== undefined) {
      this.keep(path, obstacle);
      return;
    }
    const block = renderDiary(memories.slice(-TEAM_LIMITS.diaryMemories), (row) => this.remembered.idOf(row));
    const next = withMemoryBlock(text, block);
    if (next !== text && (!isUnsure(readDiary(slug, text)) || this.putAside(path, text))) this.write(path, next);
  }

  private diaryObstacle(slug: string, present: LedgerFile | undefined): string | undefined {
    if (present === undefined) return this.state.members.has(slug) ? undefined : 'belongs to no member of the team';
    if ('problem' in present) return present.problem;
    return findMemoryBlock(present.text) === 'unclear' ? UNPAIRED : undefined;
  }

  /**
   * Writes one file per pending entry. Another file is removed only if exactly its bytes were imported or exported
   * before.
   */
  inbox(pending: readonly InboxEntry[]): void {
    const { files } = this.state.inbox;
    const present = new Map(files.map((file) => [file.path, file]));
    const paths = new Set(pending.map((entry) => inboxPath(entry.stored_slug)));
    for (const entry of pending) this.entry(entry, present.get(inboxPath(entry.stored_slug)));
    for (const file of files) {
      if (paths.has(file.path)) continue;
      if ('problem' in file) this.keep(file.path, file.problem);
      else if (this.state.isKnown(file.sha256)) {
        this.changes.push({ kind: 'remove', path: file.path });
        this.exported.push({ file: file.path, change: 'removed' });
      } else this.keep(file.path, reasonToKeep(file.text));
    }
    if (this.state.inbox.more) this.keep(INBOX_FOLDER, `holds more than ${TEAM_LIMITS.inboxFiles} files`);
  }

  private entry(entry: InboxEntry, present: LedgerFile | undefined): void {
    const path = inboxPath(entry.stored_slug);
    if (present === undefined) {
      // The inbox may contain further, unread files, and one of them may have this name.
      if (!this.state.inbox.more) this.writeEntry(path, renderInboxFile(entry));
      return;
    }
    const read = 'problem' in present ? { reason: present.problem } : readInboxFile(present.text);
    if ('problem' in present || 'reason' in read) this.keep(path, 'reason' in read ? read.reason : '');
    else if (sameEntry(read.entry, entry)) this.marks.push(present.sha256);
    else if (this.state.isKnown(present.sha256) || this.putAside(path, present.text))
      this.writeEntry(path, renderInboxFile(entry));
  }

  private keep(file: string, reason: string): void {
    this.kept.push({ file, reason });
  }

  private writeEntry(path: string, text: string): void {
    this.marks.push(sha256(text));
    this.write(path, text);
  }

  private write(path: string, text: string): void {
    if (Buffer.byteLength(text) > TEAM_LIMITS.squadFileBytes) {
      this.keep(path, `would be larger than ${TEAM_LIMITS.squadFileBytes} bytes`);
      return;
    }
    this.changes.push({ kind: 'write', path, text });
    this.exported.push({ file: path, change: 'written' });
  }

  /** Copies changed text aside. Returns false if the archive is full: then the file must stay. */
  private putAside(path: string, text: string): boolean {
    if (this.archived.size >= TEAM_LIMITS.archivedFiles) {
      this.keep(path, `was changed by hand, and ${DECISIONS_ARCHIVE} holds ${TEAM_LIMITS.archivedFiles} files`);
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

const UNPAIRED = 'has mismatched memory markers';
const NOTHING_TO_SAY = 'was written by others, and there is nothing to add';

/**
 * Returns the text before the first section of `decisions.md`, and the block; removes sections that have become
 * decisions.
 */
function withoutSections(text: string): string {
  const block = findMemoryBlock(text);
  const plain = (part: string) => {
    const [before = ''] = part.split(/^## /m, 1);
    return `${before.trimEnd()}\n`;
  };
  if (typeof block !== 'object') return plain(text);
  const after = text.slice(block.to);
  const rest = plain(after);
  return `${plain(text.slice(0, block.from))}\n${text.slice(block.from, block.to)}${/^## /m.test(after) ? rest : after}`;
}

function reasonToKeep(text: string): string {
  const read = readInboxFile(text);
  return 'reason' in read ? read.reason : 'is not imported yet';
}

/** File name stem of a copy: `decisions`, `history-neo`, `inbox-use-one-store`. */
function nameAside(path: string): string {
  const [folder = '', name = ''] = path.slice(0, -'.md'.length).split('/').slice(-2);
  if (isDiary(path)) return `history-${folder}`;
  return path.startsWith(`${INBOX_FOLDER}/`) ? `inbox-${name}` : name;
}

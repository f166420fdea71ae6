import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, isMissing, safePath } from '#adapters/disk/safe-path.js';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import {
  DECISIONS_ARCHIVE,
  INBOX_FOLDER,
  type Inbox,
  type LedgerFile,
  MEMORY_EVENTS,
} from '#core/squad/memory-ledger.js';
import { AGENTS_FOLDER } from '#core/squad/squad-paths.js';
import type { Clock } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { LedgerReader } from '#ports/squad-files.js';

/** Reads the memory files of a project, given by its absolute path. The largest file is cached until it changes. */
export function ledgerReader(project: string, clock: Clock): LedgerReader {
  let latest: { readonly seen: SeenFiles; readonly file: LedgerFile | undefined } | undefined;
  return {
    events: async () => {
      if (latest?.seen.isUnchanged()) return latest.file;
      const seen = new SeenFiles(clock);
      seen.see(project, path.resolve(project, MEMORY_EVENTS));
      latest = { seen, file: await readFile(project, MEMORY_EVENTS, TEAM_LIMITS.memoryEventsBytes) };
      return latest.file;
    },
    inbox: () => readInbox(project),
    file: (relative) => readFile(project, relative, TEAM_LIMITS.squadFileBytes),
    members: () => memberSlugs(project),
    archived: async () =>
      new Set((await names(project, DECISIONS_ARCHIVE)).map((name) => `${DECISIONS_ARCHIVE}/${name}`)),
  };
}

async function memberSlugs(project: string): Promise<ReadonlySet<string>> {
  return new Set((await names(project, AGENTS_FOLDER)).filter((name) => folderSlug(name) === name));
}

async function readInbox(project: string): Promise<Inbox> {
  const notes = (await names(project, INBOX_FOLDER)).filter((name) => name.endsWith('.md'));
  const files: LedgerFile[] = [];
  for (const name of notes.slice(0, TEAM_LIMITS.inboxFiles)) {
    const file = await readFile(project, `${INBOX_FOLDER}/${name}`, TEAM_LIMITS.inboxFileBytes);
    if (file !== undefined) files.push(file);
  }
  return { files, more: notes.length > TEAM_LIMITS.inboxFiles };
}

/** Reads a file byte for byte, or returns why it must not be changed. Never follows links. */
async function readFile(project: string, relative: string, most: number): Promise<LedgerFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    const file = await safePath(project, relative);
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await handle.stat()).size > most) return { path: relative, problem: `is larger than ${most} bytes` };
    const bytes = await handle.readFile();
    const text = textOf(bytes);
    if (text === undefined) return { path: relative, problem: 'is not UTF-8 text' };
    return { path: relative, text, sha256: sha256(bytes) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isRefusal(error, 'unsafe_path')) return { path: relative, problem: 'is a link or not a regular file' };
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return { path: relative, problem: 'cannot be read' };
    throw new TroupeError('unreadable', { what: `${relative} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

/** Decodes UTF-8 and keeps a byte order mark, so that unchanged text is written back identically. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Names in a folder, in byte order. Errors: `unsafe_path` if it is a link, `unreadable`. */
async function names(project: string, relative: string): Promise<string[]> {
  const folder = path.dirname(await safePath(project, `${relative}/any`));
  try {
    return (await readdir(folder)).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  } catch (error) {
    if (isMissing(error)) return [];
    throw new TroupeError('unreadable', { what: `${relative} cannot be read.`, cause: error });
  }
}

import { constants, lstatSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, safePath } from '#adapters/disk/safe-path.js';
import type { SeenFiles } from '#adapters/disk/seen-files.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { OLDER_AGENTS, OLDER_FILES } from '#core/squad/layout.js';
import { USAGE_FOLDERS } from '#core/squad/outputs.js';
import {
  AGENTS_FOLDER,
  ALUMNI_FOLDER,
  CLAUDE_AGENTS,
  FIXED_FILES,
  GITHUB_AGENTS,
  HISTORY_EVENTS,
  isSquadFile,
  REGISTRY_EVENTS,
  TEAM_MD,
} from '#core/squad/squad-paths.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** Reads all files used by casting, without byte order marks. `seen` records every checked file, even missing ones. */
export async function readTexts(project: string, seen: SeenFiles): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const see = (relative: string) => seen.see(project, path.resolve(project, relative));
  const add = async (relative: string) => {
    see(relative);
    const text = await readSmall(project, relative);
    if (text !== undefined) texts.set(relative, text);
  };
  for (const folder of [AGENTS_FOLDER, ALUMNI_FOLDER, OLDER_AGENTS, CLAUDE_AGENTS, GITHUB_AGENTS, ...USAGE_FOLDERS])
    see(folder);
  for (const relative of [...FIXED_FILES, ...OLDER_FILES]) see(relative);
  for (const relative of FIXED_FILES) {
    if (relative.startsWith('.squad/') || (await isPlain(project, relative))) await add(relative);
  }
  for (const slug of await folders(project, AGENTS_FOLDER)) {
    for (const name of ['charter.md', 'charter.prev.md', 'history.md']) await add(`${AGENTS_FOLDER}/${slug}/${name}`);
  }
  for (const slug of await folders(project, ALUMNI_FOLDER)) {
    see(`${ALUMNI_FOLDER}/${slug}`);
    for (const name of await names(project, `${ALUMNI_FOLDER}/${slug}`)) {
      if (/^charter(?:\.\d{1,6})?\.md$/.test(name)) await add(`${ALUMNI_FOLDER}/${slug}/${name}`);
    }
  }
  if (!texts.has(TEAM_MD)) {
    const plain = async (relative: string) => ((await isPlain(project, relative)) ? await add(relative) : undefined);
    for (const relative of OLDER_FILES) await plain(relative);
    for (const slug of (await isPlain(project, `${OLDER_AGENTS}/any`)) ? await folders(project, OLDER_AGENTS) : [])
      for (const name of ['charter.md', 'history.md']) await plain(`${OLDER_AGENTS}/${slug}/${name}`);
  }
  for (const folder of [CLAUDE_AGENTS, GITHUB_AGENTS]) {
    for (const relative of await agentFiles(project, folder)) await add(relative);
  }
  for (const folder of USAGE_FOLDERS) {
    if ((await isPlain(project, `${folder}any`)) && (await isFolder(project, folder))) texts.set(folder, '');
  }
  return texts;
}

/** Agent files that clients read. Links are skipped: users may manage them themselves. */
async function agentFiles(project: string, folder: string): Promise<string[]> {
  if (!(await isPlain(project, `${folder}/any`))) return [];
  const paths: string[] = [];
  for (const name of await names(project, folder)) {
    if (!isSquadFile(`${folder}/${name}`) || !(await isPlain(project, `${folder}/${name}`))) continue;
    if (paths.length === TEAM_LIMITS.agentFiles) {
      throw new TroupeError('too_large', { what: `${folder} holds more than ${TEAM_LIMITS.agentFiles} agents.` });
    }
    paths.push(`${folder}/${name}`);
  }
  return paths;
}

async function isFolder(project: string, relative: string): Promise<boolean> {
  try {
    return (await lstat(path.join(project, relative))).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw new TroupeError('unreadable', { what: `${relative} cannot be accessed.`, cause: error });
  }
}

/** Fingerprint that changes with every team write: files are replaced, so inode, size and time suffice. */
export async function fingerprint(project: string): Promise<string> {
  const marks = await Promise.all(
    [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD].map(async (relative) => {
      try {
        const { ino, size, mtimeMs } = await lstat(path.join(project, relative));
        return `${ino}:${size}:${mtimeMs}`;
      } catch {
        return '-'; // the following read reports the reason
      }
    }),
  );
  return marks.join(' ');
}

/** Text of a file; undefined if it does not exist. Rejects links and oversized files. */
export async function readSmall(project: string, relative: string): Promise<string | undefined> {
  const file = await safePath(project, relative);
  // A synchronous check, because most files do not exist and opening them would be slow.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    if (size > TEAM_LIMITS.squadFileBytes) {
      throw new TroupeError('too_large', { what: `${relative} is larger than ${TEAM_LIMITS.squadFileBytes} bytes.` });
    }
    const text = await handle.readFile('utf8');
    // Files shared with other programs keep every byte, including the byte order mark.
    return relative.startsWith('.squad/') ? text.replace(/^\ufeff/, '') : text;
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof TroupeError) throw error;
    throw new TroupeError('unreadable', { what: `${relative} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

/** Whether a path contains no links; outside `.squad` they are allowed as long as nothing is written there. */
async function isPlain(project: string, relative: string): Promise<boolean> {
  try {
    await safePath(project, relative);
    return true;
  } catch (error) {
    if (isRefusal(error, 'unsafe_path')) return false;
    throw error;
  }
}

/** Member folders. Other tools capitalise them; if both forms exist, the lower-case one counts. */
async function folders(project: string, relative: string): Promise<string[]> {
  const all = await names(project, relative);
  return all.filter(
    (name) =>
      folderSlug(name) === name.toLowerCase() && (folderSlug(name) === name || !all.includes(name.toLowerCase())),
  );
}

/** Charter of a member, regardless of its folder's case. */
export async function readCharter(project: string, slug: string): Promise<string | undefined> {
  const folder = (await folders(project, AGENTS_FOLDER)).find((name) => name.toLowerCase() === slug);
  return folder === undefined ? undefined : await readSmall(project, `${AGENTS_FOLDER}/${folder}/charter.md`);
}

async function names(project: string, relative: string): Promise<string[]> {
  const folder = path.dirname(await safePath(project, `${relative}/any`));
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw new TroupeError('unreadable', { what: `${relative} cannot be read.`, cause: error });
  }
}

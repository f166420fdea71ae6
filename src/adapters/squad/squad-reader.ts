import { constants, lstatSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, safePath } from '#adapters/disk/safe-path.js';
import type { SeenFiles } from '#adapters/disk/seen-files.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { OLDER_AGENTS, OLDER_FILES } from '#core/squad/layout.js';
import { SIGN_FOLDERS } from '#core/squad/outputs.js';
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
import { LIMITS } from '#kernel/limits.js';

/** Every file casting looks at, as text without byte order mark. `seen` notes all that was read, and what was not there. */
export async function readTexts(project: string, seen: SeenFiles): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const see = (relative: string) => seen.see(project, path.resolve(project, relative));
  const add = async (relative: string) => {
    see(relative);
    const text = await readSmall(project, relative);
    if (text !== undefined) texts.set(relative, text);
  };
  for (const folder of [AGENTS_FOLDER, ALUMNI_FOLDER, OLDER_AGENTS, CLAUDE_AGENTS, GITHUB_AGENTS, ...SIGN_FOLDERS])
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
  for (const folder of SIGN_FOLDERS) {
    if ((await isPlain(project, `${folder}any`)) && (await isFolder(project, folder))) texts.set(folder, '');
  }
  return texts;
}

/** Files of agents that clients read; links are the user's own affair. */
async function agentFiles(project: string, folder: string): Promise<string[]> {
  if (!(await isPlain(project, `${folder}/any`))) return [];
  const paths: string[] = [];
  for (const name of await names(project, folder)) {
    if (!isSquadFile(`${folder}/${name}`) || !(await isPlain(project, `${folder}/${name}`))) continue;
    if (paths.length === LIMITS.agentFiles) {
      throw new TroupeError('too_large', { what: `${folder} holds more than ${LIMITS.agentFiles} agents.` });
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

/** Changes when a team is written: files are replaced whole, so their inode says enough. */
export async function fingerprint(project: string): Promise<string> {
  const marks = await Promise.all(
    [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD].map(async (relative) => {
      try {
        const { ino, size, mtimeMs } = await lstat(path.join(project, relative));
        return `${ino}:${size}:${mtimeMs}`;
      } catch {
        return '-'; // why it cannot be seen is said by the read that follows
      }
    }),
  );
  return marks.join(' ');
}

/** A file's text, or undefined when it is not there. Links are refused, size is bounded. */
export async function readSmall(project: string, relative: string): Promise<string | undefined> {
  const file = await safePath(project, relative);
  // As most are not there: to learn that by opening them takes long.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    if (size > LIMITS.squadFileBytes) {
      throw new TroupeError('too_large', { what: `${relative} is larger than ${LIMITS.squadFileBytes} bytes.` });
    }
    const text = await handle.readFile('utf8');
    // Of a file that is only partly ours every byte stays, the mark at its beginning too.
    return relative.startsWith('.squad/') ? text.replace(/^\ufeff/, '') : text;
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof TroupeError) throw error;
    throw new TroupeError('unreadable', { what: `${relative} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

/** Outside `.squad` a link is the user's own affair as long as nothing is written there. */
async function isPlain(project: string, relative: string): Promise<boolean> {
  try {
    await safePath(project, relative);
    return true;
  } catch (error) {
    if (isRefusal(error, 'unsafe_path')) return false;
    throw error;
  }
}

/** Folders of members. Other tools write their names with capitals; where both are there, the plain one counts. */
async function folders(project: string, relative: string): Promise<string[]> {
  const all = await names(project, relative);
  return all.filter(
    (name) =>
      folderSlug(name) === name.toLowerCase() && (folderSlug(name) === name || !all.includes(name.toLowerCase())),
  );
}

/** The charter of a member, whatever the case of its folder. */
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

import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { isPlainFolder } from '#adapters/disk/plain-files.js';
import { isMissing } from '#adapters/disk/safe-path.js';
import { rejectionIn, UnreadableData } from '#adapters/disk/unreadable-data.js';
import { LANES, type RoleProblem } from '#core/roles/lane.js';
import { logFile, ROLES_FOLDER } from '#core/roles/role-paths.js';
import type { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { RoleFolder, RoleProposalRecord, RoleProposals } from '#ports/role-files.js';

/** Folder of the proposals, relative to the project. */
export const PROPOSALS = FROM_PROJECT.proposals;
const PROPOSAL_ID = /^[a-z][a-z0-9-]{0,120}$/;

/** Id of the proposal in a file of their folder; undefined for any other name. */
export function proposalId(name: string): string | undefined {
  const id = name.endsWith('.yaml') ? name.slice(0, -'.yaml'.length) : '';
  return PROPOSAL_ID.test(id) ? id : undefined;
}

/** Reads the role files and logs of a project without following links. `project` is an absolute path. */
export async function readRoleFolder(project: string): Promise<RoleFolder> {
  const texts = new Map<string, string>();
  const problems: RoleProblem[] = [];
  for (const [folder, names] of await foldersOf(project, problems)) {
    for await (const { name, text } of folderTexts(path.join(project, folder), names, TEAM_LIMITS.roleFileBytes)) {
      const file = `${folder}/${name}`;
      const wrong = typeof text === 'string' ? await wrongBytes(path.join(project, file), text) : wrongFile(text);
      if (typeof text === 'string' && wrong === undefined) texts.set(file, text);
      else problems.push(problem(file, wrong ?? 'is not read'));
    }
  }
  return { texts, problems };
}

/** Reads the proposals of a project, ordered by id. Errors: `unsafe_path` for a link in place of a folder. */
export async function readProposals(project: string): Promise<RoleProposals> {
  const records: RoleProposalRecord[] = [];
  const warnings: string[] = [];
  const folder = path.join(project, PROPOSALS);
  if (!(await isPlainFolder(path.dirname(folder))) || !(await isPlainFolder(folder))) return { records, warnings };
  const names = (await readdir(folder)).filter((name) => proposalId(name) !== undefined).sort();
  if (names.length > TEAM_LIMITS.agencyFiles)
    warnings.push(`only the first ${TEAM_LIMITS.agencyFiles} proposals are read`);
  for await (const { name, text } of folderTexts(
    folder,
    names.slice(0, TEAM_LIMITS.agencyFiles),
    TEAM_LIMITS.agencyFileBytes,
  )) {
    try {
      records.push(await proposalRecord(name, text));
    } catch (error) {
      const rejection = rejectionIn(error);
      warnings.push(`proposals/${name}: ${inSentence(rejection.message)}`);
    }
  }
  return { records, warnings };
}

/** Parses a proposal. Errors: `UnreadableData`. */
export async function proposalRecord(name: string, text: unknown): Promise<RoleProposalRecord> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  if (typeof text !== 'string') throw new UnreadableData('it cannot be read');
  return { id: name.slice(0, -'.yaml'.length), value: strictYaml(text).value };
}

/** Folders to read, with the names of their files. */
async function foldersOf(
  project: string,
  problems: RoleProblem[],
): Promise<[folder: string, names: readonly string[]][]> {
  const folders: [string, readonly string[]][] = [];
  if (await isFolder(project, ROLES_FOLDER, problems)) {
    const names = (await readdir(path.join(project, ROLES_FOLDER))).filter((name) => name.endsWith('.md')).sort();
    if (names.length > TEAM_LIMITS.roleFiles)
      problems.push(problem(ROLES_FOLDER, `holds ${names.length} files: the first ${TEAM_LIMITS.roleFiles} are read.`));
    folders.push([ROLES_FOLDER, names.slice(0, TEAM_LIMITS.roleFiles)]);
  }
  for (const log of LANES.map(logFile)) {
    const folder = path.posix.dirname(log);
    if (await isFolder(project, folder, problems)) folders.push([folder, [path.posix.basename(log)]]);
  }
  return folders;
}

async function isFolder(project: string, folder: string, problems: RoleProblem[]): Promise<boolean> {
  let current = '';
  for (const part of folder.split('/')) {
    current = current === '' ? part : `${current}/${part}`;
    const kind = await kindOf(path.join(project, current));
    if (kind === 'folder') continue;
    if (kind !== undefined && !problems.some(({ file }) => file === current))
      problems.push(problem(current, 'is a link or not a folder: nothing below it is read.'));
    return false;
  }
  return true;
}

/** Rejects text that is not UTF-8, because it could not be written back unchanged. */
async function wrongBytes(file: string, text: string): Promise<string | undefined> {
  if (!text.includes('\uFFFD')) return undefined;
  const bytes = await bytesOf(file);
  return bytes?.equals(Buffer.from(text)) ? undefined : 'is not UTF-8 text: it is left alone.';
}

function wrongFile(answer: number | TroupeError): string {
  if (typeof answer === 'number') return `has ${answer} bytes: at most ${TEAM_LIMITS.roleFileBytes} are read.`;
  return answer.code === 'unsafe_path' ? 'is a link or not a regular file: it is left alone.' : 'cannot be read.';
}

function problem(file: string, text: string): RoleProblem {
  return { file: inSentence(file), line: 1, severity: 'error', text };
}

async function kindOf(file: string): Promise<'folder' | 'other' | undefined> {
  try {
    return (await lstat(file)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { type Content, FRAMEWORKS, type Framework, type Language } from '#core/catalog/signal-vocabulary.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import type { RepositoryScan, RepositoryScanner } from '#ports/repository-scanner.js';
import { contentOf, contentsByShare, isSiteGenerator } from './content.js';
import {
  frameworksIn,
  isDocument,
  isManifest,
  isPipeline,
  isTestFile,
  isTestFolder,
  languageOf,
  mayHoldSecrets,
  SKIPPED_FOLDERS,
} from './file-classification.js';

const SMALL_BELOW = 50;
const MEDIUM_BELOW = 250;
/** Minimum share of a language; less is insignificant for the choice of roles. */
const LEAST_SHARE = 0.05;

interface Findings {
  files: number;
  entries: number;
  bytes: number;
  truncated: boolean;
  /** Size of each in bytes. */
  readonly languages: Map<Language, number>;
  readonly contents: Map<Content, number>;
  readonly frameworks: Set<Framework>;
  readonly manifests: string[];
  tests: boolean;
  docs: boolean;
  ci: boolean;
  site: boolean;
}

/** Walks a folder breadth first in sorted order: a truncated scan has seen the top, and always the same part. */
export class FolderScanner implements RepositoryScanner {
  async scan(folder: string): Promise<RepositoryScan> {
    const findings: Findings = {
      files: 0,
      entries: 0,
      bytes: 0,
      truncated: false,
      languages: new Map(),
      contents: new Map(),
      frameworks: new Set(),
      manifests: [],
      tests: false,
      docs: false,
      ci: false,
      site: false,
    };
    let level = [''];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > TEAM_LIMITS.scanDepth) {
        findings.truncated = true;
        break;
      }
      const next: string[] = [];
      for (const relative of level) {
        if (isSpent(findings)) findings.truncated = true;
        else next.push(...(await scanFolder(folder, relative, findings)));
      }
      level = next;
    }
    return {
      signals: {
        contents: contentsByShare(findings.contents),
        languages: byShare(findings.languages),
        frameworks: (Object.keys(FRAMEWORKS) as Framework[]).filter((id) => findings.frameworks.has(id)),
        tests: findings.tests,
        docs: findings.docs,
        ci: findings.ci,
        site: findings.site,
        size: findings.files < SMALL_BELOW ? 'small' : findings.files < MEDIUM_BELOW ? 'medium' : 'large',
      },
      manifests: findings.manifests,
      files: findings.files,
      truncated: findings.truncated,
    };
  }
}

function byShare(sizes: ReadonlyMap<Language, number>): Language[] {
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return [...sizes]
    .filter(([, size]) => size >= whole * LEAST_SHARE)
    .sort(([left, many], [right, more]) => more - many || compareText(left, right))
    .map(([id]) => id);
}

function isSpent(findings: Findings): boolean {
  return findings.entries >= TEAM_LIMITS.scanEntries || findings.files >= TEAM_LIMITS.scanFiles;
}

/**
 * Adds one folder to the findings and returns its subfolders. Links, sockets and other special files are neither
 * followed nor counted.
 */
async function scanFolder(root: string, relative: string, findings: Findings): Promise<string[]> {
  const below: string[] = [];
  for (const entry of await entriesOf(root, relative, findings)) {
    if (isSpent(findings)) {
      findings.truncated = true;
      return [];
    }
    findings.entries++;
    const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) {
      if (SKIPPED_FOLDERS.has(entry.name)) continue;
      findings.tests ||= isTestFolder(entry.name);
      below.push(name);
    } else if (entry.isFile() && !mayHoldSecrets(entry.name)) {
      await takeFile(root, name, entry.name, findings);
    }
  }
  return below;
}

async function takeFile(root: string, relative: string, name: string, findings: Findings): Promise<void> {
  findings.files++;
  const language = languageOf(name);
  const content = contentOf(relative, name);
  const size = await sizeOf(path.join(root, relative));
  if (language !== undefined) findings.languages.set(language, (findings.languages.get(language) ?? 0) + size);
  if (content !== undefined) findings.contents.set(content, (findings.contents.get(content) ?? 0) + size);
  findings.site ||= isSiteGenerator(relative);
  findings.tests ||= isTestFile(name);
  findings.docs ||= isDocument(relative);
  findings.ci ||= isPipeline(relative);
  if (!isManifest(name)) return;
  findings.manifests.push(relative);
  const room = Math.min(TEAM_LIMITS.scanManifestBytes, TEAM_LIMITS.scanBytes - findings.bytes);
  const text = room > 0 ? await head(path.join(root, relative), room) : '';
  findings.bytes += Buffer.byteLength(text);
  for (const framework of frameworksIn(name, text)) findings.frameworks.add(framework);
}

/**
 * Weight of a file for its language and content: its size in bytes, which is as good as its lines and needs no reading.
 * Capped at the maximum size of a manifest, so that one bundle or table does not decide the language of the project.
 */
async function sizeOf(file: string): Promise<number> {
  try {
    return 1 + Math.min((await lstat(file)).size, TEAM_LIMITS.scanManifestBytes);
  } catch {
    return 1; // removed since it was listed
  }
}

async function entriesOf(root: string, relative: string, findings: Findings): Promise<Dirent[]> {
  try {
    const entries = await readdir(path.join(root, relative), { withFileTypes: true });
    return entries.sort((left, right) => compareText(left.name, right.name));
  } catch (error) {
    if (relative !== '') {
      findings.truncated = true; // one inaccessible folder must not hide the rest
      return [];
    }
    const missing = isMissing(error);
    throw new TroupeError(missing ? 'not_found' : 'unreadable', {
      what: missing ? 'There is no such folder to scan.' : 'The folder to scan cannot be read.',
      hint: 'Name a folder that exists and that you may read.',
      cause: error,
    });
  }
}

/** The first bytes of a file as text; empty if it is unreadable or has become a link since it was listed. */
async function head(file: string, bytes: number): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}

import { rm } from 'node:fs/promises';
import { readObjects } from '#core/squad/sync.js';
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GitSnapshot, TreeEntry } from '#ports/git-remotes.js';
import { type GitCall, runGit } from './process.js';

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '040000': 'folder',
  '120000': 'link',
  '160000': 'repository',
};

/** Commit in a local copy, read object by object. */
export class RemoteSnapshot implements GitSnapshot {
  private readonly environment: NodeJS.ProcessEnv;
  /** Bare repository that contains only this commit. */
  readonly folder: string;
  readonly commit: string;

  constructor(environment: NodeJS.ProcessEnv, folder: string, commit: string) {
    this.environment = environment;
    this.folder = folder;
    this.commit = commit;
  }

  async list(folder: string): Promise<readonly TreeEntry[]> {
    const place = folder === '' ? [] : ['--', `${folder}/`];
    const listed = await this.git(['ls-tree', '-z', '--full-tree', this.commit, ...place], { literalPaths: true });
    return listed.split('\0').flatMap((line): TreeEntry[] => {
      const [, mode = '', object = '', whole = ''] = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
      return whole === ''
        ? []
        : [{ name: whole.slice(whole.lastIndexOf('/') + 1), kind: KINDS[mode] ?? 'file', object }];
    });
  }

  async *texts(objects: readonly string[], most: number): AsyncGenerator<string | number> {
    const sizes = await this.sizes(objects);
    for (let from = 0; from < objects.length; ) {
      let [to, bytes] = [from, 0];
      const wanted: string[] = [];
      for (; to < objects.length; to++) {
        const size = sizes[to] ?? 0;
        if (size > most) continue;
        if (wanted.length > 0 && bytes + size > AGENCY_LIMITS.remoteReadBytes) break;
        bytes += size;
        wanted.push(objects[to] ?? '');
      }
      const contents = await this.contents(wanted, bytes);
      for (; from < to; from++) {
        const content = contents.get(objects[from] ?? '');
        yield content === undefined ? (sizes[from] ?? 0) : content.toString('utf8');
      }
    }
  }

  /** Sizes of the objects; infinite for those too large to be fetched. */
  private async sizes(objects: readonly string[]): Promise<number[]> {
    if (objects.length === 0) return [];
    const format = '--batch-check=%(objectsize)';
    const answer = await this.git(['cat-file', format], { input: objects.map((object) => `${object}\n`).join('') });
    const lines = answer.trimEnd().split('\n');
    return lines.map((line) => (/^\d+$/.test(line) ? Number(line) : Number.POSITIVE_INFINITY));
  }

  private async contents(objects: readonly string[], bytes: number): Promise<ReadonlyMap<string, Buffer>> {
    if (objects.length === 0) return new Map();
    const input = [...new Set(objects)].map((object) => `${object}\n`).join('');
    const maxBytes = bytes + objects.length * 200;
    return readObjects(await this.git(['cat-file', '--batch'], { input, maxBytes, bytes: true }));
  }

  private async git(args: readonly string[], call: GitCall): Promise<string> {
    const maxBytes = SURFACE_LIMITS.gitOutputBytes;
    const answer = await runGit(this.environment, this.folder, ['--git-dir=.', ...args], { maxBytes, ...call });
    if (answer.ok) return answer.text;
    await rm(this.folder, { recursive: true, force: true }); // an unreadable copy is created again next time
    throw new TroupeError('git_failed', { what: 'What was fetched cannot be read.', why: answer.message });
  }
}

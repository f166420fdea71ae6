/**
 * The installed git, with every redirection a repository could configure switched off; commits of team files alone.
 * @packageDocumentation
 */

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { versionOfAll } from '#adapters/disk/file-version.js';
import { refusalOf } from '#core/worktrees/refusal.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { isInside } from '#kernel/paths.js';
import { inert } from '#kernel/text.js';
import type { Git, GitOutcome, RepositoryFacts } from '#ports/git.js';
import type { CommitReader } from './commit-reader.js';
import type { FiltersOff } from './filters-off.js';
import { type GitCall, runGit } from './process.js';
import { type RepositoryAt, repositoryAt } from './repository-at.js';

/** What is written is ours, unsigned, and the same whatever a person configured for their own commits. */
const OURS: readonly (readonly [string, string])[] = [
  ...['user', 'author', 'committer'].flatMap((who): [string, string][] => [
    [`${who}.name`, 'Troupe'],
    [`${who}.email`, 'troupe@localhost'],
  ]),
  ['commit.gpgSign', 'false'],
  ['commit.cleanup', 'whitespace'],
  ['i18n.commitEncoding', 'UTF-8'],
  ['merge.verifySignatures', 'false'],
  ['merge.autoStash', 'false'],
  ['merge.stat', 'false'],
  ['merge.log', 'false'],
  ['pull.twohead', 'ort'],
  ['rerere.enabled', 'false'],
  ['core.quotePath', 'false'],
];

/** A work tree as git described it, and the repository that was there then. */
interface Described {
  readonly identity: string;
  readonly facts: { readonly kind: 'work-tree'; readonly top: string; readonly common: string };
}

/** The Git port over the installed `git`. Every call is one process, but for the commits that names stand for. */
export class LocalGit implements Git {
  private readonly environment: NodeJS.ProcessEnv;
  private reader: { readonly identity: string; readonly git: CommitReader } | undefined;
  private readonly described = new Map<string, Described>();
  private filters: Promise<FiltersOff> | undefined;

  /** `environment` is the caller's own; what git may see of it is decided here. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
  }

  async output(
    folder: string,
    args: readonly string[],
    options: { maxBytes?: number; timeoutMs?: number } = {},
  ): Promise<string> {
    return this.must(folder, args, options);
  }

  async tryOutput(folder: string, args: readonly string[]): Promise<string | undefined> {
    const answer = await runGit(this.environment, folder, args);
    return answer.ok ? answer.text : undefined;
  }

  async run(folder: string, args: readonly string[], options: { input?: string } = {}): Promise<GitOutcome> {
    const answer = await runGit(this.environment, folder, args, {
      timeoutMs: LIMITS.gitCopyTimeoutMs,
      settings: [...OURS, ...(isOfRecordsOnly(args) ? [] : await this.filtersOff(folder))],
      literalPaths: true,
      ...options,
    });
    return answer.ok ? { code: 0, text: answer.text, message: '' } : { text: '', ...answer };
  }

  async commit(folder: string, name: string): Promise<string | undefined> {
    const at = await repositoryAt(folder);
    if (at === undefined) return undefined;
    const { CommitReader: Reader } = await import('./commit-reader.js');
    return this.readerOf(at, Reader).commit(name);
  }

  /** One at a time: questions come in rows about the same repository. */
  private readerOf({ top, identity: own }: RepositoryAt, Reader: typeof CommitReader): CommitReader {
    const identity = `${top}\0${own}`;
    if (this.reader === undefined || this.reader.identity !== identity || this.reader.git.ended) {
      this.reader?.git.end();
      this.reader = { identity, git: new Reader(this.environment, top) };
    }
    return this.reader.git;
  }

  async describe(folder: string): Promise<RepositoryFacts> {
    if (!(await isFolder(folder))) {
      throw new TroupeError('not_found', {
        what: `There is not a folder ${inert(folder)}.`,
        hint: 'Name a folder that exists.',
      });
    }
    const identity = await describedBy(folder);
    const known = this.described.get(folder);
    if (known !== undefined && known.identity === identity) {
      const head = await this.commit(folder, 'HEAD');
      if (head !== undefined) return { ...known.facts, head };
    }
    const described = await this.describeAnew(folder);
    if (described.kind === 'work-tree' && identity !== undefined) {
      const { head: _, ...facts } = described;
      this.described.set(folder, { identity, facts });
    }
    return described;
  }

  private async describeAnew(folder: string): Promise<RepositoryFacts> {
    const asked = await runGit(this.environment, folder, ['rev-parse', ...PLACES, 'HEAD^{commit}', '--']);
    const [common, top, head, end, ...more] = asked.ok ? asked.text.split('\n') : [];
    // A line more, and one of the folders has a line end in its name: nobody can tell which.
    if (common === undefined || top === undefined || head === undefined || end !== '--' || more.length !== 1)
      return this.describeInSteps(folder);
    await this.mustHold(top, folder);
    return { kind: 'work-tree', top, common, head };
  }

  /** The same by a question each: the first that is refused says which kind it is. */
  private async describeInSteps(folder: string): Promise<RepositoryFacts> {
    const answer = await runGit(this.environment, folder, ['rev-parse', '--is-bare-repository', '--absolute-git-dir']);
    if (!answer.ok) {
      // Anything but “there is no repository” (a foreign owner, a broken file) is for the person to read.
      if (/not a git repository/i.test(answer.message)) return { kind: 'none', top: folder };
      throw refusalOf('rev-parse', answer.message);
    }
    const bare = 'true\n'; // a line end in the name of the folder is part of it
    if (answer.text.startsWith(bare)) return { kind: 'bare', top: withoutEnd(answer.text.slice(bare.length)) };
    const top = await runGit(this.environment, folder, ['rev-parse', '--show-toplevel']);
    if (!top.ok) return { kind: 'none', top: folder }; // inside .git itself: there are no files to work on
    const topFolder = withoutEnd(top.text);
    await this.mustHold(topFolder, folder);
    const head = await this.tryOutput(folder, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      'HEAD^{commit}',
    ]);
    if (head === undefined) return { kind: 'empty', top: topFolder };
    const common = await this.output(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
    return { kind: 'work-tree', top: topFolder, common: withoutEnd(common), head: head.trim() };
  }

  async clone(from: string, to: string): Promise<void> {
    const words = ['clone', '--quiet', '--no-hardlinks', '--no-recurse-submodules', '--template=', '--', from, to];
    await this.must(path.dirname(to), words, {
      timeoutMs: LIMITS.gitCopyTimeoutMs,
      protocols: 'file',
      settings: await this.filtersOff(path.dirname(to)),
    });
  }

  async addWorktree(
    repository: string,
    folder: string,
    { commit = 'HEAD', empty = false }: { commit?: string; empty?: boolean } = {},
  ): Promise<void> {
    const words = ['worktree', 'add', '--quiet', '--detach', ...(empty ? ['--no-checkout'] : []), '--', folder, commit];
    await this.must(repository, words, {
      timeoutMs: LIMITS.gitCopyTimeoutMs,
      settings: await this.filtersOff(repository),
    });
  }

  async removeWorktree(repository: string, folder: string): Promise<void> {
    const target = await realpath(folder).catch(() => folder);
    // Twice: git locks a worktree while it makes it, and whoever was killed then left the lock.
    const words = ['worktree', 'remove', '--force', '--force', '--', target];
    const answer = await runGit(this.environment, repository, words, { timeoutMs: LIMITS.gitCopyTimeoutMs });
    if (!answer.ok && !NOT_THERE.test(answer.message)) throw refusalOf('worktree', answer.message);
  }

  private async filtersOff(folder: string) {
    this.filters ??= import('./filters-off.js').then((module) => new module.FiltersOff(this.environment));
    return (await this.filters).settings(folder);
  }

  /** `core.worktree` can declare any folder of the machine to be this repository's files. */
  private async mustHold(top: string, folder: string): Promise<void> {
    const [realTop, realFolder] = await Promise.all([realpath(top), realpath(folder)]);
    if (!isInside(realTop, realFolder)) {
      throw new TroupeError('unsafe_path', {
        what: `The repository says that its files are in ${inert(top)}.`,
        hint: 'Remove core.worktree from its configuration, or name the folder that holds the files.',
      });
    }
  }

  private async must(folder: string, args: readonly string[], call: GitCall): Promise<string> {
    const answer = await runGit(this.environment, folder, args, call);
    if (!answer.ok) throw refusalOf(args[0] ?? '', answer.message);
    return answer.text;
  }
}

/** Verbs that read and write refs, trees and commits, never the contents of files: no filter and no merge driver has a part in them. */
const RECORDS = new Set(['commit-tree', 'symbolic-ref', 'update-ref', 'write-tree']);

function isOfRecordsOnly([verb = '', ...words]: readonly string[]): boolean {
  return RECORDS.has(verb) || (verb === 'worktree' && words[0] === 'repair');
}

/** The answer to whoever removes a worktree that git does not know, or knows no more. */
const NOT_THERE = /is not a working tree/;

const PLACES = ['--path-format=absolute', '--git-common-dir', '--show-toplevel'];

/**
 * Everything by which git decides where the files of the repository around a folder are; undefined where that is more than its
 * own `.git` folder tells.
 */
async function describedBy(folder: string): Promise<string | undefined> {
  const at = await repositoryAt(folder);
  if (!at?.isFolder) return undefined;
  const files = ['config', 'config.worktree'].map((name) => path.join(at.top, '.git', name));
  return [at.top, at.identity, versionOfAll(files).text].join('\0');
}

/** What git printed of a single path. */
function withoutEnd(line: string): string {
  return line.replace(/\n$/, '');
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new TroupeError('unreadable', { what: `The folder ${inert(folder)} cannot be read.`, cause });
  }
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** What tells the repository of a folder from another one: the commit that its history began with. */
export class GitHistory {
  private readonly folder: string;
  private readonly git: Git;
  /** By a commit that was found, the repository that it was found in: none loses a commit, but another may lie in its place. */
  private readonly found = new Map<string, string>();

  constructor(folder: string, git: Git) {
    this.folder = folder;
    this.git = git;
  }

  /** Undefined without a repository, without commits and without git. */
  async first(): Promise<string | undefined> {
    const text = await this.output(['rev-list', '--first-parent', '--max-parents=0', 'HEAD', '--']);
    const commit = text?.trim().split('\n').at(-1) ?? '';
    return COMMIT.test(commit) ? commit : undefined;
  }

  async contains(commit: string): Promise<boolean> {
    if (!COMMIT.test(commit)) return false;
    const repository = (await repositoryAt(this.folder))?.identity;
    if (repository !== undefined && this.found.get(commit) === repository) return true;
    const isThere = (await this.output(['cat-file', '-e', `${commit}^{commit}`])) !== undefined;
    if (isThere && repository !== undefined) this.found.set(commit, repository);
    return isThere;
  }

  private async output(args: readonly string[]): Promise<string | undefined> {
    try {
      return await this.git.tryOutput(this.folder, args);
    } catch (error) {
      if (error instanceof TroupeError) return undefined;
      throw error;
    }
  }
}

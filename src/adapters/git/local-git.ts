/**
 * The installed git, with every redirection a repository could configure switched off; commits of team files alone.
 * @packageDocumentation
 */

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { versionOf, versionOfAll } from '#adapters/disk/file-version.js';
import { repositoryAround } from '#adapters/disk/repository-folders.js';
import { refusalOf } from '#core/runs/refusal.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isInside } from '#kernel/paths.js';
import { inert } from '#kernel/text.js';
import type { Git, GitOutcome, RepositoryFacts } from '#ports/git.js';
import type { CommitReader } from './commit-reader.js';
import type { FiltersOff } from './filters-off.js';
import { type GitCall, runGit } from './process.js';
import { mayBeInRepository, type RepositoryAt, repositoryAt } from './repository-at.js';

/** Settings for our own commits: unsigned and independent of the person's configuration. */
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

/** Git's description of a worktree, and the identity of its repository at that time. */
interface Described {
  readonly identity: string;
  readonly facts: { readonly kind: 'work-tree'; readonly top: string; readonly common: string };
}

/** Git port over the installed `git`. Each call starts a process, but one shared process resolves commit names. */
export class LocalGit implements Git {
  private readonly environment: NodeJS.ProcessEnv;
  private reader: { readonly identity: string; readonly git: CommitReader } | undefined;
  private readonly described = new Map<string, Described>();
  /** Answers that never change, the latest last. Its keys name the repository, whose place another may take. */
  private readonly kept = new Map<string, string>();
  private filters: Promise<FiltersOff> | undefined;

  /** `environment`: the caller's own; this class filters it for git. */
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
    if (OF_REPOSITORIES.has(args[0] ?? '') && !mayBeInRepository(folder)) return undefined;
    const answer = await runGit(this.environment, folder, args);
    return answer.ok ? answer.text : undefined;
  }

  async lasting(folder: string, args: readonly string[]): Promise<string | undefined> {
    const at = await repositoryAt(folder);
    // A shallow clone that is deepened has more commits behind the same ids.
    const shared = at === undefined ? undefined : repositoryAround(at.top)?.common;
    const depth = shared === undefined ? '' : versionOf(path.join(shared, 'shallow')).text;
    const key = JSON.stringify([at?.top, at?.identity, depth, ...args]);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const text = await this.tryOutput(folder, args);
    if (at === undefined || text === undefined || text.length > SURFACE_LIMITS.gitKeptCharacters) return text;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size < SURFACE_LIMITS.gitKeptAnswers) break;
      this.kept.delete(oldest);
    }
    this.kept.set(key, text);
    return text;
  }

  async run(folder: string, args: readonly string[], options: { input?: string } = {}): Promise<GitOutcome> {
    const answer = await runGit(this.environment, folder, args, {
      timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs,
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

  /** Shares one reader, since consecutive requests usually concern the same repository. */
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
        what: `There is no folder ${inert(folder)}.`,
        hint: 'Name a folder that exists.',
      });
    }
    if (!mayBeInRepository(folder)) return { kind: 'none', top: folder };
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
    // An additional line means that a folder name contains a line end, so the fields are ambiguous.
    if (common === undefined || top === undefined || head === undefined || end !== '--' || more.length !== 1)
      return this.describeInSteps(folder);
    await this.mustHold(top, folder);
    return { kind: 'work-tree', top, common, head };
  }

  /** Describes the repository with separate calls; the first failure determines its kind. */
  private async describeInSteps(folder: string): Promise<RepositoryFacts> {
    const answer = await runGit(this.environment, folder, ['rev-parse', '--is-bare-repository', '--absolute-git-dir']);
    if (!answer.ok) {
      // Other errors, such as a foreign owner or a damaged file, are reported.
      if (/not a git repository/i.test(answer.message)) return { kind: 'none', top: folder };
      throw refusalOf('rev-parse', answer.message);
    }
    const bare = 'true\n'; // a line end in the folder's name is part of it
    if (answer.text.startsWith(bare)) return { kind: 'bare', top: withoutEnd(answer.text.slice(bare.length)) };
    const top = await runGit(this.environment, folder, ['rev-parse', '--show-toplevel']);
    if (!top.ok) return { kind: 'none', top: folder }; // inside .git itself, without a worktree
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
      timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs,
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
      timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs,
      settings: await this.filtersOff(repository),
    });
  }

  async removeWorktree(repository: string, folder: string): Promise<void> {
    const target = await realpath(folder).catch(() => folder);
    // Forced twice: git locks a worktree while creating it, and a killed process leaves that lock.
    const words = ['worktree', 'remove', '--force', '--force', '--', target];
    const answer = await runGit(this.environment, repository, words, { timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs });
    if (!answer.ok && !NOT_THERE.test(answer.message)) throw refusalOf('worktree', answer.message);
  }

  private async filtersOff(folder: string) {
    this.filters ??= import('./filters-off.js').then((module) => new module.FiltersOff(this.environment));
    return (await this.filters).settings(folder);
  }

  /** Checks that the worktree contains the folder: `core.worktree` can name any folder of the machine. */
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

/** Commands that fail outside of repositories: git need not be started for that. */
const OF_REPOSITORIES = new Set(['cat-file', 'rev-list', 'rev-parse']);

/** Commands that access refs, trees and commits but no file contents, so filters and merge drivers do not apply. */
const RECORDS = new Set(['commit-tree', 'symbolic-ref', 'update-ref', 'write-tree']);

function isOfRecordsOnly([verb = '', ...words]: readonly string[]): boolean {
  return RECORDS.has(verb) || (verb === 'worktree' && words[0] === 'repair');
}

/** Git's message for removing a worktree that is not registered. */
const NOT_THERE = /is not a working tree/;

const PLACES = ['--path-format=absolute', '--git-common-dir', '--show-toplevel'];

/** Fingerprint of all that determines git's worktree for a folder; undefined if more than its `.git` folder matters. */
async function describedBy(folder: string): Promise<string | undefined> {
  const at = await repositoryAt(folder);
  if (!at?.isFolder) return undefined;
  const files = ['config', 'config.worktree'].map((name) => path.join(at.top, '.git', name));
  return [at.top, at.identity, versionOfAll(files).text].join('\0');
}

/** Removes the line end that git prints after a single path. */
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

/** Identifies the repository of a folder by the first commit of its history. */
export class GitHistory {
  private readonly folder: string;
  private readonly git: Git;
  /** Repository identity by found commit. Repositories do not lose commits, but another may take its place. */
  private readonly found = new Map<string, string>();

  constructor(folder: string, git: Git) {
    this.folder = folder;
    this.git = git;
  }

  /** Returns undefined without a repository, commits or git. */
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

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import type { GitPlace } from '#core/agency/remote-address.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { sha256 } from '#kernel/hash.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { GitRemotes, GitSnapshot } from '#ports/git-remotes.js';
import type { Programs } from '#ports/programs.js';
import { type GitCall, runGit } from './process.js';
import { type ReachOptions, reachRemote, receiverOf, senderOf, unreachable, wasMoved } from './reach.js';
import { RemoteSnapshot } from './remote-snapshot.js';

const SOURCE = 'source';
const TIP = 'refs/heads/tip';

/** Limits for size and duration of transfers. */
export type RemoteBounds = Readonly<Record<'remoteBytes' | 'remoteLookMs' | 'remoteTransferMs', number>>;

/**
 * Remote repositories through the installed git. Each read commit is stored in its own bare copy below `cache`, created
 * aside and renamed atomically, so no process waits for another.
 */
export class RemoteRepositories implements GitRemotes {
  readonly environment: NodeJS.ProcessEnv;
  readonly programs: Programs;
  private readonly cache: string;
  private readonly clock: Clock;
  private readonly bounds: RemoteBounds;

  /** `cache`: absolute path of the person's own folder, outside every project. */
  constructor(parts: {
    environment: NodeJS.ProcessEnv;
    programs: Programs;
    cache: string;
    clock: Clock;
    bounds: RemoteBounds;
  }) {
    this.programs = parts.programs;
    this.bounds = parts.bounds;
    this.environment = parts.environment;
    this.cache = parts.cache;
    this.clock = parts.clock;
  }

  async snapshot(at: GitPlace, branch: string | undefined): Promise<GitSnapshot | undefined> {
    const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const tip = await this.tipOf(at, ref);
    if (tip === undefined) return undefined;
    const place = path.join(this.cache, sha256(at.address).slice(0, 32));
    const present = path.join(place, tip);
    if (await isFolder(present)) {
      const now = new Date(this.clock.now());
      await utimes(present, now, now);
      return new RemoteSnapshot(this.environment, present, tip);
    }
    makePersonalFolder(place);
    await this.sweep(place);
    return await this.withCopy(place, tip.length, async (folder) => {
      const filter = `--filter=blob:limit=${TEAM_LIMITS.traceFileBytes + 1}`;
      await this.fetch(folder, at, ref, ['--depth=1', filter]);
      const commit = (await this.own(folder, ['rev-parse', '--verify', `${TIP}^{commit}`])).trim();
      const final = path.join(place, commit);
      await rename(folder, final).catch(async (error: NodeJS.ErrnoException) => {
        if (!(await isFolder(final)))
          throw new TroupeError('unreadable', { what: `${final} cannot be written.`, cause: error });
      }); // another process created the same copy
      return new RemoteSnapshot(this.environment, final, commit);
    });
  }

  async holds(at: GitPlace, branch: string, earlier: string): Promise<boolean> {
    if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(earlier)) return false;
    makePersonalFolder(this.cache);
    return await this.withCopy(this.cache, earlier.length, async (folder) => {
      // Fetches only commits of the history; a server that sends more is limited like all others.
      const words = [`--depth=${AGENCY_LIMITS.remoteCommits}`, '--filter=tree:0'];
      await this.fetch(folder, at, `refs/heads/${branch}`, words);
      const answer = await runGit(this.environment, folder, [
        '--git-dir=.',
        'merge-base',
        '--is-ancestor',
        earlier,
        TIP,
      ]);
      return answer.ok;
    });
  }

  async push(
    at: GitPlace,
    branch: string,
    base: GitSnapshot | undefined,
    files: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<string | undefined> {
    makePersonalFolder(this.cache);
    const pushFrom = async (folder: string) => {
      const commit = await this.commit(folder, base, files, message);
      const words = ['push', '--quiet', '--no-verify', ...receiverOf(at)];
      const answer = await this.reach(folder, at, [...words, '--', at.address, `${commit}:refs/heads/${branch}`], {
        timeMs: this.bounds.remoteTransferMs,
      });
      if (answer.ok) return commit;
      if (wasMoved(answer.text)) return undefined;
      throw unreachable(at, answer.text);
    };
    if (base instanceof RemoteSnapshot) return await pushFrom(base.folder);
    return await this.withCopy(this.cache, 40, pushFrom);
  }

  /** Creates a commit with one process, without worktree and index. As for all our commits, the committer is Troupe. */
  private async commit(
    folder: string,
    base: GitSnapshot | undefined,
    files: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<string> {
    const ref = `refs/heads/push-${randomBytes(6).toString('hex')}`;
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const changes = [...files].map(([file, text]) =>
      text === undefined ? `D ${file}\n` : `M 100644 inline ${file}\n${data(text)}`,
    );
    const who = `committer Troupe <troupe@localhost> ${Math.floor(this.clock.now() / 1_000)} +0000\n`;
    const from = base ? `from ${base.commit}\n` : '';
    const input = `feature done\ncommit ${ref}\n${who}${data(message)}${from}${changes.join('')}done\n`;
    await this.own(folder, ['fast-import', '--quiet'], { input, timeoutMs: this.bounds.remoteTransferMs });
    return (await this.own(folder, ['rev-parse', '--verify', ref])).trim();
  }

  private async tipOf(at: GitPlace, ref: string): Promise<string | undefined> {
    const words = ['ls-remote', '--quiet', ...senderOf(at), '--', at.address, ref];
    const answer = await this.reach(this.cacheParent(), at, words, { timeMs: this.bounds.remoteLookMs });
    if (!answer.ok) throw unreachable(at, answer.text);
    const line = answer.text.split('\n').find((one) => one.endsWith(`\t${ref}`));
    return /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\t)/.exec(line ?? '')?.[0];
  }

  /** Existing folder outside every repository. */
  private cacheParent(): string {
    return path.parse(this.cache).root;
  }

  private async fetch(folder: string, at: GitPlace, ref: string, words: readonly string[]): Promise<void> {
    await this.own(folder, ['config', `remote.${SOURCE}.url`, at.address]); // a partial clone needs its origin
    const end = new AbortController();
    let isTooLarge = false;
    const watch = setInterval(async () => {
      isTooLarge ||= (await packedBytes(folder)) > this.bounds.remoteBytes;
      if (isTooLarge) end.abort();
    }, AGENCY_LIMITS.remoteWatchMs);
    try {
      const fixed = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
      const answer = await this.reach(folder, at, [...fixed, ...senderOf(at), ...words, SOURCE, `+${ref}:${TIP}`], {
        timeMs: this.bounds.remoteTransferMs,
        signal: end.signal,
      });
      if (isTooLarge || (await packedBytes(folder)) > this.bounds.remoteBytes)
        throw tooLarge(at, this.bounds.remoteBytes);
      if (!answer.ok) throw unreachable(at, answer.text);
    } finally {
      clearInterval(watch);
    }
  }

  private async reach(folder: string, at: GitPlace, args: readonly string[], options: ReachOptions) {
    return await reachRemote(this, folder, at, args, options);
  }

  private async own(folder: string, args: readonly string[], call: GitCall = {}): Promise<string> {
    const answer = await runGit(this.environment, folder, ['--git-dir=.', ...args], call);
    if (answer.ok) return answer.text;
    throw new TroupeError('git_failed', { what: `git ${args[0]} failed.`, why: answer.message });
  }

  /** Runs `work` with an empty bare repository and removes it afterwards, unless `work` moved it away. */
  private async withCopy<Result>(
    parent: string,
    idLength: number,
    work: (folder: string) => Promise<Result>,
  ): Promise<Result> {
    const folder = path.join(parent, `.part-${randomBytes(9).toString('hex')}`);
    const format = `--object-format=${idLength === 64 ? 'sha256' : 'sha1'}`;
    try {
      await mkdir(folder, { mode: PRIVATE_FOLDER });
      const made = await runGit(this.environment, folder, ['init', '--quiet', '--bare', '--template=', format, '.']);
      if (!made.ok) throw new TroupeError('git_failed', { what: 'git init failed.', why: made.message });
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Removes copies unused for a while and leftovers of killed processes. */
  private async sweep(place: string): Promise<void> {
    const oldest = this.clock.now() - AGENCY_LIMITS.remoteCopyMs;
    for (const folder of [place, this.cache]) {
      for (const name of await readdir(folder)) {
        if (folder === this.cache && !name.startsWith('.part-')) continue;
        const old = await stat(path.join(folder, name)).catch(() => undefined); // gone meanwhile
        if (old && old.mtimeMs < oldest) await rm(path.join(folder, name), { recursive: true, force: true });
      }
    }
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Size of the fetched data; during a fetch, git writes it to one file. */
async function packedBytes(folder: string): Promise<number> {
  let bytes = 0;
  const packs = path.join(folder, 'objects', 'pack');
  for (const name of await readdir(packs).catch(() => [])) {
    bytes += await stat(path.join(packs, name)).then(
      ({ size }) => size,
      () => 0, // renamed meanwhile
    );
  }
  return bytes;
}

function tooLarge({ address }: GitPlace, most: number): TroupeError {
  return new TroupeError('too_large', {
    what: `${inSentence(address)} sends more than ${Math.floor(most / 1024 / 1024)} MB: nothing was read.`,
    hint: 'Nothing was changed. Keep the agency on a branch of its own, and name it with --ref.',
  });
}

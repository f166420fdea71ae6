import type { GitPlace } from '#core/agency/remote-address.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { plural } from '#kernel/text.js';
import type { AgencyFile, AgencyRecords, CommitCheck, Write } from '#ports/agency.js';
import type { RemoteContents, RemoteFiles } from '#ports/agency-remotes.js';
import type { GitRemotes, GitSnapshot } from '#ports/git-remotes.js';
import { filePlaces } from './agency-folder.js';

interface Parts {
  readonly git: GitRemotes;
  readonly at: GitPlace;
  readonly branch: string;
  /** Parses the contents of a commit. Returns an empty agency if there is no commit. */
  readonly read: (snapshot: GitSnapshot | undefined) => Promise<Omit<RemoteContents, 'commit'>>;
}

/**
 * An agency on a branch of a git repository. Each change is one commit on top of the last snapshot that was read. There
 * is no lock: if the branch has moved meanwhile, the change is recomputed from a new snapshot.
 */
export class AgencyBranch implements RemoteFiles {
  private readonly parts: Parts;
  private last: { contents: Omit<RemoteContents, 'commit'>; snapshot: GitSnapshot | undefined } | undefined;
  private pushed: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async read(_committed: CommitCheck): Promise<AgencyRecords> {
    return (await this.look()).contents;
  }

  async change<Result>(
    _committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < AGENCY_LIMITS.remotePushTries; attempt++) {
      const { contents, snapshot } = await this.look();
      let hasMoved = false;
      const result = await work(contents, async (files, _from, commit) => {
        if (!(await commit('')) || files.length === 0) return;
        const pushed = await this.push(snapshot, files);
        hasMoved = pushed === undefined;
        this.pushed = pushed;
      });
      if (!hasMoved) return result;
    }
    throw new TroupeError('remote_moved');
  }

  async evaluations(): Promise<ReadonlyMap<string, JsonObject>> {
    return (await (this.last ?? (await this.look())).contents.evaluations.records(new Set())).records;
  }

  commit(): string | undefined {
    return this.pushed ?? this.last?.snapshot?.commit;
  }

  private async look() {
    const snapshot = await this.parts.git.snapshot(this.parts.at, this.parts.branch);
    this.last = { contents: await this.parts.read(snapshot), snapshot };
    return this.last;
  }

  private async push(base: GitSnapshot | undefined, files: readonly AgencyFile[]): Promise<string | undefined> {
    const changes = new Map<string, string | undefined>();
    for (const file of files) {
      const [place = '', other] = filePlaces(file);
      changes.set(place, file.text);
      if (other !== undefined) changes.set(other, undefined);
    }
    const message = `Agency: ${plural(files.length, 'file')} changed`;
    return await this.parts.git.push(this.parts.at, this.parts.branch, base, changes, message);
  }
}

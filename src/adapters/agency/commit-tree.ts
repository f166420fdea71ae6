import { TroupeError } from '#kernel/errors.js';
import { inSentence } from '#kernel/text.js';
import type { GitSnapshot, TreeEntry } from '#ports/git-remotes.js';
import type { FileTree } from './records.js';

/** Files of a commit, read without a checkout. A symbolic link is stored as text in git; it is refused. */
export class CommitTree implements FileTree {
  private readonly snapshot: GitSnapshot;
  private readonly top: string;
  private readonly listed = new Map<string, Promise<ReadonlyMap<string, TreeEntry>>>();

  /** `top` is a folder in the commit; empty for the whole commit. */
  constructor(snapshot: GitSnapshot, top: string) {
    this.snapshot = snapshot;
    this.top = top;
  }

  async names(place: string): Promise<readonly string[]> {
    return [...(await this.entries(place)).keys()];
  }

  async *texts(place: string, names: readonly string[], most: number): ReturnType<FileTree['texts']> {
    const entries = await this.entries(place);
    const present = names.flatMap((name) => entries.get(name) ?? []);
    const texts = this.snapshot.texts(
      present.flatMap(({ kind, object }) => (kind === 'file' ? [object] : [])),
      most,
    );
    for (const { name, kind } of present) {
      if (kind !== 'file') yield { name, text: refusal(name, kind === 'link' ? 'is a link' : 'is not a regular file') };
      else yield { name, text: (await texts.next()).value ?? '' };
    }
  }

  /** Entries of a folder of this tree. Errors: `unsafe_path` if the path is not a folder. */
  private entries(place: string): Promise<ReadonlyMap<string, TreeEntry>> {
    const whole = [this.top, place].filter((part) => part !== '').join('/');
    return this.entriesOf(whole);
  }

  private entriesOf(folder: string): Promise<ReadonlyMap<string, TreeEntry>> {
    const before = this.listed.get(folder);
    if (before) return before;
    const entries = this.look(folder);
    this.listed.set(folder, entries);
    return entries;
  }

  private async look(folder: string): Promise<ReadonlyMap<string, TreeEntry>> {
    if (folder !== '') {
      const end = folder.lastIndexOf('/');
      const parent = await this.entriesOf(end === -1 ? '' : folder.slice(0, end));
      const own = parent.get(folder.slice(end + 1));
      if (!own) return new Map();
      if (own.kind !== 'folder') throw refusal(folder, 'is not a folder');
    }
    return new Map((await this.snapshot.list(folder)).map((entry) => [entry.name, entry]));
  }
}

function refusal(name: string, why: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${inSentence(name)} ${why}.` });
}

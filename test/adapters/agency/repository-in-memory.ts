import type { GitRemotes, GitSnapshot, TreeEntry } from '#ports/git-remotes.js';

type Files = Readonly<Record<string, string>>;

/** Repositories at every address, with files by branch; a text that starts with `->` is a symbolic link. */
export class RepositoryInMemory implements GitRemotes {
  /** Branches that were requested. */
  readonly asked: (string | undefined)[] = [];
  readonly pushed: { readonly base: string | undefined; readonly files: unknown; readonly message: string }[] = [];
  /** Number of pushes that find the branch moved. */
  moves = 0;
  private readonly branches: Map<string | undefined, Files>;

  constructor(branches: ReadonlyMap<string | undefined, Files>) {
    this.branches = new Map(branches);
  }

  async snapshot(_at: unknown, branch: string | undefined): Promise<GitSnapshot | undefined> {
    this.asked.push(branch);
    const files = this.branches.get(branch);
    return files && { commit: `commit-${this.pushed.length}`, ...treeOf(files) };
  }

  async holds(_at: unknown, branch: string, earlier: string): Promise<boolean> {
    return branch === 'held' && earlier === 'c1';
  }

  async push(
    _at: unknown,
    _branch: string,
    base: GitSnapshot | undefined,
    files: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<string | undefined> {
    if (this.moves-- > 0) return undefined;
    this.pushed.push({ base: base?.commit, files, message });
    return `commit-${this.pushed.length}`;
  }
}

function treeOf(files: Files): Omit<GitSnapshot, 'commit'> {
  return {
    async list(folder) {
      const start = folder === '' ? '' : `${folder}/`;
      const entries = new Map<string, TreeEntry>();
      for (const [file, text] of Object.entries(files)) {
        if (!file.startsWith(start)) continue;
        const [name = '', ...below] = file.slice(start.length).split('/');
        const kind = below.length > 0 ? 'folder' : text.startsWith('->') ? 'link' : 'file';
        entries.set(name, { name, kind, object: file });
      }
      return [...entries.values()];
    },
    async *texts(objects, most) {
      for (const object of objects) {
        const text = files[object] ?? '';
        yield text.length > most ? text.length : text;
      }
    },
  };
}

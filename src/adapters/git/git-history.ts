import { TroupeError } from '#kernel/errors.js';
import type { Git } from '#ports/git.js';

const COMMIT = /^[0-9a-f]{40,64}$/;

/** What tells the repository of a folder from another one: the commit that its history began with. */
export class GitHistory {
  private readonly folder: string;
  private readonly git: Git;

  constructor(folder: string, git: Git) {
    this.folder = folder;
    this.git = git;
  }

  /** Undefined without a repository, without commits and without git. */
  async first(): Promise<string | undefined> {
    const text = await this.asked(['rev-list', '--first-parent', '--max-parents=0', 'HEAD', '--']);
    const commit = text?.trim().split('\n').at(-1) ?? '';
    return COMMIT.test(commit) ? commit : undefined;
  }

  async holds(commit: string): Promise<boolean> {
    return COMMIT.test(commit) && (await this.asked(['cat-file', '-e', `${commit}^{commit}`])) !== undefined;
  }

  private async asked(args: readonly string[]): Promise<string | undefined> {
    try {
      return await this.git.tryOutput(this.folder, args);
    } catch (error) {
      if (error instanceof TroupeError) return undefined;
      throw error;
    }
  }
}

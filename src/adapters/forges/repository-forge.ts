import type { ForgeIssue, ForgeName } from '#core/imports/forges.js';
import type { PullLook } from '#core/imports/pull-facts.js';
import { TroupeError } from '#kernel/errors.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { inSentence } from '#kernel/text.js';
import type { Exchange } from '#ports/exchange.js';
import type { Forge, ForgeComment, ForgeRepository, NewPull } from '#ports/forge.js';
import type { ProcessLock } from '#ports/processes.js';

/** Addresses and shapes of the API of one forge. Undefined and false: there is no such thing. */
export interface ForgeApi {
  repository(name: string): Promise<ForgeRepository | undefined>;
  /** Undefined also if there are too many. */
  issues(repository: ForgeRepository, label: string): Promise<readonly ForgeIssue[] | undefined>;
  comments(repository: ForgeRepository, issue: number): Promise<readonly ForgeComment[] | undefined>;
  say(repository: ForgeRepository, issue: number, body: string, comment?: string): Promise<string | undefined>;
  close(repository: ForgeRepository, issue: number, state: 'open' | 'completed' | 'dropped'): Promise<boolean>;
  pull(repository: ForgeRepository, branch: string): Promise<PullLook | undefined>;
  openPull(repository: ForgeRepository, pull: NewPull): Promise<boolean>;
}

interface Parts {
  readonly api: ForgeApi;
  /** Name of the repository, as a person or a remote of git says it. */
  readonly wanted: string;
  readonly exchange: () => Promise<Pick<Exchange, 'publish'>>;
  readonly lock: ProcessLock;
}

/** The Forge port for one repository. */
export class RepositoryForge implements Forge {
  readonly name: ForgeName;
  private readonly parts: Parts;
  private found: Promise<ForgeRepository> | undefined;

  constructor(name: ForgeName, parts: Parts) {
    this.name = name;
    this.parts = parts;
  }

  async alone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const { lock } = this.parts;
    await lock.acquire();
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  repository(): Promise<ForgeRepository> {
    this.found ??= this.look();
    return this.found;
  }

  private async look(): Promise<ForgeRepository> {
    const { api, wanted } = this.parts;
    const found = await api.repository(wanted);
    if (found !== undefined) return found;
    throw new TroupeError('forge_failed', {
      what: `There is no repository ${inSentence(wanted)} that your account can see.`,
      hint: 'Name another with --repo.',
    });
  }

  /** An answer about another repository is refused: its issues would become tasks of this project. */
  async issues(label: string): Promise<readonly ForgeIssue[]> {
    const repository = await this.repository();
    const issues = await this.parts.api.issues(repository, label);
    if (issues === undefined) {
      const most = FORGE_LIMITS.pages * FORGE_LIMITS.pageItems;
      throw new TroupeError('too_large', {
        what: `More than ${most} issues have the label ${inSentence(label)}.`,
        hint: 'Use a label of fewer issues: `--label`.',
      });
    }
    const above = `${repository.url.toLowerCase()}/`;
    const other = issues.find(({ url }) => !url.toLowerCase().startsWith(above));
    if (other === undefined) return issues;
    throw new TroupeError('forge_failed', {
      what: `The answer has issues of another repository: ${inSentence(other.url)}.`,
      hint: 'Nothing was changed. Look at the program and its settings.',
    });
  }

  async comments(issue: number): Promise<readonly ForgeComment[] | undefined> {
    return await this.parts.api.comments(await this.repository(), issue);
  }

  async say(issue: number, body: string, comment?: string): Promise<string | undefined> {
    return await this.parts.api.say(await this.repository(), issue, body, comment);
  }

  async close(issue: number, state: 'open' | 'completed' | 'dropped'): Promise<boolean> {
    return await this.parts.api.close(await this.repository(), issue, state);
  }

  async push(branch: string, commit: string): Promise<boolean> {
    return await (await this.parts.exchange()).publish(`refs/heads/${branch}`, commit);
  }

  async pull(branch: string): Promise<PullLook | undefined> {
    return await this.parts.api.pull(await this.repository(), branch);
  }

  async openPull(pull: NewPull): Promise<void> {
    if (await this.parts.api.openPull(await this.repository(), pull)) return;
    // Another exchange may have been faster.
    if ((await this.pull(pull.branch))?.state === 'open') return;
    throw new TroupeError('forge_failed', { what: `The pull request for ${inSentence(pull.branch)} was refused.` });
  }
}

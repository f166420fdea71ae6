import { BRANCH_TEMPLATE, templateFault } from '#core/worktrees/branch-template.js';
import { USED_TEMPLATES } from '#core/worktrees/branches.js';
import type { Refs } from './refs.js';

/** Templates by which attempts are found. What a ref says is believed only as far as a setting would be. */
export class BranchTemplates {
  /** The one in force. */
  readonly current: string;
  private readonly refs: Refs;
  private found: Promise<readonly string[]> | undefined;

  constructor(refs: Refs, current: string) {
    this.refs = refs;
    this.current = current;
  }

  /** The one in force first, then the usual one, then those that were in force; asked of git once. */
  all(): Promise<readonly string[]> {
    this.found ??= this.find();
    return this.found;
  }

  private async find(): Promise<readonly string[]> {
    const used = (await this.refs.below(USED_TEMPLATES)).map(({ ref }) => ref.slice(USED_TEMPLATES.length));
    const sound = used.filter((template) => templateFault(template) === undefined);
    return [...new Set([this.current, BRANCH_TEMPLATE, ...sound])];
  }

  /** Remembers the one in force, before the first branch is made under it. A ref needs a commit: any will do. */
  async keep(commit: string): Promise<void> {
    const ref = `${USED_TEMPLATES}${this.current}`;
    if (this.current === BRANCH_TEMPLATE || (await this.refs.commit(ref)) !== undefined) return;
    await this.refs.move(ref, commit, undefined);
  }
}

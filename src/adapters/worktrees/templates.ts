import { folderOf, USED_TEMPLATES } from '#core/runs/branches.js';
import { BRANCH_TEMPLATE, templateFault } from '#core/settings/branch-template.js';
import type { Refs } from './refs.js';

const foldersOf = (templates: readonly string[]) => [...new Set(templates.map(folderOf))];

/** Branch templates by which attempts are found. Templates read from refs are validated like settings. */
export class BranchTemplates {
  /** Template in force. */
  readonly current: string;
  private readonly refs: Refs;
  private found: Promise<readonly string[]> | undefined;

  constructor(refs: Refs, current: string) {
    this.refs = refs;
    this.current = current;
  }

  /** The template in force, then the default, then earlier ones. Read from git once. */
  all(): Promise<readonly string[]> {
    this.found ??= this.find();
    return this.found;
  }

  private async find(): Promise<readonly string[]> {
    return this.allWith((await this.refs.below(USED_TEMPLATES)).map(({ ref }) => ref));
  }

  private allWith(refs: readonly string[]): readonly string[] {
    const used = refs.filter((ref) => ref.startsWith(USED_TEMPLATES)).map((ref) => ref.slice(USED_TEMPLATES.length));
    const sound = used.filter((template) => templateFault(template) === undefined);
    return [...new Set([this.current, BRANCH_TEMPLATE, ...sound])];
  }

  /** Branches that can be those of attempts. With templates other than the usual ones, git is asked twice. */
  async branches(): Promise<readonly string[]> {
    const usual = foldersOf([this.current, BRANCH_TEMPLATE]);
    const listed = (await this.refs.below(USED_TEMPLATES, ...usual)).map(({ ref }) => ref);
    this.found ??= Promise.resolve(this.allWith(listed));
    const others = foldersOf(await this.found).filter((folder) => !usual.includes(folder));
    const more = others.length === 0 ? [] : await this.refs.below(...others);
    return [...new Set([...listed, ...more.map(({ ref }) => ref)])];
  }

  /** Records the template in force before its first branch is created. The ref needs some commit; any will do. */
  async keep(commit: string): Promise<void> {
    const ref = `${USED_TEMPLATES}${this.current}`;
    if (this.current === BRANCH_TEMPLATE || (await this.refs.commit(ref)) !== undefined) return;
    await this.refs.move(ref, commit, undefined);
  }
}

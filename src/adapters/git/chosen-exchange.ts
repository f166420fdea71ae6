import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GitPlace, gitPlaceOf } from '#core/agency/remote-address.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';

/** Exchange chosen when it is first used, and then the same for all steps of one call. */
export class ChosenExchange implements Exchange {
  private readonly choose: () => Promise<Exchange>;
  private found: Promise<Exchange> | undefined;

  constructor(choose: () => Promise<Exchange>) {
    this.choose = choose;
  }

  async follow(ref: string): Promise<string | undefined> {
    return (await this.chosen()).follow(ref);
  }

  async bring(commit: string, ref: string): Promise<void> {
    await (await this.chosen()).bring(commit, ref);
  }

  async publish(ref: string, commit: string): Promise<boolean> {
    return (await this.chosen()).publish(ref, commit);
  }

  async withdraw(ref: string, commit: string): Promise<void> {
    await (await this.chosen()).withdraw(ref, commit);
  }

  private chosen(): Promise<Exchange> {
    this.found ??= this.choose();
    return this.found;
  }
}

/**
 * Repository named by a remote of a clone. Errors: `bad_config` if there is no such remote, `bad_input` for an address
 * that must not be passed to git.
 */
export async function gitRemoteOf(git: Git, folder: string, name: string): Promise<GitPlace> {
  const address = (await git.tryOutput(folder, ['remote', 'get-url', name]))?.trim();
  if (address === undefined || address === '') {
    throw new TroupeError('bad_config', {
      what: `There is no git remote ${cut(inert(name), 64)} in this clone.`,
      hint: 'Add it with `git remote add`, or choose another: `troupe config set database.remote NAME`.',
      details: { key: 'database.remote' },
    });
  }
  const isPath = path.isAbsolute(address) || /^\.{1,2}\//.test(address);
  return gitPlaceOf(isPath ? pathToFileURL(path.resolve(folder, address)).href : address);
}

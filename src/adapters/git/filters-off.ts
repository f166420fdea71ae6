import path from 'node:path';
import { SETTLED_MS, versionOfAll } from '#adapters/disk/file-version.js';
import { realOrNothing, repositoryAround } from '#adapters/disk/repository-folders.js';
import { runGit } from './process.js';

type Setting = readonly [key: string, value: string];

/** Git's command for its default text merge: an empty driver would silently choose our side. */
const TEXT_MERGE = 'git merge-file --marker-size=%L %A %O %B';
/** Settings that start a program or include other files. */
const ASKED = '^(filter\\.|merge\\..*\\.driver$|include\\.|includeif\\.)';
const INCLUDED = /^include(?:if)?\./i;

interface Known {
  readonly version: string;
  readonly settings: readonly Setting[];
}

/**
 * Disables configured filter and merge programs for a call of git. A checkout runs clean and smudge programs named in
 * the configuration and selected by `.gitattributes`; a merge runs its drivers. Each configured one is disabled by
 * name; reading the configuration starts none. The configuration is read again when one of its files changes, and at
 * each call if it includes other files.
 */
export class FiltersOff {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly known = new Map<string, Known>();

  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
  }

  /** Settings for a call of git in a folder. Errors: those of `runGit`. */
  async settings(folder: string): Promise<readonly Setting[]> {
    const files = this.filesOf(folder);
    const before = files && versionOfAll(files);
    const [shared = ''] = files ?? [];
    const known = this.known.get(shared);
    if (before !== undefined && known?.version === before.text) return known.settings;
    const answer = await runGit(this.environment, folder, ['config', '--null', '--name-only', '--get-regexp', ASKED]);
    const names = answer.ok ? answer.text.split('\0') : [];
    const settings = offBy(names);
    const isKept = before !== undefined && before.changedAt < Date.now() - SETTLED_MS && !names.some(isIncluded);
    if (isKept) this.known.set(shared, { version: before.text, settings });
    return settings;
  }

  /** Git's configuration files for a folder, the repository's first; undefined if they cannot be determined simply. */
  private filesOf(folder: string): readonly [string, ...string[]] | undefined {
    const place = realOrNothing(folder);
    const around = place === undefined ? undefined : repositoryAround(place);
    if (around === undefined) return undefined;
    const { HOME: home = '', XDG_CONFIG_HOME: named = '' } = this.environment;
    const xdg = named === '' ? path.join(home, '.config') : named; // an empty variable counts as unset
    const personal = [path.join(home, '.gitconfig'), path.join(xdg, 'git/config')];
    return [path.join(around.common, 'config'), path.join(around.own, 'config.worktree'), ...personal];
  }
}

const isIncluded = (name: string) => INCLUDED.test(name);

function offBy(names: readonly string[]): Setting[] {
  const filters = new Set(names.flatMap((name) => /^filter\.([\s\S]+)\.[^.]+$/.exec(name)?.[1] ?? []));
  const drivers = new Set(names.flatMap((name) => /^merge\.([\s\S]+)\.driver$/.exec(name)?.[1] ?? []));
  return [
    ...[...filters].sort().flatMap((filter): Setting[] => [
      [`filter.${filter}.clean`, ''],
      [`filter.${filter}.smudge`, ''],
      [`filter.${filter}.process`, ''],
      [`filter.${filter}.required`, 'false'],
    ]),
    ...[...drivers].sort().map((driver): Setting => [`merge.${driver}.driver`, TEXT_MERGE]),
  ];
}

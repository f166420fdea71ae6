import path from 'node:path';
import { SETTLED_MS, versionOfAll } from '#adapters/disk/file-version.js';
import { realOrNothing, repositoryAround } from '#adapters/disk/repository-folders.js';
import { runGit } from './process.js';

type Setting = readonly [key: string, value: string];

/** What a merge driver of git for plain text does, in git's own words: an empty driver would silently take our side. */
const TEXT_MERGE = 'git merge-file --marker-size=%L %A %O %B';
/** Names of settings that start a program, and of those that bring in further files. */
const ASKED = '^(filter\\.|merge\\..*\\.driver$|include\\.|includeif\\.)';
const INCLUDED = /^include(?:if)?\./i;

interface Known {
  readonly version: string;
  readonly settings: readonly Setting[];
}

/**
 * A checkout runs the clean and smudge programs that configuration names and `.gitattributes` picks, a merge its drivers. Each
 * one that is configured, by whomever, is switched off by name for a call of git; reading configuration starts nothing. It is
 * read again whenever one of its files is another, and at each call where it includes further files.
 */
export class FiltersOff {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly known = new Map<string, Known>();

  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
  }

  /** The settings for a call of git in a folder. Errors: those of `runGit`. */
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

  /** The files git reads its configuration from in a folder, that of the repository first; undefined where that is not plain. */
  private filesOf(folder: string): readonly [string, ...string[]] | undefined {
    const place = realOrNothing(folder);
    const around = place === undefined ? undefined : repositoryAround(place);
    if (around === undefined) return undefined;
    const { HOME: home = '', XDG_CONFIG_HOME: named = '' } = this.environment;
    const xdg = named === '' ? path.join(home, '.config') : named; // set to nothing counts as not set
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

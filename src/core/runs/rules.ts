import path from 'node:path';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';

/** `write` includes reading, `hidden` excludes it. Paths without a rule are readable. */
export type Access = 'write' | 'read' | 'hidden';

/** Applies to an absolute path: a file, or a folder with its contents. The rule with the deepest path wins. */
export interface SandboxRule {
  readonly path: string;
  readonly access: Access;
}

/** A folder mounted in place of another. */
export interface Replacement {
  readonly path: string;
  readonly by: string;
}

export interface SandboxRules {
  readonly rules: readonly SandboxRule[];
  readonly replacements: readonly Replacement[];
}

/** The git folder shared by the worktrees of a repository, and the part that belongs to the run's worktree. */
export interface RunGit {
  readonly common: string;
  /** Undefined if the run works in the person's checkout. */
  readonly worktree: { readonly folder: string; readonly branch: string } | undefined;
}

/** Paths that determine the rules of a run. All are absolute and resolved. */
export interface RunPlaces {
  readonly home: string;
  /** Folders for temporary files. */
  readonly temporary: readonly string[];
  /** Folders below the home folder that clients and package managers write to. */
  readonly caches: readonly string[];
  /** Entries within the caches that configure later programs of the person. */
  readonly settings: readonly string[];
  /** Paths hidden from runs: trust, tokens, sockets of the session. */
  readonly secret: readonly string[];
  /** Folders that the person opened to runs. */
  readonly opened: readonly string[];
  readonly project: string;
  /** The person's checkout: the top of the repository, or the project where there is none. */
  readonly checkout: string;
  /** Undefined if the run works in the checkout. */
  readonly tree: string | undefined;
  readonly git: RunGit | undefined;
  /** The report folder of the review that the run is a step of. */
  readonly review: string | undefined;
  readonly runFolder: string;
  /** Folders of the service's socket, and the folder with the socket of this run alone. */
  readonly service: readonly string[];
  readonly door: string;
}

/** Paths of a project that only Troupe writes, relative to its top. */
export const PROJECT_STATE = [GRAPH_FOLDER, '.squad', '.teaparty', '.claude/roles'] as const;
/** Files in a run's folder written by Troupe: identity, input and progress of the run. */
const RUN_RECORDS = [
  ...[
    'run.jsonl',
    'run.json',
    'plan.json',
    'run.sh',
    'sandbox.json',
    'prompt.txt',
    'stream.jsonl',
    'output.log',
    'heartbeat.json',
  ],
  ...['result.json', 'limit.json', 'service'],
];
/** Entries of a git folder that can make later git commands of the person run programs. */
const GIT_SETTINGS = ['hooks', 'config', 'config.worktree', 'info'];

/** The rules for one run, general ones first. Their paths need not exist. */
export function sandboxRules(places: RunPlaces): SandboxRules {
  const { home, temporary, caches, settings, secret, opened, project, checkout, tree, git, review, runFolder } = places;
  const below = (folder: string, names: readonly string[]) => names.map((name) => path.join(folder, name));
  const all: Ruling[] = [
    ['write', temporary],
    ['read', [home]],
    ['write', [...caches, ...opened]],
    ['read', settings],
    [tree === undefined ? 'write' : 'read', [checkout, project]],
    ...(git === undefined ? [] : gitRules(git)),
    ...(tree === undefined ? [] : treeRules(tree)),
    ['read', [...below(project, PROJECT_STATE), ...below(checkout, ['.claude/roles'])]],
    ...(review === undefined ? [] : reviewRules(review)),
    ['write', [runFolder]],
    ['read', below(runFolder, RUN_RECORDS)],
    ['hidden', secret],
  ];
  return {
    rules: deepestLast(all.flatMap(([access, paths]) => paths.map((at) => ({ path: at, access })))),
    replacements: places.service.map((at) => ({ path: at, by: places.door })),
  };
}

type Ruling = readonly [Access, readonly string[]];

/** The run may write its worktree, but not change the location of its git data. */
function treeRules(tree: string): Ruling[] {
  return [
    ['write', [tree]],
    ['read', [path.join(tree, '.git')]],
  ];
}

/**
 * A step writes its evidence there and works in the scratch worktree, but must not change the commands that a review
 * runs.
 */
function reviewRules(review: string): Ruling[] {
  return [
    ['write', [review]],
    ['read', [path.join(review, 'plan.json')]],
  ];
}

/** Commits in a worktree need the objects, the worktree's own state, and its own branch with its reflog. */
function gitRules({ common, worktree }: RunGit): Ruling[] {
  const settings = GIT_SETTINGS.map((name) => path.join(common, name));
  if (worktree === undefined) {
    return [
      ['write', [common]],
      ['read', settings],
    ];
  }
  const branches = path.dirname(`refs/heads/${worktree.branch}`);
  return [
    ['read', [common, ...settings]],
    ['write', ['objects', 'lfs', 'reftable', branches, `logs/${branches}`].map((name) => path.join(common, name))],
    ['read', [path.join(common, 'objects/info')]],
    ['write', [worktree.folder]],
    ['read', ['commondir', 'gitdir', 'config.worktree'].map((name) => path.join(worktree.folder, name))],
  ];
}

/** Sorts rules by depth; of two rules for the same path, the later wins. */
function deepestLast(rules: readonly SandboxRule[]): SandboxRule[] {
  const byPath = new Map(rules.map((rule) => [rule.path, rule]));
  // A path is longer than each of its ancestors.
  return [...byPath.values()].sort((left, right) => left.path.length - right.path.length);
}

/** The rules that differ from the nearest rule above them. */
export function effective(rules: readonly SandboxRule[]): SandboxRule[] {
  const accesses = new Map<string, Access>();
  return rules.filter(({ path: at, access }) => {
    accesses.set(at, access);
    return nearest(accesses, path.dirname(at), at === path.sep) !== access;
  });
}

function nearest(accesses: ReadonlyMap<string, Access>, from: string, none: boolean): Access {
  if (none) return 'read';
  for (let at = from; ; at = path.dirname(at)) {
    const access = accesses.get(at);
    if (access !== undefined) return access;
    if (at === path.dirname(at)) return 'read';
  }
}

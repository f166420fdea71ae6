/**
 * The sandbox of a run: its writable paths as rules, rendered as arguments of bubblewrap and as a profile of Seatbelt.
 * @packageDocumentation
 */
import path from 'node:path';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';

/** `write` includes reading, `hidden` excludes it. Whatever no rule names may be read. */
export type Access = 'write' | 'read' | 'hidden';

/** An absolute path, a file or a folder with all below it. The rule of the deepest path counts. */
export interface SandboxRule {
  readonly path: string;
  readonly access: Access;
}

/** A folder that is shown in the place of another one. */
export interface Replacement {
  readonly path: string;
  readonly by: string;
}

export interface SandboxRules {
  readonly rules: readonly SandboxRule[];
  readonly replacements: readonly Replacement[];
}

/** The git folder that the worktrees of a repository share, and what belongs to the worktree of the run alone. */
export interface RunGit {
  readonly common: string;
  /** Undefined where the run works in the person's checkout. */
  readonly worktree: { readonly folder: string; readonly branch: string } | undefined;
}

/** Where a run works and what it must not change. All paths are absolute and real. */
export interface RunPlaces {
  readonly home: string;
  /** Folders for temporary files. */
  readonly temporary: readonly string[];
  /** What clients and package managers write to below the home folder. */
  readonly caches: readonly string[];
  /** What configures later programs of the person, within the caches. */
  readonly settings: readonly string[];
  /** What no run may see: trust, tokens, sockets of the session. */
  readonly secret: readonly string[];
  /** Folders that the person opened to runs. */
  readonly opened: readonly string[];
  readonly project: string;
  /** The person's checkout: the top of the repository, or the project where there is none. */
  readonly checkout: string;
  /** Undefined where the run works in the checkout. */
  readonly tree: string | undefined;
  readonly git: RunGit | undefined;
  /** The report folder of the review that the run is a step of. */
  readonly review: string | undefined;
  readonly runFolder: string;
  /** Where a command finds the service, and the folder with the socket of this run alone. */
  readonly service: readonly string[];
  readonly door: string;
}

/** What of a project only Troupe writes, from its top. */
export const PROJECT_STATE = [GRAPH_FOLDER, '.squad', '.teaparty', '.claude/roles'] as const;
/** Files of a run's folder that say what the run is and how it goes, written by Troupe. */
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
/** What in a git folder makes later git commands of the person run programs. */
const GIT_SETTINGS = ['hooks', 'config', 'config.worktree', 'info'];

/** The rules for one run, the general ones before the special ones. What they name need not exist. */
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

/** Where its git data lies, a run does not say. */
function treeRules(tree: string): Ruling[] {
  return [
    ['write', [tree]],
    ['read', [path.join(tree, '.git')]],
  ];
}

/** A step leaves its evidence there and works in the scratch worktree; which commands a review runs, no step says. */
function reviewRules(review: string): Ruling[] {
  return [
    ['write', [review]],
    ['read', [path.join(review, 'plan.json')]],
  ];
}

/** Commits in a worktree need the objects, the worktree's own state, and its own branch with the branch's history. */
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

/** A later rule of the same path counts instead of an earlier one. */
function deepestLast(rules: readonly SandboxRule[]): SandboxRule[] {
  const byPath = new Map(rules.map((rule) => [rule.path, rule]));
  // A path is longer than each that it lies below.
  return [...byPath.values()].sort((left, right) => left.path.length - right.path.length);
}

/** The rules that change anything: the others repeat what the nearest rule above them says. */
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

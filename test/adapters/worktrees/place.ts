import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { GitAttemptTrees } from '#adapters/worktrees/git-attempt-trees.js';
import { GitIntegration } from '#adapters/worktrees/git-integration.js';
import { DEFAULT_LAYOUT, type Layout } from '#core/settings/layout.js';
import type { AttemptKey, AttemptRequest, AttemptTrees } from '#ports/attempt-trees.js';
import type { Exchange } from '#ports/exchange.js';
import type { Integration, TakeRequest } from '#ports/integration.js';
import { git, repository, treeDigest, write } from '../../repository.js';

/** Both ports over a repository, composed as in the program. */
export function portsOf(
  projectFolder: string,
  given: { readonly environment?: NodeJS.ProcessEnv; readonly layout?: Layout; readonly exchange?: Exchange } = {},
) {
  const { environment = process.env, layout = DEFAULT_LAYOUT, exchange = ONE_REPOSITORY } = given;
  const options = {
    projectFolder,
    git: new LocalGit(environment),
    processes: new ProcessTable(),
    layout: async () => layout,
    exchange: () => exchange,
  };
  return { trees: new GitAttemptTrees(options), integration: new GitIntegration(options) };
}

/** All operations on the worktrees of a project: those of both ports, and those that need both. */
export function worktreesOf(folder: string, environment?: NodeJS.ProcessEnv, layout?: Layout): JoinedPorts {
  return joined(
    portsOf(folder, {
      ...(environment === undefined ? {} : { environment }),
      ...(layout === undefined ? {} : { layout }),
    }),
  );
}

export type JoinedPorts = ReturnType<typeof joined>;

export function joined({ trees, integration }: { readonly trees: AttemptTrees; readonly integration: Integration }) {
  const both = new Proxy(trees as AttemptTrees & Integration, {
    get: (_, name) => {
      const port = name in trees ? trees : integration;
      const value: unknown = Reflect.get(port, name);
      return typeof value === 'function' ? value.bind(port) : value;
    },
  });
  return Object.assign(Object.create(both) as typeof both, {
    /** Creates a worktree for a run: from the integration branch, unless a base commit is given. */
    create: async ({ from, base, ...request }: Partial<AttemptRequest> & AttemptKey & { from?: string }) =>
      await trees.create({
        ...request,
        ...(from === undefined ? {} : { trial: true }),
        base: from ?? base ?? (await integration.base()),
      }),
    /** Publishes and integrates the work of an attempt, as at the end of a run. */
    mergeBack: async ({ how, ...attempted }: TakeRequest) => {
      const work = await trees.publish(attempted);
      return work.outcome === 'published' ? await integration.take(work, { ...attempted, how }) : work;
    },
    /** Traces of an attempt in the person's checkout. */
    traces: async (key: AttemptKey) => {
      const acts = await trees.acts(key);
      return acts && (await integration.outside(acts));
    },
  });
}

/** A repository with a graph folder and its worktrees, and a way to read the person's own state. */
export function place(files: Readonly<Record<string, string>> = { 'f.txt': 'one\ntwo\nthree\n' }) {
  const folder = realpathSync(repository(files));
  mkdirSync(path.join(folder, '.workgraph'), { recursive: true });
  return { folder, worktrees: worktreesOf(folder), own: () => ownOf(folder) };
}

/** The person's files, index and HEAD, which only landing may change. */
export function ownOf(folder: string): Record<string, string> {
  return {
    files: treeDigest(folder),
    index: createHash('sha256')
      .update(readFileSync(path.join(folder, '.git/index')))
      .digest('hex'),
    head: readFileSync(path.join(folder, '.git/HEAD'), 'utf8'),
    main: git(folder, 'rev-parse', 'refs/heads/main'),
    stash: git(folder, 'for-each-ref', 'refs/stash', 'refs/heads/main', 'refs/tags'),
    config: readFileSync(path.join(folder, '.git/config'), 'utf8'),
  };
}

/** Writes files and commits them there, as an agent does. */
export function commitIn(tree: string, files: Readonly<Record<string, string>>, message = 'work'): string {
  write(tree, files);
  git(tree, 'add', '--all');
  git(tree, 'commit', '--quiet', '--no-verify', '-m', message);
  return git(tree, 'rev-parse', 'HEAD').trim();
}

/** Content of a file in a commit. */
export function fileAt(folder: string, commit: string, file: string): string {
  return execFileSync('git', ['cat-file', 'blob', `${commit}:${file}`], { cwd: folder, encoding: 'utf8' });
}

export const integrationOf = (folder: string): string => git(folder, 'rev-parse', 'refs/heads/wg/integration').trim();

/** Paths of git's worktrees relative to the project folder, without the person's own. */
export function listedBy(folder: string): string[] {
  return git(folder, 'worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? [path.relative(folder, line.slice('worktree '.length))] : []))
    .filter((name) => name !== '')
    .sort();
}

export const refused = (code: string) => expect.objectContaining({ code });

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { GitWorktrees } from '#adapters/worktrees/git-worktrees.js';
import { DEFAULT_LAYOUT, type Layout } from '#core/worktrees/layout.js';
import { git, repository, treeDigest, write } from '../../repository.js';

/** The worktrees of a project, as they are plugged together in the program. */
export function worktreesOf(
  projectFolder: string,
  environment: NodeJS.ProcessEnv = process.env,
  layout: Layout = DEFAULT_LAYOUT,
): GitWorktrees {
  const git = new LocalGit(environment);
  return new GitWorktrees({ projectFolder, git, processes: new ProcessTable(), layout: async () => layout });
}

/** A repository with a graph folder, its worktrees, and a look at what is the person's own. */
export function place(files: Readonly<Record<string, string>> = { 'f.txt': 'one\ntwo\nthree\n' }) {
  const folder = realpathSync(repository(files));
  mkdirSync(path.join(folder, '.workgraph'), { recursive: true });
  return { folder, worktrees: worktreesOf(folder), own: () => ownOf(folder) };
}

/** Files, index and HEAD of the person: what nothing but landing may touch. */
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

/** A file as a commit holds it. */
export function fileAt(folder: string, commit: string, file: string): string {
  return execFileSync('git', ['cat-file', 'blob', `${commit}:${file}`], { cwd: folder, encoding: 'utf8' });
}

export const integrationOf = (folder: string): string => git(folder, 'rev-parse', 'refs/heads/wg/integration').trim();

/** Worktrees git knows, but for the person's own, from the project's folder. */
export function listedBy(folder: string): string[] {
  return git(folder, 'worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? [path.relative(folder, line.slice('worktree '.length))] : []))
    .filter((name) => name !== '')
    .sort();
}

export const refused = (code: string) => expect.objectContaining({ code });

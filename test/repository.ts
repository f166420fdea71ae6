import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { room } from './room.js';

/** Runs the real git as a test person, without the developer's own settings. */
export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', message);
}

/** Creates a real repository with one commit of the given files. */
export function repository(files: Readonly<Record<string, string>>, name = 'repository'): string {
  const folder = path.join(room(), name);
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  write(folder, files);
  commitAll(folder, 'first');
  return folder;
}

/** Digest of every file, link and folder of the user below, without Troupe's and git's own state. */
export function treeDigest(folder: string): string {
  const digest = createHash('sha256');
  const visit = (below: string) => {
    for (const name of readdirSync(path.join(folder, below)).sort()) {
      const at = path.join(below, name);
      if (below === '' && ['.git', '.workgraph', '.squad'].includes(name)) continue;
      const stats = lstatSync(path.join(folder, at));
      digest.update(`${at}\0${stats.mode}\0${stats.mtimeMs}\0`);
      if (stats.isDirectory()) visit(at);
      else
        digest.update(
          stats.isSymbolicLink() ? readlinkSync(path.join(folder, at)) : readFileSync(path.join(folder, at)),
        );
    }
  };
  visit('');
  return digest.digest('hex');
}

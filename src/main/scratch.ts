import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalGit } from '#adapters/git/local-git.js';
import { TroupeError } from '#kernel/errors.js';
import { layoutOf } from '#kernel/graph-folder.js';

/** Top folder of a repository with commits. Errors: `not_a_repository`, `empty_repository`, `bare_repository`. */
export async function repositoryTop(folder: string, options: { bareToo: boolean }): Promise<string> {
  const facts = await new LocalGit(process.env).describe(folder);
  if (facts.kind === 'none') throw new TroupeError('not_a_repository', { what: `${folder} is not a git repository.` });
  if (facts.kind === 'empty') throw new TroupeError('empty_repository', { what: `${facts.top} has no commit yet.` });
  if (facts.kind === 'bare' && !options.bareToo)
    throw new TroupeError('bare_repository', { what: `${facts.top} is bare.` });
  return facts.top;
}

/** Clones all commits of a repository into a new folder below the system's temporary folder. */
export async function scratchClone(repository: string): Promise<{ projectFolder: string; original: string }> {
  const original = await repositoryTop(repository, { bareToo: true });
  const name =
    path
      .basename(original)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+|\.git$/g, '') || 'repository';
  const room = freshRoom();
  const projectFolder = path.join(room, name.slice(0, 60));
  try {
    await new LocalGit(process.env).clone(original, projectFolder);
    // A trial concerns the repository, not tasks that came with it. A symbolic link is removed, its target stays.
    rmSync(layoutOf(projectFolder).folder, { recursive: true, force: true });
  } catch (error) {
    rmSync(room, { recursive: true, force: true });
    throw error;
  }
  return { projectFolder, original };
}

/** Creates an empty folder below the system's temporary folder. */
export function scratchFolder(): { folder: string; remove(): void } {
  const folder = freshRoom();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

function freshRoom(): string {
  try {
    return mkdtempSync(path.join(tmpdir(), 'troupe-trial-'));
  } catch (cause) {
    throw new TroupeError('read_only', {
      what: `The temporary folder ${tmpdir()} cannot be used.`,
      hint: 'Set another one in TMPDIR.',
      cause,
    });
  }
}

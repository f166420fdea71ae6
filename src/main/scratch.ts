import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalGit } from '#adapters/git/local-git.js';
import { TroupeError } from '#kernel/errors.js';

/** The top of a repository that has commits, or a coded error that says what is missing. */
export async function repositoryTop(folder: string, options: { bareToo: boolean }): Promise<string> {
  const facts = await new LocalGit(process.env).describe(folder);
  if (facts.kind === 'none') throw new TroupeError('not_a_repository', { what: `${folder} is not a git repository.` });
  if (facts.kind === 'empty') throw new TroupeError('empty_repository', { what: `${facts.top} has no commit yet.` });
  if (facts.kind === 'bare' && !options.bareToo)
    throw new TroupeError('bare_repository', { what: `${facts.top} is bare.` });
  return facts.top;
}

/** A complete copy of what is committed, in a folder of its own below the system's temporary folder. */
export async function scratchClone(repository: string): Promise<{ projectFolder: string; original: string }> {
  const original = await repositoryTop(repository, { bareToo: true });
  const name =
    path
      .basename(original)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+|\.git$/g, '') || 'repository';
  const room = mkdtempSync(path.join(tmpdir(), 'troupe-trial-'));
  const projectFolder = path.join(room, name.slice(0, 60));
  await new LocalGit(process.env).clone(original, projectFolder);
  return { projectFolder, original };
}

import { insideProject } from '#core/graph/inside-project.js';
import type { FileFact } from '#core/graph/wait.js';
import type { ProjectFiles } from '#ports/project-files.js';

/**
 * Returns time and size of files by their given paths. A path that leads out of the project is refused when entered by
 * a user, and skipped (`skip`) when it comes from an edited file. Errors: `unsafe_path` with `refuse`.
 */
export async function fileFacts(
  context: { readonly projectFolder: string; files(): Promise<ProjectFiles> },
  paths: Iterable<string>,
  outside: 'refuse' | 'skip',
): Promise<ReadonlyMap<string, FileFact>> {
  const facts = new Map<string, FileFact>();
  for (const named of paths) {
    try {
      const inside = insideProject(context.projectFolder, named);
      facts.set(named, await (await context.files()).fact(inside));
    } catch (error) {
      if (outside === 'refuse') throw error;
    }
  }
  return facts;
}

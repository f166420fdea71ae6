import { AGENTS_FOLDER, FIXED_FILES, REGISTRY_EVENTS, REGISTRY_JSON, TEAM_MD } from './squad-paths.js';
import type { SquadTexts } from './squad-texts.js';

/** Where a team was kept by older releases of other tools. */
export const OLDER_FOLDER = '.ai-team';

/** What a reader looks at there: the same files as in `.squad`. */
export const OLDER_FILES: readonly string[] = FIXED_FILES.filter((path) => path.startsWith('.squad/')).map(olderPath);
export const OLDER_AGENTS = olderPath(AGENTS_FOLDER);

/** The same file in the older folder. */
export function olderPath(path: string): string {
  return path.replace(/^\.squad\//, `${OLDER_FOLDER}/`);
}

/** The files of an older folder as they would lie in `.squad`; none once there is a team. */
export function fromOlderFolder(texts: SquadTexts): SquadTexts {
  const found = new Map<string, string>();
  if ([TEAM_MD, REGISTRY_EVENTS, REGISTRY_JSON].some((path) => texts.has(path))) return found;
  for (const [path, text] of texts) {
    const here = path.replace(`${OLDER_FOLDER}/`, '.squad/');
    if (path.startsWith(`${OLDER_FOLDER}/`) && !texts.has(here)) found.set(here, text);
  }
  return found;
}

/** The files with those of an older folder where `.squad` has none. */
export function withOlderFolder(texts: SquadTexts): SquadTexts {
  const older = fromOlderFolder(texts);
  return older.size === 0 ? texts : new Map([...texts, ...older]);
}

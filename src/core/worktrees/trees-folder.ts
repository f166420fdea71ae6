/** Folder of worktrees where no setting says otherwise. */
export const TREES_FOLDER = '.workgraph/worktrees';
const NOTE = '# Worktrees of Troupe';

/** The `.gitignore` of a folder of worktrees: hides it from git, and tells it from any other folder. One outside names its project. */
export function treesNote(project: string, isWithin: boolean): string {
  return `${NOTE}${isWithin ? '' : ` for ${JSON.stringify(project)}`}\n*\n`;
}

/** Project that such a note names; `''` for the one around it, undefined for any other text. */
export function notedProject(note: string): string | undefined {
  const named = /^# Worktrees of Troupe(?: for ("[^\n]*"))?\n\*\n$/.exec(note);
  if (named === null) return undefined;
  try {
    return named[1] === undefined ? '' : String(JSON.parse(named[1]));
  } catch {
    return undefined;
  }
}

import { FROM_PROJECT, GRAPH_FOLDER } from '#kernel/graph-folder.js';
import type { Tracker } from './imported-task.js';

/** The tracker's folder in a repository, the files in it, and its subfolders. */
interface Keeping {
  readonly home: readonly string[];
  readonly folders: readonly string[];
  readonly file: RegExp;
}

/** Files of each tracker, from the repository and from the tracker's own folder. GitHub keeps none. */
const KEEPING: Readonly<Record<Exclude<Tracker, 'github' | 'gitlab'>, Keeping>> = {
  beads: { home: ['.beads', ''], folders: [''], file: /^(?:issues|beads)\.jsonl$/ },
  'task-master': { home: ['.taskmaster/tasks', 'tasks', ''], folders: [''], file: /^tasks\.json$/ },
  workgraph: {
    home: [GRAPH_FOLDER, ''],
    folders: [''],
    file: fileName(FROM_PROJECT.graph.slice(GRAPH_FOLDER.length + 1)),
  },
  backlog: {
    home: ['backlog', '.backlog', ''],
    folders: ['', 'tasks', 'drafts', 'completed', 'archive/tasks', 'archive/drafts'],
    file: /\.md$/,
  },
  checklist: { home: [''], folders: [''], file: /^(?:todo|tasks)\.md$/i },
};

/** Folders of each tracker, relative to the folder that a person names. */
const FOLDERS = Object.entries(KEEPING).map(
  ([tracker, { home, folders, file }]) =>
    [tracker as Tracker, new Set(home.flatMap((top) => folders.map((below) => joined(top, below)))), file] as const,
);

/** All folders in which trackers keep tasks, relative to the named folder, which is the empty path. */
export const TRACKER_FOLDERS: readonly string[] = [...new Set(FOLDERS.flatMap(([, folders]) => [...folders]))].sort();

/** Trackers that could keep tasks in a file of this path. */
export function trackersOfFile(file: string): readonly Tracker[] {
  const slash = file.lastIndexOf('/');
  const folder = file.slice(0, Math.max(0, slash));
  const name = file.slice(slash + 1);
  return FOLDERS.filter(([, folders, pattern]) => folders.has(folder) && pattern.test(name)).map(
    ([tracker]) => tracker,
  );
}

export function isTrackerFile(file: string): boolean {
  return trackersOfFile(file).length > 0;
}

function joined(top: string, below: string): string {
  return top === '' || below === '' ? top + below : `${top}/${below}`;
}

function fileName(name: string): RegExp {
  return new RegExp(`^${name.replaceAll('.', '\\.')}$`);
}

import { TroupeError } from '#kernel/errors.js';
import { parseForeignObject } from '#kernel/json.js';
import { inSentence } from '#kernel/text.js';
import { isBacklogTask, parseBacklog } from './backlog.js';
import { parseBeads } from './beads.js';
import { hasChecklist, parseChecklist } from './checklist.js';
import { isGitLabIssue, parseGitLab } from './forges.js';
import { isIssue, issuesIn, parseGitHub } from './github.js';
import { type ImportFile, type ImportSource, type ParsedImport, TRACKERS, type Tracker } from './imported-task.js';
import { parsedJson } from './json-file.js';
import { numberedLines } from './reading.js';
import { isTaskMaster, parseTaskMaster } from './task-master.js';
import { trackersOfFile } from './tracker-files.js';
import { parseWorkgraph } from './workgraph.js';

export interface Recognised {
  readonly tracker: Tracker;
  readonly files: readonly ImportFile[];
}

/**
 * Finds out which tracker wrote the files, from their content; `wanted` is the tracker that a person named. Errors:
 * `bad_input` if it is none, or if a folder holds several.
 */
export function recognised(source: ImportSource, wanted?: Tracker): Recognised {
  const found = new Map<Tracker, ImportFile[]>();
  for (const file of source.files) {
    const isSingle = source.kind === 'file';
    const tracker = isSingle ? (wanted ?? trackerOf(file)) : trackerInFolder(file, wanted);
    if (tracker === undefined) continue;
    const files = found.get(tracker) ?? [];
    found.set(tracker, files);
    files.push(file);
  }
  if (found.size > 1 && wanted === undefined) found.delete('checklist'); // a list beside a tracker
  const [first, ...others] = [...found].filter(([tracker]) => wanted === undefined || tracker === wanted);
  const shown = inSentence(source.name);
  if (first === undefined) {
    throw new TroupeError('bad_input', {
      what: `${shown} holds no tasks of ${wanted ?? 'a known tracker'}.`,
      hint: `Name a file or folder of ${TRACKERS.join(', ')}, and the tracker with --from.`,
    });
  }
  const [tracker, files] = first;
  if (others.length > 0) {
    const names = [tracker, ...others.map(([other]) => other)].sort();
    throw new TroupeError('bad_input', {
      what: `${shown} holds tasks of several trackers: ${names.join(', ')}.`,
      hint: 'Name the one you mean with --from, or name its file.',
    });
  }
  return { tracker, files };
}

/** Reads the files of a tracker. */
export function parseImport({ tracker, files }: Recognised): ParsedImport {
  if (tracker === 'backlog') return parseBacklog(files);
  const parse = {
    beads: parseBeads,
    'task-master': parseTaskMaster,
    checklist: parseChecklist,
    github: parseGitHub,
    gitlab: parseGitLab,
    workgraph: parseWorkgraph,
  }[tracker];
  const all = files.map(parse);
  return {
    tasks: all.flatMap(({ tasks }) => tasks),
    broken: all.flatMap(({ broken }) => broken),
    left: all.flatMap(({ left }) => left),
  };
}

function trackerInFolder(file: ImportFile, wanted: Tracker | undefined): Tracker | undefined {
  const possible = trackersOfFile(file.path).filter((tracker) => wanted === undefined || tracker === wanted);
  return possible.find((tracker) => isOf(file, tracker));
}

/** Files of Backlog.md need front matter, so that other Markdown beside them is not taken for tasks. */
function isOf(file: ImportFile, tracker: Tracker): boolean {
  if (tracker === 'backlog') return file.front !== undefined && ('fault' in file.front || isBacklogTask(file));
  if (tracker === 'task-master') return isTaskMaster(parsedJson(file, []));
  return tracker === 'checklist' ? file.front === undefined && hasChecklist(file.text) : true;
}

/** The tracker of one file, from its content. */
function trackerOf(file: ImportFile): Tracker | undefined {
  if (isBacklogTask(file)) return 'backlog';
  const start = file.text.replace(/^\ufeff/, '').trimStart();
  const inLines = start.startsWith('{') || start.startsWith('#') ? trackerOfLines(file.text) : undefined;
  if (inLines !== undefined) return inLines;
  if (start.startsWith('{') || start.startsWith('[')) {
    const value = parsedJson(file, []);
    if (Array.isArray(value) && value.flat().some(isGitLabIssue)) return 'gitlab';
    if (issuesIn(value)?.some(isIssue) === true) return 'github';
    if (isTaskMaster(value)) return 'task-master';
  }
  return hasChecklist(file.text) ? 'checklist' : undefined;
}

/** The tracker of a file of JSON lines, from the first line that tells. */
function trackerOfLines(text: string): Tracker | undefined {
  for (const { text: line } of numberedLines(text)) {
    if (!line.startsWith('{')) continue;
    const record = parseForeignObject(line);
    if (typeof record === 'string') continue;
    if (typeof record['kind'] === 'string' && typeof record['id'] === 'string') return 'workgraph';
    if (typeof record['id'] === 'string' && ('issue_type' in record || 'priority' in record)) return 'beads';
    if (isIssue(record)) return 'github';
  }
  return undefined;
}

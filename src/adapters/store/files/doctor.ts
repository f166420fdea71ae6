import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conflictRegions } from '#core/graph/line.js';
import { mainLine } from '#core/history/log-history.js';
import { mergeTexts } from '#core/history/merge-graphs.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { plural } from '#kernel/text.js';
import type { GraphDoctor, GraphFinding } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import { readText, refuseLink, refuseLinks, replaceFile } from './disk.js';
import { draftsIn, examineFiles } from './examination.js';
import { FileStore } from './file-store.js';
import { addLines, gitFile, missingLines, WANTED_LINES } from './initialise.js';
import { convertedFiles, keepingLines, restoreLineEnds } from './line-ends.js';
import { readLog } from './log-file.js';
import { stateOfLog } from './log-pieces.js';
import { holdsGraph } from './paths.js';
import { loadStore } from './store-load.js';

/** Maximum checks of the lock before its holder counts as permanent. */
const MAX_LOCK_CHECKS = 50;

export interface FileCareOptions {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Processes;
}

/** Maintains the files of a graph, for `doctor` and for git. */
export class FileDoctor implements GraphDoctor {
  private readonly paths: GraphLayout;
  private readonly clock: Clock;
  private readonly processes: Processes;

  constructor(options: FileCareOptions) {
    this.paths = graphLayout(options.folder);
    this.clock = options.clock;
    this.processes = options.processes;
  }

  async examine(): Promise<readonly GraphFinding[]> {
    this.mustBeThere();
    return examineFiles(this.paths, this.processes.lock(this.paths.lock, this.clock).holder());
  }

  async repair(): Promise<readonly string[]> {
    const done = await this.alone(() => repairFiles(this.paths, this.clock.now()));
    return [...done, ...(await this.writeDown())];
  }

  async rebuild(): Promise<readonly string[]> {
    const recorded = await this.writeDown();
    const before = readText(this.paths.graph);
    const name = `graph-${this.clock.now()}.jsonl`;
    const aside = path.join(this.paths.lostAndFound, name);
    const done = await this.alone(() => setAside(this.paths, aside));
    const { folder } = this.paths;
    const store = await FileStore.open({ folder, clock: this.clock, processes: this.processes, hold: false });
    try {
      await store.snapshot();
    } finally {
      await store.close();
    }
    if (before === undefined) return [...recorded, ...done, 'Made graph.jsonl from the log.'];
    if (readText(this.paths.graph) !== before)
      return [
        ...recorded,
        ...done,
        `Made graph.jsonl again from the log; the one before is .workgraph/service/lost+found/${name}.`,
      ];
    rmSync(aside);
    return [...recorded, ...done, 'graph.jsonl is what the log makes: nothing changed.'];
  }

  /** Runs `work` under the write lock. Returns its messages, after one that names the holder of a seized lock. */
  private async alone(work: () => readonly string[]): Promise<readonly string[]> {
    this.mustBeThere();
    const lock = this.processes.lock(this.paths.lock, this.clock);
    const holder = lock.holder();
    const done: string[] = [];
    // A command releases the lock quickly. A live holder that keeps it longer is a service, which holds it for life.
    let looks = 0;
    if (holder?.state === 'alive') await lock.acquire(() => ++looks > MAX_LOCK_CHECKS);
    else if (await lock.seize()) done.push(`Took the write lock from ${holder?.who ?? 'another process'}.`);
    try {
      return [...done, ...work()];
    } finally {
      lock.release();
    }
  }

  async mergeFiles(files: {
    base: string;
    ours: string;
    theirs: string;
  }): Promise<{ text: string; tasks: number; lost: number }> {
    return mergeTexts(plainText(files.base), plainText(files.ours), plainText(files.theirs));
  }

  /** Records findings of the store itself: torn ends, hand edits, merged branches. */
  private async writeDown(): Promise<string[]> {
    const { log, pending } = loadStore(this.paths);
    const torn = log.size > log.end;
    const edited = pending.some(({ op }) => op !== 'adopt');
    if (!torn && !edited) return [];
    const { folder } = this.paths;
    const store = await FileStore.open({ folder, clock: this.clock, processes: this.processes, hold: false });
    try {
      await store.commit(() => ({ events: [], result: undefined }));
    } finally {
      await store.close();
    }
    return [
      ...(torn ? ['Moved the torn end of the log to .workgraph/service/lost+found/.'] : []),
      ...(pending.some(({ op }) => op === 'merge') ? ['Recorded that branches were merged.'] : []),
      ...(pending.some(({ op }) => op === 'hand_edit') ? ['Recorded the changes made by hand.'] : []),
    ];
  }

  private mustBeThere(): void {
    refuseLinks(this.paths);
    if (!holdsGraph(this.paths)) {
      throw new TroupeError('not_initialized', { what: `There is no task graph in ${this.paths.folder}.` });
    }
  }
}

/** Reads a file named by git. Rejects links and files too large to merge in memory. */
function plainText(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) {
    throw new TroupeError('not_found', { what: `There is no file ${file}.`, hint: 'Check the path.' });
  }
  if (!stats.isFile()) throw new TroupeError('unsafe_path', { what: `${file} is not a regular file.` });
  if (stats.size > WORK_LIMITS.mergeFileBytes) {
    throw new TroupeError('too_large', {
      what: `${file} is larger than can be merged (${WORK_LIMITS.mergeFileBytes} bytes).`,
      hint: 'Merge it as lines: the next command rebuilds the graph from the log.',
    });
  }
  return readFileSync(file, 'utf8');
}

/**
 * Requires the lock. Removes drafts of dead processes, completes the git files, restores line ends that git changed,
 * and removes conflict markers from the log.
 */
function repairFiles(paths: GraphLayout, now: number): string[] {
  const done: string[] = [];
  for (const file of draftsIn(paths)) {
    rmSync(file, { force: true });
    done.push(`Removed the draft ${path.basename(file)}.`);
  }
  const converted = convertedFiles(paths);
  for (const file of converted) restoreLineEnds(file);
  const project = path.dirname(paths.folder);
  const keeping = keepingLines(paths, converted);
  if (keeping.length > 0) {
    const attributes = path.join(project, '.gitattributes');
    refuseLink(attributes);
    addLines(attributes, keeping);
  }
  if (converted.length > 0)
    done.push(`Gave ${plural(converted.length, 'file')} the line ends back that git had changed.`);
  for (const name of Object.keys(WANTED_LINES) as (keyof typeof WANTED_LINES)[]) {
    const file = gitFile(paths, name);
    if (missingLines(file, name).length === 0) continue;
    refuseLink(file);
    addLines(file, WANTED_LINES[name]);
    done.push(`Completed ${name}.`);
  }
  const removed = removeMarkers(paths, now);
  if (removed > 0)
    done.push(`Removed ${removed} conflict markers from the log; the original is in .workgraph/service/lost+found/.`);
  return done;
}

/** Requires the lock. Moves the snapshot aside and removes the records of its last write, to rebuild it. */
function setAside(paths: GraphLayout, place: string): readonly string[] {
  const line = mainLine(readLog(paths.log).entries);
  if (line.length === 0 || stateOfLog(paths, line) === undefined)
    throw new TroupeError('corrupt', {
      what: 'The log does not reach back to the beginning: only graph.jsonl has the earlier tasks.',
      hint: 'Restore the files in .workgraph/log/ from version control or a backup.',
    });
  mkdirSync(paths.lostAndFound, { recursive: true, mode: PRIVATE_FOLDER });
  if (existsSync(paths.graph)) renameSync(paths.graph, place);
  for (const file of [paths.mark, paths.base]) rmSync(file, { force: true });
  return [];
}

/** Entries on both sides of a conflict count; only the markers around them are removed. */
function removeMarkers(paths: GraphLayout, now: number): number {
  const before = readText(paths.log) ?? '';
  const lines = before.split('\n');
  const { marks } = conflictRegions(lines);
  const isEntry = (line: string) => parseJsonObject(line) !== undefined;
  const removed = [...marks].filter((index) => !isEntry(lines[index] ?? ''));
  if (removed.length === 0) return 0;
  mkdirSync(paths.lostAndFound, { recursive: true, mode: PRIVATE_FOLDER });
  writeFileSync(path.join(paths.lostAndFound, `operations-conflict-${now}.jsonl`), readFileSync(paths.log), {
    mode: PRIVATE_FILE,
  });
  const removedLines = new Set(removed);
  const text = lines.filter((_, index) => !removedLines.has(index)).join('\n');
  replaceFile(paths.log, text, { sync: true, draft: paths.logDraft });
  return removed.length;
}

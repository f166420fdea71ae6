import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where things lie below `.workgraph/`. `service/` is runtime and never under version control. */
export interface StorePaths {
  readonly folder: string;
  readonly graph: string;
  readonly log: string;
  readonly service: string;
  readonly lock: string;
  /** Which log position the snapshot holds, and what the snapshot looked like when we wrote it. */
  readonly mark: string;
  /** A copy of the snapshot as we wrote it, to tell exactly what a hand changed. */
  readonly base: string;
  /** Where a new snapshot is put together; out of sight of git and of people. */
  readonly graphDraft: string;
  readonly logDraft: string;
  /** A second name for the log of a process that holds the graph for life: git replaces files. */
  readonly kept: string;
  /** Answers to requests in closed pieces of the log, so that a service that begins need not unpack these. */
  readonly answers: string;
  readonly lostAndFound: string;
  /** Closed pieces of the log, and graphs as they were found. */
  readonly pieces: string;
  /** Archived tasks, one a line; can be made from the log at any time. */
  readonly archive: string;
  readonly archiveDraft: string;
}

/** A folder is a graph by its files: `service/` alone is what a command leaves that ran where there is none. */
export function holdsGraph(folder: string): boolean {
  return existsSync(path.join(folder, 'operations.jsonl')) || existsSync(path.join(folder, 'graph.jsonl'));
}

export function storePaths(folder: string): StorePaths {
  const service = path.join(folder, 'service');
  return {
    folder,
    graph: path.join(folder, 'graph.jsonl'),
    log: path.join(folder, 'operations.jsonl'),
    service,
    lock: path.join(service, 'write.lock'),
    mark: path.join(service, 'snapshot.json'),
    base: path.join(service, 'graph.base.jsonl'),
    graphDraft: path.join(service, 'graph.draft.jsonl'),
    logDraft: path.join(service, 'operations.draft.jsonl'),
    kept: path.join(service, 'operations.kept.jsonl'),
    answers: path.join(service, 'answers.jsonl'),
    lostAndFound: path.join(service, 'lost+found'),
    pieces: path.join(folder, 'log'),
    archive: path.join(folder, 'archive.jsonl'),
    archiveDraft: path.join(service, 'archive.draft.jsonl'),
  };
}

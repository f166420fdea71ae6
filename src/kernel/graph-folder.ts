import path from 'node:path';

/** Name of the graph folder in the folder of its project. */
export const GRAPH_FOLDER = '.workgraph';

/** Paths in one graph folder, `folder`. Subfolders define the paths of their own content. */
export type GraphLayout = Readonly<ReturnType<typeof graphLayout>>;

export function graphLayout(folder: string) {
  const top = path.join(folder, path.sep);
  /** Runtime data, never under version control. */
  const service = `${top}service`;
  const worker = `${top}worker`;
  return {
    folder,
    graph: `${top}graph.jsonl`,
    log: `${top}operations.jsonl`,
    /** Closed pieces of the log, and graphs as they were found. */
    pieces: `${top}log`,
    /** Archived tasks, one per line; can be rebuilt from the log. */
    archive: `${top}archive.jsonl`,
    gitIgnore: `${top}.gitignore`,
    gitAttributes: `${top}.gitattributes`,
    settings: `${top}config.toml`,
    context: `${top}context.md`,
    teams: `${top}teams.db`,
    agency: `${top}agency`,
    federation: `${top}federation.yaml`,
    executors: `${top}executors`,
    functions: `${top}functions`,
    imports: `${top}imports`,
    proposals: `${top}roles/proposals`,
    /** Records of crews, for readers without access to the graph. */
    formations: `${top}formations`,
    /** Graphs as they were before tasks were reopened. */
    snapshots: `${top}runs`,
    /** One folder per run. */
    agents: `${top}agents`,
    reports: `${top}reports`,
    worktrees: `${top}worktrees`,
    /** Data of a worker here, separate from a service: its accepted attempts, and one folder per run. */
    worker,
    workerLock: `${worker}/worker.lock`,
    /** Key by which the worker reclaims its name after it was killed. */
    workerKey: `${worker}/key`,
    workerOrders: `${worker}/orders`,
    workerRuns: `${worker}/agents`,
    service,
    lock: `${service}/write.lock`,
    /** Log position of the snapshot, and its state as Troupe wrote it. */
    mark: `${service}/snapshot.json`,
    /** Copy of the snapshot as Troupe wrote it, to determine hand edits. */
    base: `${service}/graph.base.jsonl`,
    /** Draft of a new snapshot, hidden from git and people. */
    graphDraft: `${service}/graph.draft.jsonl`,
    logDraft: `${service}/operations.draft.jsonl`,
    pieceDraft: `${service}/piece.draft.gz`,
    archiveDraft: `${service}/archive.draft.jsonl`,
    /** Hard link to the log of a process that holds the graph for life, because git replaces files. */
    kept: `${service}/operations.kept.jsonl`,
    /** Answers to requests in closed pieces of the log, so that a starting service need not decompress these. */
    answers: `${service}/answers.jsonl`,
    /** Outline of the nodes of a large snapshot, so that few of its lines need parsing. */
    outline: `${service}/graph.outline.json`,
    lostAndFound: `${service}/lost+found`,
    state: `${service}/state.json`,
    socket: `${service}/daemon.sock`,
    daemonLog: `${service}/daemon.log`,
    /** Tokens for programs that have no login link; the second one is read-only. */
    token: `${service}/http-token`,
    viewerToken: `${service}/http-viewer-token`,
    roleChanges: `${service}/changes/roles`,
    modelRuns: `${service}/model-runs`,
    proposal: `${service}/proposal.json`,
    outputs: `${service}/outputs.json`,
    /** One exchange with a forge at a time. */
    forgeLock: `${service}/forge.lock`,
  };
}

/** Layout of the project in this folder. */
export function layoutOf(projectFolder: string): GraphLayout {
  return graphLayout(path.join(projectFolder, GRAPH_FOLDER));
}

/** The same paths relative to the top of a project, as git and people name them. */
export const FROM_PROJECT = graphLayout(GRAPH_FOLDER);

/** Folders of the runs on this machine: those of the project's service, and those that it executes as a worker. */
export function runsFoldersOf({ agents, workerRuns }: GraphLayout): readonly string[] {
  return [agents, workerRuns];
}

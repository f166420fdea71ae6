import path from 'node:path';

/** Name of the graph folder in the folder of its project. */
export const GRAPH_FOLDER = '.workgraph';

/** Where everything lies in one graph folder, which is `folder`. What each part keeps in a folder of its own, it names itself. */
export type GraphLayout = Readonly<ReturnType<typeof graphLayout>>;

export function graphLayout(folder: string) {
  const top = path.join(folder, path.sep);
  /** Runtime: never under version control. */
  const service = `${top}service`;
  const worker = `${top}worker`;
  return {
    folder,
    graph: `${top}graph.jsonl`,
    log: `${top}operations.jsonl`,
    /** Closed pieces of the log, and graphs as they were found. */
    pieces: `${top}log`,
    /** Archived tasks, one a line; can be made from the log at any time. */
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
    /** Records of crews, for those who cannot read the graph. */
    formations: `${top}formations`,
    /** The graph as it was before tasks were opened again. */
    snapshots: `${top}runs`,
    /** A folder for each attempt. */
    agents: `${top}agents`,
    reports: `${top}reports`,
    worktrees: `${top}worktrees`,
    /** What a worker here has of its own, apart from a service: attempts that it took, a folder for the run of each. */
    worker,
    workerLock: `${worker}/worker.lock`,
    /** What it takes up its name by when it was killed. */
    workerKey: `${worker}/key`,
    workerOrders: `${worker}/orders`,
    workerRuns: `${worker}/agents`,
    service,
    lock: `${service}/write.lock`,
    /** Which log position the snapshot holds, and what the snapshot looked like when we wrote it. */
    mark: `${service}/snapshot.json`,
    /** A copy of the snapshot as we wrote it, to tell exactly what a hand changed. */
    base: `${service}/graph.base.jsonl`,
    /** Where a new snapshot is put together; out of sight of git and of people. */
    graphDraft: `${service}/graph.draft.jsonl`,
    logDraft: `${service}/operations.draft.jsonl`,
    pieceDraft: `${service}/piece.draft.gz`,
    archiveDraft: `${service}/archive.draft.jsonl`,
    /** A second name for the log of a process that holds the graph for life: git replaces files. */
    kept: `${service}/operations.kept.jsonl`,
    /** Answers to requests in closed pieces of the log, so that a service that begins need not unpack these. */
    answers: `${service}/answers.jsonl`,
    /** The nodes of a large snapshot in outline, so that few of its lines need be parsed. */
    outline: `${service}/graph.outline.json`,
    lostAndFound: `${service}/lost+found`,
    state: `${service}/state.json`,
    socket: `${service}/daemon.sock`,
    daemonLog: `${service}/daemon.log`,
    /** Shown by programs that are not given a link, to be let in; the second lets them only look. */
    token: `${service}/http-token`,
    viewerToken: `${service}/http-viewer-token`,
    roleChanges: `${service}/changes/roles`,
    modelRuns: `${service}/model-runs`,
    proposal: `${service}/proposal.json`,
    outputs: `${service}/outputs.json`,
  };
}

/** The layout of the project in this folder. */
export function layoutOf(projectFolder: string): GraphLayout {
  return graphLayout(path.join(projectFolder, GRAPH_FOLDER));
}

/** The same from the top of a project, as git and people name it. */
export const FROM_PROJECT = graphLayout(GRAPH_FOLDER);

/** The folders of the runs of a project at this machine: of those of its service, and of those that it carries out as a worker. */
export function runsFoldersOf({ agents, workerRuns }: GraphLayout): readonly string[] {
  return [agents, workerRuns];
}

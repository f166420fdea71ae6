import path from 'node:path';

/** Name of the graph folder in the folder of its project. */
export const GRAPH_FOLDER = '.workgraph';

/** Everything that has a place in a graph folder, by name. What each keeps in a folder of its own, it names itself. */
const PARTS = {
  graph: 'graph.jsonl',
  log: 'operations.jsonl',
  /** Closed pieces of the log, and graphs as they were found. */
  pieces: 'log',
  /** Archived tasks, one a line; can be made from the log at any time. */
  archive: 'archive.jsonl',
  gitIgnore: '.gitignore',
  gitAttributes: '.gitattributes',
  settings: 'config.toml',
  context: 'context.md',
  teams: 'teams.db',
  agency: 'agency',
  federation: 'federation.yaml',
  executors: 'executors',
  functions: 'functions',
  imports: 'imports',
  proposals: 'roles/proposals',
  /** Records of crews, for those who cannot read the graph. */
  formations: 'formations',
  /** The graph as it was before tasks were opened again. */
  snapshots: 'runs',
  /** A folder for each attempt. */
  agents: 'agents',
  reports: 'reports',
  worktrees: 'worktrees',
  service: 'service',
} as const;

/** The same of `service/`, which is runtime and never under version control. */
const RUNTIME_PARTS = {
  lock: 'write.lock',
  /** Which log position the snapshot holds, and what the snapshot looked like when we wrote it. */
  mark: 'snapshot.json',
  /** A copy of the snapshot as we wrote it, to tell exactly what a hand changed. */
  base: 'graph.base.jsonl',
  /** Where a new snapshot is put together; out of sight of git and of people. */
  graphDraft: 'graph.draft.jsonl',
  logDraft: 'operations.draft.jsonl',
  pieceDraft: 'piece.draft.gz',
  archiveDraft: 'archive.draft.jsonl',
  /** A second name for the log of a process that holds the graph for life: git replaces files. */
  kept: 'operations.kept.jsonl',
  /** Answers to requests in closed pieces of the log, so that a service that begins need not unpack these. */
  answers: 'answers.jsonl',
  /** The nodes of a large snapshot in outline, so that few of its lines need be parsed. */
  outline: 'graph.outline.json',
  lostAndFound: 'lost+found',
  state: 'state.json',
  socket: 'daemon.sock',
  daemonLog: 'daemon.log',
  /** Shown by programs that are not given a link, to be let in; the second lets them only look. */
  token: 'http-token',
  viewerToken: 'http-viewer-token',
  roleChanges: 'changes/roles',
  modelRuns: 'model-runs',
  proposal: 'proposal.json',
  outputs: 'outputs.json',
} as const;

/** Where everything lies in one graph folder, which is `folder`. */
export type GraphLayout = Readonly<Record<keyof typeof PARTS | keyof typeof RUNTIME_PARTS | 'folder', string>>;

export function graphLayout(folder: string): GraphLayout {
  const top = path.join(folder, path.sep);
  return { folder, ...below(top, PARTS), ...below(`${top}${PARTS.service}/`, RUNTIME_PARTS) };
}

function below<Part extends string>(top: string, parts: Readonly<Record<Part, string>>): Record<Part, string> {
  return Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, top + name])) as Record<Part, string>;
}

/** The layout of the project in this folder. */
export function layoutOf(projectFolder: string): GraphLayout {
  return graphLayout(path.join(projectFolder, GRAPH_FOLDER));
}

/** The same from the top of a project, as git and people name it. */
export const FROM_PROJECT = graphLayout(GRAPH_FOLDER);

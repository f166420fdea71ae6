/** Of what is shown and looked at: pages, pictures, analyses, git, worktrees, reviews. */
export const SURFACE_LIMITS = {
  /** Files that were written by name and are known again. */
  outputsKnown: 200,
  httpBodyBytes: 1024 * 1024,
  httpHeaderBytes: 16 * 1024,
  httpHeadersMs: 10_000,
  httpRequestMs: 30_000,
  httpKeepAliveMs: 5_000,
  httpConnections: 128,
  eventStreams: 32,
  eventHeartbeatMs: 15_000,
  sessions: 64,
  sessionMs: 12 * 60 * 60_000,
  webFileBytes: 8 * 1024 * 1024,

  /** Most tasks one picture of the graph holds, and most rows one list of the status page holds. */
  pictureTasks: 2_000,
  statusRows: 50,
  /** Agents of an organisation that a page shows. */
  organisationRows: 500,
  /** Workers that are shown, and results of theirs that came too late. */
  workerRows: 200,
  refusedRows: 5,
  /** Most tasks and edges that `viz` draws. */
  vizTasks: 20_000,
  vizEdges: 60_000,
  dotMs: 60_000,
  dotBytes: 64 * 1024 * 1024,
  loginCodeMs: 10 * 60_000,

  /** Analyses: rows of a ranking, of a list that may be as long as the graph, and what is followed of long chains. */
  bottlenecks: 10,
  analysisRows: 1_000,
  impactChains: 100,
  impactChainTasks: 100,
  blockingDepth: 100,
  blockingTasks: 1_000,
  velocityWeeks: 520,
  discoverMs: 366 * 24 * 60 * 60_000,
  resourceTextCharacters: 300,

  /** What is shown of the difference between a team and the last commit. */
  syncPatchCharacters: 200_000,
  commitMessageCharacters: 10_000,
  gitOutputBytes: 64 * 1024 * 1024,
  gitTimeoutMs: 60_000,
  /** A git that answers question after question ends when it was asked nothing for so long. */
  gitReaderIdleMs: 1_000,
  gitCopyTimeoutMs: 10 * 60_000,

  /** Of a worktree or a landing: files and commits named, attempts looked at in one list. */
  treeListTries: 6,
  treeFiles: 200,
  /** Files that are copied into a worktree since git ignores them. */
  includedFiles: 1_000,
  /** What is shown of what an attempt changed, line by line. */
  attemptPatchBytes: 256 * 1024,
  treeCommits: 50,
  treesListed: 500,
  /** How often a merge is begun anew because the integration branch moved meanwhile. */
  mergeAttempts: 20,
  /** A run that ends without a service tries to settle itself for so long, in such steps. */
  settleOfflineMs: 60_000,
  settleAgainMs: 250,
  /** Who takes a task from a run that has ended waits so long for the end to be settled. */
  settleFirstMs: 20_000,
  /** How often, and after which pause, taking over work is tried again while another git is at it. */
  takeOverTries: 20,
  takeOverPauseMs: 500,
  /** So often, and so long, work is finished again while the remote over which machines exchange it is away. */
  remoteAgainMs: 5_000,
  remoteAwayMs: 10 * 60_000,
  /** Labels that one task may need. */
  labelsNeeded: 16,
  /** How many attempts before one are asked for at the remote, for work to go on from. */
  earlierAttemptsBrought: 3,
  /** Artifacts of a task that its evidence names, and how large one may be to be hashed. */
  evidenceArtifacts: 100,
  artifactBytes: 256 * 1024 * 1024,
  /** A lock that git left in a worktree counts as left behind after this, where nobody can tell who holds it. */
  gitLockStaleMs: 10 * 60_000,

  /** One inspection looks at no more than this. */
  inspectFiles: 20_000,
  inspectFileBytes: 1024 * 1024,
  inspectTotalBytes: 256 * 1024 * 1024,
  inspectMs: 60_000,
  inspectFindings: 200,
  /** What a package says of its licence is read as an expression up to this length. */
  licenceCharacters: 1_000,
  excerptBytes: 8 * 1024,
  reportFileBytes: 32 * 1024 * 1024,

  /** Installed dependencies are copied into the scratch worktree up to here; more of them are left out, with a finding. */
  copyFiles: 200_000,
  copyBytes: 3 * 1024 * 1024 * 1024,
  copyMs: 3 * 60_000,

  /** Time boxes of one command of the reviewed repository. */
  commandFastMs: 3 * 60_000,
  commandAllMs: 10 * 60_000,
  commandGraceMs: 2_000,
  commandOutputBytes: 256 * 1024,
  commandsMost: 8,

  historyCommits: 5_000,
  historyMonths: 12,
  bigFileBytes: 1024 * 1024,
} as const;

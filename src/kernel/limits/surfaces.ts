/** Limits of the user interfaces and of inspections: pages, graphs, analyses, git, worktrees, reviews. */
export const SURFACE_LIMITS = {
  /** Maximum output files whose hashes are remembered. */
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
  /** Secrets of the HTTP API of one project, and their longest life. */
  accessTokens: 64,
  accessTokenMs: 366 * 24 * 60 * 60_000,
  /** Wrong secrets from one address within a time, after which every further one is refused unseen. */
  failedTries: 30,
  failedTriesMs: 60_000,
  /** Addresses whose wrong secrets are counted. */
  failedAddresses: 1_000,
  /** Interval at which the files of a certificate are looked at for a renewal. */
  certificateLookMs: 60_000,
  /** Resources that a client is shown to choose from. */
  resourcesListed: 200,
  webFileBytes: 8 * 1024 * 1024,

  /** Maximum tasks of one drawing of the graph, and rows of one list of the status page. */
  pictureTasks: 2_000,
  /** Values offered by a filter; lanes of a board, and cards of each of its cells unless told; opened groups. */
  filterChoices: 200,
  boardLanes: 30,
  boardCards: 20,
  openedGroups: 50,
  statusRows: 50,
  /** Maximum agents shown of an organisation. */
  organisationRows: 500,
  /** Maximum workers shown, and refused results. */
  workerRows: 200,
  refusedRows: 5,
  /** Maximum tasks and edges drawn by `viz`. */
  vizTasks: 20_000,
  vizEdges: 60_000,
  dotMs: 60_000,
  dotBytes: 64 * 1024 * 1024,
  loginCodeMs: 10 * 60_000,

  /** Analyses: rows of a ranking, rows of other lists, and limits of chains that are followed. */
  bottlenecks: 10,
  analysisRows: 1_000,
  impactChains: 100,
  impactChainTasks: 100,
  blockingDepth: 100,
  blockingTasks: 1_000,
  velocityWeeks: 520,
  discoverMs: 366 * 24 * 60 * 60_000,
  resourceTextCharacters: 300,

  /** Length of the displayed diff between a team and the last commit. */
  syncPatchCharacters: 200_000,
  commitMessageCharacters: 10_000,
  gitOutputBytes: 64 * 1024 * 1024,
  gitTimeoutMs: 60_000,
  /** Idle time after which a long-lived git process is ended. */
  gitReaderIdleMs: 1_000,
  /** Answers kept about commits, which never change, and the length of each. */
  gitKeptAnswers: 2_000,
  gitKeptCharacters: 4_000,
  /** Branches that a commit is compared with in one call. */
  gitTipsCompared: 100,
  gitCopyTimeoutMs: 10 * 60_000,

  /**
   * Worktrees and landing: attempts to remove a worktree or move a ref; files and, below, commits named; attempts
   * listed.
   */
  treeListTries: 6,
  /** Unit of the random pause, in milliseconds, before git is asked again for its worktrees. */
  treeListPauseMs: 20,
  treeFiles: 1_000,
  /** Maximum git-ignored files copied into a worktree. */
  includedFiles: 1_000,
  /** Maximum bytes of the displayed patch of an attempt. */
  attemptPatchBytes: 1024 * 1024,
  treeCommits: 50,
  treesListed: 500,
  /** Maximum attempts of a merge, if the integration branch moves meanwhile. */
  mergeAttempts: 20,
  /** Time after which a merge no longer delays the next one. */
  mergeTurnMs: 10_000,
  /** Maximum number of runs whose work is checked and merged at once, and time after which one no longer delays others. */
  finishesAtOnce: 2,
  finishTurnMs: 2_000,
  /** Time in which a run that ends without a service tries to settle itself, and the interval of attempts. */
  settleOfflineMs: 60_000,
  settleAgainMs: 250,
  /** Time to wait until the end of a run is settled before its task is taken over. */
  settleFirstMs: 20_000,
  /** Attempts to take over work while another git process uses it, and the pause between them. */
  takeOverTries: 20,
  takeOverPauseMs: 500,
  /** Interval and total time of attempts while a remote or the database is unreachable. */
  remoteAgainMs: 5_000,
  remoteAwayMs: 10 * 60_000,
  /** Maximum labels required by one task. */
  labelsNeeded: 16,
  /** Number of earlier attempts requested from the remote, to continue their work. */
  earlierAttemptsBrought: 3,
  /** Maximum artifacts named in a task's evidence, and bytes of one that is hashed. */
  evidenceArtifacts: 100,
  artifactBytes: 256 * 1024 * 1024,
  /** Age after which a git lock in a worktree counts as stale, if its holder cannot be determined. */
  gitLockStaleMs: 10 * 60_000,

  /** Limits of one inspection. */
  inspectFiles: 20_000,
  inspectFileBytes: 1024 * 1024,
  inspectTotalBytes: 256 * 1024 * 1024,
  inspectMs: 60_000,
  inspectFindings: 200,
  /** Maximum length of a package's licence field that is parsed as an expression. */
  licenceCharacters: 1_000,
  excerptBytes: 8 * 1024,
  reportFileBytes: 32 * 1024 * 1024,

  /**
   * Limits for copying installed dependencies into the scratch worktree; if they are exceeded, the copy is omitted,
   * with a finding.
   */
  copyFiles: 200_000,
  copyBytes: 3 * 1024 * 1024 * 1024,
  copyMs: 3 * 60_000,
  /** Maximum concurrent copies: enough to keep a disk busy, without monopolising it. */
  copiesAtOnce: 16,

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

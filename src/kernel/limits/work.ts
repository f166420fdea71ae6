/**
 * Named limits, by topic.
 * @packageDocumentation
 */
/** Limits of the graph, its storage, the service and its runs. */
export const WORK_LIMITS = {
  titleCharacters: 300,
  idCharacters: 100,
  descriptionBytes: 256 * 1024,
  logMessageBytes: 16 * 1024,
  edgesPerTask: 1_000,
  /** Maximum changes of a plan before it is started. */
  planEdits: 200,
  lineBytes: 4 * 1024 * 1024,
  /** Maximum nesting of objects and lists in a line from another program. */
  jsonDepth: 64,
  /** Maximum nesting in a YAML file, because each level uses the stack. */
  yamlDepth: 500,
  /** Length above which an event about many tasks is split; the parts form one group. */
  eventCharacters: 512 * 1024,

  /** Maximum heads of a log that are merged. A log with more was not created by merging branches. */
  mergeHeads: 64,
  /** Maximum ids in each list of a merge event; its patch has all of them. */
  mergeNamed: 1_000,
  /** Maximum attempts to determine whether a line comes from the merge driver or from a person. */
  mergeTries: 2_000,

  /** Time that a change waits until git has written all files of a merge. */
  gitSettleMs: 2_000,
  /** Maximum bytes of another tool's history, decompressed. */
  legacyLogBytes: 64 * 1024 * 1024,
  /** Maximum bytes of a version of graph.jsonl that git's merge driver reads. */
  mergeFileBytes: 256 * 1024 * 1024,

  /**
   * Up to the first two limits the readable snapshot is updated at once after every commit; the others limit its delay.
   */
  snapshotNodesAtOnce: 2_000,
  snapshotBytesAtOnce: 2 * 1024 * 1024,
  snapshotTailEvents: 1_000,
  snapshotTailBytes: 4 * 1024 * 1024,
  /** Writing this many nodes of a large graph costs as much as reading one event of the log again. */
  snapshotNodesAnEvent: 4,
  snapshotQuietMs: 2_000,
  snapshotLatestMs: 30_000,
  /** While the service runs, delay of a small graph's snapshot, to combine a burst into one write. */
  snapshotSettleMs: 100,
  /** Writing small snapshots may take a fiftieth of the time: after a slow one, the next comes later. */
  snapshotShare: 50,
  /** A large snapshot takes longer and is due less often: it may take a fifth of the time. */
  largeSnapshotShare: 4,

  /**
   * Bytes of a snapshot parsed at once. Longer strings would be freed late, because V8 does not allocate them in the
   * young generation.
   */
  snapshotPieceBytes: 64 * 1024,
  /** Size at which the log is rotated and compressed; maximum size of a closed piece, decompressed. */
  logBytes: 10 * 1024 * 1024,
  unpackedBytes: 512 * 1024 * 1024,
  /** Approximate maximum bytes of one event of a change with many whole tasks. */
  eventBytes: 1024 * 1024,
  /** Maximum number of steps back in search of a predecessor that is missing from the log. */
  predecessorSteps: 1_000,
  /** Retention of answers to repeated requests: their age and number. */
  answeredMs: 24 * 60 * 60_000,
  answeredMost: 10_000,
  /** Maximum retired ids stored in the mark; more are stored in a file of their own. */
  retiredInMark: 200,

  settingsBytes: 1024 * 1024,
  /** Maximum bytes of the answer of one tool of an agent. */
  toolAnswerBytes: 256 * 1024,
  archiveRows: 20,
  /** Maximum tasks that `gc` removes without confirmation. */
  removedUnasked: 20,

  lockWaitMs: 10_000,
  lockPollLeastMs: 1,
  lockPollMostMs: 6,
  /** One of this many attempts also checks whether the holder of the lock is alive. */
  lockAttemptsPerLivenessCheck: 16,
  /** Attempts before the lock is taken from its holder. */
  lockAttemptsBeforeSeize: 50,
  /** Maximum locks on taking over a lock, one within the other. */
  lockDepth: 4,
  /**
   * Interval at which a lock is renewed, and the age at which it is stale if its holder's process cannot be checked.
   */
  lockRenewMs: 15_000,
  lockStaleMs: 60_000,
  /** A holder that had the lock for longer also removes what killed processes left beside it. */
  lockLongMs: 1_000,

  /**
   * Maximum bytes of a request line on the socket, and time until the connection of a longer one is closed after the
   * error.
   */
  socketLineBytes: 1024 * 1024,
  socketHangUpMs: 1_000,
  /** Maximum unanswered lines of a connection; further ones are not read until then. */
  socketLinesWaiting: 64,
  /** Maximum length of a socket path, with room for the suffix of its temporary name: systems allow 103 bytes. */
  socketPathBytes: 96,
  /** Time to wait for the service before it is asked for a sign of life, and time to wait for that. */
  serviceSilentMs: 5_000,
  /** Maximum projects of a person that are listed, bytes of the record of one, and time to wait for what waits there. */
  servedProjects: 50,
  serviceRecordBytes: 16 * 1024,
  otherServiceMs: 1_000,
  /** Log of the service: its size, number of old files kept, maximum delay and length of a line. */
  daemonLogBytes: 10 * 1024 * 1024,
  daemonLogsKept: 3,
  daemonLogDelayMs: 10,
  /** Maximum lines of it that a page shows. */
  serviceLogLines: 300,
  daemonLineCharacters: 16 * 1024,

  agentsDefault: 4,
  /** Maximum nesting of cycles that is detected. */
  nestedCycles: 32,
  /** Maximum tasks of a cycle named in one sentence. */
  cycleMembersTold: 5,
  /** Maximum tasks searched from a new edge before the whole graph is searched for cycles. */
  cycleSearchTasks: 10_000,
  cycleIterations: 10_000,
  cycleFailureRestarts: 3,
  rejections: 3,
  waitConditions: 20,
  /** Maximum operations of one task that a command shows, latest first. */
  operationsShown: 1_000,
  verifyMs: 600_000,
  /** Polling interval of files that a task waits for. */
  filePollMs: 2_000,
  /** Tasks that a run may create, and their maximum depth below the first task. */
  childTasksPerAgent: 10,
  taskDepth: 8,
  /**
   * Limits for all runs of a project together: unfinished tasks that they created, and tasks that they create per
   * minute.
   */
  seededTasksUnfinished: 1_000,
  seededTasksPerMinute: 120,
  seededRateMs: 60_000,
  /** Maximum rounds of consequences of one change, for example of nested cycles. */
  consequenceRounds: 200,
  agentsMost: 256,
  /** Maximum clients named as substitutes for others. */
  standInsMost: 10,
  pollIntervalMs: 60_000,
  /** Maximum sessions stored, including archived ones, and tags or roots of one. */
  sessionsKept: 1_000,
  sessionScope: 100,
  chatShown: 50,
  pollIntervalMostSeconds: 86_400,
  /** Time within which requests for a tick share one, so that runs which end together are settled together. */
  tickCoalesceMs: 1,
  /** Pause after a tick, so that a burst of changes needs one tick instead of one each. */
  tickRestMs: 20,
  /** Delay of the next tick after one in which something failed; doubled if it fails again. */
  tickAgainMs: 500,
  /** Time that a requested tick waits for the work it started: preparation of runs, questions to models. */
  tickWaitMs: 60_000,
  /** Time to wait for the current round before its inputs are changed. */
  roundEndMs: 5_000,
  /** Time after which a command that waits for a service to end says so. */
  waitToldMs: 1_000,
  /** Time that a service which ended its runs waits for results that are being merged. */
  lastResultsMs: 15_000,
  /** Inactivity after which a model client is ended. */
  silentRunMs: 300_000,
  silentRunsLeast: 2,
  backOffLeastMs: 60_000,
  backOffMostMs: 900_000,
  /**
   * Pause of a client whose provider fails, doubled up to the maximum; a rejected key is tried again after the maximum.
   */
  holdLeastMs: 15_000,
  holdMostMs: 15 * 60_000,
  /** Latest reset time that is believed of a provider, and time after it until a run probes it. */
  resetMostMs: 32 * 86_400_000,
  resetMarginMs: 15_000,
  /** Time to wait for the first run of a client before others start, because a fault would affect all of them. */
  firstRunMs: 10_000,
  /**
   * Deaths of a task's runs: the period in which they are counted, the pause after one, and the number that ends the
   * task.
   */
  deathWindowMs: 300_000,
  deathPauseMs: 60_000,
  maxDeaths: 5,
  /** Consecutive failed starts after which a person is notified. */
  failedStartsTold: 3,
  /** Total deaths after which a task is given up, regardless of the time between them: it only causes costs. */
  deathsInAll: 20,
  /** Minimum remaining budget with which a run is started. */
  reserveUsdLeast: 0.05,
  reserveTokensLeast: 10_000,
  /**
   * Reservation for a question to a model: minimum bytes per token, tokens of the answer, high prices per million
   * tokens.
   */
  bytesPerTokenLeast: 3,
  modelAnswerTokens: 4_096,
  modelUsdPerMillionIn: 5,
  modelUsdPerMillionOut: 25,
  /** Share of a run's reservation from which it is increased, and time until a run above its reservation is ended. */
  topUpFrom: 0.75,
  topUpWaitMs: 5_000,
  /** Length of the prices in the settings. */
  ownPricesCharacters: 4_000,
  /** Number of tokens that a price refers to. */
  tokensPerPrice: 1_000_000,
  /** Time after the timeout of an unanswered question until its reservation is released. */
  modelReservationGraceMs: 60_000,
  /** Maximum attempts of a single command to reserve money, if others write meanwhile. */
  budgetTries: 20,
  /** Maximum ready tasks considered for a budget in one pass. */
  budgetCandidates: 64,
  /** Maximum different file problems that one service process reports. */
  problemsTold: 1_000,
  /** Question where a task belongs: tasks shown, their bytes, edges adopted, timeout. */
  placingRows: 300,
  placingBytes: 32 * 1024,
  placedEdges: 50,
  placingMs: 30_000,
  leaseMs: 60_000,
  leaseGraceMs: 30_000,
  /** Lease of a person's claim, renewed by the person's actions. */
  personLeaseMs: 7 * 24 * 60 * 60_000,
  /** Time that a client has for its last message after it reported its task. */
  lastWordMs: 30_000,
  heartbeatMs: 15_000,
  /** Interval without a check of the runs after which the machine is assumed to have slept. */
  sleptMs: 10_000,
  /** Workflows started by triggers: minimum interval of a heartbeat, maximum created at once, delay after a failure. */
  workflowHeartbeatMs: 30 * 60_000,
  workflowsAtOnce: 4,
  workflowAgainMs: 60_000,
  /** Interval at which their trust and the project's permissions are read again. */
  workflowLookMs: 30_000,
  /** Interval at which installed clients are detected again. */
  clientLookMs: 5_000,
  /** Delay until a run that could not be prepared is tried again, unless a remote or the database was unreachable. */
  prepareAgainMs: 60_000,
  /** Maximum patterns of git-ignored files that are copied into worktrees. */
  copyPatterns: 100,
  /** Maximum nesting of submodules that are initialised. */
  submoduleDepth: 5,
  /** Maximum output of a failed setup in its problem. */
  setupOutputCharacters: 1_000,
  /** Ports for servers of runs, below the ephemeral ports of systems: first port, ports per run, number of runs. */
  runPorts: { first: 10_000, each: 20, runs: 1_000 },
  /** Minimum intervals of writes of a heartbeat caused by events, and of the registry. */
  progressWriteMs: 1_000,
  registryWriteMs: 1_000,
  /** Maximum ended runs in the registry. */
  registryEnded: 200,
  /** Maximum bytes read of the records of run ends outside of the working tree. */
  runEndsBytes: 1024 * 1024,
  /** Maximum bytes of the events of one run; its output has the same limit. */
  streamBytes: 64 * 1024 * 1024,
  /**
   * Maximum output without a line end that is held back to detect secrets, and the part of it that is still held back
   * beyond that.
   */
  redactorHeldCharacters: 256 * 1024,
  redactorTailCharacters: 16 * 1024,
  /** Maximum bytes stored of a run's refused writes. */
  refusedBytes: 1024 * 1024,
  runFileBytes: 16 * 1024 * 1024,
  /** Time that a client may keep its output open after its end. */
  outputDrainMs: 2_000,
  agentIdleMs: 15 * 60_000,
  /** Turns of the model, and time, after which a client leaves a checkpoint. */
  checkpointTurns: 15,
  checkpointMs: 20 * 60_000,
  /** Triage of a dead run by a model: output shown, timeout, length of the answer. */
  triageOutputBytes: 50_000,
  triageMs: 30_000,
  triageTextCharacters: 4_000,
  /** Maximum times that a finished task is reopened because of messages, and minimum time between them. */
  resurrections: 3,
  resurrectionPauseMs: 60_000,
  /** Maximum conversations with unread messages per tick, and messages of each. */
  unreadConversations: 200,
  adoptedRunPollMs: 250,
  /** Silence after which a launcher with outstanding requests is replaced. */
  launcherSilentMs: 5_000,
  /** Interval at which a process that answers runs instead of a service checks whether that is still needed. */
  doorLookMs: 500,
  /** Time that a sandboxed run waits until its requests are answered. */
  doorWaitMs: 10_000,
  /** Timeout of the sandbox test, which runs a shell that does nothing. */
  sandboxTrialMs: 10_000,
  /** Time that a launcher has to end before it is killed. */
  launcherEndMs: 1_000,
  /** Maximum bytes of the output of `ps` with the environments of all processes. */
  processListBytes: 64 * 1024 * 1024,
  /** Maximum bytes of one argument of a program: the limit of the system. */
  commandBytes: 128 * 1024 - 1,
  /** Output shown of a failed check: last lines, their bytes, their characters. */
  lastLines: 5,
  lastLinesBytes: 1_024,
  checkShownCharacters: 200,
  /** Minimum interval of searches for remaining processes of ended runs. */
  leftoversEveryMs: 250,
  /** Time to wait on shutdown until killed processes are gone, and the polling interval. */
  leftoversGoneMs: 1_000,
  leftoversLookMs: 10,
  killGraceMs: 5_000,
  outputBytes: 64 * 1024 * 1024,
  outputTailBytes: 64 * 1024,
  /** Maximum bytes of a client's events that are read to show its output, and the polling interval of a follower. */
  outputEventBytes: 256 * 1024,
  outputFollowMs: 500,
  taskTimeoutMs: 30 * 60_000,
} as const;

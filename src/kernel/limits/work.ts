/**
 * Named limits, by topic.
 * @packageDocumentation
 */
/** Of the graph, its storage, the service and its runs. */
export const WORK_LIMITS = {
  titleCharacters: 300,
  idCharacters: 100,
  descriptionBytes: 256 * 1024,
  logMessageBytes: 16 * 1024,
  commitMessageCharacters: 8 * 1024,
  edgesPerTask: 1_000,
  lineBytes: 4 * 1024 * 1024,
  /** Objects and lists within one another in a line that somebody else wrote. */
  jsonDepth: 64,
  /** Levels of a YAML file; each takes part of the stack. */
  yamlDepth: 500,
  /** An event that tells of many tasks is split here; the parts are one group. */
  eventCharacters: 512 * 1024,

  /** Heads of a log that are put together; a log with more is not one that branches left behind. */
  mergeHeads: 64,
  /** Ids that the event of a merge names in each of its lists; the patch has them all. */
  mergeNamed: 1_000,
  /** Tries to find out whether a line came from the merge driver or from a person. */
  mergeTries: 2_000,

  /** So long a change waits for git to have put all files of a merge in place. */
  gitSettleMs: 2_000,
  /** A history that another tool left, unpacked. */
  legacyLogBytes: 64 * 1024 * 1024,
  /** A version of graph.jsonl that git's merge driver reads. */
  mergeFileBytes: 256 * 1024 * 1024,

  /** Up to here the readable snapshot follows every commit at once. */
  snapshotNodesAtOnce: 2_000,
  snapshotBytesAtOnce: 2 * 1024 * 1024,
  snapshotTailEvents: 1_000,
  snapshotTailBytes: 4 * 1024 * 1024,
  snapshotQuietMs: 2_000,
  snapshotLatestMs: 30_000,

  /** Of a snapshot, parsed in one call. Longer texts would be let go of late: V8 keeps them apart from what is young. */
  snapshotPieceBytes: 64 * 1024,
  /** The log is closed and packed away when it is this large; a piece of it, unpacked, is never larger than the other. */
  logBytes: 10 * 1024 * 1024,
  unpackedBytes: 512 * 1024 * 1024,
  /** Events of one change that holds many whole tasks are kept near this size. */
  eventBytes: 1024 * 1024,
  /** So long, and for so many, a request that is asked again gets its first answer. */
  answeredMs: 24 * 60 * 60_000,
  answeredMost: 10_000,
  /** Ids that are no longer in use stand in the mark up to this number, beyond in a file of their own. */
  retiredInMark: 200,

  settingsBytes: 1024 * 1024,
  /** What one tool of an agent answers. */
  toolAnswerBytes: 256 * 1024,
  archiveRows: 20,
  /** Up to so many tasks `gc` removes without a question. */
  removedUnasked: 20,

  lockWaitMs: 10_000,
  lockPollLeastMs: 1,
  lockPollMostMs: 6,
  /** So often a holder says that it is there, and after so long without that it is believed gone where nobody can look. */
  lockRenewMs: 15_000,
  lockStaleMs: 60_000,

  /** A line that is asked over the socket; what is longer is answered with an error, and hung up on after this time. */
  socketLineBytes: 1024 * 1024,
  socketHangUpMs: 1_000,
  /** Lines of one connection that wait for their turn; what it sends beyond them is not read until they are answered. */
  socketLinesWaiting: 64,
  /** Room for the name a socket has before it is there, in the 103 bytes that every system gives one. */
  socketPathBytes: 96,
  /** So long one waits for the service before one asks it for a sign of life, and so long for that. */
  serviceSilentMs: 5_000,
  /** The log of the service: its size, how many older ones are kept, and one line of it. */
  daemonLogBytes: 10 * 1024 * 1024,
  daemonLogsKept: 3,
  daemonLineCharacters: 16 * 1024,

  agentsDefault: 4,
  /** Cycles within cycles are looked for to this depth. */
  nestedCycles: 32,
  /** Tasks that wait for one another, named in one sentence. */
  cycleMembersTold: 5,
  /** A new edge that leads further than this makes us look for cycles in the whole graph. */
  cycleSearchTasks: 10_000,
  cycleIterations: 10_000,
  cycleFailureRestarts: 3,
  rejections: 3,
  waitConditions: 20,
  /** The latest operations of one task that a command shows. */
  operationsShown: 1_000,
  verifyMs: 600_000,
  /** How often files are looked at that a task waits for. */
  filePollMs: 2_000,
  /** What a run may add to the graph, and how far below the first task. */
  childTasksPerAgent: 10,
  taskDepth: 8,
  /** All runs of a project together: tasks they made that have not ended, and tasks they make within a minute. */
  seededTasksUnfinished: 1_000,
  seededTasksPerMinute: 120,
  seededRateMs: 60_000,
  /** Rounds in which one move may set off others, such as cycles within cycles. */
  consequenceRounds: 200,
  agentsMost: 256,
  /** Clients that may be named to take over from others. */
  standInsMost: 10,
  pollIntervalMs: 60_000,
  /** Sessions that are kept, archived ones too, and the tags or roots of one. */
  sessionsKept: 1_000,
  sessionScope: 100,
  chatShown: 50,
  pollIntervalMostSeconds: 86_400,
  /** Askings for a tick within this time share one: runs that end together are settled together. */
  tickCoalesceMs: 1,
  /** So long after a tick, changes wait for those that follow them: a burst of changes needs one tick, not one each. */
  tickRestMs: 20,
  /** So long after a tick in which something failed the next one comes, and after twice that where it fails again. */
  tickAgainMs: 500,
  /** A tick that somebody asked for waits so long for what it began: runs that are prepared, questions to models. */
  tickWaitMs: 60_000,
  /** Who changes what a round goes by waits so long for the one under way. */
  roundEndMs: 5_000,
  /** A model client that has done nothing for this long is ended. */
  silentRunMs: 300_000,
  silentRunsLeast: 2,
  backOffLeastMs: 60_000,
  backOffMostMs: 900_000,
  /** A client whose provider is in trouble is not started for so long, doubling; a refused key is tried again after the longest. */
  holdLeastMs: 15_000,
  holdMostMs: 15 * 60_000,
  /** The furthest reset that is believed of a provider, and so long after it one run sees whether it came. */
  resetMostMs: 32 * 86_400_000,
  resetMarginMs: 15_000,
  /** So long the first run of a client is waited for before others start: what it meets they would all meet. */
  firstRunMs: 10_000,
  /** Deaths of a task's runs within this time slow it down; so many of them end it. */
  deathWindowMs: 300_000,
  deathPauseMs: 60_000,
  maxDeaths: 5,
  /** So many attempts in a row that did not begin are a problem that a person is told of. */
  failedStartsTold: 3,
  /** However far apart: a task whose runs die so often costs for nothing. */
  deathsInAll: 20,
  /** Under a cap a run is started with what is left, down to this. */
  reserveUsdLeast: 0.05,
  reserveTokensLeast: 10_000,
  /** What a question to a model sets aside: a token is at least so many bytes, an answer so many tokens, both at a dear price. */
  bytesPerTokenLeast: 3,
  modelAnswerTokens: 4_096,
  modelUsdPerMillionIn: 5,
  modelUsdPerMillionOut: 25,
  /** A run that has used this part of what is set aside for it gets more, and one above it is ended after so long without more. */
  topUpFrom: 0.75,
  topUpWaitMs: 5_000,
  /** Prices that a person says in the settings. */
  ownPricesCharacters: 4_000,
  /** Prices are said for so many tokens. */
  tokensPerPrice: 1_000_000,
  /** So long after its time a question without an answer still holds what was set aside for it. */
  modelReservationGraceMs: 60_000,
  /** So often a lone command looks at the books again because others wrote meanwhile. */
  budgetTries: 20,
  /** So many ready tasks are weighed against a budget in one pass. */
  budgetCandidates: 64,
  /** So many different faults of the files one life of a service tells of. */
  problemsTold: 1_000,
  /** Asking where a task belongs: tasks shown, bytes of them, edges taken over, and how long it may take. */
  placingRows: 300,
  placingBytes: 32 * 1024,
  placedEdges: 50,
  placingMs: 30_000,
  leaseMs: 60_000,
  leaseGraceMs: 30_000,
  /** A person's claim, renewed by what they do. */
  personLeaseMs: 7 * 24 * 60 * 60_000,
  /** A client that reported its task itself may say its last word within this time. */
  lastWordMs: 30_000,
  heartbeatMs: 15_000,
  /** When nobody looked at the runs for this long, the machine was asleep. */
  sleptMs: 10_000,
  /** Workflows that begin by themselves: one with a heartbeat, how often at most; how many are made at once; after a failure, the next try. */
  workflowHeartbeatMs: 30 * 60_000,
  workflowsAtOnce: 4,
  workflowAgainMs: 60_000,
  /** How often it is looked anew who trusts them and what the project allows. */
  workflowLookMs: 30_000,
  /** How often it is looked anew which clients there are. */
  clientLookMs: 5_000,
  /** A run that could not be prepared is tried again after this. */
  prepareAgainMs: 60_000,
  /** Ports for the servers of runs, below those that systems give out by themselves: the first, how many each run has, for how many runs. */
  /** Patterns of ignored files that worktrees get. */
  copyPatterns: 100,
  /** Submodules inside others are filled down to this depth. */
  submoduleDepth: 5,
  /** Of the output of a setup that failed, in its problem. */
  setupOutputCharacters: 1_000,
  runPorts: { first: 10_000, each: 20, runs: 1_000 },
  /** Between two writings of a heartbeat because something happened, and of the registry. */
  progressWriteMs: 1_000,
  registryWriteMs: 1_000,
  /** Ended runs that the registry still tells of. */
  registryEnded: 200,
  /** Of the ends of attempts that are kept outside of the work tree, so much is read. */
  runEndsBytes: 1024 * 1024,
  /** Of the events of one run; its output has the same bound. */
  streamBytes: 64 * 1024 * 1024,
  /** Output without line ends that is held back to find secrets in, and what of it is held back then. */
  redactorHeldCharacters: 256 * 1024,
  redactorTailCharacters: 16 * 1024,
  /** What is kept of writes that a run made too late. */
  refusedBytes: 1024 * 1024,
  runFileBytes: 16 * 1024 * 1024,
  /** How long a client that has ended may keep its output open. */
  outputDrainMs: 2_000,
  agentIdleMs: 15 * 60_000,
  /** A client at work leaves word how far it is after so many answers of its model, and after so long. */
  checkpointTurns: 15,
  checkpointMs: 20 * 60_000,
  /** What a model sees of a run that died, how long it may think, and how much it may say of it. */
  triageOutputBytes: 50_000,
  triageMs: 30_000,
  triageTextCharacters: 4_000,
  /** How often a finished task is opened again because of messages, and how long lies between two times. */
  resurrections: 3,
  resurrectionPauseMs: 60_000,
  /** Conversations with unread messages that one tick looks at, and messages of each. */
  unreadConversations: 200,
  adoptedRunPollMs: 250,
  /** A launcher that was asked for runs and has said nothing for this long is replaced. */
  launcherSilentMs: 5_000,
  /** How often whoever answers runs in the place of a service looks whether that is still needed. */
  doorLookMs: 500,
  /** A run in a sandbox waits this long for somebody to answer it. */
  doorWaitMs: 10_000,
  /** The sandbox of runs is tried once, with a shell that does nothing; it has this long. */
  sandboxTrialMs: 10_000,
  /** A launcher that was told to end has this long until it is killed. */
  launcherEndMs: 1_000,
  /** What `ps` may print of all processes, with their environments. */
  processListBytes: 64 * 1024 * 1024,
  /** One word that a program may be started with: the system takes no more. */
  commandBytes: 128 * 1024 - 1,
  /** What is told of a check that failed: so many of its last lines, and characters of them. */
  lastLines: 5,
  lastLinesBytes: 1_024,
  checkShownCharacters: 200,
  /** Between two searches for what ended runs left running, where many end at once. */
  leftoversEveryMs: 250,
  /** Whoever closes waits this long for what it killed to be gone, and looks this often. */
  leftoversGoneMs: 1_000,
  leftoversLookMs: 10,
  killGraceMs: 5_000,
  outputBytes: 64 * 1024 * 1024,
  outputTailBytes: 64 * 1024,
  /** Events of a client that are read to show so much of what it did, and how often who follows looks again. */
  outputEventBytes: 256 * 1024,
  outputFollowMs: 500,
  taskTimeoutMs: 30 * 60_000,
} as const;

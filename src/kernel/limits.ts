/** Every bound has a name. Sizes are in bytes unless the name says characters; times in milliseconds. */
export const LIMITS = {
  titleCharacters: 300,
  idCharacters: 100,
  descriptionBytes: 256 * 1024,
  logMessageBytes: 16 * 1024,
  edgesPerTask: 1_000,
  lineBytes: 4 * 1024 * 1024,
  /** Objects and lists within one another in a line that somebody else wrote. */
  jsonDepth: 64,
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

  /** Of a snapshot, parsed in one call. */
  snapshotPieceBytes: 1024 * 1024,
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

  lockWaitMs: 10_000,
  lockPollLeastMs: 1,
  lockPollMostMs: 6,

  socketLineBytes: 8 * 1024 * 1024,
  socketPathBytes: 100,
  /** So long one waits for the service before one asks it for a sign of life, and so long for that. */
  serviceSilentMs: 5_000,
  /** The log of the service: its size, how many older ones are kept, and one line of it. */
  daemonLogBytes: 10 * 1024 * 1024,
  daemonLogsKept: 3,
  daemonLineCharacters: 16 * 1024,

  agentsDefault: 4,
  /** Cycles within cycles are looked for to this depth. */
  nestedCycles: 32,
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
  pollIntervalMs: 60_000,
  /** Sessions that are kept, archived ones too, and the tags or roots of one. */
  sessionsKept: 1_000,
  sessionScope: 100,
  chatShown: 50,
  pollIntervalMostSeconds: 86_400,
  /** Askings for a tick within this time share one: runs that end together are settled together. */
  tickCoalesceMs: 1,
  /** A model client that has done nothing for this long is ended. */
  silentRunMs: 300_000,
  silentRunsLeast: 2,
  backOffLeastMs: 60_000,
  backOffMostMs: 900_000,
  /** Deaths of a task's runs within this time slow it down; so many of them end it. */
  deathWindowMs: 300_000,
  deathPauseMs: 60_000,
  deathsMost: 5,
  /** However far apart: a task whose runs die so often costs for nothing. */
  deathsInAll: 20,
  /** So many ready tasks are weighed against a budget in one pass. */
  budgetCandidates: 64,
  simulatedAgents: 10_000,
  simulatedRules: 1_000,
  scenarioBytes: 256 * 1024,
  simulatedSteps: 1_000_000,
  /** A simulation ends here: a year of its own clock. */
  simulatedMs: 366 * 86_400_000,
  simulatedLeft: 100,
  leaseMs: 60_000,
  leaseGraceMs: 30_000,
  /** A person's claim, renewed by what they do. */
  personLeaseMs: 7 * 24 * 60 * 60_000,
  /** A client that reported its task itself may say its last word within this time. */
  lastWordMs: 30_000,
  heartbeatMs: 15_000,
  /** When nobody looked at the runs for this long, the machine was asleep. */
  sleptMs: 10_000,
  /** How often it is looked anew which clients there are. */
  clientLookMs: 5_000,
  /** Between two writings of a heartbeat because something happened, and of the registry. */
  progressWriteMs: 1_000,
  registryWriteMs: 1_000,
  /** Ended runs that the registry still tells of. */
  registryEnded: 200,
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
  killGraceMs: 5_000,
  outputBytes: 64 * 1024 * 1024,
  outputTailBytes: 64 * 1024,
  taskTimeoutMs: 30 * 60_000,

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

  gitOutputBytes: 64 * 1024 * 1024,
  gitTimeoutMs: 60_000,
  gitCopyTimeoutMs: 10 * 60_000,

  /** Of a worktree or a landing: files and commits named, attempts looked at in one list. */
  treeListTries: 6,
  treeFiles: 200,
  treeCommits: 50,
  treesListed: 500,
  /** How often a merge is begun anew because the integration branch moved meanwhile. */
  mergeAttempts: 20,
  /** A run that ends without a service tries to settle itself for so long, in such steps. */
  settleOfflineMs: 60_000,
  settleAgainMs: 250,
  /** How often, and after which pause, taking over work is tried again while another git is at it. */
  takeOverTries: 20,
  takeOverPauseMs: 500,
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
  excerptBytes: 8 * 1024,
  reportFileBytes: 32 * 1024 * 1024,

  /** Installed dependencies are copied into the scratch worktree up to here; more of them are left out, with a finding. */
  copyFiles: 200_000,
  copyBytes: 3 * 1024 * 1024 * 1024,
  copyMs: 3 * 60_000,

  /** Time boxes of one command of the reviewed repository. */
  commandFastMs: 60_000,
  commandAllMs: 10 * 60_000,
  commandGraceMs: 2_000,
  commandOutputBytes: 256 * 1024,
  commandsMost: 8,

  historyCommits: 5_000,
  historyMonths: 12,
  bigFileBytes: 1024 * 1024,

  catalogFileBytes: 256 * 1024,
  goalCharacters: 2_000,
  analysisSummaryCharacters: 1_000,
  charterCharacters: 20_000,
  teamSizeMost: 20,
  /** What a model chooses from and to when nobody says how many. */
  teamSizeModelLeast: 3,
  teamSizeModelMost: 7,
  teamSizeDefault: 5,
  teamSizeUnknown: 3,
  membersAtOnce: 50,
  proposalMs: 30 * 60_000,
  squadFileBytes: 4 * 1024 * 1024,
  squadReadAttempts: 5,

  /** Bounds of a function: templates, inputs (detected ones too), its file, one value, files looked at for a list. */
  functionTasks: 1_000,
  functionInputs: 100,
  functionFileBytes: 256 * 1024,
  functionValueBytes: 256 * 1024,
  functionsListed: 500,
  /** Of a model that rewords texts: its time, what it is shown, its answer, and how much longer a text may become. */
  modelReadyMs: 15_000,
  modelMs: 120_000,
  modelTextsBytes: 64 * 1024,
  modelAnswerCharacters: 128 * 1024,
  modelGrowthCharacters: 200,
  /** Of an answer to a choice: all of it, the roles looked at, and how far one looks for JSON in it. */
  modelAnswerBytes: 256 * 1024,
  modelRoles: 200,
  balancedJsonSteps: 4_000_000,
  /** A call of a model in all, its tries after the first, the wait before those, and the calls kept on record. */
  modelCallMs: 60_000,
  modelRetries: 2,
  modelRetryMs: 500,
  modelRunsKept: 200,
  modelRunBytes: 1024 * 1024,
  /** Of a prefix made from a value or an id, so that there is room for the template's own id. */
  functionPrefixCharacters: 40,
  functionTemplateIdCharacters: 54,
  /** A picture that moves: so many frames, and so many tasks in all of them together. */
  traceFrames: 5_000,
  traceFrameRows: 1_000_000,
  traceFrameLeastMs: 40,
  traceSpeedLeast: 0.1,
  traceSpeedMost: 1_000,
  /** Of the output of one run, with --full. */
  traceOutputBytes: 1024 * 1024,
  /** A file from elsewhere that is imported. */
  traceFileBytes: 50 * 1024 * 1024,
  traceTasks: 100_000,
  traceTagCharacters: 64,
  /** Evaluations and functions that are read for an export: so many files, each no larger. */
  traceRecordFiles: 100_000,
  traceRecordBytes: 256 * 1024,
  /** An evaluation that is recorded: where it comes from, its notes; and how many are shown. */
  evaluationSourceCharacters: 100,
  evaluationNotesBytes: 16 * 1024,
  evaluationsShown: 1_000,

  /** Ids that one line of `watch` names when an event is about many tasks. */
  watchIds: 100,
  watchReplayMost: 100_000,

  /** `.workgraph/config.toml`: its size, one text in it, one number, and how many warnings it is worth. */
  settingsFileBytes: 256 * 1024,
  settingCharacters: 2_000,
  settingNumber: 1_000_000_000_000,
  settingWarnings: 50,

  /** People as executors: how often and how far apart they are reminded, and when one gives up on reaching them. */
  reminders: 3,
  reminderMs: 24 * 60 * 60_000,
  notifyFailures: 3,
  notifyRetryMs: 5 * 60_000,
  notifyMs: 20_000,
  /** How often a room is read in which somebody may answer. */
  repliesEveryMs: 30_000,
  notifyTextBytes: 16 * 1024,
  notifySubjectCharacters: 200,
  replyBytes: 1024 * 1024,
  repliesAtOnce: 200,
  replyReasonCharacters: 2_000,

  /** Messages: one text, what one recipient may have unread, one answer, and what is delivered later at once. */
  messageBytes: 64 * 1024,
  messagesUnread: 200,
  messagesListed: 500,
  messagesListedBytes: 4 * 1024 * 1024,
  messagesUndelivered: 100,
  messageNameCharacters: 100,

  checkpointFiles: 500,
  checkpointFileBytes: 512 * 1024,
  checkpointsListed: 100,
  problemRows: 100,
  /** The live view: rows of each list, what is read of an output for its last line, and how often it is drawn anew. */
  topRuns: 100,
  topTailBytes: 4 * 1024,
  topEveryMs: 1_000,
  /** The summary of a graph: the whole, each list in it, one line, what a model adds, and events until the next. */
  summaryBytes: 48 * 1024,
  summaryRows: 20,
  summaryLineBytes: 300,
  summaryNarrativeBytes: 4 * 1024,
  compactionOperations: 100,
  /** What an attempt is told: one file of our own words, each kind of section, and single texts within them. */
  wordingFileBytes: 16 * 1024,
  promptSkillsBytes: 384 * 1024,
  promptIdentityBytes: 64 * 1024,
  promptTaskBytes: 96 * 1024,
  promptPredecessorsBytes: 96 * 1024,
  promptPreviousBytes: 64 * 1024,
  promptMessagesBytes: 64 * 1024,
  promptListBytes: 32 * 1024,
  promptFileBytes: 64 * 1024,
  promptGraphBytes: 96 * 1024,
  promptDescriptionBytes: 64 * 1024,
  promptLogLineBytes: 2 * 1024,
  promptReasonBytes: 8 * 1024,
  promptNameBytes: 1024,
  promptLogLines: 5,
  promptOwnLogLines: 10,
  promptListRows: 50,
  promptGraphLines: 200,
  promptMessages: 20,
  promptMessageBytes: 8 * 1024,
  /** Of a past attempt, as it lies in the folder of its run. */
  promptStoredBytes: 2 * 1024 * 1024,

  /** The agency: one file, a change that is under way, files of one kind, one text, a name, items of a list. */
  agencyFileBytes: 256 * 1024,
  agencyPendingBytes: 64 * 1024 * 1024,
  agencyFiles: 10_000,
  agencyTextBytes: 16 * 1024,
  agencyNameCharacters: 100,
  agencyItems: 100,
  assignmentReasonCharacters: 500,
  /** Every so many assignments go to somebody little is known of. */
  explorationEvery: 20,
  /** Tasks about tasks that one tick adds. */
  metaTasksAtOnce: 200,

  /** Skills of one role, one text of them, and what fetching one from elsewhere may take. */
  skills: 20,
  skillBytes: 256 * 1024,
  fetchMs: 10_000,
  fetchRedirects: 3,
  fetchUrlCharacters: 2_000,
  /** Of one line of a client's stream; a longer one is dropped. Some clients repeat all they said in one line. */
  streamLineCharacters: 8 * 1024 * 1024,
  /** Of one text of a client, and of what is kept of an error or a reason. */
  executorTextCharacters: 64 * 1024,
  executorReasonCharacters: 500,
  /** Tools of one run that were begun and have not ended. */
  executorOpenTools: 1_000,
  /** Custom executors: files, one file, one expanded argument, arguments. */
  executorsListed: 100,
  executorFileBytes: 64 * 1024,
  executorArgumentBytes: 64 * 1024,
  executorArguments: 100,

  scanFiles: 500,
  scanEntries: 5_000,
  scanDepth: 12,
  scanManifestBytes: 64 * 1024,
  scanBytes: 1024 * 1024,
} as const;

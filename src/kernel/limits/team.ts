/** Limits of the catalog, functions, people, messages, models, the agency and skills. */
export const TEAM_LIMITS = {
  /** Maximum workflow or policy files of one kind in a project. */
  projectEntries: 200,
  catalogFileBytes: 256 * 1024,
  /** Maximum catalog files of one kind in a project. */
  catalogProjectFiles: 500,
  goalCharacters: 2_000,
  analysisSummaryCharacters: 1_000,
  charterCharacters: 20_000,
  /** Teams: length of names of teams and members, length of the description, members ever, rows listed. */
  teamNameCharacters: 64,
  teamTextCharacters: 4_000,
  teamMembers: 500,
  /** Rows of a member: its latest results in a list, its latest attempts on its page. */
  memberResults: 5,
  memberAttempts: 50,
  teamRowsListed: 500,
  /** Deliverables: maximum bytes stored, maximum rows listed. */
  deliverableBytes: 1024 * 1024,
  artifactRowsListed: 200,
  teamSizeMost: 20,
  /** Size of a team that a model chooses, if none is requested: minimum and maximum. */
  teamSizeModelLeast: 3,
  teamSizeModelMost: 7,
  teamSizeDefault: 5,
  teamSizeUnknown: 3,
  membersAtOnce: 50,
  memberNameCharacters: 40,
  proposalMs: 30 * 60_000,
  squadFileBytes: 4 * 1024 * 1024,
  squadReadAttempts: 5,
  /**
   * Memory of a team: length of a title, bytes of a text, lines of front matter, bytes of an inbox file, inbox files
   * read.
   */
  memoryTitleCharacters: 200,
  memoryTextBytes: 96 * 1024,
  frontMatterLines: 50,
  inboxFileBytes: 128 * 1024,
  inboxFiles: 1_000,
  /** Maximum memories of all members; below, pending entries, active decisions, and files put aside. */
  memories: 10_000,
  /** Maximum bytes of the memory file to which every clone appends. */
  memoryEventsBytes: 64 * 1024 * 1024,
  entriesPending: 1_000,
  decisionsActive: 1_000,
  archivedFiles: 10_000,
  memoryRowsListed: 500,
  memoryListedBytes: 4 * 1024 * 1024,
  /** Maximum memories in the diary of one member. */
  diaryMemories: 200,
  /** Memory in a prompt: own learnings, active decisions, length of one text. */
  briefingLearnings: 10,
  briefingDecisions: 30,
  briefingTextCharacters: 1_000,
  /**
   * Roles of a repository: length of a lesson, bytes of a file, files, attempts to write one, counted runs recorded per
   * row.
   */
  lessonCharacters: 300,
  roleFileBytes: 4 * 1024 * 1024,
  roleFiles: 2_000,
  roleWriteTries: 3,
  countedRuns: 5,
  /** List of all files for the audit of roles: its size and the timeout. */
  roleAuditListBytes: 64 * 1024 * 1024,
  roleAuditListMs: 3_000,
  /** Maximum agent files read per client. */
  agentFiles: 2_000,

  /** Functions: templates, inputs (including detected ones), bytes of a file, bytes of a value, files listed. */
  functionTasks: 1_000,
  functionInputs: 100,
  functionFileBytes: 256 * 1024,
  functionValueBytes: 256 * 1024,
  functionsListed: 500,
  /** Rewording by a model: timeout of its detection, bytes shown to it, allowed growth of a text. */
  modelReadyMs: 15_000,
  modelTextsBytes: 64 * 1024,
  modelGrowthCharacters: 200,
  /** Answer of a model to a choice: its size, the roles considered, steps of the search for JSON in it. */
  modelAnswerBytes: 256 * 1024,
  modelRoles: 200,
  balancedJsonSteps: 4_000_000,
  /** Calls of a model: total time, retries, delay before a retry, records kept, bytes of a record. */
  modelCallMs: 60_000,
  modelRetries: 2,
  modelRetryMs: 500,
  modelRunsKept: 200,
  modelRunBytes: 1024 * 1024,
  /** Length of a prefix derived from a value or an id, leaving room for the template's own id. */
  functionPrefixCharacters: 40,
  functionTemplateIdCharacters: 54,
  /** Animated graph: frames, and tasks in all frames together; minimum time of a frame, range of speeds. */
  traceFrames: 5_000,
  /** Events of the log whose graphs the browser can go back to; up to twice as many as time passes. */
  pastEvents: 20_000,
  traceFrameRows: 1_000_000,
  traceFrameLeastMs: 40,
  traceSpeedLeast: 0.1,
  traceSpeedMost: 1_000,
  /** Maximum bytes of the output of one run, with --full. */
  traceOutputBytes: 1024 * 1024,
  /** Imported file: its size, tasks, length of the tag. */
  traceFileBytes: 50 * 1024 * 1024,
  traceTasks: 100_000,
  traceTagCharacters: 64,
  /** Evaluations and functions read for an export: number of files, bytes of each. */
  traceRecordFiles: 100_000,
  traceRecordBytes: 256 * 1024,
  /** Recorded evaluation: length of its source, bytes of its notes, evaluations shown, length of its id. */
  evaluationSourceCharacters: 100,
  evaluationNotesBytes: 16 * 1024,
  evaluationsShown: 1_000,
  evaluationIdCharacters: 160,
  /** Input of an evaluator: artifacts, bytes of each, log lines; attempts to get a valid answer. */
  evaluationArtifacts: 20,
  evaluationArtifactBytes: 64 * 1024,
  evaluationLogLines: 200,
  evaluationTries: 3,

  /** Maximum ids in one line of `watch` for an event about many tasks. */
  watchIds: 100,
  watchReplayMost: 100_000,

  /** `.workgraph/config.toml`: its size, length of a text; below, largest number and warnings shown. */
  settingsFileBytes: 256 * 1024,
  settingCharacters: 2_000,
  /** Maximum names of variables that a person allows for every client. */
  passedVariables: 100,
  /** Timeout of a client's version query, and length of the version shown. */
  versionMs: 5_000,
  versionCharacters: 40,
  settingNumber: 1_000_000_000_000,
  settingWarnings: 50,

  /**
   * People as executors: reminders and their interval; failures after which notification stops, delay of a retry,
   * timeout.
   */
  reminders: 3,
  reminderMs: 24 * 60 * 60_000,
  notifyFailures: 3,
  notifyRetryMs: 5 * 60_000,
  notifyMs: 20_000,
  /** Polling interval of a room in which a person may answer. */
  repliesEveryMs: 30_000,
  notifyTextBytes: 16 * 1024,
  notifySubjectCharacters: 200,
  replyBytes: 1024 * 1024,
  repliesAtOnce: 200,
  replyReasonCharacters: 2_000,

  /** Messages: bytes of a text. */
  messageBytes: 64 * 1024,
  /** Maximum bytes of a stored message. Troupe writes no larger one; a larger one is not delivered. */
  messageStoredBytes: 128 * 1024,
  /** Number of daily copies of teams.db. */
  teamsCopies: 3,
  messagesUnread: 200,
  messagesListed: 500,
  messagesListedCharacters: 1_400_000,
  /** Search of messages: characters of the words, latest ones searched, beginning of each, results, characters shown. */
  messageSearchCharacters: 200,
  messagesSearched: 20_000,
  messageSearchedCharacters: 4_000,
  messagesFound: 50,
  messageExcerptCharacters: 160,
  outboxRows: 100,
  messageNameCharacters: 100,
  /** Conversations: maximum depth below the first, open ones per task by default and at most. */
  conversationDepth: 6,
  conversationsOpen: 3,
  conversationsOpenMost: 20,
  conversationsListed: 200,
  conversationTeams: 500,
  /** Maximum cached prepared statements per database. */
  preparedStatements: 200,
  conversationIdBytes: 600,
  /** End of the sender's checkpoint that is attached to a question. */
  envelopeLines: 200,
  envelopeBytes: 16 * 1024,
  promptConversationBytes: 84 * 1024,
  /** Maximum age of the roster data used to check open conversations. */
  rosterLookMs: 5_000,

  checkpointFiles: 500,
  checkpointFileBytes: 512 * 1024,
  checkpointsListed: 100,
  problemRows: 100,
  /** Live view: rows of each list, bytes read of an output for its last line, refresh interval. */
  topRuns: 100,
  /** Maximum days, rows of one kind, and lines in an answer about spending. */
  spendDays: 366,
  spendRows: 200,
  spendLines: 20_000,
  topTailBytes: 16 * 1024,
  topEveryMs: 1_000,
  /**
   * Summary of a graph: its size, rows of each list, bytes of a line, bytes of a model's addition, events until it is
   * renewed.
   */
  summaryBytes: 48 * 1024,
  summaryRows: 20,
  summaryLineBytes: 300,
  summaryNarrativeBytes: 4 * 1024,
  compactionOperations: 100,
  /** Prompts: bytes of one wording file, of each section, and of single texts. */
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
  promptRulesBytes: 16 * 1024,
  /** Maximum bytes of changes that conflicted with work merged meanwhile. */
  promptDiffBytes: 16 * 1024,
  /** Maximum bytes of a member's learnings with the titles of decisions, and of the texts of decisions. */
  promptMemoryBytes: 16 * 1024,
  promptDecisionsBytes: 48 * 1024,
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
  /** Maximum bytes of the stored prompt of an attempt. */
  promptStoredBytes: 2 * 1024 * 1024,

  /** Agency: bytes of a file, files of one kind, bytes of a text, length of a name, items of a list. */
  agencyFileBytes: 4 * 1024 * 1024,
  agencyFiles: 10_000,
  agencyTextBytes: 16 * 1024,
  agencyNameCharacters: 100,
  agencyItems: 100,
  /** Data from another agency: bytes of an evaluation or of an entity without its scores, and bytes in total. */
  pulledEntityBytes: 256 * 1024,
  pulledBytes: 48 * 1024 * 1024,
  /** Number of small files read or written before other work gets a turn. */
  filesAtOnce: 200,
  /**
   * Change of several files: bytes of its journal; maximum files that are flushed individually, more are not flushed.
   */
  changeBytes: 64 * 1024 * 1024,
  flushedFiles: 4,
  /** Retention of the journal of a change: longer than any system delays writing files to the disk. */
  changeKeptMs: 15 * 60_000,
  /** Maximum scores on one record. */
  agencyReferences: 5_000,
  assignmentReasonCharacters: 500,
  /** Maximum agents in a question to a model, and their bytes. */
  assignmentCandidates: 20,
  assignmentCandidatesBytes: 32 * 1024,
  /** Length of the reason for confirming or rejecting work in doubt. */
  verificationReasonCharacters: 600,
  /** Exploration: one in this many assignments goes to an agent about which little is known; maximum setting. */
  explorationEvery: 20,
  explorationEveryMost: 1_000,
  /**
   * Exploration bonus of an agent: this constant divided by sqrt(1 + its weighted number of scores); additional bonus
   * of one without scores.
   */
  explorationConstant: 0.15,
  noveltyBonus: 0.1,
  /** Number of newer scores of the same agent after which a score has half its weight. */
  outlookHalfLife: 50,
  /** Maximum internal tasks added by one tick. */
  metaTasksAtOnce: 200,

  /** Skills of a role: their number, bytes of one. */
  skills: 20,
  skillBytes: 256 * 1024,
  /**
   * Maximum length of a line of a client's stream; a longer one is dropped. Some clients repeat their whole output in
   * one line.
   */
  streamLineCharacters: 8 * 1024 * 1024,
  /** Length of a text from a client, and of a stored error or reason. */
  executorTextCharacters: 64 * 1024,
  executorReasonCharacters: 500,
  /** Tool calls: length of a target or result as shown, and of the part that is read. */
  executorToolCharacters: 200,
  executorToolRead: 16 * 1024,
  /** Maximum bytes of a run's last message in the log of its task. */
  lastWordsBytes: 4 * 1024,
  /** Maximum tool calls of one run that were started and have not ended. */
  executorOpenTools: 1_000,
  /** Custom executors: files, bytes of a file, bytes of an expanded argument, arguments. */
  executorsListed: 100,
  executorFileBytes: 64 * 1024,
  executorArgumentBytes: 64 * 1024,
  executorArguments: 100,

  scanFiles: 500,
  scanEntries: 5_000,
  scanDepth: 12,
  scanManifestBytes: 64 * 1024,
  scanBytes: 1024 * 1024,

  /** Rosters: bytes of a file, length of a text, entries of a list. */
  rosterFileBytes: 1024 * 1024,
  rosterTextCharacters: 16 * 1024,
  rosterEntries: 1_000,
  /** Maximum parent folders searched for a `.teaparty` folder. */
  rosterFoldersUp: 64,
  /** Maximum length of an agent's description that a client accepts. */
  clientDescriptionCharacters: 1_024,
} as const;

/** Of the team and what it says: the catalog, functions, people, messages, models, the agency, skills. */
export const TEAM_LIMITS = {
  /** Files of one kind that a project may bring along. */
  projectEntries: 200,
  catalogFileBytes: 256 * 1024,
  /** Of one kind, in a project. */
  catalogProjectFiles: 500,
  goalCharacters: 2_000,
  analysisSummaryCharacters: 1_000,
  charterCharacters: 20_000,
  /** Teams as they are kept: their names and those of members, what they are for, members ever, teams and events of one answer. */
  teamNameCharacters: 64,
  teamTextCharacters: 4_000,
  teamMembers: 500,
  teamRowsListed: 500,
  /** Of what is handed in: bytes that are kept, rows of one list. */
  deliverableBytes: 1024 * 1024,
  artifactRowsListed: 200,
  teamSizeMost: 20,
  /** What a model chooses from and to when nobody says how many. */
  teamSizeModelLeast: 3,
  teamSizeModelMost: 7,
  teamSizeDefault: 5,
  teamSizeUnknown: 3,
  membersAtOnce: 50,
  memberNameCharacters: 40,
  proposalMs: 30 * 60_000,
  squadFileBytes: 4 * 1024 * 1024,
  squadReadAttempts: 5,
  /** What a team remembers: one line, one text, lines of a front matter, one inbox file, inbox files looked at. */
  memoryTitleCharacters: 200,
  memoryTextBytes: 96 * 1024,
  frontMatterLines: 50,
  inboxFileBytes: 128 * 1024,
  inboxFiles: 1_000,
  /** Memories of all members, pending entries, active decisions, and files kept aside before they are written anew. */
  memories: 10_000,
  /** The file of the memory that every clone adds to. */
  memoryEventsBytes: 64 * 1024 * 1024,
  entriesPending: 1_000,
  decisionsActive: 1_000,
  archivedFiles: 10_000,
  memoryRowsListed: 500,
  memoryListedBytes: 4 * 1024 * 1024,
  /** Memories that stand in the diary of one member. */
  diaryMemories: 200,
  /** What whoever begins to work is told of the memory: own learnings, active decisions, characters of one text. */
  briefingLearnings: 10,
  briefingDecisions: 30,
  briefingTextCharacters: 1_000,
  /** Roles of a repository: one lesson, one file, files, tries to write one, runs a row remembers to have counted. */
  lessonCharacters: 300,
  roleFileBytes: 4 * 1024 * 1024,
  roleFiles: 2_000,
  roleWriteTries: 3,
  countedRuns: 5,
  /** The list of all files that their audit looks things up in: its size, and how long it may take. */
  roleAuditListBytes: 64 * 1024 * 1024,
  roleAuditListMs: 3_000,
  /** Agent files of one client that are looked at. */
  agentFiles: 2_000,

  /** Bounds of a function: templates, inputs (detected ones too), its file, one value, files looked at for a list. */
  functionTasks: 1_000,
  functionInputs: 100,
  functionFileBytes: 256 * 1024,
  functionValueBytes: 256 * 1024,
  functionsListed: 500,
  /** Of a model that rewords texts: how long it is looked for, what it is shown, and how much longer a text may become. */
  modelReadyMs: 15_000,
  modelTextsBytes: 64 * 1024,
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
  evaluationIdCharacters: 160,
  /** What an evaluator sees: artifacts, bytes of each, lines of the log; how often it is asked for an answer that fits. */
  evaluationArtifacts: 20,
  evaluationArtifactBytes: 64 * 1024,
  evaluationLogLines: 200,
  evaluationTries: 3,

  /** Ids that one line of `watch` names when an event is about many tasks. */
  watchIds: 100,
  watchReplayMost: 100_000,

  /** `.workgraph/config.toml`: its size, one text in it, one number, and how many warnings it is worth. */
  settingsFileBytes: 256 * 1024,
  settingCharacters: 2_000,
  /** Names of variables that a person lets every client have. */
  passedVariables: 100,
  /** How long a client may think about its version, and what of it is shown. */
  versionMs: 5_000,
  versionCharacters: 40,
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

  /** Messages: one text, what one recipient may have unread, one answer, and what of the outbox is taken at once. */
  messageBytes: 64 * 1024,
  /** A stored message that is larger cannot be ours: nobody is given it. */
  messageStoredBytes: 128 * 1024,
  /** Daily copies of teams.db that are kept. */
  teamsCopies: 3,
  messagesUnread: 200,
  messagesListed: 500,
  messagesListedCharacters: 1_400_000,
  outboxRows: 100,
  messageNameCharacters: 100,
  /** Conversations: how far one is below the first, and how many are open from one task where the settings do not say. */
  conversationDepth: 6,
  conversationsOpen: 3,
  conversationsOpenMost: 20,
  conversationsListed: 200,
  conversationTeams: 500,
  /** Of one database, that are kept. */
  preparedStatements: 200,
  conversationIdBytes: 600,
  /** The end of the checkpoint of whoever asks, which goes along. */
  envelopeLines: 200,
  envelopeBytes: 16 * 1024,
  promptConversationBytes: 84 * 1024,
  /** How old what is known of the rosters may be when open conversations are held against it. */
  rosterLookMs: 5_000,

  checkpointFiles: 500,
  checkpointFileBytes: 512 * 1024,
  checkpointsListed: 100,
  problemRows: 100,
  /** The live view: rows of each list, what is read of an output for its last line, and how often it is drawn anew. */
  topRuns: 100,
  topTailBytes: 16 * 1024,
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
  promptRulesBytes: 16 * 1024,
  /** Of work that did not fit what was merged meanwhile. */
  promptDiffBytes: 16 * 1024,
  /** What a member has learned and the titles of decisions; the texts of decisions. */
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
  /** Of a past attempt, as it lies in the folder of its run. */
  promptStoredBytes: 2 * 1024 * 1024,

  /** The agency: one file, files of one kind, one text, a name, items of a list. */
  agencyFileBytes: 4 * 1024 * 1024,
  agencyFiles: 10_000,
  agencyTextBytes: 16 * 1024,
  agencyNameCharacters: 100,
  agencyItems: 100,
  /** What comes from another agency: an evaluation, or an entity without its scores; everything. */
  pulledEntityBytes: 256 * 1024,
  pulledBytes: 48 * 1024 * 1024,
  /** Small files that are read or written before anything else gets a turn. */
  filesAtOnce: 200,
  /** A change of several files: bytes of its record; files that are flushed one by one, of more none is. */
  changeBytes: 64 * 1024 * 1024,
  flushedFiles: 4,
  /** Longer than any system keeps written files from the disk: until then the record of a change is kept. */
  changeKeptMs: 15 * 60_000,
  /** Scores on one record. */
  agencyReferences: 5_000,
  assignmentReasonCharacters: 500,
  /** Agents that a model is shown to choose from. */
  assignmentCandidates: 20,
  assignmentCandidatesBytes: 32 * 1024,
  /** Why work in doubt was confirmed or rejected. */
  verificationReasonCharacters: 600,
  /** Every so many assignments go to somebody little is known of; at most so seldom. */
  explorationEvery: 20,
  explorationEveryMost: 1_000,
  /** What is unknown is worth this by the square root of the scores there are, and one; somebody without any gets a bonus beside. */
  explorationConstant: 0.15,
  noveltyBonus: 0.1,
  /** A score counts half once there are so many newer ones of the same agent. */
  outlookHalfLife: 50,
  /** Tasks about tasks that one tick adds. */
  metaTasksAtOnce: 200,

  /** Skills of one role, one text of them, and what fetching one from elsewhere may take. */
  skills: 20,
  skillBytes: 256 * 1024,
  /** Of one line of a client's stream; a longer one is dropped. Some clients repeat all they said in one line. */
  streamLineCharacters: 8 * 1024 * 1024,
  /** Of one text of a client, and of what is kept of an error or a reason. */
  executorTextCharacters: 64 * 1024,
  executorReasonCharacters: 500,
  /** Of a tool: its target or its result as shown, and what of either is looked at. */
  executorToolCharacters: 200,
  executorToolRead: 16 * 1024,
  /** Of the last message of a run: what is kept in the log of its task. */
  lastWordsBytes: 4 * 1024,
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

  /** Configuration files of rosters, what one text in them may have, and how many one list may name. */
  rosterFileBytes: 1024 * 1024,
  rosterTextCharacters: 16 * 1024,
  rosterEntries: 1_000,
  /** How far up a `.teaparty` folder is looked for. */
  rosterFoldersUp: 64,
  /** Of an agent's description, as much as a client takes. */
  clientDescriptionCharacters: 1_024,
} as const;

import type { ForgeName } from '#core/imports/forges.js';
import type { Channel } from '#core/mail/channels.js';
import type { PriceTable } from '#core/runs/prices.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import type { Clock } from '#kernel/clock.js';
import type { RequestMark } from '#kernel/request.js';
import type { AccessTokens } from '#ports/access-tokens.js';
import type { AgencyFiles } from '#ports/agency.js';
import type { AgencyRemotes } from '#ports/agency-remotes.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { Caller } from '#ports/callers.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import type { Checkpoints } from '#ports/checkpoints.js';
import type { ExecutorFiles } from '#ports/executor-files.js';
import type { Forge } from '#ports/forge.js';
import type { FormationFiles } from '#ports/formation-files.js';
import type { Git } from '#ports/git.js';
import type { GraphDrawer } from '#ports/graph-drawer.js';
import type { GraphDoctor, GraphStore } from '#ports/graph-store.js';
import type { HandoffFolders } from '#ports/handoff-folders.js';
import type { Inspector } from '#ports/inspector.js';
import type { Integration } from '#ports/integration.js';
import type { Machine } from '#ports/machine.js';
import type { MailStore } from '#ports/mail-store.js';
import type { Model } from '#ports/model.js';
import type { Notifier, Replies } from '#ports/notify.js';
import type { Outbox } from '#ports/outbox.js';
import type { ClientPrograms, Programs } from '#ports/programs.js';
import type { OutputFiles, ProjectFiles } from '#ports/project-files.js';
import type { Skills, WordingSource } from '#ports/prompt-sources.js';
import type { RepositoryScanner } from '#ports/repository-scanner.js';
import type { RoleFiles } from '#ports/role-files.js';
import type { RoleStarters } from '#ports/role-starters.js';
import type { RosterConfig } from '#ports/roster-config.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { RunSnapshots } from '#ports/run-snapshots.js';
import type { Sandbox } from '#ports/sandbox.js';
import type { ServedProjects } from '#ports/served-projects.js';
import type { SessionFile } from '#ports/session-file.js';
import type { SettingsFile } from '#ports/settings.js';
import type { LedgerFiles, SquadFiles, SquadSync } from '#ports/squad-files.js';
import type { Storages } from '#ports/storage.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import type { TeamStore } from '#ports/team-store.js';
import type { TraceFiles } from '#ports/trace-files.js';
import type { ExecutorTrust, ProjectTrust, TrustedCommands } from '#ports/trust.js';
import type { FunctionFiles, WorkflowFiles } from '#ports/workflow-files.js';
import type { CoordinatorFacts } from './coordinator-facts.js';

/** Facts of the call itself, which every operation may use: it reaches no store, file or program. */
export interface CallContext {
  readonly clock: Clock;
  readonly caller: Caller;
  /** Absolute path of the project folder, which contains `.workgraph/`. */
  readonly projectFolder: string;
  /** Absolute path by which agents call this program. */
  readonly command: string;
  /** Idempotency key of a caller that may repeat the request: a repetition returns the first answer. */
  readonly request: RequestMark;
  /** Unique text, for ids of proposals, snapshots and similar records. */
  freshId(): string;
}

/** Graph of tasks with its storage, the coordinator that works on it, and the records of its runs. */
export interface GraphContext extends CallContext {
  graph(): Promise<GraphStore>;
  /** Creates the project's graph folder unless it exists. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /** Coordinator of this process; undefined if it has none, and then the whole project has none. */
  readonly coordinator?: () => CoordinatorFacts;
  doctor(): Promise<GraphDoctor>;
  /** Present place of the project's storage, and the other possible ones. */
  storages(): Promise<Storages>;
  /** Outbox of messages and teams for the graph. Only `operations/relay-outbox.ts` uses it. */
  outbox(): Promise<Outbox>;
  runs(): Promise<RunFolders>;
  traceFiles(): Promise<TraceFiles>;
  runSnapshots(): Promise<RunSnapshots>;
  checkpoints(): Promise<Checkpoints>;
  /** Files of runs of crews, panels and sweeps. */
  formationFiles(): Promise<FormationFiles>;
  /** Crew runs in the folders around a given one. */
  handoffFolders(): Promise<HandoffFolders>;
  pictures(): Promise<GraphDrawer>;
}

/** Team and its members: squad, teams, mail, memory, roles and agency. */
export interface TeamContext extends CallContext {
  squad(): Promise<SquadFiles>;
  squadSync(): Promise<SquadSync>;
  catalog(): Promise<CatalogSource>;
  teams(): Promise<TeamStore>;
  rosterConfig(): Promise<RosterConfig>;
  /** Conversations of agents and people, and talks about tasks. */
  mail(): Promise<MailStore>;
  sessions(): Promise<SessionFile>;
  /** Memory of the team: pending proposals; the memory files are in `ledger`. */
  teamInbox(): Promise<TeamInbox>;
  ledger(): Promise<LedgerFiles>;
  /** Roles of the repository and proposals to change them. Permissions depend on the role writer. */
  roleFiles(): Promise<RoleFiles>;
  /** Shipped roles. */
  roleStarters(): Promise<RoleStarters>;
  agency(): Promise<AgencyFiles>;
  /** Agencies of other projects, on this machine or in repositories. */
  agencyRemotes(): Promise<AgencyRemotes>;
}

/** Files of the project, its repository and worktrees, its workflows and functions. */
export interface FilesContext extends CallContext {
  files(): Promise<ProjectFiles>;
  /** Output files named by the caller. Use `keepOutput` instead. */
  outputs(): Promise<OutputFiles>;
  git(): Promise<Git>;
  inspector(): Promise<Inspector>;
  scanner(): Promise<RepositoryScanner>;
  /** Worktrees of attempts. */
  trees(): Promise<AttemptTrees>;
  /** Branch in which results are merged. */
  integration(): Promise<Integration>;
  /** Issues and pull requests at GitHub or GitLab; of the remote `origin` if no repository is named. */
  forge(name: ForgeName, repository?: string, signal?: AbortSignal): Promise<Forge>;
  workflowFiles(): Promise<WorkflowFiles>;
  functions(): Promise<FunctionFiles>;
}

/** Models, and the wording, skills and prices of questions to them. */
export interface ModelContext extends CallContext {
  /** Model of a choice; it reports itself whether it is available. Only `operations/models/ask.ts` uses it. */
  model(choice: ModelChoice): Promise<Model>;
  wording(): Promise<WordingSource>;
  skills(): Promise<Skills>;
  /** Token prices; the person's own prices take precedence over the shipped ones. */
  prices(): Promise<PriceTable>;
}

/** Machine and its person: settings, trust, programs, clients, channels and services. */
export interface MachineContext extends CallContext {
  settings(): Promise<SettingsFile>;
  trust(): Promise<ProjectTrust>;
  /** Commands that may run here. */
  trustedCommands(): Promise<TrustedCommands>;
  programs(): Promise<Programs>;
  clientPrograms(): Promise<ClientPrograms>;
  executorFiles(): Promise<ExecutorFiles>;
  executorTrust(): Promise<ExecutorTrust>;
  machine(): Promise<Machine>;
  /** Sandbox of runs. */
  sandbox(): Promise<Sandbox>;
  /** Channel to notify people, from the present settings. Errors: `notify_unconfigured`. */
  notifier(channel: Channel): Promise<Notifier>;
  /** Channel on which people answer. */
  replies(): Promise<Replies>;
  /** Projects of this person that have a service on this machine. */
  servedProjects(): Promise<ServedProjects>;
  /** Secrets of the HTTP API of this project. */
  accessTokens(): Promise<AccessTokens>;
}

/** Graph and team: tasks and those who do them. */
export interface WorkContext extends GraphContext, TeamContext {}

/** All groups but the models: it asks no question that costs money. */
export interface ProjectContext extends WorkContext, FilesContext, MachineContext {}

import type { core } from 'zod/mini';
import type { ForgeName } from '#core/imports/forges.js';
import type { Channel } from '#core/mail/channels.js';
import type { PriceTable } from '#core/runs/prices.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import type { Clock } from '#kernel/clock.js';
import type { Issue } from '#kernel/issues.js';
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
import type { AsksModel, Declaration } from './declaration.js';
import type { ResourceAddress } from './resource-address.js';

/**
 * Everything that an operation can access. Created in `main/compose.ts`; the getters load their modules on first use.
 */
export interface Context {
  readonly clock: Clock;
  readonly caller: Caller;
  /** Absolute path of the project folder, which contains `.workgraph/`. */
  readonly projectFolder: string;
  /** Absolute path by which agents call this program. */
  readonly command: string;
  /** Idempotency key of a caller that may repeat the request: a repetition returns the first answer. */
  readonly request: RequestMark;
  /** Coordinator of this process; undefined if it has none, and then the whole project has none. */
  readonly coordinator?: () => CoordinatorFacts;
  /** Creates the project's graph folder unless it exists. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /** Unique text, for ids of proposals, snapshots and similar records. */
  freshId(): string;
  graph(): Promise<GraphStore>;
  runs(): Promise<RunFolders>;
  catalog(): Promise<CatalogSource>;
  squad(): Promise<SquadFiles>;
  workflowFiles(): Promise<WorkflowFiles>;
  rosterConfig(): Promise<RosterConfig>;
  scanner(): Promise<RepositoryScanner>;
  inspector(): Promise<Inspector>;
  git(): Promise<Git>;
  squadSync(): Promise<SquadSync>;
  programs(): Promise<Programs>;
  files(): Promise<ProjectFiles>;
  trust(): Promise<ProjectTrust>;
  /** Commands that may run here. */
  trustedCommands(): Promise<TrustedCommands>;
  executorFiles(): Promise<ExecutorFiles>;
  executorTrust(): Promise<ExecutorTrust>;
  agency(): Promise<AgencyFiles>;
  /** Agencies of other projects, on this machine or in repositories. */
  agencyRemotes(): Promise<AgencyRemotes>;
  /** Issues and pull requests at GitHub or GitLab; of the remote `origin` if no repository is named. */
  forge(name: ForgeName, repository?: string, signal?: AbortSignal): Promise<Forge>;
  functions(): Promise<FunctionFiles>;
  /** Roles of the repository and proposals to change them. Permissions depend on the role writer. */
  roleFiles(): Promise<RoleFiles>;
  /** Shipped roles. */
  roleStarters(): Promise<RoleStarters>;
  /** Files of runs of crews, panels and sweeps. */
  formationFiles(): Promise<FormationFiles>;
  /** Crew runs in the folders around a given one. */
  handoffFolders(): Promise<HandoffFolders>;
  doctor(): Promise<GraphDoctor>;
  /** Present place of the project's storage, and the other possible ones. */
  storages(): Promise<Storages>;
  traceFiles(): Promise<TraceFiles>;
  pictures(): Promise<GraphDrawer>;
  /** Output files named by the caller. Use `keepOutput` instead. */
  outputs(): Promise<OutputFiles>;
  runSnapshots(): Promise<RunSnapshots>;
  settings(): Promise<SettingsFile>;
  sessions(): Promise<SessionFile>;
  /** Conversations of agents and people, and talks about tasks. */
  mail(): Promise<MailStore>;
  /** Outbox of messages and teams for the graph. Only `operations/relay-outbox.ts` uses it. */
  outbox(): Promise<Outbox>;
  teams(): Promise<TeamStore>;
  /** Memory of the team: pending proposals; the memory files are in `ledger`. */
  teamInbox(): Promise<TeamInbox>;
  ledger(): Promise<LedgerFiles>;
  checkpoints(): Promise<Checkpoints>;
  /** Channel to notify people, from the present settings. Errors: `notify_unconfigured`. */
  notifier(channel: Channel): Promise<Notifier>;
  /** Channel on which people answer. */
  replies(): Promise<Replies>;
  skills(): Promise<Skills>;
  wording(): Promise<WordingSource>;
  /** Token prices; the person's own prices take precedence over the shipped ones. */
  prices(): Promise<PriceTable>;
  /** Model of a choice; it reports itself whether it is available. Only `operations/models/ask.ts` uses it. */
  model(choice: ModelChoice): Promise<Model>;
  /** Worktrees of attempts. */
  trees(): Promise<AttemptTrees>;
  /** Branch in which results are merged. */
  integration(): Promise<Integration>;
  clientPrograms(): Promise<ClientPrograms>;
  machine(): Promise<Machine>;
  /** Sandbox of runs. */
  sandbox(): Promise<Sandbox>;
  /** Projects of this person that have a service on this machine. */
  servedProjects(): Promise<ServedProjects>;
  /** Secrets of the HTTP API of this project. */
  accessTokens(): Promise<AccessTokens>;
}

/** A schema with the types of its input and of the parsed value, as operations need them. */
export interface Schema<Input = unknown, Value = unknown> extends core.$ZodType<Value, Input> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: { issues: readonly Issue[] } };
}

/**
 * One operation: loads data, calls core functions, commits. It is declared here alone: command line, help, completion,
 * socket, HTTP and MCP follow from it. `option` and `argument` of `fields.ts` put the fields of its input on the command
 * line.
 */
export interface Operation<Name extends string = string, Input = unknown, Parsed = unknown, Answer = unknown>
  extends Declaration<Name> {
  readonly input: Schema<Input, Parsed>;
  readonly output: Schema<unknown, Answer>;
  run(context: Context, input: Parsed): Promise<Answer>;
}

/** Input of an operation, before parsing. */
export type InputOf<Verb extends Operation> = core.input<Verb['input']>;
/** Answer of an operation. */
export type OutputOf<Verb extends Operation> = core.output<Verb['output']>;

/** Defines an operation with inferred types: its schemas determine the types of input and answer. */
export function operation<const Name extends string, Input, Parsed, Answer>(
  definition: Omit<Operation<Name, Input, Parsed, Answer>, 'run' | 'asks' | 'resource'> & {
    readonly asks?: AsksModel<FieldOf<NoInfer<Input>>>;
    readonly resource?: readonly ResourceAddress<FieldOf<NoInfer<Input>>>[];
    run(context: Context, input: NoInfer<Parsed>): Promise<NoInfer<Answer>>;
  },
): Operation<Name, Input, Parsed, Answer> {
  return definition;
}

/** Fields of all members of a union of inputs. */
type FieldOf<Input> = Input extends unknown ? keyof Input & string : never;

import type { core } from 'zod/mini';
import type { PriceTable } from '#core/runs/prices.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import type { Clock } from '#kernel/clock.js';
import type { Issue } from '#kernel/issues.js';
import type { RequestMark } from '#kernel/request.js';
import type { AgencyFiles } from '#ports/agency.js';
import type { AgencyRemotes } from '#ports/agency-remotes.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { Caller } from '#ports/callers.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import type { Checkpoints } from '#ports/checkpoints.js';
import type { ExecutorFiles } from '#ports/executor-files.js';
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
import type { Channel, Notifier, Replies } from '#ports/notify.js';
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

/** Everything an operation may reach. Built in `main/compose.ts`; the getters load what they need on first use. */
export interface Context {
  readonly clock: Clock;
  readonly caller: Caller;
  /** Absolute path of the project, the folder that holds `.workgraph/`. */
  readonly projectFolder: string;
  /** How an agent calls this program: an absolute path. */
  readonly command: string;
  /** Given by a caller that may ask twice: the second time gets the first answer. */
  readonly request: RequestMark;
  /** The coordinator of this process; undefined in a process without one, which then is the whole project's lack. */
  readonly coordinator?: () => CoordinatorFacts;
  /** Makes the project's graph folder where there is none. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /** Fresh unique text, for ids of proposals, snapshots and the like. */
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
  /** Which commands may run here. */
  trustedCommands(): Promise<TrustedCommands>;
  executorFiles(): Promise<ExecutorFiles>;
  executorTrust(): Promise<ExecutorTrust>;
  agency(): Promise<AgencyFiles>;
  /** Agencies of other projects of this machine. */
  agencyRemotes(): Promise<AgencyRemotes>;
  functions(): Promise<FunctionFiles>;
  /** The roles of the repository and the proposals about them. Who may change what of them, their writers say. */
  roleFiles(): Promise<RoleFiles>;
  /** The roles that are shipped. */
  roleStarters(): Promise<RoleStarters>;
  /** The files of runs of crews, panels and sweeps. */
  formationFiles(): Promise<FormationFiles>;
  /** Those of crews, wherever they lie around a folder. */
  handoffFolders(): Promise<HandoffFolders>;
  doctor(): Promise<GraphDoctor>;
  /** Where the project is kept, and where else it could be. */
  storages(): Promise<Storages>;
  traceFiles(): Promise<TraceFiles>;
  pictures(): Promise<GraphDrawer>;
  /** What a caller names to be written. Only `keepOutput` asks for it. */
  outputs(): Promise<OutputFiles>;
  runSnapshots(): Promise<RunSnapshots>;
  settings(): Promise<SettingsFile>;
  sessions(): Promise<SessionFile>;
  /** Conversations of agents and people, and talks about tasks. */
  mail(): Promise<MailStore>;
  /** What they and the teams left for the graph. Only `operations/relay-outbox.ts` asks. */
  outbox(): Promise<Outbox>;
  teams(): Promise<TeamStore>;
  /** What the team remembers, and the files that tell of it. */
  teamInbox(): Promise<TeamInbox>;
  ledger(): Promise<LedgerFiles>;
  checkpoints(): Promise<Checkpoints>;
  /** A way to reach people, as the settings say now; `notify_unconfigured` where they do not. */
  notifier(channel: Channel): Promise<Notifier>;
  /** Where people answer. */
  replies(): Promise<Replies>;
  skills(): Promise<Skills>;
  wording(): Promise<WordingSource>;
  /** What tokens cost, with the person's own prices before the shipped ones. */
  prices(): Promise<PriceTable>;
  /** Whom to ask, as somebody chose it; whether there is one, it says itself. Only `operations/models/ask.ts` asks. */
  model(choice: ModelChoice): Promise<Model>;
  /** Where runs work. */
  trees(): Promise<AttemptTrees>;
  /** Where their results gather. */
  integration(): Promise<Integration>;
  clientPrograms(): Promise<ClientPrograms>;
  machine(): Promise<Machine>;
  /** What keeps runs to their places. */
  sandbox(): Promise<Sandbox>;
}

/** What an operation needs of its schemas: the type of an input, and that of what is parsed from it. */
export interface Schema<Input = unknown, Value = unknown> extends core.$ZodType<Value, Input> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: { issues: readonly Issue[] } };
}

/**
 * One verb: load, ask core, commit. Command line, HTTP and MCP are projections of it; its summary, flags and examples stand
 * in the `specs.ts` of its folder, so that help needs no operation loaded, and are held to its name and its input there.
 */
export interface Operation<Name extends string = string, Input = unknown, Parsed = unknown, Answer = unknown> {
  readonly name: Name;
  readonly input: Schema<Input, Parsed>;
  readonly output: Schema<unknown, Answer>;
  run(context: Context, input: Parsed): Promise<Answer>;
}

/** The input of an operation. */
export type InputOf<Verb extends Operation> = core.input<Verb['input']>;
/** Its answer. */
export type OutputOf<Verb extends Operation> = core.output<Verb['output']>;

/** Keeps the inference of name, schemas and the run function together; the schemas say what it takes and answers. */
export function operation<const Name extends string, Input, Parsed, Answer>(
  definition: Omit<Operation<Name, Input, Parsed, Answer>, 'run'> & {
    run(context: Context, input: NoInfer<Parsed>): Promise<NoInfer<Answer>>;
  },
): Operation<Name, Input, Parsed, Answer> {
  return definition;
}

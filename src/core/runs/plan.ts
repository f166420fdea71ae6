import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Usage } from './event.js';
import type { OwnPartsOfRun } from './own-parts.js';
import { isSessionId, type Reader } from './reader.js';
import type { ReportWay } from './report-way.js';
import type { Passes } from './variables.js';

/** How much a client may do: all its tools, reading only, or only the commands of Troupe. */
export const MODES = ['full', 'light', 'bare'] as const;
export type Mode = (typeof MODES)[number];

/** The clients whose command line and stream we know. */
export const CLIENTS = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'pi'] as const;
export type Client = (typeof CLIENTS)[number];

/** How long a client waits for our server of tools to start. By itself codex waits ten seconds and opencode five, too few on a busy machine. */
export const TOOLS_START_MS = 60_000;

/** What a run tells its process about itself. The token is a secret: it travels by environment, never in arguments or files. */
export const RUN_VARIABLES = [
  ...['WG_TASK_ID', 'WG_AGENT_ID', 'WG_ATTEMPT', 'WG_FENCE', 'WG_RUN', 'WG_RUN_TOKEN', 'WG_EXECUTOR_TYPE', 'WG_MODEL'],
  ...['WG_LLM_PROVIDER', 'WG_PROJECT_ROOT', 'WG_WORKTREE_PATH', 'WG_BRANCH'],
] as const;

/** What the template of a custom executor may name, beside what the plan itself says. */
export type TemplateValues = Readonly<
  Record<
    'task_title' | 'task_description' | 'task_context' | 'task_identity' | 'skills_preamble' | 'task_loop_info',
    string
  >
>;

/** One run as its executor needs to know it. All folders are absolute paths. */
export interface ExecutorPlan {
  readonly taskId: string;
  readonly runId: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly mode: Mode;
  /** The session to begin, or with `resume` to go on with. Clients that choose their own ignore it when they begin. */
  readonly sessionId?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly budgetUsd?: number | undefined;
  readonly project: string;
  /** Where the client works: the worktree of the attempt, or the project. */
  readonly folder: string;
  readonly runFolder: string;
  /** Starts our server of tools over standard input and output. */
  readonly tools: ToolServer;
  readonly prompt: string;
  /** Whom the agent may send to, by name, for clients that take a roster; empty for one that may send to nobody. */
  readonly agents: Readonly<Record<string, { readonly description: string; readonly prompt: string }>>;
  /** The command of the task, for `shell`. */
  readonly exec?: string | undefined;
  readonly values?: Partial<TemplateValues> | undefined;
  /** From the person's own configuration: a client may start with its permission checks off. */
  readonly allowUnsafe: boolean;
  /** Hooks, plugins and tool servers of the person. */
  readonly own: OwnPartsOfRun;
  /** A person let the project's own client settings (hooks, extensions, permissions) act. */
  readonly projectSettings?: boolean | undefined;
}

/** A program and its arguments. */
export interface ToolServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A process, ready to be started without a shell. */
export interface PreparedProcess {
  readonly program: string;
  /** Never a secret: others on the machine can read them. */
  readonly args: readonly string[];
  /** To be added to the run's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the person's variables (keys, addresses) that this client may have; no other client gets them. */
  readonly passes: Passes;
  /** Where it runs. */
  readonly folder: string;
  readonly stdin: string;
  /** To be written, private, below the run folder before the start. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Whether this goes on with the session of the plan. */
  readonly resume: boolean;
}

/** What a good end without a report means: `done`, or nothing yet, and whoever ended so is asked. */
export type SilentEnd = 'ask' | 'done';

export interface Executor {
  readonly name: string;
  readonly silentEnd: SilentEnd;
  /** The one way in which its agents report, in every mode, and by what they commit in a worktree. */
  readonly reports: ReportWay;
  readonly commits: 'shell' | 'tool';
  /** Who picks the id of a session: we, by a UUID in the plan; the client, which tells it in its stream; there are none. */
  readonly sessions: 'chosen' | 'told' | 'none';
  /** True when a person does the work, so that nobody judges it as a model's. */
  readonly human: boolean;
  /** It is told how much money it may use, and ends by itself when it has: only what it is told counts, no estimate of ours. */
  readonly capsItself: boolean;
  /** How to get it, said when its program is missing. */
  readonly install: string;
  /**
   * What a project may hold, from its top, that this client acts on although it is told not to. A project with one of
   * these is no place to start it in, unless the plan says `projectSettings`.
   */
  readonly actsOn: readonly string[];
  /**
   * Files by which a project tells this client how to work there, from its top; of each group the first there is. They reach
   * the client by its prompt, as foreign text within bounds; it reads none of them by itself.
   */
  readonly rules: readonly (readonly string[])[];
  /** Refuses with `bad_input`, `exec_missing` or `bad_executor`. */
  prepare(plan: ExecutorPlan): PreparedProcess;
  /** `before`: the `cumulative` figures of the session's last run, where this run resumes it. */
  reader(before?: Usage): Reader;
}

/** Names of models as they are in use: `gpt-5.2`, `anthropic/claude-x`, `sonnet[1m]`, `qwen3:8b`. Never an option or a path up. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@+[\]-]{0,199}$/;
const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whatever stands in arguments is of a form that no client can take for an option. Refuses with `bad_input`. */
export function checkPlan(plan: ExecutorPlan): void {
  if (plan.model !== undefined && !MODEL.test(plan.model)) throw wrong('model name', plan.model);
  if (plan.provider !== undefined && !PROVIDER.test(plan.provider)) throw wrong('provider name', plan.provider);
  if (plan.sessionId !== undefined && !isSessionId(plan.sessionId)) throw wrong('session id', plan.sessionId);
  for (const folder of [plan.project, plan.folder, plan.runFolder]) {
    if (!path.isAbsolute(folder) || folder.includes('\0')) throw wrong('absolute folder', folder);
  }
}

/** What a model client has of its own. */
interface ClientTraits
  extends Pick<
    Executor,
    'reports' | 'commits' | 'sessions' | 'capsItself' | 'install' | 'actsOn' | 'rules' | 'reader'
  > {
  readonly name: Client;
  /** Its command line for a plan that was checked. `session` is the one to go on with; undefined for a new one. */
  invocation(
    plan: ExecutorPlan,
    session: string | undefined,
  ): Pick<PreparedProcess, 'args' | 'environment' | 'passes' | 'files'>;
}

/**
 * A model client: started by its name in the folder of the plan, with the prompt on standard input. One that ends well without a
 * report is asked for it.
 */
export function modelClient({ invocation, ...traits }: ClientTraits): Executor {
  return {
    ...traits,
    silentEnd: 'ask',
    human: false,
    prepare(plan) {
      checkPlan(plan);
      const session = resumed(plan);
      return {
        ...invocation(plan, session),
        program: traits.name,
        folder: plan.folder,
        stdin: plan.prompt,
        resume: session !== undefined,
      };
    },
  };
}

/** Of a client that takes ids of ours: the session to go on with, or the one to begin. */
export function chosenSession(plan: ExecutorPlan): string[] {
  const session = resumed(plan);
  return session === undefined ? option('--session-id', plan.sessionId) : ['--resume', session];
}

function resumed(plan: ExecutorPlan): string | undefined {
  return plan.resume === true ? plan.sessionId : undefined;
}

/** The file of rules for clients that have to be named one. No project has it: the rules of the project stand in the prompt. */
export const NO_RULES_FILE = '.troupe-reads-none.md';

/** The model as clients with many providers name it. */
export function qualifiedModel({ model, provider }: ExecutorPlan): string | undefined {
  if (model === undefined || provider === undefined || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

/** An option with its value, or nothing. */
export function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function wrong(what: string, value: string): TroupeError {
  return new TroupeError('bad_input', { what: `${JSON.stringify(cut(inert(value), 80))} is not a valid ${what}.` });
}

import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Usage } from './event.js';
import type { OwnPartsOfRun } from './own-parts.js';
import { isSessionId, type Reader } from './reader.js';
import type { ReportWay } from './report-way.js';
import type { Passes } from './variables.js';

/** Permission profile of a client: all its tools, reading only, or only the commands of Troupe. */
export const MODES = ['full', 'light', 'bare'] as const;
export type Mode = (typeof MODES)[number];

/** The supported clients, with known command lines and streams. */
export const CLIENTS = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'pi'] as const;
export type Client = (typeof CLIENTS)[number];

/**
 * Time in milliseconds that a client waits for Troupe's MCP server to start. The defaults (codex 10 s, opencode 5 s)
 * are too short on a busy machine.
 */
export const TOOLS_START_MS = 60_000;

/**
 * Environment variables that identify a run to its process. The token is a secret: it is passed in the environment,
 * never in arguments or files.
 */
export const RUN_VARIABLES = [
  ...['WG_TASK_ID', 'WG_AGENT_ID', 'WG_ATTEMPT', 'WG_FENCE', 'WG_RUN', 'WG_RUN_TOKEN', 'WG_EXECUTOR_TYPE', 'WG_MODEL'],
  ...['WG_LLM_PROVIDER', 'WG_PROJECT_ROOT', 'WG_WORKTREE_PATH', 'WG_BRANCH'],
] as const;

/** Values for the template of a custom executor, in addition to those of the plan. */
export type TemplateValues = Readonly<
  Record<
    'task_title' | 'task_description' | 'task_context' | 'task_identity' | 'skills_preamble' | 'task_loop_info',
    string
  >
>;

/** One run as seen by its executor. All folders are absolute paths. */
export interface ExecutorPlan {
  readonly taskId: string;
  readonly runId: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly mode: Mode;
  /** The session to start, or to resume with `resume`. Clients that choose their own ids ignore it at the start. */
  readonly sessionId?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly budgetUsd?: number | undefined;
  readonly project: string;
  /** Working directory of the client: the worktree of the attempt, or the project. */
  readonly folder: string;
  readonly runFolder: string;
  /** Starts Troupe's MCP server over standard input and output. */
  readonly tools: ToolServer;
  readonly prompt: string;
  /** Agents that this one may send messages to, by name, for clients that accept a roster; empty if there are none. */
  readonly agents: Readonly<Record<string, { readonly description: string; readonly prompt: string }>>;
  /** The command of the task, for `shell`. */
  readonly exec?: string | undefined;
  readonly values?: Partial<TemplateValues> | undefined;
  /** From the person's own configuration: whether a client may start with its permission checks off. */
  readonly allowUnsafe: boolean;
  /** Hooks, plugins and MCP servers of the person. */
  readonly own: OwnPartsOfRun;
  /** Whether a person allowed the project's own client settings (hooks, extensions, permissions). */
  readonly projectSettings?: boolean | undefined;
}

/** A program and its arguments. */
export interface ToolServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A process that can be started without a shell. */
export interface PreparedProcess {
  readonly program: string;
  /** Never contains secrets: other users of the machine can read arguments. */
  readonly args: readonly string[];
  /** Added to the environment of the run. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables of the person (keys, addresses) that only this client gets. */
  readonly passes: Passes;
  /** Working directory. */
  readonly folder: string;
  readonly stdin: string;
  /** Files to write below the run folder before the start, readable by the owner only. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Whether the session of the plan is resumed. */
  readonly resume: boolean;
}

/** Meaning of a successful exit without a report: `done`, or undecided, in which case the client is asked. */
export type SilentEnd = 'ask' | 'done';

export interface Executor {
  readonly name: string;
  readonly silentEnd: SilentEnd;
  /** The way its agents report, the same in every mode, and the way they commit in a worktree. */
  readonly reports: ReportWay;
  readonly commits: 'shell' | 'tool';
  /** Origin of session ids: `chosen` by the plan (a UUID), `told` by the client in its stream, or `none`. */
  readonly sessions: 'chosen' | 'told' | 'none';
  /** True if a person does the work, which must not be evaluated like that of a model. */
  readonly human: boolean;
  /** It gets its cost limit and ends by itself when that is used up; estimates of Troupe do not end it. */
  readonly capsItself: boolean;
  /** Installation command, shown if its program is missing. */
  readonly install: string;
  /**
   * Paths in a project, relative to its top, that this client acts on even if told not to. A project with one of them
   * is refused unless the plan sets `projectSettings`.
   */
  readonly actsOn: readonly string[];
  /**
   * Rule files of a project for this client, relative to its top; of each group the first existing file counts. Their
   * text goes into the prompt as foreign text of limited size; the client itself reads none of them.
   */
  readonly rules: readonly (readonly string[])[];
  /** Builds the process. Errors: `bad_input`, `exec_missing`, `bad_executor`. */
  prepare(plan: ExecutorPlan): PreparedProcess;
  /** `before`: the `cumulative` usage of the session's last run, if this run resumes it. */
  reader(before?: Usage): Reader;
}

/** Model names in use: `gpt-5.2`, `anthropic/claude-x`, `sonnet[1m]`, `qwen3:8b`. Never an option or a parent path. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@+[\]-]{0,199}$/;
const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Checks that no value in the arguments can be read as an option. Errors: `bad_input`. */
export function checkPlan(plan: ExecutorPlan): void {
  if (plan.model !== undefined && !MODEL.test(plan.model)) throw wrong('model name', plan.model);
  if (plan.provider !== undefined && !PROVIDER.test(plan.provider)) throw wrong('provider name', plan.provider);
  if (plan.sessionId !== undefined && !isSessionId(plan.sessionId)) throw wrong('session id', plan.sessionId);
  for (const folder of [plan.project, plan.folder, plan.runFolder]) {
    if (!path.isAbsolute(folder) || folder.includes('\0')) throw wrong('absolute folder', folder);
  }
}

/** Properties that differ between model clients. */
interface ClientTraits
  extends Pick<
    Executor,
    'reports' | 'commits' | 'sessions' | 'capsItself' | 'install' | 'actsOn' | 'rules' | 'reader'
  > {
  readonly name: Client;
  /** Command line for a checked plan. `session` is the session to resume; undefined for a new one. */
  invocation(
    plan: ExecutorPlan,
    session: string | undefined,
  ): Pick<PreparedProcess, 'args' | 'environment' | 'passes' | 'files'>;
}

/**
 * Executor for a model client: started by name in the folder of the plan, with the prompt on standard input. After a
 * successful exit without a report it is asked for one.
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

/** Session options for a client that accepts chosen ids: resume the session, or start it. */
export function chosenSession(plan: ExecutorPlan): string[] {
  const session = resumed(plan);
  return session === undefined ? clientOption('--session-id', plan.sessionId) : ['--resume', session];
}

function resumed(plan: ExecutorPlan): string | undefined {
  return plan.resume === true ? plan.sessionId : undefined;
}

/**
 * Rule file name for clients that require one. No project has such a file: the rules of the project are in the prompt.
 */
export const NO_RULES_FILE = '.troupe-reads-none.md';

/** Model name with its provider, for clients with several providers. */
export function qualifiedModel({ model, provider }: ExecutorPlan): string | undefined {
  if (model === undefined || provider === undefined || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

/** An option and its value; empty without a value. */
export function clientOption(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function wrong(what: string, value: string): TroupeError {
  return new TroupeError('bad_input', { what: `${JSON.stringify(cut(inert(value), 80))} is not a valid ${what}.` });
}

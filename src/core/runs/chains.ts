import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';

type Provider = NonNullable<Task['provider']>;
type Scope = NonNullable<Task['context_scope']>;
type ExecMode = NonNullable<Task['exec_mode']>;

/** Sources of the execution settings of a task, in order of precedence. */
export interface ExecutionSources {
  readonly task: Pick<Task, 'id' | 'exec' | 'exec_mode' | 'model' | 'provider' | 'context_scope'>;
  /** Role of the assigned agent. */
  readonly role?: { readonly mode?: ExecMode | undefined; readonly scope?: Scope | undefined } | undefined;
  readonly agent?:
    | {
        readonly executor?: string | undefined;
        readonly model?: string | undefined;
        readonly provider?: Provider | undefined;
      }
    | undefined;
  /** Client chosen by the coordinator for this attempt; overrides the agent and the session. */
  readonly decided?: string | undefined;
  /** Coordinator session of the task, merged with the configuration. */
  readonly session?:
    | {
        readonly executor?: string | undefined;
        readonly model?: string | undefined;
        readonly provider?: Provider | undefined;
        readonly scope?: Scope | undefined;
      }
    | undefined;
}

export interface Execution {
  readonly executor: string;
  readonly mode: ExecMode;
  /** Undefined: the executor's default. */
  readonly model: string | undefined;
  readonly provider: Provider | undefined;
  readonly scope: Scope;
}

/**
 * Resolves client, mode, model, provider and scope of a task. `defaultsOf` returns the defaults of an executor. Errors:
 * `exec_missing`.
 */
export function executionOf(
  { task, role, agent, session, decided }: ExecutionSources,
  defaultsOf: (executor: string) => { readonly model?: string | undefined; readonly provider?: Provider | undefined },
): Execution {
  const mode = task.exec_mode ?? role?.mode ?? 'full';
  const hasCommand = task.exec !== undefined && task.exec !== '';
  const executor =
    hasCommand || mode === 'shell' ? 'shell' : (decided ?? agent?.executor ?? session?.executor ?? 'claude');
  if (executor === 'shell' && !hasCommand) {
    throw new TroupeError('exec_missing', {
      what: `${task.id} runs in the shell, but has no command.`,
      details: { id: task.id },
    });
  }
  const own = defaultsOf(executor);
  // A model and a provider belong to one client and do not apply to another.
  const [ofSession, ofAgent] = [session, agent].map((source) =>
    (source?.executor ?? executor) === executor ? source : undefined,
  );
  return {
    executor,
    mode: executor === 'shell' ? 'shell' : mode,
    model: task.model ?? ofSession?.model ?? ofAgent?.model ?? own.model,
    provider: task.provider ?? ofSession?.provider ?? ofAgent?.provider ?? own.provider,
    scope: task.context_scope ?? role?.scope ?? session?.scope ?? 'task',
  };
}

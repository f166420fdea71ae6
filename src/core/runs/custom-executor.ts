import path from 'node:path';
import * as z from 'zod/mini';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue, type Issue } from '#kernel/issues.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { isInside } from '#kernel/paths.js';
import { builtInExecutor, EXECUTORS } from './executor-table.js';
import { CLIENTS, type Client, checkPlan, type Executor, type ExecutorPlan, type SilentEnd } from './plan.js';
import { plainReader } from './reader.js';

/** Options that switch off the permission checks of clients. */
const BYPASS = /yolo|dangerously|bypasspermissions|danger-full-access|--allow-all|--auto-approve/i;

/**
 * Executor defined by a file of the project. The caller must have checked that a person trusts this very file. Command
 * and folder come from the file; values of the task enter arguments, environment and prompt as whole values.
 */
export function customExecutor(definition: CustomDefinition): Executor {
  const { name } = definition;
  return {
    name,
    sessions: 'none',
    capsItself: false,
    silentEnd: definition.silentEnd,
    reports: { by: 'commands' },
    commits: 'shell',
    human: definition.human,
    actsOn: definition.stream === undefined ? [] : EXECUTORS[definition.stream].actsOn,
    rules: definition.stream === undefined ? [['AGENTS.md', 'CLAUDE.md']] : EXECUTORS[definition.stream].rules,
    install: `The file .workgraph/executors/${name}.toml names it as its command.`,
    prepare(plan) {
      const named = { ...plan, model: plan.model ?? definition.model };
      checkPlan(named);
      if (!plan.allowUnsafe) refuseBypass(definition);
      const values = valuesOf(named);
      const into = (text: string) => argument(name, expand(text, values));
      return {
        program: definition.command,
        args: definition.args.map(into),
        environment: Object.fromEntries(Object.entries(definition.env).map(([key, text]) => [key, into(text)])),
        passes: [],
        folder: folderOf(definition, plan, values),
        stdin: definition.template === undefined ? plan.prompt : expand(definition.template, values),
        files: [],
        resume: false,
      };
    },
    reader: (before) => (definition.stream === undefined ? plainReader() : EXECUTORS[definition.stream].reader(before)),
  };
}

function valuesOf(plan: ExecutorPlan): Record<string, string> {
  const { values = {} } = plan;
  return {
    task_id: plan.taskId,
    task_title: values.task_title ?? '',
    task_description: values.task_description ?? '',
    task_context: values.task_context ?? '',
    task_identity: values.task_identity ?? '',
    task_loop_info: values.task_loop_info ?? '',
    skills_preamble: values.skills_preamble ?? '',
    working_dir: plan.folder,
    model: plan.model ?? '',
  };
}

/** The system refuses longer arguments with an unhelpful message. */
function argument(name: string, value: string): string {
  if (Buffer.byteLength(value) <= TEAM_LIMITS.executorArgumentBytes) return value;
  throw new TroupeError('too_large', {
    what: `An argument of the executor ${name} would have more than ${TEAM_LIMITS.executorArgumentBytes} bytes.`,
    hint: 'Use the long variables in the prompt template: the prompt travels by standard input.',
  });
}

function folderOf({ name, workingDir }: CustomDefinition, plan: ExecutorPlan, values: Record<string, string>): string {
  if (workingDir === undefined) return plan.folder;
  const folder = path.resolve(plan.folder, expand(workingDir, values));
  if (isInside(plan.folder, folder) || isInside(plan.project, folder)) return folder;
  throw new TroupeError('bad_executor', {
    what: `${name}: working_dir is outside the project.`,
    hint: 'Use a folder inside the project.',
  });
}

function refuseBypass({ name, command, args, env }: CustomDefinition): void {
  const flag = [command, ...args, ...Object.values(env)].find((word) => BYPASS.test(word));
  if (flag === undefined) return;
  throw new TroupeError('bad_executor', {
    what: `${name}: ${JSON.stringify(flag.slice(0, 80))} would start a client without permission checks.`,
    hint: 'Remove it, or set allow_unsafe in your own configuration, outside the project.',
  });
}

/** Parsed `.workgraph/executors/NAME.toml`. Texts still contain their variables. */
export interface CustomDefinition {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly timeoutMs?: number;
  readonly model?: string;
  /** The command informs a person, who does the work. */
  readonly human: boolean;
  /** Default: a successful exit is the verdict. */
  readonly silentEnd: SilentEnd;
  /** Client whose stream format its output has; without it the exit code is the verdict. */
  readonly stream?: Client;
  /** Replaces the default prompt. */
  readonly template?: string;
}

const line = z.string().check(z.maxLength(TEAM_LIMITS.executorArgumentBytes), z.regex(/^[^\0]*$/, 'no NUL'));
const variableName = z.string().check(z.regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'use letters, digits and _'));

/** Schema of `.workgraph/executors/NAME.toml`. */
export const executorFileSchema = z.strictObject({
  executor: z.strictObject({
    type: z.optional(z.enum(['custom', ...CLIENTS])),
    command: z.string().check(z.minLength(1), z.maxLength(1_000), z.regex(/^[^\0\n\r]+$/, 'one line')),
    args: z.optional(z.array(line).check(z.maxLength(TEAM_LIMITS.executorArguments))),
    env: z.optional(z.record(variableName, line)),
    working_dir: z.optional(line),
    timeout: z.optional(z.union([z.string(), z.number().check(z.int(), z.gte(1), z.lte(86_400 * 365))])),
    model: z.optional(z.string().check(z.maxLength(200))),
    human: z.optional(z.boolean()),
    silent_end: z.optional(z.enum(['ask', 'done'])),
    stream: z.optional(z.enum(CLIENTS)),
    prompt_template: z.optional(
      z.strictObject({ template: z.string().check(z.maxLength(TEAM_LIMITS.executorFileBytes)) }),
    ),
  }),
});

/**
 * Parses a file that was read as data. Errors: `bad_executor`, which names the key or the variable: unknown keys,
 * unknown variables, a reserved name, variables of Troupe in `env`, task text in a script.
 */
export function customDefinition(name: string, value: unknown): CustomDefinition {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name) || builtInExecutor(name) !== undefined) {
    throw refusal(name, 'this name is reserved, or not of letters, digits, - and _');
  }
  const parsed = executorFileSchema.safeParse(value);
  if (!parsed.success) {
    throw refusal(name, describeIssue(explainIssue(parsed.error.issues[0] as Issue, value), 'the file'));
  }
  const { executor } = parsed.data;
  const { args = [], env = {}, working_dir: workingDir, prompt_template: prompt, model } = executor;
  const texts = [...args, ...Object.values(env), ...(workingDir === undefined ? [] : [workingDir])];
  for (const text of [...texts, prompt?.template ?? '']) {
    const unknown = variablesIn(text).find((variable) => !(VARIABLES as readonly string[]).includes(variable));
    if (unknown !== undefined) throw unknownVariable(unknown, `${name}.toml`);
  }
  const own = Object.keys(env).find((key) => /^WG_/i.test(key));
  if (own !== undefined) throw refusal(name, `env.${own} is Troupe's own`);
  const script = args.find((text, at) => isScript(args[at - 1]) && variablesIn(text).length > 0);
  if (script !== undefined) {
    throw refusal(name, `${JSON.stringify(script.slice(0, 80))} is a script: task text may not be inserted into it`);
  }
  const stream = executor.stream ?? (executor.type === 'custom' ? undefined : executor.type);
  return {
    name,
    command: executor.command,
    args,
    env,
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(executor.timeout === undefined ? {} : { timeoutMs: milliseconds(name, executor.timeout) }),
    ...(model === undefined ? {} : { model }),
    human: executor.human ?? false,
    silentEnd: executor.silent_end ?? 'done',
    ...(stream === undefined ? {} : { stream }),
    ...(prompt === undefined ? {} : { template: prompt.template }),
  };
}

/** Whether shells and interpreters run the next argument as a program. */
function isScript(option: string | undefined): boolean {
  return option !== undefined && /^(-[a-z]*[ce]|--eval|--execute|--command|-command|\/c)$/i.test(option);
}

/** Timeout in milliseconds: `30m`, or a number of seconds, as other tools write it. */
function milliseconds(name: string, timeout: string | number): number {
  if (typeof timeout === 'number') return timeout * 1_000;
  try {
    return parseDuration(timeout);
  } catch (cause) {
    throw refusal(name, 'executor.timeout is not a duration such as 30m', cause);
  }
}

function refusal(name: string, problem: string, cause?: unknown): TroupeError {
  return new TroupeError('bad_executor', {
    what: `${name.slice(0, 60)}.toml: ${problem}.`,
    details: { executor: name.slice(0, 60) },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Variables that `{{NAME}}` in a custom executor may name. */
export const VARIABLES = [
  ...['task_id', 'task_title', 'task_description', 'task_context', 'task_identity', 'working_dir', 'skills_preamble'],
  ...['model', 'task_loop_info'],
] as const;

const PLACE = /\{\{\s*([^{}\s][^{}]*?)\s*\}\}/g;

/** Variable names in a text, known or unknown, in order. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(PLACE)].map((match) => match[1] ?? '');
}

/**
 * Replaces variables in one pass; values are not expanded again. A NUL character cannot occur in an argument and is
 * replaced by U+FFFD.
 */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw unknownVariable(name, 'template');
    return value.replaceAll('\0', '\ufffd');
  });
}

function unknownVariable(name: string, where: string): TroupeError {
  return new TroupeError('bad_executor', {
    what: `${where}: there is no variable ${JSON.stringify(name.slice(0, 60))}.`,
    hint: `Use one of ${VARIABLES.join(', ')}.`,
    details: { variable: name.slice(0, 60) },
  });
}

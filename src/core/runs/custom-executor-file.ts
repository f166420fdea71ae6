import * as z from 'zod/mini';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { explainIssue, type Issue, sayIssue } from '#kernel/issues.js';
import { LIMITS } from '#kernel/limits.js';
import { builtInExecutor } from './executor-table.js';
import { CLIENTS, type Client, type SilentEnd } from './plan.js';
import { unknownVariable, VARIABLES, variablesIn } from './template.js';

/** `.workgraph/executors/NAME.toml`, understood. Texts still hold their variables. */
export interface CustomDefinition {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly timeoutMs?: number;
  readonly model?: string;
  /** The command tells a person, who does the work. */
  readonly human: boolean;
  /** Without a word of the file its good end is its verdict. */
  readonly silentEnd: SilentEnd;
  /** Whose stream its output has; without it the exit code is the verdict. */
  readonly stream?: Client;
  /** In the place of the prompt that would be sent otherwise. */
  readonly template?: string;
}

const line = z.string().check(z.maxLength(LIMITS.executorArgumentBytes), z.regex(/^[^\0]*$/, 'no NUL'));
const variableName = z.string().check(z.regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'use letters, digits and _'));

const schema = z.strictObject({
  executor: z.strictObject({
    type: z.optional(z.enum(['custom', ...CLIENTS])),
    command: z.string().check(z.minLength(1), z.maxLength(1_000), z.regex(/^[^\0\n\r]+$/, 'one line')),
    args: z.optional(z.array(line).check(z.maxLength(LIMITS.executorArguments))),
    env: z.optional(z.record(variableName, line)),
    working_dir: z.optional(line),
    timeout: z.optional(z.union([z.string(), z.number().check(z.int(), z.gte(1), z.lte(86_400 * 365))])),
    model: z.optional(z.string().check(z.maxLength(200))),
    human: z.optional(z.boolean()),
    silent_end: z.optional(z.enum(['ask', 'done'])),
    stream: z.optional(z.enum(CLIENTS)),
    prompt_template: z.optional(z.strictObject({ template: z.string().check(z.maxLength(LIMITS.executorFileBytes)) })),
  }),
});

/**
 * Understands a file that was read as data. Refuses with `bad_executor`, which names the key or the variable: unknown
 * keys, unknown variables, a name that is taken, variables of ours in `env`, task text in a script.
 */
export function customDefinition(name: string, value: unknown): CustomDefinition {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name) || builtInExecutor(name) !== undefined) {
    throw refused(name, 'this name cannot be given: it is taken, or not of letters, digits, - and _');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw refused(name, sayIssue(explainIssue(parsed.error.issues[0] as Issue, value), 'the file'));
  }
  const { executor } = parsed.data;
  const { args = [], env = {}, working_dir: workingDir, prompt_template: prompt, model } = executor;
  const texts = [...args, ...Object.values(env), ...(workingDir === undefined ? [] : [workingDir])];
  for (const text of [...texts, prompt?.template ?? '']) {
    const unknown = variablesIn(text).find((variable) => !(VARIABLES as readonly string[]).includes(variable));
    if (unknown !== undefined) throw unknownVariable(unknown, `${name}.toml`);
  }
  const own = Object.keys(env).find((key) => /^WG_/i.test(key));
  if (own !== undefined) throw refused(name, `env.${own} is Troupe's own`);
  const script = args.find((text, at) => isScript(args[at - 1]) && variablesIn(text).length > 0);
  if (script !== undefined) {
    throw refused(name, `${JSON.stringify(script.slice(0, 80))} is a script: text of a task may not become part of it`);
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

/** What follows such an option is read as a program by shells and interpreters. */
function isScript(option: string | undefined): boolean {
  return option !== undefined && /^(-[a-z]*[ce]|--eval|--execute|--command|-command|\/c)$/i.test(option);
}

/** `30m`, or a number of seconds, as other tools write it. */
function milliseconds(name: string, timeout: string | number): number {
  if (typeof timeout === 'number') return timeout * 1_000;
  try {
    return parseDuration(timeout);
  } catch (cause) {
    throw refused(name, 'executor.timeout is no duration such as 30m', cause);
  }
}

function refused(name: string, problem: string, cause?: unknown): TroupeError {
  return new TroupeError('bad_executor', {
    what: `${name.slice(0, 60)}.toml: ${problem}.`,
    details: { executor: name.slice(0, 60) },
    ...(cause === undefined ? {} : { cause }),
  });
}

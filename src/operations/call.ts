import { isTrialId } from '#core/graph/trial.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { describeIssue, type Explanation, explainIssue } from '#kernel/issues.js';
import { isJsonObject } from '#kernel/json.js';
import { withoutRunTokens } from '#kernel/secrets.js';
import type { Context, Operation } from '#operations/operation.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { OperationSpec } from './operation-spec.js';

/** Loads an operation, checks its input, runs it. Every surface goes through here, so no input is trusted twice. */
export async function callOperation<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  context: Context,
  input: Input,
): Promise<Answer> {
  const { caller } = context;
  const byRun = caller.kind === 'run' && spec.kind === 'write';
  if (byRun) refusePersonsOnly(spec, caller);
  const operation = await spec.load();
  // What a run says stays: in logs, messages, the graph, where git goes. The token that proves it is no part of that.
  const maskedInput = caller.kind === 'run' ? maskedTokens(input) : input;
  const checked = checkedInput(spec, operation, maskedInput, typedName);
  if (!byRun) return operation.run(context, checked);
  const runs = await context.runs();
  await refuseImpostor(runs, caller);
  refuseBeyondTrial(caller, checked);
  if (spec.forRuns === 'own') await refuseForeign(context, caller, checked);
  try {
    return await operation.run(context, checked);
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'stale_attempt') {
      const at = timestamp(context.clock.now());
      await runs.keepRefused(caller.name, { at, operation: spec.name, fence: caller.fence, input: maskedInput });
    }
    throw error;
  }
}

/** The same input, with the tokens of runs masked in every text of it. */
function maskedTokens(input: unknown): unknown {
  if (typeof input === 'string') return withoutRunTokens(input);
  if (Array.isArray(input)) return input.map(maskedTokens);
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, maskedTokens(value)]));
}

/** Settings, trust, budgets, services, other runs: a run changes nothing that its spec does not open to it. */
export function refusePersonsOnly(
  { command, forRuns }: Pick<OperationSpec, 'command' | 'forRuns'>,
  { name }: RunCaller,
): void {
  if (forRuns !== undefined) return;
  throw new TroupeError('not_yours', {
    what: `A run may not use \`troupe ${command}\`: a person does.`,
    hint: 'Say in the log of your task why it is needed.',
    details: { run: name },
  });
}

/** A run changes the task it holds and those it made. Whether it still holds it, the operation looks at when it commits. */
async function refuseForeign(context: Context, { name, taskId }: RunCaller, input: unknown): Promise<void> {
  const id = isJsonObject(input) ? String(input['id']) : '';
  if (id === taskId) return;
  const task = (await (await context.graph()).view()).task(id);
  if (task === undefined || task.created_by === name) return; // of one that is not there, the operation says so
  throw new TroupeError('not_yours', { what: `${id} is not the task of ${name}.`, details: { id } });
}

/** What only tries something changes nothing but its own task: no other tasks, no messages, nothing that is remembered. */
function refuseBeyondTrial({ name, taskId }: RunCaller, input: unknown): void {
  if (!isTrialId(taskId) || (isJsonObject(input) && input['id'] === taskId)) return;
  throw new TroupeError('not_yours', {
    what: `${name} only tries something: it changes nothing but its own task.`,
    hint: 'Do the task alone, and report it.',
    details: { id: taskId },
  });
}

/** Nobody acts as a run but the process that was given its token. Runs that have none are believed, as there were such. */
export async function refuseImpostor(runs: RunFolders, { name, taskId, fence, token = '' }: RunCaller): Promise<void> {
  const identity = await runs.identity(name);
  if (identity?.tokenHash === undefined) return;
  if (sha256(token) === identity.tokenHash && identity.taskId === taskId && fence <= identity.fence) return;
  throw new TroupeError('bad_run_token', { what: `Whoever asks is not ${name}, or not at that attempt.` });
}

type RunCaller = Extract<Context['caller'], { kind: 'run' }>;

/**
 * The input in the form of the operation's schema; `bad_input` says what was expected of which field otherwise. `nameOf`
 * says how whoever asks calls a field.
 */
export function checkedInput<Input, Parsed>(
  spec: OperationSpec,
  operation: Operation<string, Input, Parsed>,
  input: unknown,
  nameOf: (spec: OperationSpec, field: string) => string = (_, field) => field,
): Parsed {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => {
    const { field, text } = explainIssue(issue, input);
    const [first, ...rest] = field;
    return { text, field: first === undefined ? [] : [nameOf(spec, String(first)), ...rest], path: field };
  });
  const [first] = issues;
  throw new TroupeError('bad_input', {
    what: `${first ? describeIssue(first, 'The input') : 'The input has the wrong form'}.`,
    hint: `Run \`troupe ${spec.command} --help\`.`,
    details: { field: first?.path.map(String).join('.') ?? '', issues: issues.map(asDetail) },
  });
}

function asDetail({ path, text }: { path: Explanation['field']; text: string }): { field: string; message: string } {
  return { field: path.map(String).join('.').slice(0, 120), message: text };
}

/** A field as it is typed: `--run`, or the word an argument stands for. */
function typedName(spec: OperationSpec, field: string): string {
  const option = spec.options?.find((candidate) => candidate.field === field);
  if (option) return `--${option.flag}`;
  return spec.arguments?.some((argument) => argument.field === field) ? field.toUpperCase() : field;
}

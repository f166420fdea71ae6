import { ERROR_CODES } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { withValues } from '#kernel/hints.js';
import { describeIssue, type Explanation, explainIssue } from '#kernel/issues.js';
import { isJsonObject } from '#kernel/json.js';
import type { Context, Operation } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import { type Act, isActOfPerson, type OperationSpec } from './operation-spec.js';

/** Loads an operation, checks its input, runs it. Every surface goes through here, so no input is trusted twice. */
export async function callOperation<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  context: Context,
  input: Input,
): Promise<Answer> {
  try {
    return await called(spec, context, input);
  } catch (error) {
    throw error instanceof TroupeError ? aboutInput(error, spec, input) : error;
  }
}

/** Placeholders that stand for what the input names under the same word. */
const NAMED: ReadonlySet<string> = new Set(['RUN', 'TEAM']);

type Shown = Pick<OperationSpec, 'command' | 'arguments'>;

const helpOf = ({ command }: Shown) => `Run \`troupe ${command} --help\`.`;

/** The one task an input names. */
function namedTask(spec: Shown, values: Readonly<Record<string, unknown>>): unknown {
  const named = (spec.arguments ?? []).filter(({ names }) => names === 'task').map(({ field }) => values[field]);
  const [task, ...others] = named.flat();
  return others.length === 0 ? task : undefined;
}

/**
 * The error with the command, task, run or team that was named in its hint. A command of one word takes a task:
 * `troupe show ID`.
 */
export function aboutInput(error: TroupeError, spec: Shown, input?: unknown): TroupeError {
  const values = isJsonObject(input) ? input : {};
  const task = namedTask(spec, values);
  const asThrown = error.hint === ERROR_CODES.usage.hint ? helpOf(spec) : error.hint;
  const hint = withValues(asThrown, (name, command) => {
    if (NAMED.has(name)) return values[name.toLowerCase()];
    return name === 'ID' && /^`troupe [a-z-]+ ID\b/.test(command) ? task : undefined;
  });
  if (hint === error.hint) return error;
  const { code, message, why, details, cause } = error;
  return new TroupeError(code, { what: message, hint, details, cause, ...(why === undefined ? {} : { why }) });
}

async function called<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  context: Context,
  input: Input,
): Promise<Answer> {
  const { caller } = context;
  refusePersonsOnly(spec, caller);
  const operation = await spec.load();
  const run = async (checked: Parsed) => {
    if (spec.kind === 'read') return operation.run(context, checked);
    const { withInput } = await import('./request-of.js');
    return operation.run(withInput(context, spec.name, checked), checked);
  };
  if (caller.kind !== 'run') return run(checkedInput(spec, operation, input, typedName));
  const { maskedTokens, runsOwnCall } = await import('./calls-of-runs.js');
  // What a run says stays: in logs, messages, the graph, where git goes. The token that proves it is no part of that.
  const masked = maskedTokens(input);
  const checked = checkedInput(spec, operation, masked, typedName);
  const call = () => run(checked);
  return spec.kind === 'write' ? runsOwnCall({ spec, context, caller, masked, checked }, call) : call();
}

/** Settings, trust, budgets, services, other runs: a run changes nothing that its row does not open to it. Every door asks here. */
export function refusePersonsOnly(act: Act, caller: Caller): void {
  if (caller.kind !== 'run' || !isActOfPerson(act)) return;
  throw new TroupeError('not_yours', {
    what: `A run may not use \`troupe ${act.command}\`: only a person may.`,
    hint: 'Log in your task why it is needed.',
    details: { run: caller.name },
  });
}

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
    what: `${first ? describeIssue(first, 'The input') : 'The input is not valid'}.`,
    hint: helpOf(spec),
    details: { field: first?.path.map(String).join('.'), issues: issues.map(asDetail) },
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

import { errorCodes, TroupeError } from '#kernel/errors.js';
import { withValues } from '#kernel/hints.js';
import { describeIssue, type Explanation, explainIssue } from '#kernel/issues.js';
import { isJsonObject } from '#kernel/json.js';
import type { Context, Operation } from '#operations/operation.js';
import { type Caller, SCOPES } from '#ports/callers.js';
import { type Act, isForPeopleOnly, scopeOf } from './declaration.js';
import { isForOwner, type OperationSpec } from './operation-spec.js';

/**
 * Loads an operation, validates its input and runs it. All surfaces call operations through this function, so input is
 * validated in one place.
 */
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

/** Placeholders that are replaced by the input field of the same name. */
const NAMED: ReadonlySet<string> = new Set(['RUN', 'TEAM']);

type Shown = Pick<OperationSpec, 'command' | 'instead' | 'arguments'>;

const helpOf = ({ command, instead }: Shown) => `Run \`troupe ${instead ?? command} --help\`.`;

/** The task that an input names, if it names exactly one. */
function namedTask(spec: Shown, values: Readonly<Record<string, unknown>>): unknown {
  const named = (spec.arguments ?? []).filter(({ names }) => names === 'task').map(({ field }) => values[field]);
  const [task, ...others] = named.flat();
  return others.length === 0 ? task : undefined;
}

/**
 * Fills the command, task, run or team into the hint of an error. A command of one word takes a task: `troupe show ID`.
 */
export function aboutInput(error: TroupeError, spec: Shown, input?: unknown): TroupeError {
  const values = isJsonObject(input) ? input : {};
  const task = namedTask(spec, values);
  const asThrown = error.hint === errorCodes().usage.hint ? helpOf(spec) : error.hint;
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
  refuseBeyondRights(spec, caller, input);
  const operation = await spec.load();
  const run = async (checked: Parsed) => {
    if (spec.kind === 'read') return operation.run(context, checked);
    const { withInput } = await import('./request-of.js');
    return operation.run(withInput(context, spec.name, checked), checked);
  };
  if (caller.kind !== 'run') {
    const checked = checkedInput(spec, operation, input);
    if (caller.scope === 'member' && spec.forRuns === 'own')
      await (await import('./calls-of-runs.js')).refuseForeign(context, caller, checked);
    return run(checked);
  }
  const { maskedTokens, callAsRun: runsOwnCall } = await import('./calls-of-runs.js');
  // Input of a run is stored in logs, messages and the graph, and reaches git. Its token must not be in it.
  const masked = maskedTokens(input);
  const checked = checkedInput(spec, operation, masked);
  const call = () => run(checked);
  return spec.kind === 'write' ? runsOwnCall({ spec, context, caller, masked, checked }, call) : call();
}

/**
 * Rejects changes by runs to settings, trust, budgets, services or other runs: a run may use only operations whose
 * specs allow it. Rejects everything beyond the scope of a token or session, also fields that are the owner's alone.
 * Called at every entry point. Errors: `not_yours`, `forbidden`.
 */
export function refuseBeyondRights(act: Act | OperationSpec, caller: Caller, input?: unknown): void {
  if (caller.kind === 'run') {
    if (!isForPeopleOnly(act)) return;
    throw new TroupeError('not_yours', {
      what: `A run may not use \`troupe ${act.command}\`: only a person may.`,
      hint: 'Log in your task why it is needed.',
      details: { run: caller.name },
    });
  }
  const { scope = 'owner' } = caller;
  const needed = scopeOf(act);
  if (SCOPES.indexOf(scope) < SCOPES.indexOf(needed))
    throw new TroupeError('forbidden', {
      what: `\`troupe ${act.command}\` needs the scope ${needed}: this secret has ${scope}.`,
      details: { scope, needed },
    });
  if (scope === 'owner' || !('name' in act) || !isJsonObject(input)) return;
  const field = Object.keys(input).find((one) => isForOwner(act, one));
  if (field === undefined) return;
  throw new TroupeError('forbidden', {
    what: `\`${field}\` needs the scope owner: this secret has ${scope}.`,
    details: { scope, needed: 'owner', field },
  });
}

/** Validates an input. Errors: `bad_input` with the expectation for each invalid field. */
function checkedInput<Input, Parsed>(
  spec: OperationSpec,
  operation: Operation<string, Input, Parsed>,
  input: unknown,
): Parsed {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => explainIssue(issue, input));
  throw new TroupeError('bad_input', {
    what: invalid(issues[0]),
    hint: helpOf(spec),
    details: { field: issues[0]?.field.map(String).join('.'), issues: issues.map(asDetail) },
  });
}

const invalid = (issue: Explanation = { field: [], text: 'is not valid' }) => `${describeIssue(issue, 'The input')}.`;

function asDetail({ field, text }: Explanation): { field: string; message: string } {
  return { field: field.map(String).join('.').slice(0, 120), message: text };
}

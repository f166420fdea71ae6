import * as z from 'zod/mini';
import { isIdForm } from '#core/graph/slug.js';
import { CONTEXT_SCOPES, EXEC_MODES } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue, type Issue } from '#kernel/issues.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert, inSentence } from '#kernel/text.js';
import { checkStructure, findDanglingLoop, loopsAsCycles } from './check-function.js';
import { INPUT_TYPES, type TraceFunction } from './function.js';

const identifier = z.string().check(z.refine(isIdForm, 'use letters, digits, . _ and -, at most 100'));
const label = z.string().check(z.maxLength(WORK_LIMITS.titleCharacters));
const text = z.string().check(z.maxLength(WORK_LIMITS.descriptionBytes));
const labels = z.array(label).check(z.maxLength(WORK_LIMITS.edgesPerTask));
const ids = z.array(identifier).check(z.maxLength(WORK_LIMITS.edgesPerTask));
const duration = z.string().check(z.regex(/^\d{1,9}[smhd]$/, 'write a duration such as 90s or 5m'));
const amount = z.number().check(z.gte(0));
const count = z.number().check(z.int(), z.gte(0), z.lte(WORK_LIMITS.cycleIterations));

/** A guard: text, or in older files an object of other tools. Parsed in `check-function.ts`. */
const guard = z.union([label, z.record(z.string(), z.unknown())]);

const cycle = z.strictObject({
  max_iterations: z.number().check(z.int(), z.gte(1), z.lte(WORK_LIMITS.cycleIterations)),
  guard: z.optional(guard),
  delay: z.optional(duration),
  no_converge: z.optional(z.boolean()),
  restart_on_failure: z.optional(z.boolean()),
  max_failure_restarts: z.optional(count),
});

const loop = z.looseObject({
  target: identifier,
  max_iterations: z.number().check(z.int(), z.gte(1), z.lte(WORK_LIMITS.cycleIterations)),
  guard: z.optional(z.nullable(guard)),
  delay: z.optional(z.nullable(duration)),
});

const task = z.looseObject({
  template_id: identifier,
  title: text,
  description: z.optional(text),
  after: z.optional(ids),
  /** Former name of `after`. */
  blocked_by: z.optional(ids),
  after_success: z.optional(ids),
  skills: z.optional(labels),
  inputs: z.optional(labels),
  deliverables: z.optional(labels),
  tags: z.optional(labels),
  requires: z.optional(labels),
  verify: z.optional(text),
  verify_cmd: z.optional(text),
  exec: z.optional(text),
  exec_mode: z.optional(z.enum(EXEC_MODES)),
  environment: z.optional(z.record(z.string().check(z.regex(/^IN_[A-Z][A-Z0-9_]{0,60}$/, 'use IN_NAME')), text)),
  estimate: z.optional(z.strictObject({ hours: z.optional(amount), cost: z.optional(amount) })),
  delay: z.optional(duration),
  timeout: z.optional(duration),
  max_retries: z.optional(count),
  context_scope: z.optional(z.enum(CONTEXT_SCOPES)),
  role_hint: z.optional(label),
  cycle: z.optional(cycle),
  loops_to: z.optional(z.array(loop).check(z.maxLength(WORK_LIMITS.edgesPerTask))),
});

const input = z.looseObject({
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'use letters, digits, _ and -, at most 64')),
  type: z.enum(INPUT_TYPES),
  required: z.optional(z.boolean()),
  description: z.optional(text),
  default: z.optional(z.unknown()),
  example: z.optional(z.unknown()),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  values: z.optional(z.array(z.union([label, z.number()])).check(z.maxLength(TEAM_LIMITS.functionInputs))),
});

/** Schema of a function file as written by people. */
export const functionSchema = z.looseObject({
  kind: z.literal('trace-function'),
  version: z.number().check(z.int(), z.gte(1)),
  id: identifier,
  name: z.optional(text),
  description: z.optional(text),
  inputs: z.optional(z.array(input).check(z.maxLength(TEAM_LIMITS.functionInputs))),
  tasks: z.optional(z.array(task).check(z.maxLength(TEAM_LIMITS.functionTasks))),
  planning: z.optional(z.nullable(z.looseObject({ static_fallback: z.optional(z.boolean()) }))),
  static_fallback: z.optional(z.boolean()),
});

/** A function with its source file, including keys that this version does not use. */
export interface FunctionInFile extends TraceFunction {
  readonly source: z.infer<typeof functionSchema>;
}

const NEWEST = 3;

/**
 * Validates the data of a function file as a `TraceFunction`; unknown keys stay in its `source`. `name` is the file
 * name in errors. Errors: `function_invalid`, or `function_unsupported` for a newer version.
 */
export function parseFunction(value: unknown, name: string): FunctionInFile {
  const parsed = functionSchema.safeParse(value);
  if (!parsed.success) {
    const issue = explainIssue(parsed.error.issues[0] as Issue, value);
    throw invalid(name, describeIssue(issue, 'the file'), issue.field.map(String).join('.'));
  }
  const { version, id, inputs = [], tasks = [], planning, static_fallback: fallback } = parsed.data;
  if (version > NEWEST) {
    throw new TroupeError('function_unsupported', {
      what: `${cut(inert(name), 120)} has version ${version}; known are 1 to ${NEWEST}.`,
      details: { id, version },
    });
  }
  const templates = loopsAsCycles(tasks);
  const problem = findDanglingLoop(tasks) ?? checkStructure(inputs, templates);
  if (problem) throw invalid(name, problem.text, problem.field);
  return {
    id,
    version,
    ...(parsed.data.name === undefined ? {} : { name: parsed.data.name }),
    ...(parsed.data.description === undefined ? {} : { description: parsed.data.description }),
    inputs,
    tasks: templates,
    fixed: version === 1 || planning?.static_fallback === true || fallback === true,
    source: value as FunctionInFile['source'],
  };
}

/** Error for a file, with its name and field. */
export function invalid(name: string, problem: string, field = ''): TroupeError {
  return new TroupeError('function_invalid', {
    what: `${cut(inert(name), 120)}: ${cut(inert(problem), 300)}.`,
    details: { file: inSentence(name), field: inSentence(field) },
  });
}

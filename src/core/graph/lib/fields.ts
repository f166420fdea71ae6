import { parseGuard } from '#core/graph/guard.js';
import { execFields, withinLimit } from '#core/graph/lib/checks.js';
import { checkedLabels } from '#core/graph/needs.js';
import {
  CONTEXT_SCOPES,
  type CycleConfig,
  type NodeFields,
  PROVIDERS,
  type Task,
  VISIBILITIES,
  WORK_PLACES,
} from '#core/graph/task.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Tag of a task whose dependents wait for its evaluation. */
const EVAL_GATE = 'eval-gate';

/** Fields that both a new task and an edit may give. Undefined means not given. */
export interface TaskFields {
  readonly description?: string | undefined;
  readonly exec?: string | undefined;
  readonly exec_mode?: Task['exec_mode'] | undefined;
  /** RFC 3339. With `delay`: now plus the delay. */
  readonly not_before?: string | undefined;
  readonly delay?: string | undefined;
  readonly timeout?: string | undefined;
  readonly member?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly verify?: string | undefined;
  readonly verify_cmd?: string | undefined;
  readonly require_commit?: boolean | undefined;
  readonly in?: string | undefined;
  readonly max_retries?: number | undefined;
  readonly max_rejections?: number | undefined;
  readonly visibility?: string | undefined;
  readonly context_scope?: string | undefined;
  readonly requires?: readonly string[] | undefined;
  /** Labels that a worker must have to run the task. */
  readonly needs?: readonly string[] | undefined;
  readonly hours?: number | undefined;
  readonly cost?: number | undefined;
  readonly max_iterations?: number | undefined;
  readonly cycle_guard?: string | undefined;
  readonly cycle_delay?: string | undefined;
  readonly no_converge?: boolean | undefined;
  readonly no_restart_on_failure?: boolean | undefined;
  readonly max_failure_restarts?: number | undefined;
}

/** Validates the fields and returns them in stored form; `present` is the task they change, if any. */
export function storedFields(input: TaskFields, present?: Task): NodeFields {
  const estimate = {
    ...present?.estimate,
    ...measure('hours', input.hours),
    ...measure('cost', input.cost),
  };
  const config = cycleConfig(input, present?.cycle_config);
  return {
    ...(input.description === undefined ? {} : { description: withinLimit('description', input.description) }),
    ...(Object.keys(estimate).length > 0 ? { estimate } : {}),
    ...(input.requires && input.requires.length > 0 ? { requires: [...new Set(input.requires)] } : {}),
    ...(input.needs && input.needs.length > 0 ? { needs: checkedLabels(input.needs) } : {}),
    ...execFields(input.exec, input.exec_mode),
    ...(input.delay ? { delay: input.delay } : {}),
    ...text('not_before', input.not_before),
    ...whole('max_retries', input.max_retries),
    ...whole('max_rejections', input.max_rejections),
    ...text('model', input.model),
    ...oneOf('provider', input.provider, PROVIDERS),
    ...(input.verify ? { verify: withinLimit('description', input.verify) } : {}),
    ...(input.verify_cmd ? { verify_cmd: execFields(input.verify_cmd, undefined)['exec'] ?? '' } : {}),
    ...(input.require_commit ? { require_commit: true } : {}),
    ...oneOf('in', input.in, WORK_PLACES),
    ...text('agent', input.agent),
    ...(config ? { cycle_config: config } : {}),
    ...oneOf('visibility', input.visibility, VISIBILITIES),
    ...oneOf('context_scope', input.context_scope, CONTEXT_SCOPES),
    ...text('member', input.member),
    ...text('timeout', timeLimit(input.timeout)),
  };
}

/** Adds the tag that holds dependents back to a task that is verified. */
export function withGate(tags: readonly string[], input: TaskFields): string[] {
  const gated = input.verify || input.verify_cmd;
  return [...new Set([...tags, ...(gated ? [EVAL_GATE] : [])])].filter((tag) => tag !== '');
}

/**
 * Builds a cycle config. Other cycle flags have no effect without a bound: `--max-iterations` must be given now or be
 * set already.
 */
function cycleConfig(input: TaskFields, present: CycleConfig | undefined): CycleConfig | undefined {
  const option = [
    ['--cycle-guard', input.cycle_guard],
    ['--cycle-delay', input.cycle_delay],
    ['--no-converge', input.no_converge],
    ['--no-restart-on-failure', input.no_restart_on_failure],
    ['--max-failure-restarts', input.max_failure_restarts],
  ].find(([, value]) => value !== undefined && value !== false);
  const most = input.max_iterations ?? present?.max_iterations;
  if (input.max_iterations === undefined && !option) return undefined;
  if (most === undefined) {
    throw new TroupeError('usage', {
      what: `${option?.[0] ?? 'A cycle'} needs --max-iterations: a cycle without a limit never repeats.`,
      hint: 'For example, add --max-iterations 3.',
    });
  }
  if (!Number.isInteger(most) || most < 1 || most > WORK_LIMITS.cycleIterations) {
    throw new TroupeError('usage', {
      what: `--max-iterations must be a whole number from 1 to ${WORK_LIMITS.cycleIterations}.`,
    });
  }
  if (input.cycle_delay !== undefined) parseDuration(input.cycle_delay);
  return {
    ...present,
    max_iterations: most,
    ...(input.cycle_guard === undefined ? {} : { guard: parseGuard(input.cycle_guard) }),
    ...(input.cycle_delay === undefined ? {} : { delay: input.cycle_delay }),
    ...(input.no_converge ? { no_converge: true } : {}),
    ...(input.no_restart_on_failure ? { restart_on_failure: false } : {}),
    ...(whole('max_failure_restarts', input.max_failure_restarts) as { max_failure_restarts?: number }),
  };
}

function text(field: string, value: string | undefined): NodeFields {
  return value ? { [field]: withinLimit('title', value) } : {};
}

/** Refuses a limit of nothing: every attempt would be ended as it starts. */
function timeLimit(value: string | undefined): string | undefined {
  if (value !== undefined && value !== '' && parseDuration(value) === 0)
    throw new TroupeError('bad_input', {
      what: 'timeout must be longer than nothing.',
      hint: 'Use such as 90s or 30m.',
    });
  return value;
}

function oneOf(field: string, value: string | undefined, values: readonly string[]): NodeFields {
  if (value === undefined || value === '') return {};
  if (values.includes(value)) return { [field]: value };
  throw new TroupeError('usage', {
    what: `Not a ${field.replaceAll('_', ' ')}: ${JSON.stringify(value.slice(0, 40))}`,
    hint: `Use one of: ${values.join(', ')}.`,
  });
}

function measure(field: string, value: number | undefined): NodeFields {
  if (value === undefined) return {};
  if (!Number.isFinite(value) || value < 0) {
    throw new TroupeError('bad_input', { what: `${field} must be a number of 0 or more.` });
  }
  return { [field]: value };
}

function whole(field: string, value: number | undefined): NodeFields {
  if (value === undefined) return {};
  if (!Number.isInteger(value) || value < 0 || value > WORK_LIMITS.cycleIterations) {
    throw new TroupeError('usage', {
      what: `--${field.replaceAll('_', '-')} must be a whole number from 0 to ${WORK_LIMITS.cycleIterations}.`,
    });
  }
  return { [field]: value };
}

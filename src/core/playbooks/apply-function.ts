import { type AddContext, addTask, type TaskDraft } from '#core/graph/add.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { formatGuard, parseGuard } from '#core/graph/guard.js';
import type { Mover } from '#core/graph/moves.js';
import { freeId, isIdForm, titleSlug, wholeWords } from '#core/graph/slug.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type WorkflowMark, withMark } from './compiled.js';
import type { TaskTemplate, TraceFunction } from './function.js';
import { fillText, mappedGuard, mapTexts, rootsOf } from './function.js';
import { usedRunNames } from './runs.js';

/** Tag of a task whose command came from elsewhere and has not been reviewed. */
export const REVIEW_TAG = 'review-exec';

export interface ApplyOptions {
  readonly now: number;
  /** The caller; a run has limits. */
  readonly by: Mover;
  readonly limits?: AddContext['limits'];
  /** Prefix of the ids; by default the value of `feature_name`, otherwise the id of the function. */
  readonly prefix?: string | undefined;
  /** Predecessors in the graph for the first tasks of the function. */
  readonly after?: readonly string[] | undefined;
  readonly model?: string | undefined;
  /** Whether tasks with commands are held back until a person has reviewed them. */
  readonly holdCommands: boolean;
}

export interface FunctionApplication {
  readonly prefix: string;
  /** In the order of the templates. */
  readonly drafts: readonly (TaskDraft & { readonly id: string })[];
  /** Ids of the tasks that were held back. */
  readonly held: readonly string[];
}

/**
 * Instantiates the templates of a function as tasks, in one group of events, with the same validation as every new
 * task. `values` are the validated texts of the inputs.
 */
export function applyFunction(
  view: GraphView,
  traceFunction: TraceFunction,
  values: ReadonlyMap<string, string>,
  options: ApplyOptions,
): Plan<FunctionApplication> {
  if (!traceFunction.fixed) {
    throw new TroupeError('function_unsupported', {
      what: `${traceFunction.id} has version ${traceFunction.version}: a model would have to plan its tasks first.`,
      details: { id: traceFunction.id, version: traceFunction.version },
    });
  }
  if (traceFunction.tasks.length === 0)
    throw new TroupeError('function_invalid', { what: `${traceFunction.id} has no tasks.` });
  const wanted = options.prefix?.replace(/-+$/, '') ?? defaultPrefix(traceFunction, values);
  const prefix = freePrefix(view, traceFunction, wanted);
  const idOf = (template: string) => `${prefix}-${template}`;
  const roots = new Set(rootsOf(traceFunction.tasks));
  const ids = new Set(traceFunction.tasks.map((template) => template.template_id));
  const heldBack: string[] = [];
  const drafts = traceFunction.tasks.map((template) => {
    const hold = options.holdCommands && (template.exec !== undefined || template.verify_cmd !== undefined);
    if (hold) heldBack.push(idOf(template.template_id));
    const before = roots.has(template.template_id) ? (options.after ?? []) : [];
    const filled = mapTexts(template, (text) => fillText(text, values));
    return draftOf(filled, { idOf, ids, before, hold, now: options.now, model: options.model });
  });
  const marks = { id: traceFunction.id, kind: 'function' as const, run: prefix };
  const markOf = (id: string) => ({ ...marks, node: id.slice(prefix.length + 1) });
  const events = addTasks(view, drafts, options, markOf);
  return { events, result: { prefix, drafts, held: heldBack } };
}

function defaultPrefix(traceFunction: TraceFunction, values: ReadonlyMap<string, string>): string {
  const named = values.get('feature_name');
  return wholeWords(named ? titleSlug(named) : traceFunction.id, TEAM_LIMITS.functionPrefixCharacters).replace(
    /[._-]+$/,
    '',
  );
}

/** The first of `prefix`, `prefix-2`, … that names no run and for which all ids are unused. */
function freePrefix(view: GraphView, { tasks }: TraceFunction, base: string): string {
  const ids = (prefix: string) => tasks.map((template) => `${prefix}-${template.template_id}`);
  const runs = usedRunNames(view);
  const isTaken = (candidate: string) => runs.has(candidate) || ids(candidate).some((id) => view.wasUsed(id));
  const prefix = freeId(base, isTaken);
  const wrong = ids(prefix).find((id) => !isIdForm(id));
  if (wrong === undefined) return prefix;
  throw new TroupeError('bad_input', {
    what: `${JSON.stringify(wrong.slice(0, 140))} would not be a valid id.`,
    hint: 'Choose a short --prefix of letters, digits, . _ and -.',
  });
}

interface Place {
  readonly idOf: (template: string) => string;
  /** Ids of all templates. */
  readonly ids: ReadonlySet<string>;
  readonly before: readonly string[];
  readonly hold: boolean;
  readonly now: number;
  readonly model: string | undefined;
}

function draftOf(template: TaskTemplate, place: Place): TaskDraft & { id: string } {
  const { template_id, after, after_success, cycle, estimate, delay, role_hint: role, ...fields } = template;
  const guard = cycle?.guard === undefined ? undefined : mappedGuard(parseGuard(cycle.guard), place.ids, place.idOf);
  const tags = [...(fields.tags ?? []), ...(role ? [`role:${role}`] : []), ...(place.hold ? [REVIEW_TAG] : [])];
  return {
    id: place.idOf(template_id),
    title: fields.title,
    description: fields.description || undefined,
    after: [...place.before, ...(after ?? []).map(place.idOf)],
    after_success: after_success?.map(place.idOf),
    tags,
    skills: fields.skills,
    inputs: fields.inputs,
    deliverables: fields.deliverables,
    requires: fields.requires,
    exec: fields.exec,
    exec_mode: fields.exec_mode,
    environment: fields.environment,
    timeout: fields.timeout,
    verify: fields.verify,
    verify_cmd: fields.verify_cmd,
    max_retries: fields.max_retries,
    context_scope: fields.context_scope,
    model: place.model,
    hours: estimate?.hours,
    cost: estimate?.cost,
    max_iterations: cycle?.max_iterations,
    cycle_guard: guard && formatGuard(guard),
    cycle_delay: cycle?.delay,
    no_converge: cycle?.no_converge,
    no_restart_on_failure: cycle?.restart_on_failure === false,
    max_failure_restarts: cycle?.max_failure_restarts,
    ...(delay === undefined ? {} : { delay, not_before: timestamp(place.now + parseDuration(delay)) }),
    no_place: true,
    ...(place.hold ? { paused: true } : {}),
  };
}

/** Adds the tasks one after another. Tasks of a run count cumulatively towards its limits. */
function addTasks(
  view: GraphView,
  drafts: readonly (TaskDraft & { id: string })[],
  options: ApplyOptions,
  markOf: (id: string) => WorkflowMark,
): EventDraft[] {
  const coming = new Set(drafts.map((draft) => draft.id));
  const context = { now: options.now, unknown: 'never' as const, coming, actor: options.by.name };
  const by = { by: options.by, limits: options.limits };
  const trial = options.by.fence === undefined ? undefined : view.fork();
  return drafts.flatMap((draft) => {
    const { events } = addTask(trial ?? view, draft, { ...context, ...by });
    for (const event of events) trial?.apply({ ...event, seq: trial.seq, id: '', timestamp: '' });
    return withMark(events, draft.id, markOf(draft.id));
  });
}

import { ENVIRONMENT } from '#core/graph/commands.js';
import { formatGuard } from '#core/graph/guard.js';
import { parseGraph } from '#core/graph/line.js';
import { CONTEXT_SCOPES, type GraphNode, isTask, isTerminal, type Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { comment, fieldText, fieldTexts, plainText, restOf, timeIn, titleOf } from './reading.js';

const TAKEN = [
  ...['kind', 'id', 'title', 'status', 'description', 'after', 'after_success', 'before', 'tags', 'log', 'created_at'],
  ...['completed_at', 'not_before', 'skills', 'inputs', 'deliverables', 'artifacts', 'exec', 'environment', 'verify'],
  ...['verify_cmd', 'timeout', 'model', 'context_scope', 'max_retries', 'estimate', 'failure_reason', 'cycle_config'],
  ...['rev', 'fence', 'epic'],
];

/** Reads the tasks of another project's `graph.jsonl`, also of the original tool and its early versions. */
export function parseWorkgraph({ text }: ImportFile): ParsedImport {
  const { nodes, bad, duplicates, conflicts } = parseGraph(text);
  const tasks: ImportedTask[] = [];
  const left: LeftOut[] = [];
  const broken: BrokenRecord[] = [
    ...bad.map(({ line, reason }) => ({ place: `line ${line}`, why: reason })),
    ...duplicates.map(({ line, id }) => ({ place: `line ${line}`, why: `the id ${id.slice(0, 60)} appears twice` })),
    ...conflicts.map((line) => ({ place: `line ${line}`, why: 'a git conflict' })),
  ];
  const behind = new Map<string, string[]>();
  for (const node of nodes.values()) {
    for (const later of fieldTexts(fieldsOf(node)['before'] ?? [])) {
      const list = behind.get(later) ?? [];
      behind.set(later, list);
      list.push(node.id);
    }
  }
  for (const node of nodes.values()) {
    const title = isTask(node) ? titleOf(node.title) || node.id : '';
    if (isTask(node)) tasks.push(taskOf(node, title, behind.get(node.id) ?? []));
    else left.push({ key: node.id, title: fieldText(fieldsOf(node)['name']), why: `of kind ${kindOf(node)}, no task` });
  }
  return { tasks, broken, left };
}

function kindOf({ kind }: GraphNode): string {
  return kind.slice(0, 40);
}

function taskOf(task: Task, title: string, behind: readonly string[]): ImportedTask {
  const fields = fieldsOf(task) as JsonObject;
  const environment = environmentOf(task);
  const cycle = cycleOf(task);
  const scope = CONTEXT_SCOPES.find((name) => name === task.context_scope);
  return {
    key: task.id,
    wish: task.id,
    title,
    status: isTerminal(task.status) || task.status === 'blocked' ? task.status : 'open',
    state: task.paused === true ? `${task.status}, paused` : task.status,
    text: plainText(task.description ?? ''),
    after: [...(task.after ?? []), ...behind],
    afterSuccess: task.after_success ?? [],
    ...(task.epic === undefined ? {} : { parent: task.epic }),
    labels: (task.tags ?? []).map((tag) => `label:${plainText(tag)}`),
    created: timeIn(task.created_at),
    ended: timeIn(task.completed_at),
    notBefore: timeIn(task.not_before),
    log: (task.log ?? []).flatMap(({ actor, timestamp, message }) =>
      comment(`workgraph:${plainText(actor ?? 'unknown')}`, timeIn(timestamp), message),
    ),
    fields: {
      skills: task.skills,
      inputs: task.inputs,
      deliverables: task.deliverables,
      artifacts: task.artifacts,
      exec: task.exec,
      ...(environment === undefined ? {} : { environment }),
      verify: task.verify,
      verify_cmd: task.verify_cmd,
      timeout: task.timeout,
      model: task.model,
      context_scope: scope,
      max_retries: task.max_retries,
      hours: task.estimate?.hours,
      cost: task.estimate?.cost,
      failure_reason: task.failure_reason,
      ...cycle?.fields,
    },
    rest: {
      ...restOf(fields, TAKEN),
      ...(environment === undefined && fields['environment'] !== undefined
        ? { environment: fields['environment'] }
        : {}),
      ...(cycle === undefined && fields['cycle_config'] !== undefined ? { cycle_config: fields['cycle_config'] } : {}),
    },
  };
}

/** Environment of the command, if all of it is text. */
function environmentOf(task: Task): Readonly<Record<string, string>> | undefined {
  const value = ENVIRONMENT.of(task);
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

/** A cycle in the form that a new task takes; undefined without one, or if it cannot be said so. */
function cycleOf({ cycle_config: config }: Task) {
  if (!isJsonObject(config)) return undefined;
  const { max_iterations, guard, delay, no_converge, restart_on_failure, max_failure_restarts } = config;
  if (typeof max_iterations !== 'number') return undefined;
  return {
    fields: {
      max_iterations,
      ...(guard === undefined ? {} : { cycle_guard: formatGuard(guard) }),
      ...(typeof delay === 'string' ? { cycle_delay: delay } : {}),
      ...(no_converge === true ? { no_converge } : {}),
      ...(restart_on_failure === false ? { no_restart_on_failure: true } : {}),
      ...(typeof max_failure_restarts === 'number' ? { max_failure_restarts } : {}),
    },
  };
}

import { formatDuration } from '#kernel/duration.js';
import { FROM_PROJECT, layoutOf } from '#kernel/graph-folder.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import type { Input, OperationName, Output } from '#operations/map.js';
import { shapedSection } from './section-shapes.js';
import { listedTask, readyTask, type Stored, shownTask, waitingForTime } from './task-shapes.js';

/** An answer, and all that its shape is made from. */
export interface Told<Name extends OperationName> {
  readonly answer: Output<Name>;
  readonly input: Input<Name>;
  /** Command and subcommand, as typed. */
  readonly command: string;
  /** Flags of the original that no operation has. */
  readonly flags: ReadonlySet<string>;
  /** Maximum number of ready tasks to tell of. */
  readonly limit: number;
  /** The other project that the command was given. */
  readonly repository: string | undefined;
  ask<Other extends OperationName>(operation: Other, input: Input<Other>): Promise<Output<Other>>;
}

interface Shaping<Name extends OperationName> {
  shape(told: Told<Name>): unknown;
}

/** Shape of one answer. A method type, because its parameters are bivariant: operations are called by name. */
export type Shape<Name extends OperationName> = Shaping<Name>['shape'];

/**
 * Answers of operations as the original workgraph prints them with `--json`: bare lists, its names of fields. An
 * operation without a row prints as ever.
 */
export const SHAPES: { readonly [Name in OperationName]?: Shape<Name> } = {
  'task.list': async ({ answer, ask }) => {
    const tasks = new Map((await ask('graph.stored', {})).tasks.map((task) => [task.id, task]));
    return answer.tasks
      .map(({ id }) => tasks.get(id))
      .flatMap((task) => (task === undefined ? [] : [listedTask(task)]));
  },
  'task.ready': async ({ answer, ask }) => {
    const all = await ask('graph.stored', {});
    const ready = new Set(answer.tasks.map(({ id }) => id));
    return [
      ...all.tasks.filter(({ id }) => ready.has(id)).map((task) => readyTask(task, true)),
      ...waitingForTime(all).map((task) => readyTask(task, false)),
    ];
  },
  'task.show': ({ answer }) => shownTask(answer),
  'task.log': async ({ answer, input, flags, ask }) => {
    if (answer.id === undefined) return answer.operations ?? [];
    if (flags.has('agent')) return (await ask('graph.stored', { archived: answer.id })).archived;
    return input.message === undefined ? answer.log : answer;
  },
  'task.context': async ({ answer, input, ask }) => {
    if (input.dependents !== true) return contextOf(answer);
    const own = (await ask('graph.stored', {})).tasks.find(({ id }) => id === answer.id);
    const dependents = answer.dependents ?? [];
    return {
      ...{ task_id: answer.id, artifacts: own?.['artifacts'] ?? [], deliverables: answer.deliverables },
      dependents: dependents.map(({ id, title, inputs }) => ({ task_id: id, title, needs: inputs })),
    };
  },
  'analysis.report': async ({ answer, command, limit, ask }) =>
    // Each section was a command of its own; the report as a whole is not among those of the original.
    command.startsWith('analyze')
      ? answer
      : await shapedSection(answer, limit, async () => (await ask('graph.stored', {})).tasks),
  'agent.list': ({ answer, flags }) =>
    answer.agents
      .filter(({ status }) => AGENT_KINDS.every(([flag, statuses]) => !flags.has(flag) || statuses.includes(status)))
      .map(({ id, task_id, executor, pid, started_at, last_heartbeat, uptime, status }) => ({
        ...{ id, task_id, executor, pid, started_at, last_heartbeat },
        ...{
          uptime: formatDuration(uptime * 1_000),
          uptime_secs: uptime,
          status,
          process_alive: ALIVE.includes(status),
        },
        output_file: `${FROM_PROJECT.agents}/${id}/output.log`,
      })),
  'trace.show': async ({ answer, ask }) => {
    if (answer.tree !== undefined) return recursiveTrace(answer, await ask('graph.stored', {}));
    const { summary, operations } = answer;
    const archived = (await ask('graph.stored', { archived: answer.id })).archived.map(archivedRun);
    const runs = [...archived, ...(answer.runs ?? [])];
    const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((all, one) => all + (one ?? 0), 0);
    const totals = {
      total_tool_calls: sum(runs.map((run) => run.tool_calls)),
      total_turns: sum(runs.map((run) => run.turns)),
      total_output_bytes: sum(runs.map((run) => run.output_bytes)),
    };
    return {
      ...namedFields(answer, ['id', 'title', 'status', 'assigned', 'created_at', 'started_at', 'completed_at']),
      operations: operations.map(({ seq: _, ...operation }) => ({ ...operation, task_id: answer.id })),
      agent_runs: runs.map((run) => ({
        timestamp: run.timestamp,
        ...present(
          namedFields(run, ['prompt_bytes', 'output_bytes', 'prompt_lines', 'output_lines', 'prompt', 'output']),
        ),
        ...positive({ tool_calls: run.tool_calls ?? 0, turns: run.turns ?? 0 }),
      })),
      summary: {
        ...durations('duration', summary?.seconds),
        ...{ operation_count: operations.length, agent_run_count: runs.length },
        ...positive(totals),
      },
    };
  },
  'runs.list': ({ answer }) => answer.runs.map(runOf),
  'runs.show': ({ answer }) => runOf(answer),
  'runs.diff': ({ answer }) => ({ ...answer, changes: answer.changes.map(present) }),
  'runs.restore': async ({ answer, ask }) => ({
    ...{ restored_from: answer.run_id, safety_snapshot: answer.snapshot_id },
    timestamp: (await ask('runs.show', { id: answer.run_id })).timestamp,
  }),
  'replay.run': ({ answer }) => {
    const { run_id, model, plan_only } = answer;
    if (run_id === null && !plan_only) return { message: 'No tasks match the replay criteria', reset_tasks: [] };
    return { ...present({ ...answer, model }), run_id: run_id ?? '(dry run)' };
  },
  'msg.list': ({ answer }) => answer.messages.map(messageOf),
  'msg.read': ({ answer }) => answer.messages.map(messageOf),
  'msg.poll': async ({ answer, input, ask }) => {
    if (!answer.ok) return [];
    const { messages } = await ask('msg.list', input);
    return messages.filter(({ unread }) => unread).map(messageOf);
  },
  'func.list': ({ answer }) =>
    answer.functions.map(({ peer, ...row }) => ({ ...row, source: peer === undefined ? 'local' : `peer:${peer}` })),
  'agency.list': ({ answer, command }) => (command.startsWith('agency') ? answer : answer.entities),
  'agency.show': ({ answer, command }) => (command.startsWith('agency') ? answer : answer.entity),
  'graph.check': ({ answer }) => ({
    ...answer,
    cycles: answer.structural_cycles.map(({ members }) => members),
    orphan_refs: answer.problems.flatMap(({ code, task_id, ids }) =>
      code === 'dangling' ? ids.map((to) => ({ from: task_id, to, relation: 'after' })) : [],
    ),
  }),
  'status.now': ({ answer }) => {
    const { counts, running, not_ready } = answer;
    const tasks = { in_progress: counts['in-progress'], ready: counts.ready, blocked: not_ready.total };
    return { ...answer, agents: { alive: running.total }, tasks: { ...tasks, done_total: counts.done } };
  },
  'config.show': ({ answer: { settings }, flags }) =>
    flags.has('list')
      ? settings.map(({ key, value, from }) => ({ key, value, source: from }))
      : nested([...settings.flatMap(agentSetting), ...settings].map(({ key, value }) => [key, value ?? null])),
};

const ALIVE: readonly string[] = ['starting', 'working', 'stopping'];
/** Flags of `agents`, and the statuses that each lets through. */
export const AGENT_KINDS: readonly (readonly [flag: string, statuses: readonly string[]])[] = [
  ['alive', ALIVE],
  ['dead', ['done', 'failed', 'dead']],
  ['working', ['working']],
  ['idle', ['parked']],
];

function contextOf({ id, title, inputs, predecessors }: Output<'task.context'>): object {
  const giving = predecessors.filter(({ artifacts }) => artifacts.length > 0);
  const given = new Set(giving.flatMap(({ artifacts }) => artifacts));
  return {
    ...{ task_id: id, task_title: title, declared_inputs: inputs },
    available_context: giving.map(({ id: task_id, title: task_title, status, artifacts }) => ({
      ...{ task_id, task_title, status, artifacts },
    })),
    missing_inputs: inputs.filter((input) => !given.has(input)),
  };
}

/** A run that the original archived, counted as there; of a text that is too large only its size is known. */
function archivedRun({ timestamp, ...texts }: Stored['archived'][number]) {
  const [prompt, output] = [texts.prompt, texts.output].map((text) => (typeof text === 'string' ? text : undefined));
  const lines = (output ?? '').split('\n');
  const rows = lines.map((line) => parseJsonObject(line)).filter((row) => row !== undefined);
  const count = (type: string) => rows.filter((row) => row['type'] === type).length;
  const blocks = rows.filter(({ content_block: block }) => isJsonObject(block) && block['type'] === 'tool_use').length;
  return {
    ...{ timestamp, tool_calls: count('tool_use') + blocks, turns: count('assistant') || Math.min(count('result'), 1) },
    ...{ prompt_bytes: bytesOf(texts.prompt), prompt_lines: linesOf(prompt), prompt },
    ...{ output_bytes: bytesOf(texts.output), output_lines: linesOf(output), output },
  };
}

const bytesOf = (text: string | number | undefined) =>
  typeof text === 'string' ? Buffer.byteLength(text) : (text ?? null);
const linesOf = (text: string | undefined) => (text === '' ? 0 : text?.replace(/\n$/, '').split('\n').length);

function recursiveTrace({ id, tree = [], totals }: Output<'trace.show'>, { tasks }: Stored): object {
  const stored = new Map(tasks.map((task) => [task.id, task]));
  return {
    ...{ root_id: id, total_tasks: tree.length },
    ...durations('wall_clock', totals?.wall_clock_seconds),
    tasks: tree.map((node) => ({
      ...{ id: node.id, title: node.title, status: node.status, assigned: stored.get(node.id)?.['assigned'] ?? null },
      ...durations('duration', node.seconds),
      ...{ started_at: node.started_at ?? null, completed_at: node.completed_at ?? null },
      artifacts: stored.get(node.id)?.['artifacts'] ?? [],
    })),
  };
}

function durations(name: string, seconds: number | null | undefined): object {
  if (seconds === null || seconds === undefined) return {};
  return { [`${name}_secs`]: seconds, [`${name}_human`]: traceDuration(Math.floor(seconds)) };
}

/** A duration as traces of the original spell it: always two units from a minute up, and no days. */
function traceDuration(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

function messageOf({ number, at, from, text, priority }: Output<'msg.read'>['messages'][number]): object {
  return { id: number, timestamp: at, sender: from, body: text, priority };
}

/** The row of a setting under its other name: the original has it for its agents as well. */
export function agentSetting(row: { readonly key: string; readonly value?: unknown }) {
  return ['coordinator.executor', 'coordinator.model'].includes(row.key)
    ? [{ ...row, key: row.key.replace('coordinator', 'agent') }]
    : [];
}

/** Values by section and key: `a.b` is `b` of `a`. */
function nested(rows: readonly (readonly [key: string, value: unknown])[]): object {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of rows) {
    const dot = key.indexOf('.');
    const section = key.slice(0, dot);
    settings[section] = { ...settings[section], [key.slice(dot + 1)]: value };
  }
  return settings;
}

/** A stored run. */
function runOf({ model, ...meta }: Output<'runs.show'>): object {
  return { ...meta, ...present({ model }) };
}

/** Without the fields that are null or missing. */
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function positive(counts: Readonly<Record<string, number>>): object {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function namedFields(answer: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => names.includes(name)));
}

/** Answer of `service status`; without a status none runs. */
export function serviceShape(status: unknown, project: string): object {
  if (!isJsonObject(status)) return { status: 'not_running' };
  const { pid, started_at, agents, coordinator } = status;
  const up = Math.max(0, Date.now() - Date.parse(String(started_at)));
  const { alive, idle, total } = isJsonObject(agents) ? agents : {};
  const { socket, daemonLog } = layoutOf(project);
  return {
    ...{ status: 'running', pid, socket, started_at, uptime: formatDuration(up), agents: { alive, idle, total } },
    coordinator: {
      ...{ enabled: true, frozen: false, frozen_pids: [], agents_alive: alive },
      ...(isJsonObject(coordinator) ? coordinator : {}),
    },
    log: { path: daemonLog, exists: true },
  };
}

import { inert } from '#kernel/text.js';
import type { OperationName, Output } from '#operations/map.js';
import { agentSetting, type Told } from './shapes.js';
import { operationsText, type Trace, traceText } from './trace-text.js';

interface Telling<Name extends OperationName> {
  tell(shaped: unknown, told: Told<Name>): string | undefined;
}

/**
 * Text of one answer, made from its shape. A method type, because its parameters are bivariant: operations are called
 * by name. Undefined if it is printed as ever.
 */
export type Text<Name extends OperationName> = Telling<Name>['tell'];

/**
 * Answers in the sentences of the original, for scripts that look for one. What comes from outside is made inert. An
 * operation without a row prints as ever.
 */
export const TEXTS: { readonly [Name in OperationName]?: Text<Name> } = {
  'trace.show': (shaped, { answer: { tree, graph, frames }, flags }) => {
    if (tree !== undefined || graph !== undefined || frames !== undefined) return undefined;
    const trace = shaped as Trace;
    return inert(flags.has('ops-only') ? operationsText(trace) : traceText(trace, flags.has('full')), true);
  },
  'runs.list': (_, { answer: { runs } }) => (runs.length === 0 ? 'No run snapshots found.' : undefined),
  'runs.show': (_, { answer }) => {
    const { id, timestamp, model, reset_tasks, preserved_tasks } = answer;
    return lines([
      `Run: ${id}`,
      `  Timestamp: ${timestamp}`,
      ...(model === null ? [] : [`  Model: ${model}`]),
      `  Reset tasks (${reset_tasks.length}):`,
      ...reset_tasks.map((task) => `    ${task}`),
      `  Preserved tasks (${preserved_tasks.length}):`,
      ...preserved_tasks.map((task) => `    ${task}`),
    ]);
  },
  'runs.diff': (_, { answer: { run_id, changes } }) =>
    changes.length === 0
      ? `No differences between current graph and ${run_id}`
      : lines([`Diff: current vs ${run_id} (${changes.length} change(s)):`, '', ...changes.map(differenceIn)]),
  'replay.run': (_, { answer: { run_id, reset_tasks, preserved_tasks, plan_only } }) => {
    if (run_id === null && !plan_only) return 'No tasks match the replay criteria. Nothing to replay.';
    const ids = (tasks: readonly string[]) => tasks.map((task) => `    ${task}`);
    if (plan_only)
      return lines([
        'Replay plan (dry run — no changes will be made):',
        ...['', `  Tasks to reset (${reset_tasks.length}):`, ...ids(reset_tasks)],
        ...[`  Tasks preserved (${preserved_tasks.length}):`, ...ids(preserved_tasks)],
      ]);
    return lines([
      `Replay started: ${run_id}`,
      ...[`  Reset ${reset_tasks.length} task(s):`, ...ids(reset_tasks)],
      `  Preserved ${preserved_tasks.length} task(s)`,
    ]);
  },
  'task.add': (_, { answer: { id, title }, repository: place }) =>
    lines([
      place === undefined ? `Added task: ${title} (${id})` : `Added task to '${place}': ${title} (${place}:${id})`,
    ]),
  'task.claim': moved((id) => `Claimed '${id}'`),
  'task.unclaim': moved((id) => `Unclaimed '${id}'`),
  'task.fail': moved((id) => `Marked '${id}' as failed`),
  'task.abandon': moved((id) => `Marked '${id}' as abandoned`),
  'task.pause': moved((id) => `Paused '${id}'`),
  'task.resume': moved((id) => `Resumed '${id}'`),
  'task.done': (_, { answer: { id, status, changed, events } }) => {
    if (status !== 'done' || !changed) return undefined;
    const again = events.filter(({ op }) => op === 'cycle_iterate');
    return lines([`Marked '${id}' as done`, ...again.map((event) => `  Cycle: re-activated '${event.task_id}'`)]);
  },
  'msg.send': (_, { answer: { number }, input: { id } }) => lines([`Message #${number} sent to '${id}'`]),
  'msg.list': (_, { answer: { task_id, messages } }) =>
    messages.length === 0
      ? lines([`No messages for task '${task_id}'`])
      : letter(`Messages for '${task_id}' (${messages.length} total):`, messages),
  'msg.read': (_, { answer: { task_id, messages }, input }) =>
    messages.length === 0
      ? lines([`No unread messages for task '${task_id}' (agent: ${input.actor ?? 'user'})`])
      : letter(`${messages.length} unread message(s) for '${task_id}':`, messages),
  'msg.poll': (shaped, { answer: { ok, task_id } }) => {
    if (!ok) return lines([`No new messages for task '${task_id}'`]);
    const bodies = (shaped as readonly { readonly body: string }[]).map(({ body }) => `    ${body}`);
    return lines([`${bodies.length} new message(s) for '${task_id}':`, '', ...bodies]);
  },
  'func.list': (_, { answer: { functions }, input }) => {
    if (functions.length === 0) return 'No functions found.';
    if (input.verbose !== true) return undefined;
    const named = functions.flatMap(({ id, name, version, inputs = [], tasks = [] }) => [
      `  ${id} (v${version}): ${name ?? id}`,
      `    Inputs: ${inputs.map((one) => `${one.name} (${one.type}${one.required ? ', required' : ''})`).join(', ')}`,
      `    Tasks: ${tasks.map(({ template_id }) => template_id).join(', ')}`,
    ]);
    return lines(['Functions:', ...named]);
  },
  'func.show': (_, { answer }) => {
    const { id, name, description, version, inputs = [], tasks = [] } = answer as FunctionFile;
    return lines([
      ...[`Function: ${id}`, `Name: ${name ?? id}`, ...(description ? [`Description: ${description}`] : [])],
      `Version: ${version}`,
      ...['', `Inputs (${inputs.length}):`, ...inputs.map((input) => `  - ${input.name} (${input.type})`)],
      ...['', `Tasks (${tasks.length}):`, ...tasks.map((task) => `  - ${task.template_id} : ${task.title}`)],
    ]);
  },
  'identity.create': (_, { answer: { name, id } }) => lines([`Created agent '${name}' (${id.slice(0, 8)})`]),
  'agency.remove': (_, { answer: { kind, name, id } }) => lines([`Removed ${kind} '${name}' (${id.slice(0, 8)})`]),
  'agency.pull': taken((count, { remote }) => [
    `Would pull ${count} from '${remote}'`,
    `Pulled ${count} from '${remote}'`,
  ]),
  'agency.push': taken((count, { remote }) => [`Would push ${count} to '${remote}'`, `Pushed ${count} to '${remote}'`]),
  'agency.merge': taken((count, { sources }) => [
    `Would merge ${count} from ${sources.length} sources`,
    `Merged ${count} from ${sources.length} sources`,
  ]),
  'agency.stats': (_, { answer }) => statsText(answer),
  'config.apply': (_, { answer: { settings } }) =>
    lines(
      [...settings.flatMap(agentSetting), ...settings].map(({ key, value }) => `Set ${key} = ${JSON.stringify(value)}`),
    ),
  'config.show': (shaped, { flags }) => {
    const isList = flags.has('list');
    if (isList)
      return lines(['Workgraph Configuration (merged)', '', ...(shaped as readonly Setting[]).map(settingLine)]);
    const sections = Object.entries(shaped as Readonly<Record<string, object>>).map(([name, settings]) => [
      ...['', `[${name}]`],
      ...Object.entries(settings).flatMap(([key, value]) =>
        value === null ? [] : [`  ${key} = ${JSON.stringify(value)}`],
      ),
    ]);
    return lines(['Workgraph Configuration', ...sections.flat()]);
  },
  'project.init': (_, { answer: { folder, created } }) =>
    created ? lines([`Initialized workgraph at ${folder}`]) : undefined,
  'status.now': (_, { answer: { counts } }) =>
    Object.values(counts).every((count) => count === 0) ? 'No tasks.' : undefined,
  'analysis.report': (shaped, { answer, command, limit }) => {
    if (command.startsWith('analyze')) return undefined;
    const { done_count: done, total_count: all } = shaped as {
      readonly done_count?: number;
      readonly total_count?: number;
    };
    return sectionText(answer, limit, `Progress: ${done}/${all} tasks done`);
  },
};

interface Setting {
  readonly key: string;
  readonly value?: unknown;
  readonly source: string;
}

const settingLine = ({ key, value, source }: Setting) => `  ${key} = ${JSON.stringify(value ?? null)} (${source})`;

function statsText({ roles, tradeoffs, synergy }: Output<'agency.stats'>): string {
  const scores = roles.reduce((sum, { count }) => sum + count, 0);
  const score = (mean: number | null) => mean?.toFixed(2) ?? '-';
  return lines([
    ...['=== Agency Performance Stats ===', '', `  Roles: ${roles.length}`, `  Tradeoffs: ${tradeoffs.length}`],
    ...[`  Evaluations: ${scores}`, ''],
    ...(scores === 0 ? ['No evaluations recorded yet.'] : ['--- Role Leaderboard ---']),
    ...roles.filter(({ count }) => count > 0).map(({ name, mean, count }) => `  ${name} ${score(mean)} (${count})`),
    ...(synergy.length === 0 ? [] : ['', '--- Synergy Matrix ---']),
    ...synergy.map((pair) => `  ${pair.role_name} x ${pair.tradeoff_name} ${score(pair.mean)} (${pair.count})`),
  ]);
}

interface FunctionFile {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly version: number;
  readonly inputs?: readonly { readonly name: string; readonly type: string }[];
  readonly tasks?: readonly { readonly template_id: string; readonly title: string }[];
}

/** Sentence about a task that a command has moved; none if the task was there already. */
function moved(sentence: (id: string) => string) {
  return (_: unknown, { answer }: { readonly answer: { readonly id: string; readonly changed: boolean } }) =>
    answer.changed ? lines([sentence(answer.id)]) : undefined;
}

interface Taken {
  readonly ok: boolean;
  readonly dry_run: boolean;
  readonly entities: readonly { readonly kind: string; readonly id: string; readonly name: string }[];
}

/** Entities copied from or to another agency, or those that would be; files that were refused are told as ever. */
function taken<Answer extends Taken>(said: (count: string, answer: Answer) => readonly [would: string, did: string]) {
  return (_: unknown, { answer }: { readonly answer: Answer }) => {
    const { ok, dry_run: isDry, entities } = answer;
    if (!ok) return undefined;
    const [would, did] = said(`${entities.length} entities`, answer);
    const rows = entities.map(({ kind, id, name }) => `  ${kind} ${name} (${id.slice(0, 8)})`);
    return lines([isDry ? `Dry run: ${would}` : did, ...rows]);
  };
}

function differenceIn({
  id,
  change,
  snapshot_status: then,
  current_status: now,
}: Output<'runs.diff'>['changes'][number]) {
  if (change === 'removed') return `  - ${id} [${then ?? '?'}]`;
  return change === 'added' ? `  + ${id} [${now ?? '?'}]` : `  ~ ${id} : ${then ?? '?'} -> ${now ?? '?'}`;
}

function letter(head: string, messages: Output<'msg.read'>['messages']): string {
  const one = ({ number, at, from, priority, text }: (typeof messages)[number]) => [
    `  #${number} [${at}] ${from}${priority === 'urgent' ? ' [URGENT]' : ''}`,
    ...text.split('\n').map((line) => `    ${line}`),
    '',
  ];
  return lines([head, '', ...messages.flatMap(one)]);
}

function sectionText(
  { velocity, cycles, resources, parallel, aging }: Output<'analysis.report'>,
  limit: number,
  progress: string,
): string | undefined {
  if (aging) return agingText(aging);
  if (cycles)
    return cycles.cycles.length === 0
      ? 'No cycles detected in after edges.'
      : lines([`Cycles detected: ${cycles.cycles.length}`, '', ...cycles.cycles.map(cycleLine)]);
  if (velocity)
    return lines([
      ...[`Completion Velocity (last ${velocity.weeks.length * 7} days):`, ''],
      ...velocity.weeks.map((week) => `  Week ${week.week_number}: ${week.tasks_completed} tasks`),
      ...['', `  Average: ${velocity.average_tasks_per_week.toFixed(1)} tasks/week`, `  Trend: ${velocity.trend}`],
      `  Open tasks (${velocity.open_tasks})`,
    ]);
  if (resources) return resourceText(resources.resources);
  return parallel && `${progress}\n\n${coordinationText(parallel, limit)}`;
}

function cycleLine({ header, members, reducible }: NonNullable<Output<'analysis.report'>['cycles']>['cycles'][number]) {
  const path = [...members, members[0]].join(' -> ');
  return `  ${path} [${reducible ? 'REDUCIBLE' : 'IRREDUCIBLE'}]\n     Header: ${header}`;
}

function resourceText(resources: NonNullable<Output<'analysis.report'>['resources']>['resources']): string {
  const known = resources.filter(({ available }) => available !== null);
  if (known.length === 0) return 'No resources with capacity defined.';
  const rows = known.flatMap(({ id, name, unit, available, required, over, tasks }) => {
    const amount = (value: number | null) =>
      unit === 'usd' ? `$${value}` : `${value}${unit === null ? '' : ` ${unit}`}`;
    const head = `${name ?? id} (${amount(available)} available)`;
    if (!over) return [`  ${head}`, `    Committed (open tasks): ${amount(required)}`, ''];
    return [
      `  ALERT: ${head}`,
      `    Committed: ${amount(required)} (OVER BUDGET)`,
      `    Tasks at risk: ${tasks.join(', ')}`,
      '',
    ];
  });
  return lines(['Resource Utilization:', '', ...rows]);
}

function coordinationText(
  { ready, in_progress, next }: NonNullable<Output<'analysis.report'>['parallel']>,
  limit: number,
): string {
  const titled = (tasks: readonly { readonly id: string; readonly title: string }[]) =>
    tasks.map(({ id, title }) => `  ${id} - ${title}`);
  return lines([
    ...(in_progress.length === 0 ? [] : [`In Progress (${in_progress.length}):`, ...titled(in_progress), '']),
    ...(ready.length === 0
      ? ['No ready tasks.']
      : [`Ready for parallel execution (${ready.length} tasks):`, ...titled(ready.slice(0, limit))]),
    ...(next.length === 0 ? [] : ['', `Blocked (${next.length}):`, ...titled(next)]),
  ]);
}

/** Names of the age groups in the original, by order. */
const AGES = ['< 1 day', '1-7 days', '1-4 weeks', '1-3 months', '> 3 months'];

function agingText({ buckets, oldest, stale }: NonNullable<Output<'analysis.report'>['aging']>): string {
  return lines([
    ...['Task Age Distribution:', ''],
    ...buckets.map(({ name, tasks }, at) => `  ${(AGES[at] ?? name).padEnd(12)} ${tasks}`),
    ...(oldest.length === 0 ? [] : ['', 'Oldest open tasks:']),
    ...oldest.map(({ id, title }, at) => `  ${at + 1}. ${id} - ${title}`),
    ...(stale.length === 0 ? [] : ['', 'Stale in-progress tasks:']),
    ...stale.map(({ id, title }) => `  ${id} - ${title}`),
  ]);
}

const lines = (all: readonly string[]): string => inert(all.join('\n'), true);

import { SHOWN_STATES } from '#core/graph/status-look.js';
import { GRAPH_SECTIONS, TASK_SECTIONS } from '#core/insight/sections.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';
import { SHOW_INTERNAL } from '#operations/options.js';

const ID = { field: 'id', summary: 'The task', names: 'task', required: true } as const;

// biome-ignore format: one row an operation reads best
export const ANALYSIS_SPECS = operationSpecs([
  {
    name: 'task.why', command: 'why', group: 'Progress', kind: 'read',
    summary: 'Show why a task is not running, and how to fix that',
    arguments: [ID],
    examples: ['troupe why run-the-tests', 'troupe why run-the-tests --json'],
    load: () => import('./blocking.js').then((module) => module.why),
  },
  {
    name: 'analysis.problems', command: 'problems', group: 'Progress', kind: 'read',
    summary: 'List what needs attention, each with the command to fix it',
    examples: ['troupe problems', 'troupe problems --json'],
    load: () => import('./problems.js').then((module) => module.problems),
  },
  {
    name: 'graph.compact', command: 'compact', group: 'Storage', kind: 'write', forRuns: 'any',
    asks: { purpose: 'compact', unless: [['narrative', 'never']], without: '--narrative never' },
    summary: 'Summarize the graph in .workgraph/context.md',
    options: [{ flag: 'narrative', field: 'narrative', type: 'text', value: 'WHEN', values: ['auto', 'never'], summary: 'Add a summary by a model: auto or never (default: auto)' }],
    examples: ['troupe compact', 'troupe compact --narrative never --json'],
    load: () => import('./compact.js').then((module) => module.compact),
  },
  {
    name: 'analysis.next', command: 'next', group: 'Tasks', kind: 'read',
    summary: 'Show the ready task to do first',
    options: [{ flag: 'member', field: 'member', type: 'text', value: 'NAME', names: 'member', summary: 'Only tasks of this team member' }],
    examples: ['troupe next', 'troupe next --member Trinity'],
    load: () => import('./structure.js').then((module) => module.next),
  },
  {
    name: 'task.context', command: 'context', group: 'Attempts', kind: 'read',
    summary: 'Show the context of a task: its texts and the results of its dependencies',
    arguments: [ID],
    options: [{ flag: 'dependents', field: 'dependents', type: 'switch', summary: 'Include the tasks that use what it produces' }],
    examples: ['troupe context run-the-tests', 'troupe context run-the-tests --dependents'],
    load: () => import('./blocking.js').then((module) => module.showContext),
  },
  {
    name: 'resource.add', command: 'resource add', group: 'Analysis', kind: 'write',
    summary: 'Add or change a limited resource that tasks need',
    arguments: [{ field: 'id', summary: 'Its id', required: true }],
    options: [
      { flag: 'name', field: 'name', type: 'text', value: 'TEXT', summary: 'Its name' },
      { flag: 'type', field: 'type', type: 'text', value: 'WORD', summary: 'Its type, for example money, time or compute' },
      { flag: 'available', field: 'available', type: 'number', value: 'N', summary: 'The available amount' },
      { flag: 'unit', field: 'unit', type: 'text', value: 'WORD', summary: 'Its unit; hours count against estimated hours, all others against cost' },
    ],
    examples: ['troupe resource add ann --type time --available 20 --unit hours', 'troupe resource add budget --available 500 --unit usd'],
    load: () => import('./figures.js').then((module) => module.resourceAdd),
  },
  {
    name: 'resource.list', command: 'resource list', group: 'Analysis', kind: 'read',
    summary: 'List the resources',
    examples: ['troupe resource list', 'troupe resource list --json'],
    load: () => import('./figures.js').then((module) => module.resourceList),
  },
  {
    name: 'graph.check', command: 'check', group: 'Analysis', kind: 'read',
    summary: 'Check the graph for errors and likely mistakes',
    options: [{ flag: 'deep', field: 'deep', type: 'switch', summary: 'Also make the graph again from the whole log, and compare' }],
    examples: ['troupe check', 'troupe check --deep --json'],
    load: () => import('./structure.js').then((module) => module.check),
  },
  {
    name: 'analysis.report', command: 'analyze', group: 'Analysis', kind: 'read',
    summary: 'Analyze the graph, or one task: what blocks it, depends on it, costs',
    arguments: [{ field: 'id', summary: 'A task (default: the whole graph)', names: 'task' }],
    options: [
      { flag: 'only', field: 'only', type: 'list', value: 'SECTION', values: [...GRAPH_SECTIONS, ...TASK_SECTIONS], summary: `Only these: ${GRAPH_SECTIONS.join(', ')}; of a task: ${TASK_SECTIONS.join(', ')}` },
      { flag: 'weeks', field: 'weeks', type: 'number', value: 'N', summary: 'Velocity of this many weeks (default: 4)' },
      { flag: 'since', field: 'since', type: 'text', value: 'DURATION', summary: 'What ended recently (default: 24h)' },
      { flag: 'budget', field: 'budget', type: 'number', value: 'N', summary: 'Plan what fits into this much money' },
      { flag: 'hours', field: 'hours', type: 'number', value: 'N', summary: 'Plan what fits into this many hours' },
    ],
    examples: ['troupe analyze', 'troupe analyze --only forecast,critical-path', 'troupe analyze write-the-parser --only impact'],
    load: () => import('./report.js').then((module) => module.analysisReport),
  },
]);

export const OUTPUT_OPTIONS = [
  { flag: 'bytes', field: 'bytes', type: 'number', value: 'N', summary: 'How many bytes of the end to show' },
  { flag: 'raw', field: 'raw', type: 'switch', summary: 'As printed, with the raw lines of a client' },
  { flag: 'run', field: 'run', type: 'text', value: 'RUN', summary: 'One of its runs (default: the latest)' },
] as const satisfies readonly OptionSpec[];

// biome-ignore format: one row an operation reads best
export const STATUS_SPECS = operationSpecs([
  {
    name: 'status.now', command: 'status', group: 'Progress', kind: 'read',
    summary: 'Show what needs you, what is running and what comes next',
    examples: ['troupe status', 'troupe status --json'],
    load: () => import('./now.js').then((module) => module.statusNow),
  },
  {
    name: 'status.work', command: 'status work', group: 'Progress', kind: 'read',
    summary: 'Show the active runs, their tasks and cost, as in `troupe top`',
    examples: ['troupe status work', 'troupe status work --json'],
    load: () => import('./work.js').then((module) => module.statusWork),
  },
  {
    name: 'graph.picture', command: 'graph picture', group: 'Progress', kind: 'read',
    summary: 'Show the tasks and edges with all data for drawing them',
    options: [
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N tasks besides held-up ones, unfinished first' },
      { flag: 'search', field: 'search', type: 'text', value: 'WORDS', summary: 'Only tasks with these words in title, id or member' },
      { flag: 'state', field: 'state', type: 'list', value: 'STATE', values: SHOWN_STATES, summary: 'Only tasks shown in one of these states' },
    ],
    examples: ['troupe graph picture --json', 'troupe graph picture --limit 100 --json'],
    load: () => import('./status-picture.js').then((module) => module.graphPicture),
  },
  {
    name: 'task.output', command: 'output', group: 'Attempts', kind: 'read',
    summary: 'Show what the latest run of a task says, does and uses',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: OUTPUT_OPTIONS,
    examples: ['troupe output lint', 'troupe output lint --raw --bytes 2000'],
    load: () => import('./output.js').then((module) => module.taskOutput),
  },
]);

// biome-ignore format: one row a flag reads best
export const PICTURE_SPECS = operationSpecs([
  {
    name: 'graph.viz', command: 'viz', group: 'Progress', kind: 'read',
    // A picture may take long and may be written relative to the caller's folder, so the service is not involved.
    where: 'caller',
    summary: 'Draw the graph: as a tree, boxes or for other programs',
    arguments: [{ field: 'ids', summary: 'Only what is connected with these tasks', many: true }],
    options: [
      { flag: 'graph', field: 'graph', type: 'switch', summary: 'Draw boxes in layers' },
      { flag: 'dot', field: 'dot', type: 'switch', summary: 'Print Graphviz text' },
      { flag: 'mermaid', field: 'mermaid', type: 'switch', summary: 'Print Mermaid text' },
      { flag: 'output', short: 'o', field: 'output', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'Write a .png or .svg (needs Graphviz), .dot or .mmd' },
      REPLACE,
      { flag: 'all', field: 'all', type: 'switch', summary: 'Include finished trees' },
      SHOW_INTERNAL,
      { flag: 'status', field: 'status', type: 'list', value: 'STATUS', values: SHOWN_STATES, summary: 'Only these statuses' },
      { flag: 'tag', short: 't', field: 'tag', type: 'list', value: 'TAG', summary: 'Only tasks with this tag' },
      { flag: 'critical-path', field: 'critical_path', type: 'switch', summary: 'Mark the critical path' },
    ],
    examples: ['troupe viz', 'troupe viz --graph --critical-path', 'troupe viz write-the-parser --all'],
    load: () => import('./viz.js').then((module) => module.viz),
  },
]);

/** Commands for simulating a graph. */
export const SIMULATION_SPECS = operationSpecs([
  {
    name: 'graph.simulate',
    command: 'simulate',
    group: 'Analysis',
    kind: 'read',
    where: 'caller',
    summary: 'Simulate the graph on a virtual clock, without cost',
    arguments: [{ field: 'file', summary: 'YAML with durations and outcomes (default: estimates)' }],
    options: [
      { flag: 'agents', field: 'agents', type: 'number', value: 'N', summary: 'Maximum concurrent agents' },
      { flag: 'seed', field: 'seed', type: 'number', value: 'N', summary: 'Random seed, for repeatable results' },
      { flag: 'until', field: 'until', type: 'text', value: 'DURATION', summary: 'Stop at this time' },
      {
        flag: 'crash',
        field: 'crash',
        type: 'number',
        value: 'SHARE',
        summary: 'Probability that the service crashes, 0 to 1',
      },
      { flag: 'log', field: 'log', type: 'switch', summary: 'Include every event' },
    ],
    examples: ['troupe simulate', 'troupe simulate --agents 8 --seed 7 --json'],
    load: () => import('./simulate.js').then((module) => module.simulate),
  },
]);

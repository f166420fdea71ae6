import { SHOWN_STATES } from '#core/graph/status-look.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';

const ID = { field: 'id', summary: 'The task', names: 'task', required: true } as const;

// biome-ignore format: one row an operation reads best
export const ANALYSIS_SPECS = operationSpecs([
  {
    name: 'task.why', command: 'why', group: 'Progress', kind: 'read',
    summary: 'The one fact that keeps a task from running, and what helps',
    arguments: [ID],
    examples: ['troupe why run-the-tests', 'troupe why run-the-tests --json'],
    load: () => import('./blocking.js').then((module) => module.why),
  },
  {
    name: 'task.why-blocked', command: 'why-blocked', group: 'Progress', kind: 'read',
    summary: 'Everything that keeps a task from running, back to the root cause',
    arguments: [ID],
    examples: ['troupe why-blocked run-the-tests', 'troupe why-blocked run-the-tests --json'],
    load: () => import('./blocking.js').then((module) => module.whyBlocked),
  },
  {
    name: 'task.blocked', command: 'blocked', group: 'Progress', kind: 'read',
    summary: 'The tasks that one waits for directly',
    arguments: [ID],
    examples: ['troupe blocked run-the-tests', 'troupe blocked run-the-tests --json'],
    load: () => import('./blocking.js').then((module) => module.blocked),
  },
  {
    name: 'analysis.problems', command: 'problems', group: 'Progress', kind: 'read',
    summary: 'What does not go on by itself, each with the command that helps',
    examples: ['troupe problems', 'troupe problems --json'],
    load: () => import('./problems.js').then((module) => module.problems),
  },
  {
    name: 'graph.compact', command: 'compact', group: 'Storage', kind: 'write', forRuns: 'any',
    asks: { purpose: 'compact', unless: [['narrative', 'never']], without: '--narrative never' },
    summary: 'Sum up the graph in .workgraph/context.md, for prompts and people',
    options: [{ flag: 'narrative', field: 'narrative', type: 'text', value: 'WHEN', values: ['auto', 'never'], summary: 'Let a model tell it too, where there is one (default: auto)' }],
    examples: ['troupe compact', 'troupe compact --narrative never --json'],
    load: () => import('./compact.js').then((module) => module.compact),
  },
  {
    name: 'analysis.next', command: 'next', group: 'Tasks', kind: 'read',
    summary: 'The ready task to take first',
    options: [{ flag: 'member', field: 'member', type: 'text', value: 'NAME', names: 'member', summary: 'Only tasks of this team member' }],
    examples: ['troupe next', 'troupe next --member Trinity'],
    load: () => import('./structure.js').then((module) => module.next),
  },
  {
    name: 'analysis.coordinate', command: 'coordinate', group: 'Progress', kind: 'read',
    summary: 'What can run in parallel, what is running, what that unblocks',
    examples: ['troupe coordinate', 'troupe coordinate --json'],
    load: () => import('./structure.js').then((module) => module.showCoordination),
  },
  {
    name: 'task.context', command: 'context', group: 'Attempts', kind: 'read',
    summary: 'What whoever does a task is given: its texts, and the results of the tasks it depends on',
    arguments: [ID],
    options: [{ flag: 'dependents', field: 'dependents', type: 'switch', summary: 'Also who will use what it produces' }],
    examples: ['troupe context run-the-tests', 'troupe context run-the-tests --dependents'],
    load: () => import('./blocking.js').then((module) => module.showContext),
  },
  {
    name: 'resource.add', command: 'resource add', group: 'Analysis', kind: 'write',
    summary: 'Add something that tasks need and that there is only so much of, or change it',
    arguments: [{ field: 'id', summary: 'Its id', required: true }],
    options: [
      { flag: 'name', field: 'name', type: 'text', value: 'TEXT', summary: 'What it is called' },
      { flag: 'type', field: 'type', type: 'text', value: 'WORD', summary: 'What it is: money, time, compute' },
      { flag: 'available', field: 'available', type: 'number', value: 'N', summary: 'How much there is' },
      { flag: 'unit', field: 'unit', type: 'text', value: 'WORD', summary: 'In what it is counted; hours are held against estimated hours, all else against cost' },
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
    name: 'analysis.resources', command: 'resources', group: 'Analysis', kind: 'read',
    summary: 'What unfinished tasks require, against what there is',
    examples: ['troupe resources', 'troupe resources --json'],
    load: () => import('./figures.js').then((module) => module.resources),
  },
  {
    name: 'graph.check', command: 'check', group: 'Analysis', kind: 'read',
    summary: 'Look for what can never work, and for what may be meant otherwise',
    examples: ['troupe check', 'troupe check --json'],
    load: () => import('./structure.js').then((module) => module.check),
  },
  {
    name: 'analysis.critical-path', command: 'critical-path', group: 'Analysis', kind: 'read',
    summary: 'The longest chain of unfinished work, and how much the rest can slip',
    examples: ['troupe critical-path', 'troupe critical-path --json'],
    load: () => import('./structure.js').then((module) => module.showCriticalPath),
  },
  {
    name: 'analysis.bottlenecks', command: 'bottlenecks', group: 'Analysis', kind: 'read',
    summary: 'The ten tasks that most work waits for',
    examples: ['troupe bottlenecks', 'troupe bottlenecks --json'],
    load: () => import('./structure.js').then((module) => module.showBottlenecks),
  },
  {
    name: 'analysis.impact', command: 'impact', group: 'Analysis', kind: 'read',
    summary: 'What depends on a task, and the hours at risk',
    arguments: [ID],
    examples: ['troupe impact write-the-parser', 'troupe impact write-the-parser --json'],
    load: () => import('./structure.js').then((module) => module.showImpact),
  },
  {
    name: 'analysis.cost', command: 'cost', group: 'Analysis', kind: 'read',
    summary: 'What a task costs with everything it depends on',
    arguments: [ID],
    examples: ['troupe cost run-the-tests', 'troupe cost run-the-tests --json'],
    load: () => import('./figures.js').then((module) => module.showCost),
  },
  {
    name: 'analysis.forecast', command: 'forecast', group: 'Analysis', kind: 'read',
    summary: 'When the rest will be finished, at the speed of the last four weeks',
    examples: ['troupe forecast', 'troupe forecast --json'],
    load: () => import('./figures.js').then((module) => module.showForecast),
  },
  {
    name: 'analysis.velocity', command: 'velocity', group: 'Analysis', kind: 'read',
    summary: 'What was done in each of the last weeks',
    options: [{ flag: 'weeks', field: 'weeks', type: 'number', value: 'N', summary: 'How many weeks to look back (default: 4)' }],
    examples: ['troupe velocity', 'troupe velocity --weeks 8'],
    load: () => import('./figures.js').then((module) => module.showVelocity),
  },
  {
    name: 'analysis.structure', command: 'structure', group: 'Analysis', kind: 'read',
    summary: 'Where the graph begins, where it ends, and which beginnings matter most',
    examples: ['troupe structure', 'troupe structure --json'],
    load: () => import('./structure.js').then((module) => module.structure),
  },
  {
    name: 'analysis.cycles', command: 'cycles', group: 'Analysis', kind: 'read',
    summary: 'The cycles, how far each has come, and what becomes of it',
    examples: ['troupe cycles', 'troupe cycles --json'],
    load: () => import('./structure.js').then((module) => module.cycles),
  },
  {
    name: 'analysis.stats', command: 'stats', group: 'Analysis', kind: 'read',
    summary: 'The whole graph in numbers',
    examples: ['troupe stats', 'troupe stats --json'],
    load: () => import('./figures.js').then((module) => module.stats),
  },
  {
    name: 'analysis.workload', command: 'workload', group: 'Analysis', kind: 'read',
    summary: 'Who has how much before them',
    examples: ['troupe workload', 'troupe workload --json'],
    load: () => import('./figures.js').then((module) => module.showWorkload),
  },
  {
    name: 'analysis.aging', command: 'aging', group: 'Analysis', kind: 'read',
    summary: 'How long unfinished tasks have been there, and which are held too long',
    examples: ['troupe aging', 'troupe aging --json'],
    load: () => import('./figures.js').then((module) => module.showAging),
  },
  {
    name: 'analysis.plan', command: 'plan', group: 'Analysis', kind: 'read',
    summary: 'What can be done with so much money and so many hours',
    options: [
      { flag: 'budget', field: 'budget', type: 'number', value: 'N', summary: 'The money there is' },
      { flag: 'hours', field: 'hours', type: 'number', value: 'N', summary: 'The hours there are' },
    ],
    examples: ['troupe plan --hours 40', 'troupe plan --budget 500 --hours 20'],
    load: () => import('./structure.js').then((module) => module.plan),
  },
  {
    name: 'analysis.discover', command: 'discover', group: 'Progress', kind: 'read',
    summary: 'What ended lately, and what it produced',
    options: [{ flag: 'since', field: 'since', type: 'text', value: 'DURATION', summary: 'How far to look back (default: 24h)' }],
    examples: ['troupe discover', 'troupe discover --since 7d'],
    load: () => import('./structure.js').then((module) => module.showDiscoveries),
  },
]);

export const OUTPUT_OPTIONS = [
  { flag: 'bytes', field: 'bytes', type: 'number', value: 'N', summary: 'How much of the end to show' },
  { flag: 'raw', field: 'raw', type: 'switch', summary: 'As it was printed: of a client its own lines' },
  { flag: 'run', field: 'run', type: 'text', value: 'RUN', summary: 'One of its runs (default: the latest)' },
] as const satisfies readonly OptionSpec[];

// biome-ignore format: one row an operation reads best
export const STATUS_SPECS = operationSpecs([
  {
    name: 'status.now', command: 'status', group: 'Progress', kind: 'read',
    summary: 'What needs you, what is running, what comes next',
    examples: ['troupe status', 'troupe status --json'],
    load: () => import('./now.js').then((module) => module.statusNow),
  },
  {
    name: 'status.work', command: 'status work', group: 'Progress', kind: 'read',
    summary: 'Who is at work, on what, for how much: what `troupe top` draws',
    examples: ['troupe status work', 'troupe status work --json'],
    load: () => import('./work.js').then((module) => module.statusWork),
  },
  {
    name: 'graph.picture', command: 'graph picture', group: 'Progress', kind: 'read',
    summary: 'The tasks and their edges with everything a drawing of them needs',
    options: [
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N tasks beside those that are held up, unfinished ones first' },
      { flag: 'search', field: 'search', type: 'text', value: 'WORDS', summary: 'Only tasks with these words in title, id or member' },
      { flag: 'state', field: 'state', type: 'list', value: 'STATE', summary: `Only tasks shown as one of ${SHOWN_STATES.join(', ')}` },
    ],
    examples: ['troupe graph picture --json', 'troupe graph picture --limit 100 --json'],
    load: () => import('./status-picture.js').then((module) => module.graphPicture),
  },
  {
    name: 'task.output', command: 'task output', group: 'Attempts', kind: 'read',
    summary: 'What `troupe output` shows, once',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: OUTPUT_OPTIONS,
    examples: ['troupe task output lint --json', 'troupe task output lint --raw --bytes 2000'],
    load: () => import('./output.js').then((module) => module.taskOutput),
  },
]);

// biome-ignore format: one row a flag reads best
export const PICTURE_SPECS = operationSpecs([
  {
    name: 'graph.viz', command: 'viz', group: 'Progress', kind: 'read',
    // A picture may take long and may be written where the command was typed: both are no business of the service.
    where: 'caller',
    summary: 'Draw the graph: as a tree, as boxes, or for other programs',
    arguments: [{ field: 'ids', summary: 'Only what is connected with these tasks', many: true }],
    options: [
      { flag: 'graph', field: 'graph', type: 'switch', summary: 'Boxes in layers, with lines between them' },
      { flag: 'dot', field: 'dot', type: 'switch', summary: 'The text that Graphviz draws' },
      { flag: 'mermaid', field: 'mermaid', type: 'switch', summary: 'The text that Mermaid draws' },
      { flag: 'output', short: 'o', field: 'output', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'Write a .png or .svg (needs Graphviz), .dot or .mmd' },
      REPLACE,
      { flag: 'all', field: 'all', type: 'switch', summary: 'Also trees in which nothing is left to do' },
      { flag: 'show-internal', field: 'show_internal', type: 'switch', summary: 'Also tasks of the system itself' },
      { flag: 'status', field: 'status', type: 'list', value: 'STATUS', values: SHOWN_STATES, summary: 'Only these statuses' },
      { flag: 'tag', short: 't', field: 'tag', type: 'list', value: 'TAG', summary: 'Only tasks with this tag' },
      { flag: 'critical-path', field: 'critical_path', type: 'switch', summary: 'Mark the chain that delays the end' },
    ],
    examples: ['troupe viz', 'troupe viz --graph --critical-path', 'troupe viz write-the-parser --all'],
    load: () => import('./viz.js').then((module) => module.viz),
  },
]);

/** Trying a graph without running it, as seen from outside. */
export const SIMULATION_SPECS = operationSpecs([
  {
    name: 'graph.simulate',
    command: 'simulate',
    group: 'Analysis',
    kind: 'read',
    where: 'caller',
    summary: 'Play the graph through on a clock that jumps, before anything is spent',
    arguments: [{ field: 'file', summary: 'How long what takes and how it ends, as YAML (default: estimates)' }],
    options: [
      { flag: 'agents', field: 'agents', type: 'number', value: 'N', summary: 'How many at once' },
      { flag: 'seed', field: 'seed', type: 'number', value: 'N', summary: 'The same seed plays the same way' },
      { flag: 'until', field: 'until', type: 'text', value: 'DURATION', summary: 'Stop there' },
      {
        flag: 'crash',
        field: 'crash',
        type: 'number',
        value: 'SHARE',
        summary: 'How often the service is killed: 0 to 1',
      },
      { flag: 'log', field: 'log', type: 'switch', summary: 'With every event' },
    ],
    examples: ['troupe simulate', 'troupe simulate --agents 8 --seed 7 --json'],
    load: () => import('./simulate.js').then((module) => module.simulate),
  },
]);

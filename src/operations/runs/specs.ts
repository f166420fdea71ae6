import { CONTEXT_SCOPES } from '#core/graph/task.js';
import { operationSpecs } from '#operations/operation-spec.js';
import { ACTOR, ID } from '#operations/options.js';

/** Specs of the commands about runs. */
export const AGENT_SPECS = operationSpecs([
  {
    name: 'agent.list',
    command: 'agents',
    group: 'Attempts',
    kind: 'read',
    summary: 'List the active runs and those that ended recently',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Include all ended runs' }],
    examples: ['troupe agents', 'troupe agents --all --json'],
    load: () => import('./agents.js').then((module) => module.agents),
  },
  {
    name: 'agent.kill',
    command: 'kill',
    group: 'Attempts',
    kind: 'write',
    summary: 'Stop a run and release its task',
    arguments: [{ field: 'run', summary: 'The run, or its process id', required: true }],
    options: [{ flag: 'force', field: 'force', type: 'switch', summary: 'Kill it after 10 s if it does not stop' }],
    examples: ['troupe kill agent-7', 'troupe kill agent-7 --force'],
    load: () => import('./agents.js').then((module) => module.kill),
  },
  {
    name: 'agent.spawn',
    command: 'spawn',
    group: 'Attempts',
    kind: 'write',
    coordinator: true,
    summary: 'Start a run of a ready task now, even without a free slot',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'The client to use' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model to use' },
      { flag: 'timeout', field: 'timeout', type: 'text', value: 'DURATION', summary: 'Its time limit' },
    ],
    examples: ['troupe spawn write-the-parser', 'troupe spawn write-the-parser --executor codex --timeout 10m'],
    load: () => import('./agents.js').then((module) => module.spawnRun),
  },
]);

/** Spec of the query behind `troupe sweep`. It is not in the table because the command asks for confirmation. */
export const ORPHANS = operationSpecs({
  name: 'agent.orphans',
  command: 'sweep',
  group: 'Attempts',
  kind: 'read',
  where: 'caller',
  summary: 'List tasks in progress without an active run',
  examples: ['troupe sweep', 'troupe sweep --dry-run'],
  load: () => import('./agents.js').then((module) => module.orphans),
});

/** Specs of the checkpoint commands. */
export const CHECKPOINT_SPECS = operationSpecs([
  {
    name: 'task.checkpoint',
    command: 'checkpoint',
    group: 'Attempts',
    kind: 'write',
    forRuns: 'any',
    summary: 'Save a checkpoint of a task for the next attempt',
    arguments: [ID],
    options: [
      {
        flag: 'summary',
        short: 's',
        field: 'summary',
        type: 'text',
        value: 'TEXT',
        summary: 'What works and what is left',
      },
      { flag: 'file', field: 'files', type: 'each', value: 'FILE', summary: 'A file that was changed' },
      { flag: 'list', field: 'list', type: 'switch', summary: 'List the checkpoints' },
      ACTOR,
    ],
    examples: [
      'troupe checkpoint write-the-parser -s "the lexer works" --file src/lexer.ts',
      'troupe checkpoint write-the-parser --list',
    ],
    load: () => import('./checkpoints.js').then((module) => module.checkpoint),
  },
]);

// biome-ignore format: one row an operation reads best
export const PROMPT_SPECS = operationSpecs([
  {
    name: 'task.prompt', command: 'prompt', group: 'Attempts', kind: 'read',
    summary: 'Show the prompt of an attempt, before anything is spent',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'scope', field: 'scope', type: 'text', value: 'SCOPE', values: CONTEXT_SCOPES, summary: `How much context: ${CONTEXT_SCOPES.join(', ')}` },
      { flag: 'attempt', field: 'attempt', type: 'number', value: 'N', summary: 'Show the prompt of this attempt' },
    ],
    examples: ['troupe prompt write-the-parser', 'troupe prompt write-the-parser --scope full', 'troupe prompt write-the-parser --attempt 1'],
    load: () => import('./show-prompt.js').then((module) => module.prompt),
  },
]);

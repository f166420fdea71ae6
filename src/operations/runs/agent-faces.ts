import { faces } from '#operations/face.js';

/** The commands about runs as seen from outside. */
export const AGENT_FACES = faces([
  {
    name: 'agent.list',
    command: 'agents',
    group: 'Run',
    kind: 'read',
    summary: 'List the runs at work, and those that ended lately',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Also those that have ended' }],
    examples: ['troupe agents', 'troupe agents --all --json'],
    load: () => import('./list-agents.js').then((module) => module.agents),
  },
  {
    name: 'agent.kill',
    command: 'kill',
    group: 'Run',
    kind: 'write',
    summary: 'End a run; its task is given back',
    arguments: [{ field: 'run', summary: 'The run, or the number of its process', required: true }],
    options: [
      { flag: 'force', field: 'force', type: 'switch', summary: 'Harder after 10 s, also when it does not listen' },
    ],
    examples: ['troupe kill agent-7', 'troupe kill agent-7 --force'],
    load: () => import('./kill.js').then((module) => module.kill),
  },
  {
    name: 'agent.spawn',
    command: 'spawn',
    group: 'Run',
    kind: 'write',
    coordinator: true,
    summary: 'Start a run of one ready task now, whatever the slots say',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    options: [
      { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'The client that does it' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model it uses' },
      { flag: 'timeout', field: 'timeout', type: 'text', value: 'DURATION', summary: 'How long it may take' },
    ],
    examples: ['troupe spawn write-the-parser', 'troupe spawn write-the-parser --executor codex --timeout 10m'],
    load: () => import('./spawn.js').then((module) => module.spawnRun),
  },
]);

/** What `troupe sweep` begins with. Not in the table: the command asks before it goes on. */
export const ORPHANS = faces({
  name: 'agent.orphans',
  command: 'sweep',
  group: 'Run',
  kind: 'read',
  where: 'caller',
  summary: 'List tasks in progress that nobody works on',
  examples: ['troupe sweep', 'troupe sweep --dry-run'],
  load: () => import('./orphans.js').then((module) => module.orphans),
});

import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS, VISIBILITIES, WORK_PLACES } from '#core/graph/task.js';
import type { ArgumentSpec, OptionSpec } from './operation-spec.js';

export const ID = { field: 'id', summary: 'The task', names: 'task', required: true } as const satisfies ArgumentSpec;
export const REASON = {
  flag: 'reason',
  field: 'reason',
  type: 'text',
  value: 'TEXT',
  summary: 'Why',
} as const satisfies OptionSpec;
export const ACTOR = {
  flag: 'actor',
  field: 'actor',
  type: 'text',
  value: 'NAME',
  summary: 'Who does it (default: you)',
} as const satisfies OptionSpec;
export const FORCE = {
  flag: 'force',
  field: 'force',
  type: 'switch',
  summary: 'Even if something is unfinished',
} as const satisfies OptionSpec;

export const SHOW_INTERNAL = {
  flag: 'show-internal',
  field: 'show_internal',
  type: 'switch',
  summary: 'Include internal tasks',
} as const satisfies OptionSpec;

/** Field name of a flag: `exec_mode` for `exec-mode`. */
type Field<Flag extends string> = Flag extends `${infer Word}-${infer Rest}` ? `${Word}_${Field<Rest>}` : Flag;

const fieldOf = <const Flag extends string>(flag: Flag) => flag.replaceAll('-', '_') as Field<Flag>;
const text = <const Flag extends string>(flag: Flag, value: string, summary: string) => ({
  flag,
  type: 'text' as const,
  summary,
  field: fieldOf(flag),
  value,
});
const number = <const Flag extends string>(flag: Flag, summary: string) => ({
  flag,
  type: 'number' as const,
  summary,
  field: fieldOf(flag),
  value: 'N',
});
const toggle = <const Flag extends string>(flag: Flag, summary: string) => ({
  flag,
  type: 'switch' as const,
  summary,
  field: fieldOf(flag),
});

/** Options shared by `add` and `edit`. */
export const EDITABLE = [
  { ...text('description', 'TEXT', 'What to do'), short: 'd' },
  text('exec', 'COMMAND', 'The shell command that does it, without a model'),
  { ...text('exec-mode', 'MODE', `One of ${EXEC_MODES.join(', ')}`), values: EXEC_MODES },
  text('timeout', 'DURATION', 'Time limit of one attempt'),
  { ...text('member', 'NAME', 'The team member who owns it'), names: 'member' },
  { ...text('assign', 'AGENT', 'The agent who does it'), field: 'agent' },
  text('not-before', 'TIME', 'Earliest start time'),
  text('delay', 'DURATION', 'Delay before it may start'),
  text('verify', 'TEXT', 'What a reviewer must check before it is done'),
  text('verify-cmd', 'COMMAND', 'A command that must exit with 0 before it is done'),
  toggle('require-commit', 'It is done only when all its work is committed in its worktree'),
  {
    ...text('in', 'PLACE', 'Where a command, light or bare run finds the work it depends on: integration or project'),
    values: WORK_PLACES,
  },
  number('max-retries', 'Further attempts allowed after the first'),
  number('max-rejections', 'Maximum number of rejections'),
  number('hours', 'Estimated hours'),
  number('cost', 'Estimated cost'),
  { flag: 'require', field: 'requires', type: 'list', value: 'RESOURCE', summary: 'A resource it needs' },
  {
    flag: 'needs',
    field: 'needs',
    type: 'list',
    value: 'LABEL',
    summary: 'A label that the worker it runs at must have',
  },
  text('model', 'MODEL', 'The model to use'),
  { ...text('provider', 'NAME', `One of ${PROVIDERS.join(', ')}`), values: PROVIDERS },
  { ...text('visibility', 'ZONE', `Who may see it: ${VISIBILITIES.join(', ')}`), values: VISIBILITIES },
  {
    ...text('context-scope', 'SCOPE', `How much context its run gets: ${CONTEXT_SCOPES.join(', ')}`),
    values: CONTEXT_SCOPES,
  },
  number('max-iterations', 'Maximum iterations of the cycle it heads'),
  text('cycle-guard', 'GUARD', 'When the cycle repeats: always, task:ID=STATUS, iteration<N'),
  text('cycle-delay', 'DURATION', 'Delay before each iteration'),
  toggle('no-converge', 'The cycle does not end early'),
  toggle('no-restart-on-failure', 'A failure in the cycle does not restart it'),
  number('max-failure-restarts', 'Maximum restarts after a failure'),
  toggle('allow-missing', 'Accept dependencies that do not exist yet; until then they block nothing'),
] as const satisfies readonly OptionSpec[];

import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS, VISIBILITIES, WORK_PLACES } from '#core/graph/task.js';
import type { ArgumentSpec, OptionSpec, OptionType } from './operation-spec.js';

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
  summary: 'Also when something is not finished',
} as const satisfies OptionSpec;

/** The field of a flag: `exec_mode` for `exec-mode`. */
type Field<Flag extends string> = Flag extends `${infer Word}-${infer Rest}` ? `${Word}_${Field<Rest>}` : Flag;

const plain = <const Flag extends string, const Type extends OptionType>(flag: Flag, type: Type, summary: string) => ({
  ...{ flag, type, summary },
  field: flag.replaceAll('-', '_') as Field<Flag>,
});
const text = <const Flag extends string>(flag: Flag, value: string, summary: string) => ({
  ...plain(flag, 'text', summary),
  value,
});
const number = <const Flag extends string>(flag: Flag, summary: string) => ({
  ...plain(flag, 'number', summary),
  value: 'N',
});
const toggle = <const Flag extends string>(flag: Flag, summary: string) => plain(flag, 'switch', summary);

/** What `add` and `edit` share. */
export const EDITABLE = [
  { ...text('description', 'TEXT', 'What is to be done'), short: 'd' },
  text('exec', 'COMMAND', 'A shell command that does it, without a model'),
  { ...text('exec-mode', 'MODE', `One of ${EXEC_MODES.join(', ')}`), values: EXEC_MODES },
  text('timeout', 'DURATION', 'How long one attempt may run'),
  { ...text('member', 'NAME', 'The team member who owns it'), names: 'member' },
  { ...text('assign', 'AGENT', 'The agent who is to do it'), field: 'agent' },
  text('not-before', 'TIME', 'The earliest moment'),
  text('delay', 'DURATION', 'Not before this has passed'),
  text('verify', 'TEXT', 'What a reviewer has to look at before it counts as done'),
  text('verify-cmd', 'COMMAND', 'A command that must end with 0 before it counts as done'),
  toggle('require-commit', 'It counts as done only when all its work is committed in its worktree'),
  {
    ...text(
      'in',
      'PLACE',
      'Where a command, a light or a bare run finds the work it depends on: integration or project',
    ),
    values: WORK_PLACES,
  },
  number('max-retries', 'How many attempts may follow the first'),
  number('max-rejections', 'How often a review may send it back'),
  number('hours', 'Estimated hours'),
  number('cost', 'Estimated cost'),
  { flag: 'require', field: 'requires', type: 'list', value: 'RESOURCE', summary: 'A resource it needs' },
  text('model', 'MODEL', 'The model that does it'),
  { ...text('provider', 'NAME', `One of ${PROVIDERS.join(', ')}`), values: PROVIDERS },
  { ...text('visibility', 'ZONE', `Who may see it: ${VISIBILITIES.join(', ')}`), values: VISIBILITIES },
  {
    ...text('context-scope', 'SCOPE', `How much its run is told: ${CONTEXT_SCOPES.join(', ')}`),
    values: CONTEXT_SCOPES,
  },
  number('max-iterations', 'Bounds the cycle it leads: how often that may go round again'),
  text('cycle-guard', 'GUARD', 'When the cycle goes round again: always, task:ID=STATUS, iteration<N'),
  text('cycle-delay', 'DURATION', 'A pause before each round of the cycle'),
  toggle('no-converge', 'The cycle does not end early'),
  toggle('no-restart-on-failure', 'A failure in the cycle does not begin its pass again'),
  number('max-failure-restarts', 'How often a failure may do so'),
  toggle('strict', 'Refuse every unknown dependency, not only one that looks mistyped'),
  toggle('allow-unknown', 'Accept unknown dependencies: their tasks are still to come'),
] as const satisfies readonly OptionSpec[];

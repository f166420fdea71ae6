import type { ApiInput } from '#surfaces/http/contract.js';

export type AddInput = ApiInput<'task.add'>;
export type EditInput = ApiInput<'task.edit'>;
export type Field = keyof AddInput;

export interface FieldLook {
  readonly label: string;
  /** Flag of the command line; `test/surfaces/http-task-fields.test.ts` compares it with the operation. */
  readonly flag: string;
  readonly kind: 'line' | 'text' | 'list' | 'number' | 'check' | readonly string[];
  /** Choices to complete a list or a line from. */
  readonly names?: 'task' | 'member' | 'tag';
  readonly example?: string;
}

/** Parts of the form. The first one is always in sight, the others are behind *More*. */
export const PARTS: readonly { readonly title: string; readonly fields: Partial<Record<Field, FieldLook>> }[] = [
  {
    title: 'Task',
    fields: {
      title: { label: 'Title', flag: '', kind: 'line' },
      description: { label: 'Description', flag: 'description', kind: 'text' },
      after: { label: 'Depends on', flag: 'after', kind: 'list', names: 'task' },
      member: { label: 'Member', flag: 'member', kind: 'line', names: 'member' },
      tags: { label: 'Tags', flag: 'tag', kind: 'list', names: 'tag' },
      verify: { label: 'Acceptance criterion, which a reviewer checks', flag: 'verify', kind: 'text' },
      verify_cmd: { label: 'Check command', flag: 'verify-cmd', kind: 'line', example: 'npm test' },
      exec: { label: 'Command that does it, without a model', flag: 'exec', kind: 'line', example: 'npm run lint' },
    },
  },
  {
    title: 'Order and time',
    fields: {
      epic: { label: 'Part of', flag: 'epic', kind: 'line', names: 'task' },
      id: { label: 'Id', flag: 'id', kind: 'line', example: 'from the title' },
      after_success: { label: 'Needs the success of', flag: 'after-success', kind: 'list', names: 'task' },
      place_before: { label: 'Before', flag: 'place-before', kind: 'list', names: 'task' },
      place_near: { label: 'Near', flag: 'place-near', kind: 'list', names: 'task' },
      not_before: { label: 'Not before', flag: 'not-before', kind: 'line', example: '2030-01-01T08:00:00Z' },
      delay: { label: 'Delay', flag: 'delay', kind: 'line', example: '2h' },
      paused: { label: 'Draft: it does not start', flag: 'paused', kind: 'check' },
      no_place: { label: 'Only the given edges: ready at once', flag: 'no-place', kind: 'check' },
      allow_missing: { label: 'Accept dependencies that do not exist yet', flag: 'allow-missing', kind: 'check' },
    },
  },
  {
    title: 'Run',
    fields: {
      agent: { label: 'Agent', flag: 'assign', kind: 'line' },
      model: { label: 'Model', flag: 'model', kind: 'line' },
      provider: { label: 'Provider', flag: 'provider', kind: ['anthropic', 'openai', 'openrouter', 'local'] },
      exec_mode: { label: 'Kind of run', flag: 'exec-mode', kind: ['full', 'light', 'bare', 'shell'] },
      context_scope: { label: 'Context', flag: 'context-scope', kind: ['clean', 'task', 'graph', 'full'] },
      in: { label: 'Works in', flag: 'in', kind: ['integration', 'project'] },
      timeout: { label: 'Time limit of an attempt', flag: 'timeout', kind: 'line', example: '30m' },
      needs: { label: 'Labels of its worker', flag: 'needs', kind: 'list' },
      requires: { label: 'Resources', flag: 'require', kind: 'list' },
      skills: { label: 'Skills', flag: 'skill', kind: 'list' },
      inputs: { label: 'Files it reads', flag: 'input', kind: 'list' },
      deliverables: { label: 'Files it produces', flag: 'deliverable', kind: 'list' },
      visibility: { label: 'Visible to', flag: 'visibility', kind: ['internal', 'peer', 'public'] },
    },
  },
  {
    title: 'Limits',
    fields: {
      require_commit: { label: 'Done only when all is committed', flag: 'require-commit', kind: 'check' },
      max_retries: { label: 'Further attempts', flag: 'max-retries', kind: 'number' },
      max_rejections: { label: 'Rejections', flag: 'max-rejections', kind: 'number' },
      hours: { label: 'Estimated hours', flag: 'hours', kind: 'number' },
      cost: { label: 'Estimated cost', flag: 'cost', kind: 'number' },
    },
  },
  {
    title: 'Cycle it heads',
    fields: {
      max_iterations: { label: 'Iterations', flag: 'max-iterations', kind: 'number' },
      cycle_guard: { label: 'Repeats when', flag: 'cycle-guard', kind: 'line', example: 'task:tests=failed' },
      cycle_delay: { label: 'Delay between iterations', flag: 'cycle-delay', kind: 'line', example: '5m' },
      max_failure_restarts: { label: 'Restarts after a failure', flag: 'max-failure-restarts', kind: 'number' },
      no_converge: { label: 'It does not end early', flag: 'no-converge', kind: 'check' },
      no_restart_on_failure: {
        label: 'A failure does not restart it',
        flag: 'no-restart-on-failure',
        kind: 'check',
      },
    },
  },
];

/** Fields of a list that an edit adds to and removes from. */
const CHANGED_BY: Partial<Record<Field, readonly [add: keyof EditInput, remove: keyof EditInput]>> = {
  after: ['add_after', 'remove_after'],
  after_success: ['add_after_success', 'remove_after'],
  tags: ['add_tags', 'remove_tags'],
  skills: ['add_skills', 'remove_skills'],
};

/** Fields that only a new task has. */
const ONLY_NEW: ReadonlySet<Field> = new Set([
  'id',
  'inputs',
  'deliverables',
  'paused',
  'no_place',
  'place_near',
  'place_before',
]);

export type Draft = { readonly [Name in Field]?: string | boolean | readonly string[] };

/** Fields of a part, for a new task or an edit. */
export function fieldsOf(part: (typeof PARTS)[number], isNew: boolean): readonly (readonly [Field, FieldLook])[] {
  const all = Object.entries(part.fields) as [Field, FieldLook][];
  return isNew ? all : all.filter(([field]) => !ONLY_NEW.has(field));
}

const LOOKS = new Map(PARTS.flatMap((part) => fieldsOf(part, true)));

/** The fields of a task as the form shows them. */
export function draftOf(task: Readonly<Record<string, unknown>> | undefined): Draft {
  if (task === undefined) return {};
  const { estimate, cycle_config: cycle } = task as {
    estimate?: { hours?: number; cost?: number };
    cycle_config?: { max_iterations?: number; delay?: string; max_failure_restarts?: number };
  };
  const stored: Readonly<Record<string, unknown>> = {
    ...task,
    hours: estimate?.hours,
    cost: estimate?.cost,
    max_iterations: cycle?.max_iterations,
    cycle_delay: cycle?.delay,
    max_failure_restarts: cycle?.max_failure_restarts,
  };
  const draft: { -readonly [Name in Field]?: Draft[Name] } = {};
  for (const [field, { kind }] of LOOKS) {
    const value = stored[field];
    if (value === undefined) continue;
    draft[field] = kind === 'check' ? value === true : Array.isArray(value) ? value.map(String) : String(value);
  }
  return draft;
}

interface Change {
  readonly flag: string;
  /** Undefined for a flag without a value. */
  readonly value?: string;
  readonly field: string;
  readonly input: unknown;
}

/** Differences of a draft from what was there: fields of the input, with the flags that say the same. */
export function changesOf(before: Draft, draft: Draft, isNew: boolean): readonly Change[] {
  return [...LOOKS].flatMap(([field, look]): Change[] => {
    const [was, is] = [before[field], draft[field]];
    if (JSON.stringify(was ?? '') === JSON.stringify(is ?? '')) return [];
    if (look.kind === 'list') return listChanges(field, look, asList(was), asList(is), isNew);
    if (look.kind === 'check') return [{ flag: look.flag, field, input: is === true }];
    const text = String(is ?? '').trim();
    if (text === '') return was === undefined ? [] : [{ flag: 'clear', value: field, field: 'clear', input: [field] }];
    return [{ flag: look.flag, value: text, field, input: look.kind === 'number' ? Number(text) : text }];
  });
}

const asList = (value: Draft[Field]): readonly string[] => (Array.isArray(value) ? value : []);

function listChanges(
  field: Field,
  { flag }: FieldLook,
  was: readonly string[],
  is: readonly string[],
  isNew: boolean,
): Change[] {
  const changedBy = isNew ? undefined : CHANGED_BY[field];
  if (changedBy === undefined) return is.length === 0 ? [] : [{ flag, value: is.join(','), field, input: [...is] }];
  const added = is.filter((one) => !was.includes(one));
  const removed = was.filter((one) => !is.includes(one));
  const [add, remove] = changedBy;
  return [
    ...(added.length === 0 ? [] : [{ flag: flagOf(add), value: added.join(','), field: add, input: added }]),
    ...(removed.length === 0
      ? []
      : [{ flag: flagOf(remove), value: removed.join(','), field: remove, input: removed }]),
  ];
}

const flagOf = (field: string): string => field.replace(/(tag|skill)s$/, '$1').replaceAll('_', '-');

/** Input of the operation: values of a field that occurs twice are joined. */
export function inputOf(changes: readonly Change[]): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const { field, input: value } of changes) {
    const before = input[field];
    input[field] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return input;
}

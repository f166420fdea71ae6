import { KINDS, type Kind } from '#core/agency/entities.js';
import { inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { type Column, printTable } from '#surfaces/cli/table.js';
import { NO_SCORES } from './analysis-words.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly task_count: number;
  readonly avg_score: number | null;
  readonly pending: boolean;
  readonly description?: string;
  readonly role_name?: string | null;
  readonly tradeoff_name?: string | null;
  readonly executor?: string;
  readonly trust_level?: string;
  readonly capabilities?: readonly string[];
}

const TITLES = { role: 'Roles', tradeoff: 'Trade-offs', agent: 'Agents' } as const;
const EMPTY = {
  role: 'No roles yet. `troupe agency init` adds starter roles.',
  tradeoff: 'No trade-offs yet. `troupe agency init` adds starter trade-offs.',
  agent: 'No agents yet. Create one with `troupe agency add agent NAME --role ROLE --tradeoff TRADEOFF`.',
} as const;

function printEntities(kind: Kind, entities: readonly Row[], screen: Screen): void {
  const what: Column<Row>[] =
    kind === 'agent'
      ? [
          { title: 'PARTS', text: madeOf },
          { title: 'RUN BY', text: (row) => inert(row.executor ?? '') },
          { title: 'TRUST', text: (row) => row.trust_level ?? '' },
          {
            title: 'CAN',
            text: (row) => (row.capabilities ?? []).map((word) => inert(word)).join(', '),
            flexible: true,
          },
        ]
      : [{ title: 'WHAT', text: (row) => inert(row.description ?? ''), flexible: true }];
  printTable(screen, entities, [
    { title: 'ID', text: (row) => row.id.slice(0, 8), paint: (text) => screen.colour.dim(text) },
    { title: 'NAME', text: (row) => `${inert(row.name)}${row.pending ? ' (waits)' : ''}` },
    { title: 'SCORE', text: (row) => row.avg_score?.toFixed(2) ?? '-', right: true },
    ['TASKS=task_count'],
    ...what,
  ]);
}

function madeOf({ role_name, tradeoff_name }: Row): string {
  const parts = [role_name, tradeoff_name].filter((part) => part !== null && part !== undefined);
  return parts.length === 0 ? 'a person' : parts.map((part) => inert(part ?? '')).join(' × ');
}

const LABELS: readonly (readonly [string, string])[] = [
  ['description', 'does'],
  ['desired_outcome', 'outcome'],
  ['role_name', 'role'],
  ['tradeoff_name', 'trade-off'],
  ['capabilities', 'can'],
  ['executor', 'run by'],
  ['preferred_model', 'model'],
  ['preferred_provider', 'provider'],
  ['contact', 'contact'],
  ['trust_level', 'trust'],
  ['capacity', 'at once'],
  ['rate', 'an hour'],
  ['default_context_scope', 'scope'],
  ['default_exec_mode', 'mode'],
];

type Score = Pick<AnswerOf<'evaluation.record'>, 'task_id' | 'score' | 'source' | 'path' | 'warnings'>;

function renderEvaluationRecorded({ task_id, score, source, path, warnings = [] }: Score, screen: Screen): void {
  screen.line(`${screen.colour.bold(inert(task_id))} has the score ${score} from ${inert(source)}.`);
  screen.line(screen.colour.dim(inert(path)));
  for (const warning of warnings) screen.line(screen.colour.yellow(inert(warning)));
}

export const renderers = {
  'agency.list': ({ kind, retired, entities, warnings }, screen) => {
    for (const one of kind === null ? KINDS : [kind]) {
      if (kind === null) screen.line(screen.colour.bold(TITLES[one]));
      const ofKind = entities.filter((entity) => entity.kind === one);
      if (ofKind.length === 0) screen.line(retired ? 'Nothing is retired.' : EMPTY[one]);
      else printEntities(one, ofKind, screen);
      if (kind === null && one !== KINDS.at(-1)) screen.line('');
    }
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
  },
  'agency.show': ({ entity, warnings }, screen) => {
    const { colour } = screen;
    screen.line(`${colour.bold(inert(entity.name))}  ${colour.dim(entity.id)}`);
    if (entity['retired'] === true) screen.line(colour.yellow('retired'));
    if (entity.pending) {
      const command = `troupe agency trust ${entity.kind} ${entity.id.slice(0, 8)}`;
      const why =
        entity['held'] === undefined
          ? `comes from another project; accept it with \`${command}\``
          : 'was not shown to be better; decide with `troupe evolve review`';
      screen.line(colour.yellow(why));
    }
    for (const [key, label] of LABELS) {
      const value = entity[key];
      const text = Array.isArray(value) ? value.join(', ') : value;
      if (text !== undefined && text !== null && text !== '') screen.line(`${label.padEnd(10)} ${inert(String(text))}`);
    }
    const skills = entity['skills'];
    for (const skill of Array.isArray(skills) ? skills : []) {
      screen.line(
        `${'skill'.padEnd(10)} ${skill.kind === 'name' ? '' : `${skill.kind}: `}${inert(String(skill.text))}`,
      );
    }
    for (const [key, label] of [
      ['acceptable_tradeoffs', 'may'],
      ['unacceptable_tradeoffs', 'must not'],
    ] as const) {
      const items = entity[key];
      for (const item of Array.isArray(items) ? items : []) screen.line(`${label.padEnd(10)} ${inert(String(item))}`);
    }
    const score = entity['avg_score'];
    const tasks = `${entity['task_count']} scored`;
    screen.line(`${'score'.padEnd(10)} ${typeof score === 'number' ? `${score.toFixed(2)}, ` : ''}${tasks}`);
    for (const warning of warnings) screen.aside(`${colour.yellow('left out:')} ${inert(warning)}`);
  },
  'agency.lineage': ({ ancestors }, screen) => {
    printTable(screen, ancestors, [
      ['kind'],
      { title: 'ID', text: (row) => row.id.slice(0, 8) },
      { title: 'NAME', text: (row) => inert(row.name ?? '?'), flexible: true },
      { title: 'GENERATION', text: (row) => String(row.generation ?? '?'), right: true },
      { title: 'CREATED BY', text: (row) => inert(row.created_by ?? '?') },
      { title: 'FROM', text: (row) => row.parent_ids.map((id) => id.slice(0, 8)).join(', ') || '-' },
      ['state'],
    ]);
  },
  ...sharedBy(
    [
      'role.edit',
      'agency.remove',
      'agency.restore',
      'tradeoff.edit',
      'identity.edit',
      'role.add',
      'tradeoff.add',
      'identity.create',
      'identity.provide',
    ],
    ({ id, kind, name, changed, warnings, entity }, screen) => {
      const state = entity.retired ? `is ${changed ? '' : 'already '}retired` : changed ? 'is saved' : 'is unchanged';
      screen.line(`${screen.colour.bold(id.slice(0, 8))} ${kind} ${inert(name)} ${state}.`);
      for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
    },
  ),
  'agency.trust': ({ accepted }, screen) => {
    if (accepted.length === 0) screen.line('Nothing is waiting: all are accepted.');
    for (const { kind, id, name } of accepted)
      screen.line(`${screen.colour.bold(id.slice(0, 8))} ${kind} ${inert(name)} is accepted.`);
  },
  'identity.performance': ({ name, avg_score, evaluations }, screen) => {
    if (avg_score === null)
      return screen.line(`${inert(name)} has no score yet. Record one with \`troupe evaluate record TASK --score S\`.`);
    screen.line(`${screen.colour.bold(inert(name))}  ${avg_score.toFixed(2)} over ${evaluations.length}`);
    printTable(screen, evaluations, [
      { title: 'SCORE', text: (row) => row.score.toFixed(2), right: true },
      ['TASK=task_id…', 'WHEN=timestamp ago'],
    ]);
  },
  'agency.match': ({ task_id, matches, waiting, warnings }, screen) => {
    if (matches.length === 0) {
      const advice =
        waiting.length === 0 ? ' Create one with `troupe agency add agent NAME --role ROLE --tradeoff TRADEOFF`.' : '';
      screen.line(`No agent matches ${inert(task_id)}.${advice}`);
    } else {
      printTable(screen, matches, [
        { title: 'ID', text: (row) => row.agent_id.slice(0, 8), paint: (text) => screen.colour.dim(text) },
        ['NAME=agent_name', 'score', 'TRUST=trust_level'],
        { title: 'CAPACITY', text: (row) => (row.available ? 'free' : 'busy') },
        { title: 'MATCHED', text: (row) => inert([...row.matched_skills, ...row.matched_words].join(', ')) },
        ['MISSING=missing_skills…'],
      ]);
    }
    for (const { agent_name, hint } of waiting)
      screen.line(`${inert(agent_name)} would fit, and waits to be accepted. ${inert(hint)}`);
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
  },
  'agency.assign': ({ id, agent_id, agent_name, reason, changed }, screen) => {
    const who = agent_id === null ? 'nobody' : `${inert(agent_name ?? '')} (${agent_id.slice(0, 8)})`;
    const why = reason === undefined ? '' : screen.colour.dim(`  ${inert(reason)}`);
    screen.line(`${screen.colour.bold(inert(id))} ${changed ? 'is' : 'was already'} for ${who}.${why}`);
  },
  'agency.init': ({ new: fresh, present, created, warnings }, screen) => {
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
    if (created.length === 0)
      return screen.line(
        `0 new: ${plural(present.roles, 'role')} and ${plural(present.tradeoffs, 'trade-off')} already exist.`,
      );
    const meta = fresh.meta_roles > 0 ? `, ${plural(fresh.meta_roles, 'role')} for the agency itself` : '';
    const agents = fresh.agents > 0 ? `, ${plural(fresh.agents, 'agent')}` : '';
    screen.line(`${plural(fresh.roles, 'role')}, ${plural(fresh.tradeoffs, 'trade-off')}${meta}${agents}.`);
    for (const { kind, id, name } of created) {
      screen.line(`  ${screen.colour.dim(id.slice(0, 8))}  ${kind.padEnd(8)}  ${inert(name)}`);
    }
    if (present.agents === 0) screen.aside('Next: `troupe agency add agent NAME --role ROLE --tradeoff TRADEOFF`.');
  },
  'evaluation.record': renderEvaluationRecorded,
  'evaluation.run': (output, screen) => {
    const { task_id, score, source = '', path = '', notes, warnings = [], flip, flip_failed, prompt } = output;
    if (prompt !== undefined) screen.line(inert(prompt, true));
    if (score !== undefined) renderEvaluationRecorded({ task_id, score, source, path, warnings }, screen);
    if (notes) screen.line(inert(notes));
    if (flip) renderEvaluationRecorded(flip, screen);
    if (flip_failed !== undefined)
      screen.aside(`The flip check failed; the score is kept without it: ${inert(flip_failed)}`);
  },
  'evaluation.verify': (output, screen) => {
    const { task_id, verdict, reason = '', score, warnings = [], prompt } = output;
    const { colour } = screen;
    const id = colour.bold(inert(task_id));
    if (prompt !== undefined) screen.line(inert(prompt, true));
    if (verdict === 'moot') screen.line(`${id}: nothing to verify, as ${inert(reason)}.`);
    if (verdict === 'confirmed')
      screen.line(`${id} is ${colour.green('confirmed')}, with a flip score of ${score}: ${inert(reason)}`);
    if (verdict === 'rejected') {
      screen.line(`${id} is ${colour.red('rejected')} and has failed: ${inert(reason)}`);
      screen.aside(`Next: ${colour.cyan(`troupe retry ${inert(task_id)}`)}`);
    }
    for (const warning of warnings) screen.line(colour.yellow(inert(warning)));
  },
  'evaluation.show': ({ evaluations, total, kept, warnings }, screen) => {
    if (total === 0) screen.line(kept === 0 ? NO_SCORES : `No score matches; ${plural(kept, 'score')} kept in all.`);
    else {
      printTable(screen, evaluations, [
        ['WHEN=timestamp ago', 'TASK=task_id'],
        { title: 'SCORE', text: (row) => String(Number(row.score.toFixed(4))), right: true },
        ['source', 'notes…'],
      ]);
    }
    const remaining = total - evaluations.length;
    if (remaining > 0) screen.line(screen.colour.dim(`${remaining} more: \`--limit\` shows them.`));
    for (const warning of warnings) screen.line(screen.colour.yellow(inert(warning)));
  },
} satisfies Partial<Renderers>;

import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

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

export const render: Renderer<'role.show' | 'tradeoff.show' | 'identity.show'> = ({ entity, warnings }, screen) => {
  const { colour } = screen;
  screen.line(`${colour.bold(inert(entity.name))}  ${colour.dim(entity.id)}`);
  if (entity['retired'] === true) screen.line(colour.yellow('out of use'));
  for (const [key, label] of LABELS) {
    const value = entity[key];
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (text !== undefined && text !== null && text !== '') screen.line(`${label.padEnd(10)} ${inert(String(text))}`);
  }
  const skills = entity['skills'];
  for (const skill of Array.isArray(skills) ? skills : []) {
    screen.line(`${'skill'.padEnd(10)} ${skill.kind === 'name' ? '' : `${skill.kind}: `}${inert(String(skill.text))}`);
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
};

// Texts of roles, trade-offs and agents: the bytes that their ids are hashed from, and their files.
import { sha256 } from '#kernel/hash.js';
import { safeJson } from '#kernel/json.js';
import { type Agent, type Entity, SKILL_KINDS, type SkillRef } from './entities.js';

/** Identity fields of a role, hashed in a fixed order. */
export interface RoleIdentity {
  readonly skills: readonly SkillRef[];
  readonly desired_outcome: string;
  readonly description: string;
}

export interface TradeoffIdentity {
  readonly acceptable_tradeoffs: readonly string[];
  readonly unacceptable_tradeoffs: readonly string[];
  readonly description: string;
}

/** Bytes from which the id of a role is hashed. */
export function roleText({ skills, desired_outcome, description }: RoleIdentity): string {
  return (
    list('skills', skills.map(skillText)) + line('desired_outcome', desired_outcome) + line('description', description)
  );
}

export function tradeoffText(identity: TradeoffIdentity): string {
  return (
    list('acceptable_tradeoffs', identity.acceptable_tradeoffs.map(scalar)) +
    list('unacceptable_tradeoffs', identity.unacceptable_tradeoffs.map(scalar)) +
    line('description', identity.description)
  );
}

/**
 * Bytes from which the id of an agent is hashed. The second key is the older name of a trade-off, kept so that existing
 * ids stay valid.
 */
export function agentText(roleId: string, tradeoffId: string): string {
  return line('role_id', roleId) + line('motivation_id', tradeoffId);
}

/** Text from which the id of a person without a role or trade-off is hashed. */
export function personText(name: string, executor: string): string {
  return `human-agent:${name}:${executor}`;
}

/**
 * Bytes from which the id of a role of the older layouts is hashed: its components and outcome have files of their own.
 */
export function legacyRoleText(componentIds: readonly string[], outcomeId: string): string {
  return list('component_ids', [...componentIds].sort().map(scalar)) + line('outcome_id', outcomeId);
}

export function idOf(text: string): string {
  return sha256(text);
}

/** Kind and text of a skill. */
export function skillParts(skill: SkillRef): { readonly kind: (typeof SKILL_KINDS)[number]; readonly text: string } {
  const entries = Object.entries(skill);
  for (const kind of SKILL_KINDS) {
    const entry = entries.find(([key]) => key === kind);
    if (entry) return { kind, text: String(entry[1]) };
  }
  return { kind: 'name', text: '' };
}

function skillText(skill: SkillRef): string {
  const { kind, text } = skillParts(skill);
  return `!${kind} ${scalar(text)}`;
}

function line(key: string, value: string): string {
  return `${key}: ${scalar(value)}\n`;
}

function list(key: string, items: readonly string[]): string {
  return items.length === 0 ? `${key}: []\n` : `${key}:\n${items.map((item) => `- ${item}\n`).join('')}`;
}

/**
 * Serialises a text as a YAML scalar by fixed rules: libraries change their quoting between versions, and ids depend on
 * it. May have several lines, which continue at an indentation of two; ends with a line feed only if the text does.
 */
export function scalar(text: string): string {
  if (text === '') return "''";
  if (needsEscapes(text)) return `"${[...text].map(escapeCharacter).join('')}"`;
  if (text.includes('\n')) return literal(text);
  if (parsesAsNonText(text) || beginsLikeMore(text) || separates(text)) return `'${text.replaceAll("'", "''")}'`;
  return text;
}

function needsEscapes(text: string): boolean {
  return (
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff]|[\u{10000}-\u{10ffff}]/u.test(text) ||
    text.includes(' \n') ||
    (text.includes('\n') && text.endsWith(' '))
  );
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0');
  if (character === '\t') return '\\t';
  if (character === '\n') return '\\n';
  if (character === '"' || character === '\\') return `\\${character}`;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return `\\x${hex(2)}`;
  if (code === 0xfeff) return `\\u${hex(4)}`;
  return code > 0xffff ? `\\U${hex(8)}` : character;
}

function literal(text: string): string {
  const digit = /^[ \n]/.test(text) ? '2' : '';
  const ends = text.endsWith('\n');
  const keep = text.endsWith('\n\n') || /^\n+$/.test(text);
  const body = ends ? text.slice(0, -1) : text;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return [`|${digit}${ends ? (keep ? '+' : '') : '-'}`, ...lines].join('\n');
}

const WORDS = new Set(
  ['null', 'true', 'false', 'y', 'n', 'yes', 'no', 'on', 'off'].flatMap((word) => [
    word,
    word.toUpperCase(),
    `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  ]),
);
const INTEGER = /^[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|\d+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Whether YAML would parse it as another type than text. */
function parsesAsNonText(text: string): boolean {
  return text === '~' || WORDS.has(text) || INTEGER.test(text) || FLOAT.test(text) || NO_NUMBER.test(text);
}

function beginsLikeMore(text: string): boolean {
  return /^(?:[#,[\]{}&*!>'"%@|`]|---|\.\.\.|[-?:](?: |$))/.test(text);
}

function separates(text: string): boolean {
  return text.includes(': ') || text.includes(' #') || text.endsWith(':') || /^ | $/.test(text);
}

/**
 * File of an entity. A role or trade-off begins with the bytes its id is hashed from; the other fields, one key a line,
 * may change.
 */
export function fileText(entity: Entity): string {
  const { id, name, performance, lineage, held, pending, more } = entity;
  const end = recordText({ ...more, held, pending, performance, lineage });
  switch (entity.kind) {
    case 'role': {
      const { default_context_scope, default_exec_mode, scheme } = entity;
      const defaults = { default_context_scope, default_exec_mode };
      // A role of an older layout keeps the fields its id was derived from.
      const body = scheme === 'legacy' ? recordText({ description: entity.description }) : roleText(entity);
      return recordText({ id, name }) + body + recordText(defaults) + end;
    }
    case 'tradeoff':
      return recordText({ id, name }) + tradeoffText(entity) + end;
    case 'agent':
      return recordText({ id, name, ...agentFields(entity) }) + end;
  }
}

function agentFields(agent: Agent) {
  const { role_id, tradeoff_id, capabilities, rate, capacity, trust_level, contact, executor } = agent;
  const { preferred_model, preferred_provider, person } = agent;
  return {
    role_id,
    tradeoff_id,
    capabilities,
    rate,
    capacity,
    trust_level,
    contact,
    executor,
    preferred_model,
    preferred_provider,
    person,
  };
}

/** Serialises a record, one key a line. JSON values are valid YAML with the same meaning. */
export function recordText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : safeJson(key)}: ${safeJson(value)}\n`)
    .join('');
}

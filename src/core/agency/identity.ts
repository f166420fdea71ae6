import { SKILL_KINDS, type SkillRef } from '#core/agency/entities.js';
import { scalar } from '#core/agency/scalar.js';
import { sha256 } from '#kernel/hash.js';

/** What makes an entity the one it is, in the order it is hashed in. */
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

/** The bytes that a role's id is made of. */
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

/** The second key is the older word: ids made with it stay what they are. */
export function agentText(roleId: string, tradeoffId: string): string {
  return line('role_id', roleId) + line('motivation_id', tradeoffId);
}

/** What the id of a person is made of who has no role or no trade-off. */
export function personText(name: string, executor: string): string {
  return `human-agent:${name}:${executor}`;
}

/** A role of the older layouts: made of components and an outcome that lie in files of their own. */
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
    const found = entries.find(([key]) => key === kind);
    if (found) return { kind, text: String(found[1]) };
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

import type { Archetype } from '#core/catalog/catalog.js';
import { checkCharter } from '#core/squad/charter.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { BespokeRole, ProposedMember } from './proposal.js';

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Validates a role that a blueprint defines for one team. Errors: `bad_input` when id, title or charter is missing or
 * too long.
 */
export function bespokeRole(role: { id: string; title: string; charter: string }): BespokeRole {
  const title = role.title.trim();
  const refuse = (why: string): never => {
    throw new TroupeError('bad_input', { what: `The role ${JSON.stringify(cut(inert(role.id), 60))} ${why}.` });
  };
  if (!ID.test(role.id)) refuse('needs an id of a-z, 0-9 and -');
  if (title === '' || [...title].length > 300 || /[\r\n]/.test(title)) refuse('needs a title of one line');
  if (role.charter.trim() === '') refuse('needs a charter');
  if ([...role.charter].length > TEAM_LIMITS.charterCharacters)
    refuse(`has a charter of more than ${TEAM_LIMITS.charterCharacters} characters`);
  return { archetype: archetypeOf(role.id, title, firstParagraph(role.charter) ?? title), charter: role.charter };
}

/** Returns the role of a bespoke member of a stored proposal, with its stored charter. */
export function bespokeOf(member: ProposedMember): BespokeRole | undefined {
  if (!member.bespoke) return undefined;
  const { id, title, summary } = member.role;
  return { archetype: archetypeOf(id, title, summary), charter: member.charter_markdown };
}

/** Compiles the inline charter under the member's headline. Errors: `charter_emoji`, `charter_hidden_text`. */
export function bespokeCharter(name: string, { archetype, charter }: BespokeRole): string {
  const values: Record<string, string> = {
    '{Name}': name,
    '{Role Title}': archetype.title,
    '{Role summary}': archetype.summary,
  };
  const filled = charter
    .replaceAll('\r\n', '\n')
    .replace(/\{(?:Name|Role Title|Role summary)\}/g, (placeholder) => values[placeholder] ?? placeholder)
    .trim();
  const headline = `# ${name} — ${archetype.title}`;
  const [first = '', ...rest] = filled.split('\n');
  // A headline with this role's title and another name is left over from a previous name.
  const body = first.startsWith('# ') && first.endsWith(` — ${archetype.title}`) ? rest.join('\n').trim() : filled;
  const text = `${headline}\n\n${body}\n`;
  checkCharter(text, name);
  return text;
}

function archetypeOf(id: string, title: string, summary: string): Archetype {
  return {
    id,
    title,
    summary,
    domain: 'bespoke',
    kind: 'cast',
    leads: false,
    capabilities: [],
    responsibilities: [],
    boundaries: [],
    keywords: [],
    desired_outcome: summary,
    default_tradeoff: 'balanced',
    default_model: 'standard',
  };
}

function firstParagraph(charter: string): string | undefined {
  const paragraphs = charter.replaceAll('\r\n', '\n').split(/\n\s*\n/);
  const first = paragraphs.map((paragraph) => paragraph.trim()).find((text) => text !== '' && !text.startsWith('#'));
  return first === undefined ? undefined : cut(first.replace(/\s+/g, ' '), 2_000);
}

// Identity of core roles: only a person changes it. Anyone may propose another text of a section, which a person
// applies or rejects.
import { TroupeError } from '#kernel/errors.js';
import { visible } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { redact } from '#kernel/secrets.js';
import { CORE_SECTIONS, parseCore, replaceSection } from './core-file.js';
import type { CoreRole } from './lane.js';
import { isRoleName } from './role-name.js';
import { coreFile } from './role-paths.js';
import { parseText } from './role-text.js';

/** Sections that define a role. */
export const IDENTITY_SECTIONS = ['charter', 'when-to-use', 'body'] as const;
export type IdentitySection = (typeof IDENTITY_SECTIONS)[number];

export const PROPOSAL_STATES = ['open', 'accepted', 'rejected'] as const;

/** Proposed text of one section, with the text it was based on. */
export interface IdentityProposal {
  readonly id: string;
  readonly role: string;
  readonly section: IdentitySection;
  /** SHA-256 of the section's previous text; `was` is that text. */
  readonly base: string;
  readonly was: string;
  readonly text: string;
  readonly why: string;
  readonly by: string;
  readonly at: string;
  readonly state: (typeof PROPOSAL_STATES)[number];
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

/** Text of a section as parsed. */
export function sectionText(role: string, source: string, section: IdentitySection): string {
  const { role: core } = parseCore(role, source);
  if (section === 'when-to-use') return core.whenToUse.join('\n');
  return section === 'charter' ? core.charter : core.body;
}

/** A new proposal. Idempotent for the same text and base. Errors: `bad_input`, `too_large`. */
export function proposalOf(
  wish: Pick<IdentityProposal, 'role' | 'section' | 'text' | 'why' | 'by' | 'at'>,
  source: string,
): IdentityProposal {
  const { role, section } = wish;
  const text = proposedText(section, wish.text);
  const was = sectionText(role, source, section);
  const base = sha256(was);
  if (sectionText(role, replaceSection(role, source, section, text), section) === was)
    throw new TroupeError('bad_input', { what: `${CORE_SECTIONS[section]} of ${role} already says that.` });
  const id = `${role}-${section}-${sha256(`${base}\n${text}`).slice(0, 8)}`;
  return { ...wish, id, base, was, text, state: 'open', decided_by: null, decided_at: null };
}

const MOST = { charter: ROLE_PROMPT_LIMITS.charterBytes, 'when-to-use': 4 * 1024, body: ROLE_PROMPT_LIMITS.bodyBytes };

/** Validates a proposed text: no hidden characters, no secrets, and no heading that would end its section. */
function proposedText(section: IdentitySection, foreign: string): string {
  const plain = visible(redact(foreign)).trim();
  const text = section === 'when-to-use' ? points(plain) : plain;
  const refuse = (why: string, code: 'bad_input' | 'too_large' = 'bad_input') =>
    new TroupeError(code, { what: `${CORE_SECTIONS[section]}: ${why}.` });
  if (text === '') throw refuse('the text is empty');
  if (Buffer.byteLength(text) > MOST[section]) throw refuse(`more than ${MOST[section]} bytes`, 'too_large');
  const { lines, unclosed } = parseText(text);
  if (unclosed) throw refuse(`a ${unclosed.what} is not closed`);
  if (lines.some(({ level }) => level === 1 || level === 2))
    throw refuse('it contains a heading that starts another section');
  if (section === 'charter' && lines.length > 1) throw refuse('a charter is one sentence on one line');
  return text;
}

/** One bullet a line, from lines with or without a dash. */
function points(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replace(/^[-*+]\s+/, ''));
  return lines.flatMap((line) => (line === '' ? [] : [`- ${line}`])).join('\n');
}

/**
 * Role file with the proposal applied; unchanged if it is already applied. Errors: `proposal_stale` if the section has
 * changed since the proposal; `bad_input` or `too_large` if the section cannot be replaced.
 */
export function withProposal({ id, role, section, base, text }: IdentityProposal, source: string): string {
  const after = replaceSection(role, source, section, proposedText(section, text));
  const now = sectionText(role, source, section);
  if (sectionText(role, after, section) === now) return source;
  if (sha256(now) === base) return after;
  throw new TroupeError('proposal_stale', {
    what: `${CORE_SECTIONS[section]} of ${role} was changed after ${id} was proposed.`,
    details: { id, file: coreFile(role) },
  });
}

/** Whether it can no longer be applied: the section was changed since, or no longer exists. */
export function isStale(proposal: IdentityProposal, source: string): boolean {
  try {
    withProposal(proposal, source);
    return false;
  } catch (error) {
    if (error instanceof TroupeError) return true;
    throw error;
  }
}

/** The role before a proposal was applied to it. */
export function identityBefore({ section, was }: IdentityProposal, now: CoreRole): CoreRole {
  if (section === 'when-to-use') return { ...now, whenToUse: was.split('\n') };
  return { ...now, [section]: was };
}

/** Parses a stored proposal; undefined if it is invalid. */
export function proposalIn(id: string, value: unknown): IdentityProposal | undefined {
  if (!isJsonObject(value)) return undefined;
  const { role, section, base, was, text, why, by, at, state, decided_by, decided_at } = value;
  const known = IDENTITY_SECTIONS.find((one) => one === section);
  const standing = PROPOSAL_STATES.find((one) => one === state);
  if (known === undefined || standing === undefined) return undefined;
  const texts = { role, base, was, text, why, by, at };
  if (!Object.values(texts).every((one) => typeof one === 'string') || !isRoleName(String(role))) return undefined;
  const decided = {
    decided_by: typeof decided_by === 'string' ? decided_by : null,
    decided_at: typeof decided_at === 'string' ? decided_at : null,
  };
  return { id, ...(texts as Record<keyof typeof texts, string>), section: known, state: standing, ...decided };
}

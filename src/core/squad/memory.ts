import { folderSlug } from '#core/catalog/member-slug.js';
import { EMOJI, HIDDEN } from '#core/squad/charter.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';

export const MEMORY_TYPES = ['core_context', 'learning', 'pattern', 'update'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export const IMPORTANCES = ['high', 'medium', 'low'] as const;
export type Importance = (typeof IMPORTANCES)[number];

export const ENTRY_TYPES = ['architectural', 'scope', 'process', 'pattern', 'learning', 'update'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export const ENTRY_STATUSES = ['pending', 'merged', 'rejected'] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

export const DECISION_TYPES = ['architectural', 'scope', 'process'] as const;
export type DecisionType = (typeof DECISION_TYPES)[number];

export const DECISION_STATUSES = ['active', 'superseded', 'archived'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

/** Author of a row and its time, in milliseconds since 1970. */
interface Authorship {
  readonly created_by: string;
  readonly created_at: number;
}

/** A memory of one member. */
export interface NewMemory extends Authorship {
  /** Origin of the row; of two rows with the same source, only the first is stored. */
  readonly source?: string;
  /** Slug of the member. */
  readonly agent: string;
  readonly type: MemoryType;
  readonly importance: Importance;
  readonly content: string;
}
export interface Memory extends NewMemory {
  readonly number: number;
}

/** Content of an entry of the inbox, as stored in a file. */
export interface EntryText {
  readonly agent: string;
  readonly slug: string;
  readonly type: EntryType;
  readonly title: string;
  readonly content: string;
  /** Empty if none is given. */
  readonly rationale: string;
}

/** A proposal of a member, which a person merges or rejects. One per agent and slug. */
export interface NewEntry extends EntryText, Authorship {}
export interface InboxEntry extends NewEntry {
  readonly number: number;
  /** Name of its file: its slug, unless another agent uses that one. */
  readonly stored_slug: string;
  readonly status: EntryStatus;
  readonly settled_by?: string;
  readonly settled_at?: number;
  /** Reason of the rejection. */
  readonly reason?: string;
}

export interface NewDecision extends Authorship {
  readonly source?: string;
  readonly type: DecisionType;
  readonly title: string;
  readonly content: string;
  readonly rationale: string;
  /** Slug of the member who proposed it. */
  readonly agent?: string;
  /** Number of the decision that this one replaces. */
  readonly supersedes?: number;
}
export interface Decision extends Omit<NewDecision, 'supersedes'> {
  readonly number: number;
  readonly status: DecisionStatus;
  readonly superseded_by?: number;
}

/** A session: the current work of the team, with a start and an end. At most one is open. */
export interface NewWorkSession {
  readonly source?: string;
  readonly focus: string;
  readonly context: string;
  readonly started_by: string;
  readonly started_at: number;
}
export interface WorkSession extends NewWorkSession {
  readonly number: number;
  readonly ended_at?: number;
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A normalised value, or the reason for rejecting it. */
export type CheckedValue = { readonly value: string } | { readonly reason: string };

/** Returns the slug of a member name. Rejects paths and look-alike letters. */
export function checkedAgent(agent: string): CheckedValue {
  const slug = folderSlug(agent);
  return slug === undefined ? { reason: 'agent is not a member name' } : { value: slug };
}

export function checkedSlug(slug: string): CheckedValue {
  return SLUG.test(slug) ? { value: slug } : { reason: 'slug may hold a-z, 0-9, _ and - only, 64 characters at most' };
}

/**
 * Checks a single line of text. It appears in files that agents read, as charters do, so the same characters are
 * rejected.
 */
export function checkedLine(name: string, text: string): CheckedValue {
  const value = text.trim();
  if (value === '') return { reason: `${name} is empty` };
  if ([...value].length > TEAM_LIMITS.memoryTitleCharacters)
    return { reason: `${name} is longer than ${TEAM_LIMITS.memoryTitleCharacters} characters` };
  if (/[\r\n\t\u2028\u2029]/.test(value)) return { reason: `${name} is more than one line` };
  if (CONTROLS.test(value) || HIDDEN.test(value)) return { reason: `${name} contains invisible characters` };
  if (EMOJI.test(value)) return { reason: `${name} contains an emoji` };
  return { value };
}

/** Checks a text of several lines. Line ends become line feeds; surrounding blank space is removed. */
export function checkedText(name: string, text: string): CheckedValue {
  const value = text.replaceAll('\r\n', '\n').trim();
  if (Buffer.byteLength(value) > TEAM_LIMITS.memoryTextBytes)
    return { reason: `${name} is larger than ${TEAM_LIMITS.memoryTextBytes} bytes` };
  if (CONTROLS.test(value) || HIDDEN.test(value)) return { reason: `${name} contains invisible characters` };
  return { value };
}

/** Part of the memory that is shown to a client or person at the start of work, equal in every surface. */
export interface Briefing {
  /** Lessons of the member, newest last. */
  readonly learnings: readonly BriefingLearning[];
  /** Decisions in force, newest last. */
  readonly decisions: readonly BriefingDecision[];
  /** Numbers of older rows left out. */
  readonly older: { readonly learnings: number; readonly decisions: number };
}

export type BriefingLearning = Pick<Memory, 'number' | 'importance' | 'content' | 'created_at'>;
export type BriefingDecision = Pick<Decision, 'number' | 'type' | 'title' | 'content' | 'rationale'>;

/**
 * Returns the newest learnings of one member and the newest active decisions, oldest first, with texts truncated for
 * reading before work.
 */
export function briefingOf(learnings: readonly Memory[], decisions: readonly Decision[]): Briefing {
  const newest = learnings.slice(-TEAM_LIMITS.briefingLearnings);
  const latest = decisions.slice(-TEAM_LIMITS.briefingDecisions);
  return {
    learnings: newest.map(({ number, importance, content, created_at }) => ({
      number,
      importance,
      created_at,
      content: cut(content, TEAM_LIMITS.briefingTextCharacters),
    })),
    decisions: latest.map(({ number, type, title, content, rationale }) => ({
      number,
      type,
      title,
      content: cut(content, TEAM_LIMITS.briefingTextCharacters),
      rationale: cut(rationale, TEAM_LIMITS.briefingTextCharacters),
    })),
    older: { learnings: learnings.length - newest.length, decisions: decisions.length - latest.length },
  };
}

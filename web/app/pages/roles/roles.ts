import type { Answer } from '#surfaces/http/contract.js';

export type RoleList = Answer<'roles.list'>;
export type LaneRow = RoleList['rows'][number];
/** A row with its lessons, from the page of one role. */
export type TaughtRow = Answer<'roles.show'>['rows'][number];
export type Lane = LaneRow['lane'];
export type RowStatus = LaneRow['status'];
/** A role that agents have, with its scores. */
export type ScoredRole = Answer<'agency.list'>['entities'][number];
export type Candidate = Answer<'roles.candidates'>['candidates'][number];
export type Proposal = Answer<'roles.proposals'>['proposals'][number];

export const LANES: readonly Lane[] = ['crew', 'panel', 'research'];
export const ROW_STATUSES: readonly RowStatus[] = ['stable', 'probationary', 'retired'];

/** A role in the list: its core, every row that is linked to it or has its name, and the agents' role of this name. */
export interface Role {
  readonly name: string;
  readonly charter: string;
  /** Numbers of lessons from the core and from solo runs; undefined without a core role. */
  readonly lessons: { readonly core: number; readonly solo: number } | undefined;
  readonly rows: readonly LaneRow[];
  readonly scored: ScoredRole | undefined;
}

/** Fields that describe the purpose of a row, clearest first. */
const PURPOSES = ['charter', 'owns', 'lens', 'angle'];

/**
 * Groups rows into roles by name. A row linked to an existing core belongs to it, under any name. Roles of agents are
 * those of the same name, or of their own.
 */
export function rolesOf({ cores, rows }: Pick<RoleList, 'cores' | 'rows'>, agents: readonly ScoredRole[]): Role[] {
  const known = new Set(cores.map(({ name }) => name));
  const scores = new Map(agents.map((one) => [slugOf(one.name), one]));
  const roles = new Map<string, Role & { rows: LaneRow[] }>(
    cores.map(({ name, charter, core, solo }) => [
      name,
      { name, charter, lessons: { core, solo }, rows: [], scored: scores.get(slugOf(name)) },
    ]),
  );
  for (const row of rows) {
    const name = row.role !== null && known.has(row.role) ? row.role : row.name;
    const role = roles.get(name) ?? {
      ...{ name, charter: purposeOf(row), lessons: undefined, rows: [] },
      scored: scores.get(slugOf(name)),
    };
    role.rows.push(row);
    roles.set(name, role);
  }
  const taken = new Set([...roles.keys()].map(slugOf));
  for (const scored of agents.filter(({ name }) => !taken.has(slugOf(name))))
    roles.set(scored.name, {
      name: scored.name,
      charter: wordsOf(scored, 'description'),
      lessons: undefined,
      rows: [],
      scored,
    });
  return [...roles.values()].sort((left, right) => (slugOf(left.name) < slugOf(right.name) ? -1 : 1));
}

export const slugOf = (name: string): string => name.toLowerCase().replace(/\s+/g, '-');

/** A text of a role of agents. */
export function wordsOf(role: ScoredRole, field: 'description' | 'desired_outcome'): string {
  const words = role[field];
  return typeof words === 'string' ? words : '';
}

export function skillsOf({ skills }: ScoredRole): string {
  const texts = Array.isArray(skills) ? skills.map((skill: { readonly text?: unknown }) => skill.text) : [];
  return texts.filter((text) => typeof text === 'string').join(', ');
}

export function purposeOf({ fields }: LaneRow): string {
  return PURPOSES.flatMap((key) => fields.find((field) => field.key === key)?.value ?? [])[0] ?? '';
}

export interface RoleFilter {
  readonly words: string;
  readonly lane: Lane | '';
  readonly status: RowStatus | '';
}

/** Roles that contain all words in their name, charter or row names and have a single row with this lane and status. */
export function matchingRoles(roles: readonly Role[], { words, lane, status }: RoleFilter): Role[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  return roles.filter(({ name, charter, rows }) => {
    const text = [name, charter, ...rows.map((row) => row.name)].join(' ').toLowerCase();
    const fits = rows.some((row) => (lane === '' || row.lane === lane) && (status === '' || row.status === status));
    return terms.every((term) => text.includes(term)) && (fits || (lane === '' && status === ''));
  });
}

/** Whether a candidate names a lesson that can be graduated; the others only suggest a place to check. */
export function isLesson(candidate: Candidate): boolean {
  return candidate.lesson !== undefined;
}

export function candidateText({ why, role, linked, lessons }: Candidate): string {
  if (why === 'many-solo-lessons') return `${role} has ${lessons ?? 0} lessons of solo runs: review them.`;
  return linked === true
    ? `${role} works in several lanes.`
    : `${role} works in several lanes and is not linked to one core role.`;
}

export function overlapText(overlap: number): string {
  return overlap === 1 ? 'same words' : `${Math.round(overlap * 100)} % of the words`;
}

/** Outlook of a row over its next runs. */
export function prospectText({ lane, status, runs, clean_runs_left: left }: LaneRow): string {
  if (status === 'retired') return 'It is kept, but never seated.';
  if (left !== null) return `Stable after ${left} more clean ${left === 1 ? 'run' : 'runs'}.`;
  return lane === 'research' && runs.thin > 0 ? `${runs.thin} thin in a row: thin runs return it to probation.` : '';
}

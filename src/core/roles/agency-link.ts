// Derives a role of the agency from a core role: from its identity, never from its lessons.
import type { Agency } from '#core/agency/agency.js';
import type { Role } from '#core/agency/entities.js';
import { editRole, type Maker, newRole, type RoleDraft, typedText } from '#core/agency/entity-edits.js';
import { idOf, roleText } from '#core/agency/entity-text.js';
import type { CoreRole } from './lane.js';

const DELIVERABLE = /^[ \t]*Deliverable:[ \t]*(\S.*)$/m;

/**
 * Identity of a core role in the agency: its charter, its deliverable, and its own name as skill. The id is derived
 * from these, so lessons do not change it. Undefined without a charter, since the role would have no description.
 */
export function roleDraftOf({
  name,
  charter,
  body,
}: Pick<CoreRole, 'name' | 'charter' | 'body'>): RoleDraft | undefined {
  if (charter.trim() === '') return undefined;
  return {
    name,
    description: typedText('The charter', charter),
    desired_outcome: typedText('The outcome', DELIVERABLE.exec(body)?.[1] ?? charter),
    skills: [{ name }],
  };
}

/** Id of the core role's role in every agency. */
export function agencyRoleId(core: Pick<CoreRole, 'name' | 'charter' | 'body'>): string | undefined {
  const draft = roleDraftOf(core);
  return draft && idOf(roleText(draft));
}

/** The agency's role for a core role, existing or newly made; undefined without a charter. */
export function linkedRole(agency: Agency, core: CoreRole, maker: Maker): { role: Role; made: boolean } | undefined {
  const draft = roleDraftOf(core);
  if (!draft) return undefined;
  const role = agency.role(idOf(roleText(draft)));
  return role ? { role, made: false } : { role: newRole(agency, draft, maker), made: true };
}

/**
 * Roles that an edit of a core role adds to the agency: the previous identity if it is missing there, and the new one
 * as its child. An identity that exists already is not added again.
 */
export function successorRoles(agency: Agency, before: CoreRole, after: CoreRole, maker: Maker): Role[] {
  const elder = linkedRole(agency, before, maker);
  const draft = roleDraftOf(after);
  const made = elder?.made ? [elder.role] : [];
  if (!draft || agency.with(made).role(idOf(roleText(draft)))) return made;
  return [...made, elder ? editRole(agency, elder.role, draft, maker).entity : newRole(agency, draft, maker)];
}

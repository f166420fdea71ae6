// A core role as a role of the agency: what it is, never what it has learned.
import type { Agency } from '#core/agency/agency.js';
import type { Role } from '#core/agency/entities.js';
import { editRole, type Maker, newRole, type RoleDraft, typedText } from '#core/agency/entity-edits.js';
import { idOf, roleText } from '#core/agency/entity-text.js';
import type { CoreRole } from './lane.js';

const DELIVERABLE = /^[ \t]*Deliverable:[ \t]*(\S.*)$/m;

/**
 * What makes the role of the agency: the charter, what it brings forth, and its own name as its skill. The id is made of these, so
 * that lessons change nothing. Undefined for a core role without a charter: nobody could say what it does.
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

/** The id its role has in every agency. */
export function agencyRoleId(core: Pick<CoreRole, 'name' | 'charter' | 'body'>): string | undefined {
  const draft = roleDraftOf(core);
  return draft && idOf(roleText(draft));
}

/** The role of the agency that a core role is, as it is there or as it has to be made; undefined without a charter. */
export function linkedRole(agency: Agency, core: CoreRole, maker: Maker): { role: Role; made: boolean } | undefined {
  const draft = roleDraftOf(core);
  if (!draft) return undefined;
  const role = agency.role(idOf(roleText(draft)));
  return role ? { role, made: false } : { role: newRole(agency, draft, maker), made: true };
}

/**
 * What an edit of a core role adds to the agency: who it was, where that is not there, and as a child of that who it is now.
 * Who it was before and becomes again is there already.
 */
export function successorRoles(agency: Agency, before: CoreRole, after: CoreRole, maker: Maker): Role[] {
  const elder = linkedRole(agency, before, maker);
  const draft = roleDraftOf(after);
  const made = elder?.made ? [elder.role] : [];
  if (!draft || agency.with(made).role(idOf(roleText(draft)))) return made;
  return [...made, elder ? editRole(agency, elder.role, draft, maker).entity : newRole(agency, draft, maker)];
}

// Role under which a task is done: the seat of a formation, or a solo role.
import type { Task } from '#core/graph/task.js';
import { handedLesson } from '#core/roles/handed-lesson.js';
import type { RolePlace } from '#core/roles/prompt-parts.js';
import { isRoleName } from '#core/roles/role-name.js';
import { placeOf } from './formation.js';

const [ALONE, ROLE] = ['lane:solo', 'role:'];

/** Tags of a solo task. */
export function soloTags(role: string): string[] {
  return [ALONE, `${ROLE}${role}`];
}

/** Undefined for a task without a role. */
export function rolePlaceOf(tags: readonly string[] | undefined): RolePlace | undefined {
  const place = placeOf(tags);
  if (place?.lane !== undefined && place.seat !== undefined) return { lane: place.lane, seat: place.seat };
  if (place !== undefined || !tags?.includes(ALONE)) return undefined;
  const role = tags.find((tag) => tag.startsWith(ROLE))?.slice(ROLE.length) ?? '';
  return isRoleName(role) ? { lane: 'solo', role } : undefined;
}

/** Role and lesson from the last message of a solo run; undefined for other runs. */
export function lessonOf({ tags }: Pick<Task, 'tags'>, words: string | undefined) {
  const place = rolePlaceOf(tags);
  const lesson = place?.lane === 'solo' ? handedLesson(words) : undefined;
  return place?.lane !== 'solo' || lesson === undefined ? undefined : { role: place.role, lesson };
}

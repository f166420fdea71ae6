// As which role a task is worked on: the seat of a formation, or one role alone.
import type { Task } from '#core/graph/task.js';
import { handedLesson } from '#core/lanes/handed-lesson.js';
import type { RolePlace } from '#core/lanes/prompt-parts.js';
import { isRoleName } from '#core/lanes/role-name.js';
import { placeOf } from './formation.js';

const [ALONE, ROLE] = ['lane:solo', 'role:'];

/** What a task of one role alone carries. */
export function soloTags(role: string): string[] {
  return [ALONE, `${ROLE}${role}`];
}

/** Undefined for a task that is worked on as nobody in particular. */
export function rolePlaceOf(tags: readonly string[] | undefined): RolePlace | undefined {
  const place = placeOf(tags);
  if (place?.lane !== undefined && place.seat !== undefined) return { lane: place.lane, seat: place.seat };
  if (place !== undefined || !tags?.includes(ALONE)) return undefined;
  const role = tags.find((tag) => tag.startsWith(ROLE))?.slice(ROLE.length) ?? '';
  return isRoleName(role) ? { lane: 'solo', role } : undefined;
}

/** The lesson that a run of one role alone hands on with its last words, and the role; undefined of all other runs. */
export function lessonOf({ tags }: Pick<Task, 'tags'>, words: string | undefined) {
  const place = rolePlaceOf(tags);
  const lesson = place?.lane === 'solo' ? handedLesson(words) : undefined;
  return place?.lane !== 'solo' || lesson === undefined ? undefined : { role: place.role, lesson };
}

import * as z from 'zod/mini';
import { isTooLong, lessonText } from '#core/roles/lesson.js';
import { roleName } from '#core/roles/role-name.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { editRoleFile } from './role-edit.js';

/** Appends a lesson to the solo lessons of a core role, unless it is already there. */
export async function addSoloLesson(
  context: WorkContext,
  named: string,
  lesson: string,
  run?: string,
): Promise<{ readonly added: boolean; readonly seq: number }> {
  const edit = { what: 'learn', role: roleName(named), lesson: lessonText(lesson) } as const;
  const { changed, seq } = await editRoleFile(context, run === undefined ? edit : { ...edit, run });
  return { added: changed, seq };
}

export const learn = operation({
  name: 'roles.learn',
  command: 'roles learn',
  group: 'Roles',
  kind: 'write',
  graphless: true,
  summary: 'Add a lesson to the solo lessons of a role',
  examples: [
    'troupe roles learn skeptic "Ask for the number behind every claim."',
    'troupe roles learn skeptic "Read the test first." --json',
  ],
  input: z.strictObject({
    name: argument('The name of the role', z.string()),
    text: argument('The lesson, in one sentence', z.string()),
  }),
  output: z.object({ name: z.string(), lesson: z.string(), added: z.boolean(), seq: z.number() }),
  run: async (context: WorkContext, { name, text }) => {
    const lesson = lessonText(text);
    if (lesson === '')
      throw new TroupeError('bad_input', {
        what: 'The lesson is empty.',
        hint: 'Add it after the name of the role.',
      });
    if (isTooLong(text))
      throw new TroupeError('bad_input', {
        what: `A lesson may have at most ${TEAM_LIMITS.lessonCharacters} characters.`,
        hint: 'Shorten it to one sentence.',
      });
    return { name, lesson, ...(await addSoloLesson(context, name, text)) };
  },
});

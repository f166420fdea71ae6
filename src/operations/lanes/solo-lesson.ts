import * as z from 'zod/mini';
import { addCoreLesson } from '#core/lanes/core-file.js';
import { isTooLong, lessonText } from '#core/lanes/lesson.js';
import { readRoles } from '#core/lanes/registry.js';
import { roleName } from '#core/lanes/role-name.js';
import { coreFile } from '#core/lanes/role-paths.js';
import { starterNamed } from '#core/lanes/starters.js';
import { SOLO_WRITER } from '#core/lanes/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { didYouMean } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { tell, today } from './role-events.js';

/** Appends what was learned to the solo lessons of a core role; what stands there already is not added again. */
export async function addSoloLesson(
  context: Pick<Context, 'roleFiles' | 'graph' | 'clock' | 'caller'>,
  named: string,
  lesson: string,
  run?: string,
): Promise<{ readonly added: boolean; readonly seq: number }> {
  const name = roleName(named);
  const file = coreFile(name);
  const added = await (await context.roleFiles()).write(SOLO_WRITER, (texts) => {
    const text = texts.get(file);
    if (text === undefined) throw roleNotFound(name, readRoles(texts).cores.keys());
    const next = addCoreLesson(name, text, 'solo', { date: today(context), text: lesson });
    return { texts: new Map([[file, next.text]]), result: next.added };
  });
  const detail = { role: name, lesson: lessonText(lesson), ...(run === undefined ? {} : { run }) };
  return { added, seq: added ? await tell(context, 'roles_learn', detail) : 0 };
}

/** Names what there is, and the nearest of it. */
export function roleNotFound(name: string, names: Iterable<string>): TroupeError {
  const all = [...names].sort();
  const near = didYouMean(name, all);
  const list = all.slice(0, 12).join(', ');
  if (starterNamed(name) !== undefined)
    return new TroupeError('role_not_found', {
      what: `There is no core role ${name} in this repository yet: it is one of those that are shipped.`,
      hint: `\`troupe roles as ${name} TARGET\` copies it and has it look at something; from then on it learns here.`,
      details: { names: all },
    });
  return new TroupeError('role_not_found', {
    what: `There is no core role ${name}${near === undefined ? '.' : `: did you mean ${near}?`}`,
    hint:
      all.length === 0
        ? `Write ${coreFile(name)}; the guide to roles shows its form.`
        : `Name one of ${list}${all.length > 12 ? ', …' : ''}.`,
    details: { names: all },
  });
}

export const learn = operation({
  name: 'roles.learn',
  input: z.strictObject({ name: z.string(), text: z.string() }),
  output: z.object({ name: z.string(), lesson: z.string(), added: z.boolean(), seq: z.number() }),
  run: async (context, { name, text }) => {
    const lesson = lessonText(text);
    if (lesson === '')
      throw new TroupeError('bad_input', {
        what: 'A lesson needs a text.',
        hint: 'Write it after the name of the role.',
      });
    if (isTooLong(text))
      throw new TroupeError('bad_input', {
        what: `A lesson has at most ${LIMITS.lessonCharacters} characters.`,
        hint: 'Say it in one sentence.',
      });
    return { name, lesson, ...(await addSoloLesson(context, name, text)) };
  },
});

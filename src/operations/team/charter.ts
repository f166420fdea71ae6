import path from 'node:path';
import * as z from 'zod/mini';
import { editCharter } from '#core/team/edit-charter.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { changeMember } from './change.js';
import { changedShape, memberName, text } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** Gives a member a charter in your own words: as text, or from a file of the project. */
export const charter = operation({
  name: 'member.charter',
  input: z.strictObject({ member: memberName, charter: text, file: text, ...outsideWishes }),
  output: changedShape,
  async run(context, { member, charter: given, file, ...files }) {
    if ((given === undefined) === (file === undefined))
      throw new TroupeError('bad_input', { what: 'Say the charter, or the file that holds it.' });
    const words = given ?? (await textOf(context, file ?? ''));
    return await changeMember(context, files, (wish) => editCharter(wish, member, words));
  },
});

async function textOf(context: Context, file: string): Promise<string> {
  const inside = path.relative(context.projectFolder, path.resolve(context.projectFolder, file));
  const most = LIMITS.charterCharacters * 4 + 1;
  const found = await (await context.files()).text(inside, most);
  if (found !== undefined) return found.replaceAll('\r\n', '\n');
  throw new TroupeError('not_found', {
    what: `There is no file ${cut(inert(inside), 120)}.`,
    hint: 'Name a file of the project.',
  });
}

import * as z from 'zod/mini';
import { restoreMember } from '#core/team/members.js';
import { operation } from '#operations/operation.js';
import { changeMember } from './change.js';
import { changedShape, memberName } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** Somebody who left is on the team again, with the same id. */
export const restore = operation({
  name: 'member.restore',
  input: z.strictObject({ member: memberName, ...outsideWishes }),
  output: changedShape,
  run: (context, { member, ...files }) => changeMember(context, files, (wish) => restoreMember(wish, member)),
});

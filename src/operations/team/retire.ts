import * as z from 'zod/mini';
import { retireOne } from '#core/team/members.js';
import { operation } from '#operations/operation.js';
import { changeMember, passOn } from './change.js';
import { memberName, text, withTasksShape } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** A member leaves. Its tasks that are not over belong to nobody then; asked again, what is left of them is seen to. */
export const retire = operation({
  name: 'member.retire',
  input: z.strictObject({ member: memberName, leader: text, ...outsideWishes }),
  output: withTasksShape,
  async run(context, { member, leader, ...files }) {
    const tasks: string[] = [];
    const result = await changeMember(
      context,
      files,
      (wish) => retireOne(wish, member, leader),
      (news) => tasks.push(...news.tasks),
    );
    return { ...result, tasks: [...tasks, ...(await passOn(context, result.member.name))] };
  },
});

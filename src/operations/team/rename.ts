import * as z from 'zod/mini';
import { renameMember } from '#core/team/members.js';
import { settleClash } from '#core/team/settle-clash.js';
import { operation } from '#operations/operation.js';
import { changeMember, mendMember, passOn } from './change.js';
import { memberName, withTasksShape } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** Another name for a member; after a merge, for one of two that share a name: then named by the event that began it. */
export const rename = operation({
  name: 'member.rename',
  input: z.strictObject({ member: memberName, name: z.string(), ...outsideWishes }),
  output: withTasksShape,
  async run(context, { member, name, ...files }) {
    const settled = await mendMember(context, files, (wish) => settleClash(wish, member, name));
    // Whose tasks they are, of two members with one name, nobody can tell: they stay where they are.
    if (settled) return { ...settled, tasks: [] };
    const tasks: string[] = [];
    const renamed = await changeMember(
      context,
      files,
      (wish) => renameMember(wish, member, name),
      (news) => tasks.push(...news.tasks),
    );
    const late = await passOn(context, renamed.previous_name ?? member, renamed.member.name);
    return { ...renamed, tasks: [...tasks, ...late] };
  },
});

import * as z from 'zod/mini';
import { reroleMember } from '#core/team/members.js';
import { operation } from '#operations/operation.js';
import { changeMember } from './change.js';
import { changedShape, memberName } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** Another role for a member, who keeps name and id. */
export const rerole = operation({
  name: 'member.rerole',
  input: z.strictObject({ member: memberName, archetype: z.string(), ...outsideWishes }),
  output: changedShape,
  run: (context, { member, archetype, ...files }) =>
    changeMember(context, files, (wish) => reroleMember(wish, member, archetype)),
});

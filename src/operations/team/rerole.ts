import * as z from 'zod/mini';
import { reroleMember } from '#core/casting/members.js';
import { operation } from '#operations/operation.js';
import { changeMember } from './change.js';
import { changedShape, memberName } from './shapes.js';

/** Another role for a member, who keeps name and id. */
export const rerole = operation({
  name: 'member.rerole',
  input: z.strictObject({ member: memberName, archetype: z.string() }),
  output: changedShape,
  run: (context, { member, archetype }) => changeMember(context, (wish) => reroleMember(wish, member, archetype)),
});

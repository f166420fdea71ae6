import * as z from 'zod/mini';
import { addMember } from '#core/team/members.js';
import { operation } from '#operations/operation.js';
import { changeMember } from './change.js';
import { changedShape } from './member-shapes.js';
import { outsideWishes } from './outside-files.js';

/** One more member for the team, named from its universe. */
export const add = operation({
  name: 'member.add',
  input: z.strictObject({ archetype: z.string(), ...outsideWishes }),
  output: changedShape,
  run: (context, { archetype, ...files }) => changeMember(context, files, (wish) => addMember(wish, archetype)),
});

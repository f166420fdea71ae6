import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { memberShape } from './casting-shapes.js';

export const team = operation({
  name: 'team.show',
  input: z.strictObject({}),
  output: z.object({
    project: z.string(),
    universe: z.string(),
    leader: z.string(),
    members: z.readonly(z.array(memberShape)),
  }),
  async run(context) {
    const found = await (await context.squad()).readTeam();
    if (!found) throw new TroupeError('no_team');
    return found;
  },
});

import * as z from 'zod/mini';
import { memberNamed } from '#core/team/member-wish.js';
import { historyFile } from '#core/team/squad-paths.js';
import { leaderOf, memberOf } from '#core/team/team.js';
import { operation } from '#operations/operation.js';
import { briefingFor } from './briefing.js';
import { memberShape } from './casting-shapes.js';
import { memberName } from './member-shapes.js';
import { briefingShape, shownBriefing } from './memory-shapes.js';

/** One member with its charter, its diary and what it is told of the memory. */
export const show = operation({
  name: 'member.show',
  input: z.strictObject({ member: memberName }),
  output: z.object({
    member: memberShape,
    leads: z.boolean(),
    previous_name: z.optional(z.string()),
    succeeded_by: z.optional(z.string()),
    created_at: z.optional(z.string()),
    retired_at: z.optional(z.string()),
    charter: z.nullable(z.string()),
    history: z.nullable(z.string()),
    /** The same that a run of this member is told. */
    remembers: briefingShape,
  }),
  async run(context, { member: name }) {
    const state = await (await context.squad()).read();
    const record = memberNamed(state, name);
    const member = memberOf(record);
    return {
      member,
      leads: leaderOf(state.registry, state.history) === record.name,
      ...(record.previousName === undefined ? {} : { previous_name: record.previousName }),
      ...(record.succeededBy === undefined ? {} : { succeeded_by: record.succeededBy }),
      ...(record.createdAt === undefined ? {} : { created_at: record.createdAt }),
      ...(record.retiredAt === undefined ? {} : { retired_at: record.retiredAt }),
      charter: state.texts.get(member.charterPath) ?? null,
      history: state.texts.get(historyFile(state.texts, record.slug)) ?? null,
      remembers: shownBriefing(await briefingFor(context, record.slug)),
    };
  },
});

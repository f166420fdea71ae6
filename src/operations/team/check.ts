import * as z from 'zod/mini';
import { driftsOf } from '#core/team/drift.js';
import { surveySquad } from '#core/team/layout.js';
import { TEAM_MD } from '#core/team/squad-paths.js';
import { readTeamFile } from '#core/team/team-file.js';
import { operation } from '#operations/operation.js';
import { dialectShape, driftShape, layoutShape } from './member-shapes.js';
import { projectOf } from './team-wish.js';

/** Whether the files of the team say what its events say. Reads also what no other command may. */
export const check = operation({
  name: 'squad.check',
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    layout: layoutShape,
    dialect: dialectShape,
    migration_available: z.boolean(),
    drifts: z.array(driftShape),
  }),
  async run(context) {
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const [catalog, texts] = await Promise.all([source.load(), squad.texts()]);
    const drifts = driftsOf(texts, catalog, projectOf(context, readTeamFile(texts.get(TEAM_MD))));
    const { layout, dialect = null, migration_available } = surveySquad(texts);
    return { ok: drifts.length === 0, layout, dialect, migration_available, drifts };
  },
});

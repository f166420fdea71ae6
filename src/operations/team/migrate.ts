import * as z from 'zod/mini';
import { KEEPS, planMigration } from '#core/team/migrate.js';
import { operation } from '#operations/operation.js';
import { dialectShape, layoutShape, paths } from './member-shapes.js';

/** Brings the state of another tool, or of an older layout, into our form. */
export const migrate = operation({
  name: 'squad.migrate',
  input: z.strictObject({ dry_run: z.optional(z.boolean()), keep: z.optional(z.enum(KEEPS)) }),
  output: z.object({
    layout: layoutShape,
    dialect: dialectShape,
    changed: z.boolean(),
    dry_run: z.boolean(),
    written: paths,
    moved: z.readonly(z.array(z.object({ from: z.string(), to: z.string() }))),
    copied: z.readonly(z.array(z.object({ from: z.string(), to: z.string() }))),
    not_understood: z.readonly(z.array(z.object({ file: z.string(), line: z.number() }))),
    members: z.number(),
  }),
  async run(context, { dry_run: dryRun = false, keep }) {
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const catalog = await source.load();
    const now = context.clock.now();
    if (dryRun) return planMigration({ texts: await squad.texts(), catalog, keep, dryRun, now }).result;
    return await squad.mend((texts) => planMigration({ texts, catalog, keep, dryRun, now }));
  },
});

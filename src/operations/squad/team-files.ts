import * as z from 'zod/mini';
import { driftsOf } from '#core/casting/drift.js';
import { planRender } from '#core/casting/render-files.js';
import { surveySquad } from '#core/squad/layout.js';
import { KEPT_LAYOUTS, planMigration } from '#core/squad/migrate.js';
import { TEAM_MD } from '#core/squad/squad-paths.js';
import { readTeamFile } from '#core/squad/team-file.js';
import type { MachineContext, TeamContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { outsideWishes, refuseUnexpected } from './outside-files.js';
import { clientFilesOf, projectOf } from './team-plan.js';
import { dialectShape, driftShape, layoutShape, paths } from './team-shapes.js';

/** Checks whether the team's files match its events. Also reads states that all other commands reject. */
export const check = operation({
  name: 'squad.check',
  command: 'squad check',
  group: 'Members',
  kind: 'read',
  graphless: true,
  summary: 'Check whether the team files match the team events',
  examples: ['troupe squad check', 'troupe squad check --json'],
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    layout: layoutShape,
    dialect: dialectShape,
    migration_available: z.boolean(),
    drifts: z.array(driftShape),
  }),
  async run(context: TeamContext) {
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const [catalog, texts] = await Promise.all([source.load(), squad.texts()]);
    const drifts = driftsOf(texts, catalog, projectOf(context, readTeamFile(texts.get(TEAM_MD))));
    const { layout, dialect = null, migration_available } = surveySquad(texts);
    return { ok: drifts.length === 0, layout, dialect, migration_available, drifts };
  },
});

/** Rewrites everything derived from the team's events, in its files and in teams.db. */
export const render = operation({
  name: 'squad.render',
  command: 'squad render',
  group: 'Members',
  kind: 'write',
  graphless: true,
  writesOutside: true,
  summary: 'Regenerate the team files from the team events',
  examples: ['troupe squad render', 'troupe squad render --clients'],
  input: z.strictObject(outsideWishes),
  output: z.object({ written: paths, removed: paths }),
  async run(context: TeamContext & MachineContext, { clients, outside }) {
    const clientFiles = await clientFilesOf(context, clients);
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const catalog = await source.load();
    const templates = await source.charterTemplates([...catalog.archetypes.keys()]);
    const rendered = await squad.apply((state) => {
      const project = projectOf(context, state.teamFile);
      const plan = planRender({ state, catalog, templates, project, clientFiles });
      refuseUnexpected(outside, plan, clientFiles);
      return plan;
    });
    await squad.notifyFollowers();
    return rendered;
  },
});

/** Converts the state of another tool, or of an older layout, to our format. */
export const migrate = operation({
  name: 'squad.migrate',
  command: 'squad migrate',
  group: 'Members',
  kind: 'write',
  graphless: true,
  summary: 'Migrate the state of another tool',
  examples: ['troupe squad migrate --dry-run', 'troupe squad migrate --keep canonical'],
  input: z.strictObject({
    dry_run: option('Show what would change, change nothing', z.optional(z.boolean())),
    keep: option('Which state to keep if two conflict', z.optional(z.enum(KEPT_LAYOUTS)), { value: 'LAYOUT' }),
  }),
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
  async run(context: TeamContext, { dry_run: dryRun = false, keep }) {
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const catalog = await source.load();
    const now = context.clock.now();
    if (dryRun) return planMigration({ texts: await squad.texts(), catalog, keep, dryRun, now }).result;
    return await squad.repairTexts((texts) => planMigration({ texts, catalog, keep, dryRun, now }));
  },
});

import * as z from 'zod/mini';
import { planRender } from '#core/team/render-files.js';
import { operation } from '#operations/operation.js';
import { clientFilesOf } from './client-files.js';
import { templatesOf } from './draft.js';
import { paths } from './member-shapes.js';
import { outsideWishes, refuseUnexpected } from './outside-files.js';
import { projectOf } from './team-wish.js';

/** Writes again what follows from the events of the team, in its files and in teams.db. */
export const render = operation({
  name: 'squad.render',
  input: z.strictObject(outsideWishes),
  output: z.object({ written: paths, removed: paths }),
  async run(context, { clients, outside }) {
    const clientFiles = await clientFilesOf(context, clients);
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const catalog = await source.load();
    const templates = await templatesOf(source, [...catalog.archetypes.keys()]);
    const rendered = await squad.apply((state) => {
      const project = projectOf(context, state.teamFile);
      const plan = planRender({ state, catalog, templates, project, clientFiles });
      refuseUnexpected(outside, plan, clientFiles);
      return plan;
    });
    await squad.retell();
    return rendered;
  },
});

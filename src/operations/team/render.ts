import * as z from 'zod/mini';
import { planRender } from '#core/casting/render-files.js';
import { clientFilesOf } from '#operations/casting/client-files.js';
import { templatesOf } from '#operations/casting/draft.js';
import { outsideWishes, refuseUnexpected } from '#operations/casting/outside-files.js';
import { projectOf } from '#operations/casting/team-wish.js';
import { operation } from '#operations/operation.js';
import { paths } from './shapes.js';

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

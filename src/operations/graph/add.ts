import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { seedLimits, settingsFrom } from '#core/settings/settings.js';
import { type Context, operation } from '#operations/operation.js';
import { agentNamed } from './agent-named.js';
import { answer, checkedDuration, committed, earliest, editable, flag, moverOf, text, texts } from './shapes.js';

export const add = operation({
  name: 'task.add',
  input: z.strictObject({
    title: z.string(),
    id: text,
    after: texts,
    after_success: texts,
    tags: texts,
    skills: texts,
    inputs: texts,
    deliverables: texts,
    ...editable,
    paused: flag,
    no_place: flag,
    place_near: texts,
    place_before: texts,
    strict: flag,
  }),
  output: z.object({ id: z.string(), title: z.string(), warnings: z.readonly(z.array(z.string())), ...committed }),
  async run(context, { strict, not_before, ...draft }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, draft.delay);
    checkedDuration(draft.timeout);
    const agent = await agentNamed(context, draft.agent);
    const { autoPlace, limits } = await growthSettings(context);
    const commit = await store.commit(
      (view) =>
        addTask(
          view,
          { ...draft, agent, not_before: moment },
          {
            now: context.clock.now(),
            actor: context.caller.name,
            by: moverOf(context),
            strict: strict === true,
            autoPlace,
            limits,
          },
        ),
      context.request,
    );
    return { ...(await answer(store, commit)), title: draft.title.trim() };
  },
});

/** What the settings say of new tasks; `bad_config` when they cannot be read. */
async function growthSettings(context: Context) {
  const { settings } = settingsFrom(await (await context.settings()).read());
  return { autoPlace: settings.agency.auto_place, limits: seedLimits(settings) };
}

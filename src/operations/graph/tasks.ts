/**
 * `init trust add edit show list ready` and the status changes of a task.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { seedLimits, settingsFrom } from '#core/settings/settings.js';
import { type Context, operation } from '#operations/operation.js';
import { plainLetters } from '#operations/plain-letters.js';
import {
  answer,
  checkedDuration,
  commitFields,
  earliest,
  editable,
  flag,
  movedShape,
  moverOf,
  readyFields,
  text,
  texts,
  unknownPolicy,
} from '#operations/shapes.js';

/** Note returned when an edge is added: most people do not expect that a failure satisfies it. */
const AFTER_ANY_END =
  'It is queued when its dependencies have ended, even if they failed; --after-success waits for success.';

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
    allow_missing: flag,
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    warnings: z.readonly(z.array(z.string())),
    note: text,
    ...readyFields,
    ...commitFields,
  }),
  async run(context, { allow_missing, not_before, ...draft }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, draft.delay);
    checkedDuration(draft.timeout);
    const agent = await agentIfNamed(context, draft.agent);
    const { autoPlace, limits } = await growthSettings(context);
    const plain_title = await plainLetters(draft.title);
    const commit = await store.commit(
      (view) =>
        addTask(
          view,
          { ...draft, plain_title, agent, not_before: moment },
          {
            now: context.clock.now(),
            actor: context.caller.name,
            by: moverOf(context),
            unknown: unknownPolicy({ allow_missing }),
            autoPlace,
            limits,
          },
        ),
      context.request,
    );
    const note = (draft.after?.length ?? 0) > 0 ? { note: AFTER_ANY_END } : {};
    return { ...(await answer(context, store, commit)), title: draft.title.trim(), ...note };
  },
});

/** Settings for new tasks. Errors: `bad_config`. */
async function growthSettings(context: Context) {
  const { settings } = settingsFrom(await (await context.settings()).read());
  return { autoPlace: settings.agency.auto_place, limits: seedLimits(settings) };
}

export const edit = operation({
  name: 'task.edit',
  input: z.strictObject({
    id: z.string(),
    title: text,
    add_after: texts,
    add_after_success: texts,
    remove_after: texts,
    add_tags: texts,
    remove_tags: texts,
    add_skills: texts,
    remove_skills: texts,
    ...editable,
    clear: texts,
    allow_missing: flag,
  }),
  output: movedShape,
  async run(context, { id, allow_missing, not_before, ...change }) {
    const store = await context.graph();
    const moment = earliest(context, not_before, change.delay);
    checkedDuration(change.timeout);
    const agent = await agentIfNamed(context, change.agent);
    const commit = await store.commit(
      (view) =>
        editTask(
          view,
          id,
          { ...change, agent, not_before: moment },
          {
            by: moverOf(context),
            unknown: unknownPolicy({ allow_missing }),
          },
        ),
      context.request,
    );
    return await answer(context, store, commit);
  },
});

/** Resolves a named agent; the agency is loaded only if one is given. */
async function agentIfNamed(context: Context, word: string | undefined): Promise<string | undefined> {
  return word === undefined ? undefined : (await import('#operations/load-agency.js')).agentNamed(context, word);
}

/**
 * `init trust add edit show list ready` and the status changes of a task.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { seedLimits, settingsFrom } from '#core/settings/settings.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
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

const EPIC = option('The task it is a part of, which waits for it', text, {
  aliases: ['parent'],
  value: 'ID',
  names: 'task',
});

export const add = operation({
  name: 'task.add',
  command: 'add',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Add a task',
  examples: ['troupe add "Write the parser"', 'troupe add "Run the tests" --after write-the-parser --exec "npm test"'],
  input: z.strictObject({
    title: argument('Its title', z.string()),
    id: option('Its id (default: from the title)', text, { value: 'ID' }),
    after: option('Tasks it depends on; each must end first, succeeded or failed', texts, {
      aliases: ['blocked-by'],
      value: 'ID',
      names: 'task',
    }),
    after_success: option('Tasks it depends on; each must succeed', texts, { value: 'ID', names: 'task' }),
    ...editable,
    epic: EPIC,
    allow_missing: option('Accept dependencies that do not exist yet; until then they block nothing', flag),
    tags: option('A tag', texts, { flag: 'tag', short: 't', value: 'TAG' }),
    skills: option('A skill it needs', texts, { flag: 'skill', value: 'SKILL' }),
    inputs: option('A file it reads', texts, { flag: 'input', value: 'PATH' }),
    deliverables: option('A file it produces', texts, { flag: 'deliverable', value: 'PATH' }),
    paused: option('Add it as a draft, which does not start', flag),
    no_place: option('Use only the given edges; the task is ready at once', flag, { aliases: ['immediate', 'ready'] }),
    place_near: option('A hint for its place in the graph', texts, { value: 'ID', names: 'task' }),
    place_before: option('Tasks that depend on it', texts, { value: 'ID', names: 'task' }),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    warnings: z.readonly(z.array(z.string())),
    note: text,
    ...readyFields,
    ...commitFields,
  }),
  async run(context: WorkContext & MachineContext, { allow_missing, not_before, ...draft }) {
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
async function growthSettings(context: Pick<Context, 'settings'>) {
  const { settings } = settingsFrom(await (await context.settings()).read());
  return { autoPlace: settings.agency.auto_place, limits: seedLimits(settings) };
}

export const edit = operation({
  name: 'task.edit',
  command: 'edit',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Change the fields of a task',
  examples: [
    'troupe edit write-the-parser --add-tag urgent',
    'troupe edit run-the-tests --exec "npm run test:unit" --timeout 5m',
  ],
  input: z.strictObject({
    id: TASK_ID,
    title: option('A new title; the id stays', text, { value: 'TEXT' }),
    ...editable,
    epic: EPIC,
    allow_missing: option('Accept dependencies that do not exist yet; until then they block nothing', flag),
    add_after: option('One more task it depends on', texts, {
      aliases: ['add-blocked-by'],
      value: 'ID',
      names: 'task',
    }),
    add_after_success: option('One more task it depends on, which must succeed', texts, { value: 'ID', names: 'task' }),
    remove_after: option('A dependency to remove', texts, { value: 'ID', names: 'task' }),
    add_tags: option('Add a tag', texts, { flag: 'add-tag', value: 'TAG' }),
    remove_tags: option('Remove a tag', texts, { flag: 'remove-tag', value: 'TAG' }),
    add_skills: option('Add a skill', texts, { flag: 'add-skill', value: 'SKILL' }),
    remove_skills: option('Remove a skill', texts, { flag: 'remove-skill', value: 'SKILL' }),
    clear: option('Clear a field', texts, { value: 'FIELD' }),
  }),
  output: movedShape,
  async run(context: WorkContext, { id, allow_missing, not_before, ...change }) {
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
async function agentIfNamed(
  context: Pick<Context, 'graph' | 'agency'>,
  word: string | undefined,
): Promise<string | undefined> {
  return word === undefined ? undefined : (await import('#operations/load-agency.js')).agentNamed(context, word);
}

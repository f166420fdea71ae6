import * as z from 'zod/mini';
import { insideProject } from '#core/graph/inside-project.js';
import { artifactTask, logTask } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { newMessages, newMessagesField } from '#operations/new-messages.js';
import { operation } from '#operations/operation.js';
import { ACTOR, TASK_ID } from '#operations/options.js';
import { flag, moverOf, text, texts } from '#operations/shapes.js';
import { loggedOperationShape } from './logged-operation.js';

const entryShape = z.object({ timestamp: z.string(), actor: text, message: z.string() });

/**
 * With a message, adds a log entry. Without one, returns the entries and, on request, the operations on the task; without
 * a task, the latest operations of the project.
 */
export const log = operation({
  name: 'task.log',
  command: 'log',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Add to the log of a task, or show it or that of the project',
  examples: ['troupe log write-the-parser "numbers work"', 'troupe log write-the-parser --operations', 'troupe log'],
  input: z.strictObject({
    id: argument('The task (default: the whole project)', text, { names: 'task' }),
    message: argument('The entry to add (default: show the log)', text),
    actor: ACTOR,
    list: option('Show the log', flag),
    agent: option('Only entries by this actor', text, { value: 'NAME' }),
    operations: option('Include operations on the task, with their actors', flag),
  }),
  output: z.object({
    id: text,
    seq: z.number(),
    log: z.readonly(z.array(entryShape)),
    operations: z.optional(z.array(loggedOperationShape)),
    ...newMessagesField,
  }),
  async run(context: WorkContext, input) {
    const store = await context.graph();
    const { id, message } = input;
    if (id === undefined) return await (await import('./latest-operations.js')).projectLog(store, input);
    if (message !== undefined) {
      const options = { now: context.clock.now(), by: moverOf(context, input.actor) };
      await store.commit((view) => logTask(view, id, message, options), context.request);
    }
    const view = await store.view();
    const entries = (taskOf(view, id).log ?? []).filter(({ actor }) => !input.agent || actor === input.agent);
    return {
      id,
      seq: view.seq,
      log: message === undefined || input.list ? entries : entries.slice(-1),
      ...(input.operations
        ? { operations: await (await import('./latest-operations.js')).operationsOf(store, id, input.agent) }
        : {}),
      ...(message === undefined ? {} : await newMessages(context, id)),
    };
  },
});

/** With paths, registers or removes artifacts. Without paths, returns the registered ones. */
export const artifact = operation({
  name: 'task.artifact',
  command: 'artifact',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Register files a task produced, or list them',
  examples: ['troupe artifact write-the-parser src/parser.ts', 'troupe artifact write-the-parser'],
  input: z.strictObject({
    id: TASK_ID,
    paths: argument('Paths relative to the project folder', texts),
    remove: option('Remove them from the list', z.optional(z.boolean())),
    actor: ACTOR,
  }),
  output: z.object({ id: z.string(), seq: z.number(), artifacts: z.readonly(z.array(z.string())) }),
  async run(context: GraphContext, input) {
    const store = await context.graph();
    const names = input.paths ?? [];
    if (input.remove === true && names.length === 0) throw new TroupeError('bad_input', { what: 'Name the files.' });
    const inside = (file: string) => insideProject(context.projectFolder, file);
    // A path stored in another form can still be removed by its exact stored text.
    const existing = new Set(taskOf(await store.view(), input.id).artifacts);
    const paths = names.map((file) => (input.remove === true && existing.has(file) ? file : inside(file)));
    if (paths.length > 0) {
      const options = { now: context.clock.now(), by: moverOf(context, input.actor), remove: input.remove };
      await store.commit((view) => artifactTask(view, input.id, paths, options), context.request);
    }
    const view = await store.view();
    return { id: input.id, seq: view.seq, artifacts: taskOf(view, input.id).artifacts ?? [] };
  },
});

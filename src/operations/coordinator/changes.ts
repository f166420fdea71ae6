import * as z from 'zod/mini';
import {
  allSessions,
  changeSession,
  createSession,
  type SessionWishes,
  sessionSchema,
} from '#core/coordinator/sessions.js';
import { LIMITS } from '#kernel/limits.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { refuseUnknownExecutor } from '#operations/settings/named-executor.js';
import { sessionId } from './session-id.js';

const text = z.optional(z.string().check(z.minLength(1), z.maxLength(LIMITS.idCharacters)));
const texts = z.optional(z.array(z.string()));
const named = z.strictObject({ id: sessionId });

/** A session of its own for some of the tasks. */
export const createCoordinator = operation({
  name: 'session.create',
  input: z.strictObject({
    name: text,
    tags: texts,
    roots: texts,
    max_agents: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.agentsMost))),
    executor: text,
    model: text,
  }),
  output: sessionSchema,
  async run(context, { name, tags = [], roots = [], max_agents, executor, model }) {
    const { settings } = await loadSettings(context);
    if (executor !== undefined) await refuseUnknownExecutor(context, executor);
    const wishes: SessionWishes = {
      ...(name === undefined ? {} : { name }),
      scope: { tags: [...new Set(tags)], roots: [...new Set(roots)] },
      max_agents: max_agents ?? null,
      executor: executor ?? null,
      model: model ?? null,
    };
    const file = await context.sessions();
    return file.change((sessions) => createSession(sessions, wishes, settings.coordinator.max_coordinators));
  },
});

/** All sessions, the rest first. */
export const listCoordinators = operation({
  name: 'session.list',
  input: z.strictObject({}),
  output: z.object({ coordinators: z.readonly(z.array(sessionSchema)) }),
  async run(context) {
    return { coordinators: allSessions(await (await context.sessions()).read()) };
  },
});

/** Nothing of it starts any more until it is resumed; its tasks stay its own. */
export const stopCoordinator = operation({
  name: 'session.stop',
  input: named,
  output: sessionSchema,
  run: async (context, { id }) =>
    (await context.sessions()).change((sessions) => changeSession(sessions, id, { status: 'open' })),
});

export const archiveCoordinator = operation({
  name: 'session.archive',
  input: named,
  output: sessionSchema,
  run: async (context, { id }) =>
    (await context.sessions()).change((sessions) => changeSession(sessions, id, { status: 'done' })),
});

/** Its tasks belong to the rest, or to the next session that matches. */
export const deleteCoordinator = operation({
  name: 'session.delete',
  input: named,
  output: sessionSchema,
  run: async (context, { id }) =>
    (await context.sessions()).change((sessions) => changeSession(sessions, id, undefined)),
});

export const pauseCoordinator = operation({
  name: 'session.pause',
  input: named,
  output: sessionSchema,
  run: async (context, { id }) =>
    (await context.sessions()).change((sessions) => changeSession(sessions, id, { paused: true })),
});

/** Also one that was stopped or archived. */
export const resumeCoordinator = operation({
  name: 'session.resume',
  input: named,
  output: sessionSchema,
  run: async (context, { id }) =>
    (await context.sessions()).change((sessions) =>
      changeSession(sessions, id, { paused: false, status: 'in-progress' }),
    ),
});

import * as z from 'zod/mini';
import { allSessions, Ownership, REST } from '#core/coordinator/sessions.js';
import type { Task } from '#core/graph/task.js';
import { CONTEXT_SCOPES } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { isSwitchable, partsSentence } from '#core/runs/own-parts.js';
import type { EffectiveConfig } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { bytesOf } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { partsOfRun } from '#operations/settings/parts-of-run.js';
import { attemptAt } from './prompt-attempt.js';

/** Shows the prompt of the next attempt, before anything is spent, or that of a past attempt. */
export const prompt = operation({
  name: 'task.prompt',
  command: 'prompt',
  group: 'Attempts',
  kind: 'read',
  summary: 'Show the prompt of an attempt, before anything is spent',
  examples: [
    'troupe prompt write-the-parser',
    'troupe prompt write-the-parser --scope full',
    'troupe prompt write-the-parser --attempt 1',
  ],
  input: z.strictObject({
    id: TASK_ID,
    scope: option(`How much context: ${CONTEXT_SCOPES.join(', ')}`, z.optional(z.enum(CONTEXT_SCOPES)), {
      value: 'SCOPE',
    }),
    attempt: option('Show the prompt of this attempt', z.optional(z.int().check(z.minimum(1))), { value: 'N' }),
  }),
  output: z.object({
    task: z.string(),
    attempt: z.number(),
    /** For a past attempt: its run. */
    run: z.optional(z.string()),
    executor: z.optional(z.string()),
    mode: z.optional(z.string()),
    model: z.optional(z.string()),
    provider: z.optional(z.string()),
    scope: z.optional(z.string()),
    bytes: z.number(),
    sections: z.array(z.object({ name: z.string(), bytes: z.number(), cut: z.boolean() })),
    warnings: z.readonly(z.array(z.string())),
    /** Hooks, plugins and MCP servers of the person that are active in it, or switched off. */
    own: z.optional(z.string()),
    text: z.string(),
  }),
  async run(context: Context, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    if (input.attempt !== undefined) {
      if (input.scope !== undefined) throw new TroupeError('usage', { what: 'Use --scope or --attempt, not both.' });
      return await pastPrompt(context, task.id, input.attempt);
    }
    const current = await inForce(context);
    const { prompt: attemptPrompt } = await attemptAt(context, view, task, current, {
      ...(await sessionOf(context, view, task)),
      number: (task.fence ?? 0) + (task.status === 'in-progress' ? 0 : 1),
      scope: input.scope,
    });
    const { executor, mode, model, provider, scope, text, number } = attemptPrompt;
    const own = isSwitchable(executor)
      ? partsSentence(executor, await partsOfRun(context, executor, current.settings))
      : undefined;
    return {
      task: task.id,
      attempt: number,
      executor,
      mode,
      ...(model === undefined ? {} : { model }),
      ...(provider === undefined ? {} : { provider }),
      scope,
      bytes: bytesOf(text),
      sections: attemptPrompt.sections.map(({ name, bytes, cut }) => ({ name, bytes, cut })),
      warnings: [
        ...(executor === 'shell' ? ['its command runs in a shell: no model reads this'] : []),
        ...attemptPrompt.warnings,
      ],
      ...(own === undefined ? {} : { own }),
      text,
    };
  },
});

/** Settings in force in the service; without a service, those it would start with. */
async function inForce(context: GraphContext & MachineContext): Promise<EffectiveConfig> {
  const coordinator = context.coordinator?.();
  if (coordinator) return await coordinator.inForce();
  const { settings } = await loadSettings(context);
  return { settings, executor: settings.coordinator.executor, model: settings.coordinator.model };
}

/** Client and model of the session that owns the task. */
async function sessionOf(context: Pick<Context, 'sessions'>, view: GraphView, task: Task) {
  const sessions = allSessions(await (await context.sessions()).read());
  const owner = new Ownership(view, sessions).ownerOf(task);
  const { executor, model } = sessions.find(({ id }) => id === owner) ?? REST;
  return { executor: executor ?? undefined, sessionModel: model ?? undefined };
}

/** Reads the prompt from the folder of the run that held the claim with this number. */
async function pastPrompt(context: Pick<Context, 'graph' | 'runs'>, id: string, attempt: number) {
  const run = await holderOf(context, id, attempt);
  const text = run === undefined ? undefined : await (await context.runs()).prompt(run, TEAM_LIMITS.promptStoredBytes);
  if (run === undefined || text === undefined) {
    const cause = run === undefined ? 'there was no such attempt' : `the prompt of ${run} was not kept`;
    throw new TroupeError('not_found', {
      what: `The prompt of attempt ${attempt} at ${id} is not available: ${cause}.`,
      hint: `Run \`troupe prompt ${id}\` to see the next prompt.`,
      details: { id, attempt },
    });
  }
  return { task: id, attempt, run, bytes: bytesOf(text), sections: [], warnings: [], text };
}

/** Run that made the claim with this number, according to the log. */
async function holderOf(context: Pick<Context, 'graph'>, id: string, attempt: number): Promise<string | undefined> {
  let holder: string | undefined;
  for await (const { patch } of (await context.graph()).entries(1)) {
    for (const change of patch) {
      if (change.id !== id || !('set' in change) || change.set?.['fence'] !== attempt) continue;
      const { assigned } = change.set;
      if (typeof assigned === 'string') holder = assigned;
    }
  }
  return holder;
}

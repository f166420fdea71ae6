import * as z from 'zod/mini';
import type { AttemptUsage } from '#core/coordinator/snapshot.js';
import { TOKEN_USAGE } from '#core/graph/attempts.js';
import { checkpointTask } from '#core/graph/checkpoint.js';
import { type Checkpoint, checkpointShape } from '#core/graph/checkpoint-shape.js';
import { insideProject } from '#core/graph/inside-project.js';
import type { Mover } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { GraphContext, MachineContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { newMessages, newMessagesField } from '#operations/new-messages.js';
import { type Context, operation } from '#operations/operation.js';
import { ACTOR, TASK_ID } from '#operations/options.js';
import { flag, moverOf, text, texts } from '#operations/shapes.js';

export interface NewCheckpoint {
  readonly summary: string;
  readonly type: Checkpoint['type'];
  /** Changed files, relative to the top of the project. */
  readonly files: readonly string[];
  readonly by: Mover;
  readonly turns?: number;
  /** Usage, if known more precisely than from the task. */
  readonly usage?: AttemptUsage;
}

/**
 * Stores a checkpoint of an attempt: in full beside the run, its summary on the task. The file is written first and
 * removed if the graph refuses; an attempt that lost its task stores nothing.
 */
export async function saveCheckpoint(
  context: GraphContext & MachineContext,
  id: string,
  draft: NewCheckpoint,
): Promise<Checkpoint> {
  const store = await context.graph();
  const task = taskOf(await store.view(), id);
  const usage = TOKEN_USAGE.of(task);
  const printed = await (await context.runs()).part(draft.by.name, 'output', { most: 0 });
  const now = context.clock.now();
  const checkpoint: Checkpoint = {
    task_id: id,
    agent_id: draft.by.name,
    timestamp: timestamp(now),
    type: draft.type,
    summary: draft.summary,
    files_modified: draft.files,
    artifacts_registered: task.artifacts ?? [],
    stream_offset: printed?.size ?? null,
    turn_count: draft.turns ?? null,
    token_usage: draft.usage ? { ...draft.usage } : isJsonObject(usage) ? usage : null,
  };
  const options = { now, by: draft.by };
  const { settings } = await loadSettings(context);
  checkpointTask(await store.view(), id, checkpoint, options);
  const stored = await (await context.checkpoints()).save(checkpoint, settings.checkpoint.max_checkpoints);
  try {
    await store.commit((view) => checkpointTask(view, id, checkpoint, options), context.request);
  } catch (error) {
    await stored.forget();
    throw error;
  }
  return checkpoint;
}

/** Adds a checkpoint with a summary; with `list`, returns the checkpoints of a task, newest first. */
export const checkpoint = operation({
  name: 'task.checkpoint',
  command: 'checkpoint',
  group: 'Attempts',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Save a checkpoint of a task for the next attempt',
  examples: [
    'troupe checkpoint write-the-parser -s "the lexer works" --file src/lexer.ts',
    'troupe checkpoint write-the-parser --list',
  ],
  input: z.strictObject({
    id: TASK_ID,
    summary: option('What works and what is left', text, { short: 's', value: 'TEXT' }),
    files: option('A file that was changed', texts, { flag: 'file', each: true, value: 'FILE' }),
    list: option('List the checkpoints', flag),
    actor: ACTOR,
  }),
  output: z.union([
    z.extend(checkpointShape, newMessagesField),
    z.object({ task_id: z.string(), checkpoints: z.readonly(z.array(checkpointShape)) }),
  ]),
  async run(context: WorkContext & MachineContext, input) {
    if ((input.summary === undefined) !== (input.list === true)) {
      throw new TroupeError('usage', {
        what: 'Add a summary with -s, or use --list.',
        hint: `Run \`troupe checkpoint ${input.id} -s "what works, what is left"\`.`,
      });
    }
    if (input.summary === undefined) return listCheckpoints(context, input.id);
    const files = [...new Set((input.files ?? []).map((file) => insideProject(context.projectFolder, file)))];
    if (files.length > TEAM_LIMITS.checkpointFiles) {
      throw new TroupeError('too_large', {
        what: `A checkpoint may name at most ${TEAM_LIMITS.checkpointFiles} files.`,
      });
    }
    const by = moverOf(context, input.actor);
    const saved = await saveCheckpoint(context, input.id, { summary: input.summary, type: 'explicit', files, by });
    return { ...saved, ...(await newMessages(context, input.id)) };
  },
});

/** Lists the checkpoints of all agents that the log names, including those that no longer exist. */
async function listCheckpoints(context: Pick<Context, 'graph' | 'checkpoints'>, id: string) {
  const store = await context.graph();
  taskOf(await store.view(), id);
  const agents = new Set<string>();
  for await (const { op, task_id, actor } of store.entries(1)) {
    if (op === 'checkpoint' && task_id === id && actor !== undefined) agents.add(actor);
  }
  const latest = [...agents].reverse();
  return { task_id: id, checkpoints: await (await context.checkpoints()).list(id, latest) };
}

import * as z from 'zod/mini';
import { insideProject } from '#core/graph/inside-project.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { type Context, operation } from '#operations/operation.js';
import { flag, moverOf, text, texts } from '#operations/shapes.js';
import { saveCheckpoint } from './save-checkpoint.js';

const checkpointShape = z.object({
  task_id: z.string(),
  agent_id: z.string(),
  timestamp: z.string(),
  type: z.enum(['explicit', 'auto']),
  summary: z.string(),
  files_modified: z.readonly(z.array(z.string())),
  artifacts_registered: z.readonly(z.array(z.string())),
  stream_offset: z.nullable(z.number()),
  turn_count: z.nullable(z.number()),
  token_usage: z.nullable(z.record(z.string(), z.unknown())),
});

/** With a summary: one more checkpoint. With `list`: those there are of a task, the newest first. */
export const checkpoint = operation({
  name: 'task.checkpoint',
  input: z.strictObject({ id: z.string(), summary: text, files: texts, list: flag, actor: text }),
  output: z.union([
    checkpointShape,
    z.object({ task_id: z.string(), checkpoints: z.readonly(z.array(checkpointShape)) }),
  ]),
  async run(context, input) {
    if ((input.summary === undefined) !== (input.list === true)) {
      throw new TroupeError('usage', {
        what: 'Say a summary, or --list to see those there are.',
        hint: `Run \`troupe checkpoint ${input.id} -s "what works, what is left"\`.`,
      });
    }
    if (input.summary === undefined) return listed(context, input.id);
    const files = [...new Set((input.files ?? []).map((file) => insideProject(context.projectFolder, file)))];
    if (files.length > LIMITS.checkpointFiles) {
      throw new TroupeError('too_large', { what: `A checkpoint names at most ${LIMITS.checkpointFiles} files.` });
    }
    const by = moverOf(context, input.actor);
    return saveCheckpoint(context, input.id, { summary: input.summary, type: 'explicit', files, by });
  },
});

/** The log knows who left checkpoints, also those who are gone. */
async function listed(context: Context, id: string) {
  const store = await context.graph();
  taskOf(await store.view(), id);
  const agents = new Set<string>();
  for await (const { op, task_id, actor } of store.entries(1)) {
    if (op === 'checkpoint' && task_id === id && actor !== undefined) agents.add(actor);
  }
  const latest = [...agents].reverse();
  return { task_id: id, checkpoints: await (await context.checkpoints()).list(id, latest) };
}

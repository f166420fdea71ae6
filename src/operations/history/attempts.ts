import * as z from 'zod/mini';
import { tokensOf } from '#core/coordinator/budget.js';
import type { Entry } from '#core/graph/event.js';
import type { Evidence } from '#core/graph/evidence.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { entriesOf, type LoggedRun, runsOfTask } from '#core/history/task-history.js';
import { shownCheck } from '#core/insight/acts.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { inert } from '#kernel/text.js';
import type { GraphContext } from '#operations/contexts.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { readableOutput } from '#operations/runs/run-output.js';
import type { RunFolders } from '#ports/run-folders.js';
import { runShape } from './history-shape.js';
import { logUpTo } from './trace-files.js';

/** Lists every run of a task: time, outcome, usage. */
export const taskAttempts = operation({
  name: 'task.attempts',
  command: 'task attempts',
  group: 'Attempts',
  kind: 'read',
  instead: 'agents',
  summary: 'List the runs of a task: time, outcome, turns, tokens and cost',
  examples: ['troupe agents run-the-tests', 'troupe agents write-the-parser --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: z.object({ task: z.string(), runs: z.array(runShape) }),
  async run(context: GraphContext, { id }) {
    const store = await context.graph();
    const view = await store.view();
    const task = taskOf(view, id);
    const own = entriesOf(await logUpTo(store, view.seq), (other) => other === task.id);
    return { task: task.id, runs: await tracedRuns(context, task, own, false) };
  },
});

/** Runs recorded in a task's entries, with data from their folders; with `full`, also their output. */
export async function tracedRuns(context: Pick<Context, 'runs'>, task: Task, own: readonly Entry[], full: boolean) {
  const folders = await context.runs();
  const runs = [];
  for (const logged of runsOfTask(own, task.id)) runs.push(await tracedRun(folders, logged, full));
  return runs;
}

/** The check of a run's work with its last lines, and its commits. */
function judgedWork(evidence: Evidence = {}, lastLines = '') {
  const result = shownCheck(evidence);
  const output = redact(readableOutput(lastLines));
  return {
    ...(result === undefined ? {} : { check: { ...result, ...(output === '' ? {} : { output }) } }),
    ...(typeof evidence.commit === 'string' ? { commit: evidence.commit } : {}),
    ...(typeof evidence.base === 'string' ? { base: evidence.base } : {}),
  };
}

/** Commands have no prompt, turns or tools. Unknown values (folder removed, or still running) are null. */
async function tracedRun(folders: RunFolders, logged: LoggedRun, full: boolean) {
  const { run, usage, evidence, ...rest } = logged;
  const tail = await folders.part(run, 'output', { most: full ? TEAM_LIMITS.traceOutputBytes : 0 });
  const fact = await folders.ended(run);
  const result = fact?.result;
  const isCommand = fact !== undefined && result === undefined;
  const prompt = isCommand ? '' : await folders.prompt(run, TEAM_LIMITS.promptStoredBytes);
  return {
    run,
    ...rest,
    ...(result === undefined ? {} : { reason: inert(redact(result.reason)) }),
    tokens: usage === undefined ? null : tokensOf(usage),
    cost_usd: usage?.cost_usd ?? null,
    estimated_usd: usage?.estimated_usd ?? null,
    prompt_bytes: prompt === undefined ? null : Buffer.byteLength(prompt),
    output_bytes: tail?.size ?? null,
    turns: isCommand ? 0 : (result?.turns ?? null),
    tool_calls: isCommand ? 0 : (result?.toolCalls ?? null),
    ...judgedWork(evidence, result?.check?.lastLines),
    ...(full ? { output: redact(readableOutput(tail?.text ?? '')) } : {}),
  };
}

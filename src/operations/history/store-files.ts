/**
 * `archive gc replay runs snapshot rotate rebuild trace`, `doctor`, the merge driver for git, commits of team files
 * alone.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import type { RunMeta } from '#core/history/archived-runs.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { seqAt } from '#operations/graph-at.js';
import { graphOfLog } from '#operations/graph-of-log.js';
import { keepOutput } from '#operations/keep-output.js';
import { operation } from '#operations/operation.js';
import { REPLACE } from '#operations/options.js';
import { text } from '#operations/shapes.js';
import { refuseTidyingRun } from './store-shapes.js';

/** Brings `graph.jsonl` up to date with the log immediately. */
export const snapshot = operation({
  name: 'store.snapshot',
  command: 'snapshot',
  group: 'Storage',
  kind: 'write',
  forRuns: 'any',
  summary: 'Bring graph.jsonl up to date with the log now',
  examples: ['troupe snapshot', 'troupe snapshot --json'],
  input: z.strictObject({}),
  output: z.object({ seq: z.number(), tasks: z.number() }),
  async run(context: GraphContext) {
    const store = await context.graph();
    const seq = await store.files.snapshot();
    return { seq, tasks: (await store.view()).size };
  },
});

/** Closes and compresses the current log piece before it reaches its maximum size. */
export const rotate = operation({
  name: 'store.rotate',
  command: 'rotate',
  group: 'Storage',
  kind: 'write',
  instead: 'snapshot --rotate',
  summary: 'Rotate the log now; this happens automatically at 10 MB',
  examples: ['troupe snapshot --rotate', 'troupe snapshot --rotate --json'],
  input: z.strictObject({}),
  output: z.object({
    rotated: z.boolean(),
    from: z.optional(z.number()),
    to: z.optional(z.number()),
    before: z.optional(z.number()),
    after: z.optional(z.number()),
    files: z.optional(z.readonly(z.array(z.string()))),
    seq: z.number(),
  }),
  async run(context: GraphContext) {
    refuseTidyingRun(context, 'close the log');
    const store = await context.graph();
    const rotated = await store.files.rotate();
    return { rotated: rotated !== undefined, ...rotated, seq: (await store.view()).seq };
  },
});

/** Maximum number of attempts when the graph changes between snapshot and commit. */
const ATTEMPTS = 8;

/** Thrown inside a decision if the graph has changed since the snapshot. */
const MOVED_ON = new TroupeError('internal', { what: 'The graph changed while it was being saved.' });

/**
 * Saves a snapshot of the graph under a new run id, then commits a change; the snapshot is exactly the state before the
 * change. It is dropped if the change is refused. `facts` may refuse by throwing before anything is saved.
 */
export async function commitWithSnapshot<Result>(
  context: GraphContext,
  what: { facts(view: GraphView): Omit<RunMeta, 'id'>; decide(view: GraphView, run: string): Plan<Result> },
): Promise<Result> {
  const [store, snapshots] = [await context.graph(), await context.runSnapshots()];
  for (let attempt = 1; ; attempt++) {
    const before = await store.view();
    const stored = await snapshots.keep(before.nodes(), what.facts(before));
    let [decided, used] = [false, false];
    try {
      const commit = await store.commit((view) => {
        if (view.seq !== before.seq) throw MOVED_ON;
        const plan = what.decide(view, stored.id);
        decided = true;
        return plan;
      }, context.request);
      used = decided; // otherwise the request was answered earlier, with another run
      return commit.result;
    } catch (error) {
      if (error !== MOVED_ON || attempt === ATTEMPTS) throw error;
    } finally {
      if (!used) await snapshots.drop(stored.id);
    }
  }
}

/** Output name for the caller's standard output. */
const OUTPUT = '-';

/** Rebuilds the graph from the log alone, as of now, or of an entry or a time. */
export const rebuild = operation({
  name: 'store.rebuild',
  command: 'rebuild',
  group: 'Storage',
  kind: 'read',
  where: 'caller',
  summary: 'Rebuild the graph from the log, as of now or of an earlier point',
  examples: ['troupe rebuild -o -', 'troupe rebuild --at 2026-03-21T10:00:00Z -o then.jsonl'],
  input: z.strictObject({
    at: option('As of this entry or time', text, { value: 'SEQ|TIME' }),
    output: option('Output file (default: -, standard output)', text, {
      short: 'o',
      value: 'FILE',
      path: 'always',
      writes: true,
    }),
    force: REPLACE,
  }),
  output: z.object({
    seq: z.number(),
    tasks: z.number(),
    file: text,
    /** The graph in the format of `graph.jsonl`, if no file was given. */
    text,
  }),
  async run(context: GraphContext & FilesContext, input) {
    const store = await context.graph();
    const seq = await seqAt(store, input.at);
    const { state } = await graphOfLog(store, seq);
    const text = await store.files.text(state);
    const answer = { seq: state.seq, tasks: state.size };
    const output = input.output ?? OUTPUT;
    if (output === OUTPUT) return { ...answer, text };
    return { ...answer, file: await keepOutput(context, output, text, input) };
  },
});

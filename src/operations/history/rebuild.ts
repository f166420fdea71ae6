/**
 * `archive gc replay runs snapshot rotate rebuild trace`, `doctor`, what git asks of a merge driver, a commit of the team
 * alone.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { keepOutput } from '#operations/keep-output.js';
import { operation } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import { graphOfLog } from './compare-with-log.js';
import { text } from './store-shapes.js';

/** Stands for the caller's own output. */
const OUTPUT = '-';

/** Makes the graph again from the log alone: as it is, or as it was at an entry or a time. */
export const rebuild = operation({
  name: 'store.rebuild',
  input: z.strictObject({ at: text, output: text, force: z.optional(z.boolean()) }),
  output: z.object({
    seq: z.number(),
    tasks: z.number(),
    /** Where it was written to. */
    file: text,
    /** The graph itself, when no file was named: as `graph.jsonl` holds it. */
    text,
  }),
  async run(context, input) {
    const store = await context.graph();
    const seq = await seqOf(store, input.at);
    const { state } = await graphOfLog(store, seq);
    const made = await store.files.text(state);
    const answer = { seq: state.seq, tasks: state.size };
    const output = input.output ?? OUTPUT;
    if (output === OUTPUT) return { ...answer, text: made };
    return { ...answer, file: await keepOutput(context, output, made, input) };
  },
});

/** `seq` of a number or a time; the last one when nothing is said. */
async function seqOf(store: GraphStore, at: string | undefined): Promise<number> {
  if (at === undefined) return (await store.view()).seq;
  if (!/^\d{1,15}$/.test(at)) return (await store.view(at)).seq;
  const { seq } = await store.view();
  if (Number(at) <= seq) return Number(at);
  throw new TroupeError('bad_input', { what: `The log ends at ${seq}: there is no ${at}.` });
}

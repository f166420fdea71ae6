import * as z from 'zod/mini';
import { isTerminal, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { eventsIn, runWords } from '#core/runs/run-words.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import type { RunFolders } from '#ports/run-folders.js';

/** A run id is a file name below our own folder. The graph may be edited by hand, so anything else is not looked up. */
const RUN_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}$/;
const CANDIDATES = 5;

/** The end of what a task's latest run did, safe to show; or what came since. `run` is null as long as nothing ran. */
export const taskOutput = operation({
  name: 'task.output',
  input: z.object({
    id: z.string().check(z.minLength(1)),
    bytes: z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.outputTailBytes))),
    raw: z.optional(z.boolean()),
    /** One of its runs; the latest without it. */
    run: z.optional(z.string()),
    /** Of an answer before: its `run`, `form` and `next`. Another run is shown from its end again. */
    since: z.optional(
      z.strictObject({ run: z.string(), form: z.enum(['words', 'raw']), next: z.int().check(z.minimum(0)) }),
    ),
  }),
  output: z.object({
    task: z.string(),
    run: z.nullable(z.string()),
    /** `words`: what the client did; `raw`: what was printed, as it is. */
    form: z.enum(['words', 'raw']),
    text: z.string(),
    /** Bytes there are in all, where those begin that come after, and whether `text` is only the end of what there is. */
    size: z.number(),
    next: z.number(),
    cut: z.boolean(),
    /** More may come. */
    running: z.boolean(),
  }),
  async run(context, { id, bytes, raw, run: named, since }) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    const runs = await context.runs();
    const most = bytes ?? LIMITS.outputTailBytes;
    for (const run of named === undefined ? runsOf(task) : [await ownRun(runs, task, named)]) {
      const running = (await runs.state(run)) === 'at-work'; // asked first: what it says until then is read
      const position =
        since?.run === run ? { form: since.form, from: since.next } : { form: raw === true ? RAW : undefined };
      const part = await runOutput(runs, run, { most, ...position });
      if (part) return { task: task.id, run, ...part, running };
    }
    const empty = { form: RAW, text: '', size: 0, next: 0, cut: false };
    return { task: task.id, run: null, ...empty, running: !isTerminal(task.status) };
  },
});

const RAW = 'raw' as const;

/** Who may have run it, the latest first: the holder of the claim, then whoever wrote to its log. */
function runsOf(task: Task): string[] {
  const runIds = new Set<string>();
  if (task.assigned !== undefined) runIds.add(task.assigned);
  for (const entry of [...(task.log ?? [])].reverse()) if (entry.actor !== undefined) runIds.add(entry.actor);
  return [...runIds].filter((id) => RUN_ID.test(id)).slice(0, CANDIDATES);
}

/** Errors: `not_found` for a run of another task, and for none at all. */
async function ownRun(runs: RunFolders, task: Task, run: string): Promise<string> {
  const identity = RUN_ID.test(run) ? await runs.identity(run) : undefined;
  if (identity?.taskId === task.id) return run;
  throw new TroupeError('not_found', {
    what: `${task.id} has no run ${inert(run)}.`,
    hint: `Run \`troupe task attempts ${task.id}\` to see its runs.`,
  });
}

/** What a run shows of itself: what its client did, in words, or what was printed, as it is. */
type OutputForm = 'words' | 'raw';

interface RunOutput {
  readonly form: OutputForm;
  readonly text: string;
  /** Of what it was made of: where the next part begins, how many bytes there are, and whether only their end was read. */
  readonly next: number;
  readonly size: number;
  readonly cut: boolean;
}

/**
 * The end of what a run shows, or what came since `from`. Commands and clients of an unknown stream have no words: they are
 * shown as they print. Undefined when there is no such run.
 */
export async function runOutput(
  runs: RunFolders,
  run: string,
  {
    form,
    from,
    most,
  }: { readonly form?: OutputForm | undefined; readonly from?: number | undefined; readonly most: number },
): Promise<RunOutput | undefined> {
  if (form !== 'raw') {
    const window = Math.max(most, LIMITS.outputEventBytes);
    const events = await runs.part(run, 'events', { most: window, ...(from === undefined ? {} : { from }) });
    const words = events && lastBytesOf(runWords(eventsIn(events.text), (from ?? 0) === 0), most);
    if (events && words !== undefined && (form === 'words' || words !== '' || (await runs.state(run)) === 'at-work')) {
      const { next, size } = events;
      return { form: 'words', text: words, next, size, cut: from === undefined && size > window };
    }
  }
  const part = await runs.part(run, 'output', { most, ...(from === undefined ? {} : { from }) });
  if (!part) return undefined;
  const { text, next, size } = part;
  return { form: 'raw', text: readableOutput(text), next, size, cut: from === undefined && size > most };
}

/** The line that tells best what a run is at. */
export function lastLineOf(text: string): string {
  return (
    text
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

function lastBytesOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(text.indexOf('\n', text.length - most) + 1);
}

/** Colour and cursor sequences (CSI), titles and links (OSC, DCS and their kin), and two-character escapes. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/**
 * What a program printed, for reading: escape sequences that only colour or move are dropped, a line that was redrawn
 * in place shows its last state, and whatever control character is left is shown instead of acting.
 */
export function readableOutput(text: string): string {
  const plain = text
    .replace(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '');
  return inert(plain, true);
}

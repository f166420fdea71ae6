import type { Task } from '#core/graph/task.js';
import { eventsIn, runWords } from '#core/runs/run-words.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import type { RunFolders } from '#ports/run-folders.js';

/** Form of a run id, which is a folder name. The graph may be edited by hand, so anything else is not looked up. */
const RUN_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}$/;
const CANDIDATES = 5;

/** Possible runs of a task, latest first: the holder of the claim, then writers to its log. */
export function runsOf(task: Task): string[] {
  const runIds = new Set<string>();
  if (task.assigned !== undefined) runIds.add(task.assigned);
  for (const entry of [...(task.log ?? [])].reverse()) if (entry.actor !== undefined) runIds.add(entry.actor);
  return [...runIds].filter((id) => RUN_ID.test(id)).slice(0, CANDIDATES);
}

/** Id of the task that a run works on; undefined if there is no such run. */
export async function taskOfRun(runs: RunFolders, run: string): Promise<string | undefined> {
  return RUN_ID.test(run) ? (await runs.identity(run))?.taskId : undefined;
}

/** Checks that a run belongs to the task. Errors: `not_found` if it does not, or does not exist. */
export async function ownRun(runs: RunFolders, task: Pick<Task, 'id'>, run: string): Promise<string> {
  if ((await taskOfRun(runs, run)) === task.id) return run;
  throw new TroupeError('not_found', {
    what: `${task.id} has no run ${inert(run)}.`,
    hint: `Run \`troupe agents ${task.id}\` to see its runs.`,
  });
}

/** Displayed output of a run: `words` describes the client's events, `raw` is the printed output. */
type OutputForm = 'words' | 'raw';

interface RunOutput {
  readonly form: OutputForm;
  readonly text: string;
  /** Position in the source: start of the next part, its size in bytes, and whether only its end was read. */
  readonly next: number;
  readonly size: number;
  readonly cut: boolean;
}

/**
 * The end of a run's output, or the output since `from`. Commands, and clients with an unknown stream, have no events
 * and are displayed raw. Undefined if there is no such run.
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
    const window = Math.max(most, WORK_LIMITS.outputEventBytes);
    const events = await runs.part(run, 'events', { most: window, ...(from === undefined ? {} : { from }) });
    const words = events ? endOf(runWords(eventsIn(events.text), (from ?? 0) === 0), most) : '';
    if (events && (form === 'words' || words !== '' || (await runs.state(run)) === 'at-work')) {
      const { next, size } = events;
      return { form: 'words', text: words, next, size, cut: from === undefined && size > window };
    }
  }
  const part = await runs.part(run, 'output', { most, ...(from === undefined ? {} : { from }) });
  if (!part) return undefined;
  const { text, next, size } = part;
  return { form: 'raw', text: readableOutput(text), next, size, cut: from === undefined && size > most };
}

/** The last non-empty line, which best describes the current activity. */
export function lastLineOf(text: string): string {
  return (
    text
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

/** Whole lines at the end of a text; if the last line is too long, its end. */
function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.length - most;
  const lineEnd = text.slice(0, -1).indexOf('\n', start - 1);
  return text.slice(lineEnd === -1 ? start : lineEnd + 1);
}

/** Colour and cursor sequences (CSI), titles and links (OSC, DCS and their kin), and two-character escapes. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/**
 * Makes program output readable: removes escape sequences for colours and cursor movement, shows the final state of
 * redrawn lines, and makes remaining control characters visible and harmless.
 */
export function readableOutput(text: string): string {
  const plain = text
    .replace(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '');
  return inert(plain, true);
}

import { setTimeout as pause } from 'node:timers/promises';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { cutNote, renderers } from '#surfaces/cli/render/agents.js';
import type { AnswerOf } from '#surfaces/cli/screen.js';
import { untilInterrupted } from '#surfaces/cli/until-interrupted.js';
import { callNamed } from './call-named.js';

type Output = AnswerOf<'task.output'>;

/** Prints the output of a run once, or follows it; with `--json`, following prints one JSON line per part. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const { id, bytes, raw, run, follow } = input;
  const query = {
    id: String(id),
    ...(typeof bytes === 'number' ? { bytes } : {}),
    ...(raw === true ? { raw } : {}),
    ...(typeof run === 'string' ? { run } : {}),
  };
  const look = async (last?: Output) => {
    const since = last?.run ? { since: { run: last.run, form: last.form, next: last.next } } : {};
    return await callNamed(host, 'task.output', { ...query, ...since }, folder);
  };
  const first = await look();
  if (follow === true) await goOn(invocation, first, look);
  else if (json) screen.line(JSON.stringify(first));
  else renderers['task.output'](first, screen);
  return 0;
}

/**
 * Follows the output until the run ends; waits for a run that has not started. Parts are contiguous, so they are
 * written without separators.
 */
async function goOn({ host, screen, json }: Invocation, first: Output, look: (last: Output) => Promise<Output>) {
  let lastText = '';
  const tell = (part: Output, before: Output | undefined) => {
    if (json) return screen.line(JSON.stringify(part));
    if (part.run === null)
      return screen.aside(screen.colour.dim('Nothing has run yet. Waiting; press Ctrl-C to stop.'));
    if (part.cut) screen.aside(cutNote(screen));
    if (lastText !== '' && part.run !== before?.run) host.out.write(`\n[${inert(part.run)}]\n`);
    lastText = inert(part.text, true);
    host.out.write(lastText);
  };
  try {
    await untilInterrupted(host.out, async (signal) => {
      tell(first, undefined);
      for (let last = first; last.running; ) {
        await pause(WORK_LIMITS.outputFollowMs, undefined, { signal });
        const next = await look(last);
        if (next.text !== '') tell(next, last);
        last = next;
      }
    });
  } finally {
    if (lastText !== '' && !lastText.endsWith('\n')) host.out.write('\n');
  }
}

import { once } from 'node:events';
import type { Entry } from '#core/graph/event.js';
import {
  matchesFilter,
  WATCH_GROUPS,
  WATCH_TYPES,
  type WatchFilter,
  watchEvent,
  watchTypePrefix,
} from '#core/history/watch-event.js';
import { TroupeError } from '#kernel/errors.js';
import { safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { Log } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { wholeNumber } from '#surfaces/cli/option-values.js';
import { readingInWords } from '#surfaces/cli/render/reading.js';
import { changeWords } from '#surfaces/cli/render/trace.js';
import { untilInterrupted } from '#surfaces/cli/until-interrupted.js';

/** Prints events until interrupted: one JSON line per event for programs, text for a person at a terminal. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, input, json, folder } = invocation;
  const filter = filterOf(input);
  const replay = wholeNumber(input['replay'], 0, 'replay', TEAM_LIMITS.watchReplayMost);
  const since = sinceOf(input['since']);
  if (replay > 0 && since !== undefined) {
    throw new TroupeError('usage', { what: 'Use --replay or --since, not both.' });
  }
  const lineOf = json || !host.out.isTTY ? jsonLine : (entry: Entry) => readableLine(entry, invocation);
  await untilInterrupted(host.out, async (signal) => {
    const log = await host.openLog(folder);
    try {
      const words = log.reading && readingInWords(log.reading);
      if (words !== undefined) invocation.screen.aside(words);
      if (lineOf !== jsonLine) invocation.screen.aside(invocation.screen.colour.dim('Watching; press Ctrl-C to stop.'));
      const tell = (entry: Entry) => write(host.out, `${lineOf(entry)}\n`, signal);
      for (const entry of await lastWanted(log, replay, filter)) await tell(entry);
      for await (const entry of log.follow((since ?? log.seq) + 1, signal)) {
        if (matchesFilter(entry, filter)) await tell(entry);
      }
    } finally {
      await log.close();
    }
  });
  return 0;
}

function filterOf(input: Invocation['input']): WatchFilter {
  const words = Array.isArray(input['events']) ? input['events'].map(String) : [];
  const task = input['task'];
  return {
    types: words.map(eventType),
    ...(typeof task === 'string' ? { task } : {}),
  };
}

function eventType(word: string): string {
  const prefix = watchTypePrefix(word);
  if (prefix !== undefined) return prefix;
  const names = [...Object.keys(WATCH_GROUPS), ...WATCH_TYPES];
  const near = didYouMean(word, names);
  throw new TroupeError('usage', {
    what: `There is no event type ${JSON.stringify(inert(word).slice(0, 40))}.`,
    hint: near ? `Did you mean ${near}?` : `Use one of: ${names.join(', ')}.`,
  });
}

function sinceOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TroupeError('usage', { what: '--since must be the number of an event: 0 or more.' });
}

/** Returns the last `most` matching entries, oldest first. Keeps at most twice as many in memory. */
async function lastWanted(log: Log, most: number, filter: WatchFilter): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (most === 0) return entries;
  for await (const entry of log.entries(1, log.seq)) {
    if (!matchesFilter(entry, filter)) continue;
    entries.push(entry);
    if (entries.length >= 2 * most) entries.splice(0, entries.length - most);
  }
  return entries.slice(-most);
}

/** Writes a text and waits for a slow reader, because unread output would pile up in memory. */
async function write(out: NodeJS.WriteStream, text: string, signal: AbortSignal): Promise<void> {
  if (out.write(text) || signal.aborted) return;
  await once(out, 'drain', { signal }).catch(() => undefined); // stopped, or the reader is gone: the loop notices
}

function jsonLine(entry: Entry): string {
  return safeJson(watchEvent(entry));
}

function readableLine(entry: Entry, { screen }: Invocation): string {
  const { type, timestamp, task_id: task, data } = watchEvent(entry);
  const { op, actor, ...detail } = data;
  const { colour } = screen;
  const who = typeof actor === 'string' ? colour.dim(` by ${inert(actor)}`) : '';
  const what = changeWords(detail);
  const name = type.endsWith('.changed') ? `${type} (${inert(String(op))})` : type;
  return `${colour.dim(inert(timestamp).slice(11, 19))}  ${name.padEnd(22)}  ${colour.bold(inert(task ?? ''))}${who}  ${what}`.trimEnd();
}

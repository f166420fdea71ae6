import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BeyondNodes, type Retired, retiredFrom } from '#core/graph/departed.js';
import type { GraphState } from '#core/graph/state.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { readText, replaceFile } from './disk.js';
import { presentLine, stateOfLog } from './log-pieces.js';

const NAME = /^retired-\d+\.json$/;

/**
 * Graph state stored in the mark in addition to the nodes. A short list of retired ids is stored inline, a long one in
 * a separate file named by the mark.
 */
export interface BeyondMark {
  readonly retired: readonly Retired[];
  readonly retired_in?: string;
  /** `seq` of the last entry that changed the retired ids; if unchanged, the file need not be rewritten. */
  readonly retired_seq?: number;
  /** Highest run number. */
  readonly last_run?: number;
}

export function markBeyond(paths: GraphLayout, state: GraphState): BeyondMark {
  const { retiredSeq: retired_seq, lastRun: last_run } = state;
  if (state.retiredCount <= WORK_LIMITS.retiredInMark)
    return { retired: [...state.retiredIds()], retired_seq, last_run };
  const retired_in = `retired-${retired_seq}.json`;
  const file = path.join(paths.service, retired_in);
  if (!existsSync(file)) {
    const text = `${JSON.stringify({ retired: [...state.retiredIds()] })}\n`;
    replaceFile(file, text, { sync: false, mode: PRIVATE_FILE, draft: `${file}.draft` });
  }
  return { retired: [], retired_in, retired_seq, last_run };
}

/** Removes the files of earlier marks. */
export function forgetRetired(paths: GraphLayout, mark: BeyondMark): void {
  for (const name of readdirSync(paths.service)) {
    if (NAME.test(name) && name !== mark.retired_in) rmSync(path.join(paths.service, name), { force: true });
  }
}

/** Returns the retired ids of a mark. Reads them from the log if the separate file is gone. */
export function readRetired(paths: GraphLayout, mark: BeyondMark & { readonly seq: number }): readonly Retired[] {
  if (mark.retired_in === undefined) return mark.retired;
  const text = NAME.test(mark.retired_in) ? readText(path.join(paths.service, mark.retired_in)) : undefined;
  const value = parseJsonObject(text ?? '');
  if (isJsonObject(value) && Array.isArray(value['retired'])) return retiredFrom(value['retired']);
  return [...(stateOfLog(paths, presentLine(paths), mark.seq)?.retiredIds() ?? [])];
}

/** Converts a mark to the form that a graph loads. */
export function beyondNodes({ retired_seq, last_run }: BeyondMark, retired: Iterable<Retired>): BeyondNodes {
  return { retired, ...(retired_seq === undefined ? {} : { retiredSeq: retired_seq }), lastRun: last_run };
}

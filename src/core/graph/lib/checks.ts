/**
 * Checks of input, and indexes shared by status changes and the state.
 * @packageDocumentation
 */
import type { NodeFields, Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

const TEXT_LIMITS = {
  title: { measure: (text: string) => [...text].length, limit: WORK_LIMITS.titleCharacters, unit: 'characters' },
  description: { measure: utf8Bytes, limit: WORK_LIMITS.descriptionBytes, unit: 'bytes' },
  'log message': { measure: utf8Bytes, limit: WORK_LIMITS.logMessageBytes, unit: 'bytes' },
  command: { measure: utf8Bytes, limit: WORK_LIMITS.descriptionBytes, unit: 'bytes' },
} as const;

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns the text unchanged; it is never truncated silently. Errors: `too_large`. */
export function withinLimit(what: keyof typeof TEXT_LIMITS, text: string): string {
  const { measure, limit, unit } = TEXT_LIMITS[what];
  if (text.length > limit / 4 && measure(text) > limit) {
    throw new TroupeError('too_large', { what: `The ${what} is larger than ${limit} ${unit}.`, details: { limit } });
  }
  return text;
}

/** Merges and deduplicates edges: success edges are edges too. Errors: `too_large` beyond the limit. */
export function checkedEdges(
  after: readonly string[] = [],
  afterSuccess: readonly string[] = [],
): { after: string[]; afterSuccess: string[] } {
  const all = [...new Set([...after, ...afterSuccess])].filter((id) => id !== '');
  if (all.length > WORK_LIMITS.edgesPerTask) {
    throw new TroupeError('too_large', {
      what: `A task can depend on at most ${WORK_LIMITS.edgesPerTask} others.`,
      details: { limit: WORK_LIMITS.edgesPerTask },
    });
  }
  return { after: all, afterSuccess: [...new Set(afterSuccess)].filter((id) => id !== '') };
}

export function execFields(exec: string | undefined, mode: Task['exec_mode'] | undefined): NodeFields {
  if (exec?.includes('\0')) throw new TroupeError('bad_input', { what: 'A command cannot contain NUL.' });
  return {
    ...(exec ? { exec: withinLimit('command', exec) } : {}),
    ...(mode ? { exec_mode: mode } : {}),
  };
}

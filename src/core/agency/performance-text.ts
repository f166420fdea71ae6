// Fast parser for the scores of a record in the exact form this program writes: for ten thousand scores, parsing JSON
// and checking it would take most of the time.
import type { JsonObject } from '#kernel/json.js';

/** A string that JSON and `safeJson` serialise without escapes. */
const PLAIN = String.raw`"([^"\\\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]*)"`;
const HEAD = /^\{"task_count":(\d+),"avg_score":(null|\d(?:\.\d+)?),"evaluations":\[/;
const REFERENCE = new RegExp(
  String.raw`\{"score":(\d(?:\.\d+)?),"task_id":${PLAIN},"timestamp":${PLAIN},"context_id":${PLAIN}(?:,"evaluation_id":${PLAIN})?(?:,"source":${PLAIN})?\}(,|\]\}$)`,
  'y',
);

const END = ']}';

/**
 * Parses the value of `performance:`; undefined unless it is byte for byte the form this program writes, with at least
 * one score.
 */
export function performanceIn(text: string): JsonObject | undefined {
  const [head = '', count = '', mean = ''] = HEAD.exec(text) ?? [];
  if (`${Number(count)}` !== count || (mean !== 'null' && `${Number(mean)}` !== mean)) return undefined;
  const evaluations: JsonObject[] = [];
  let at = head.length;
  for (let match: RegExpExecArray | null = null; match?.[7] !== END; evaluations.push(referenceIn(match))) {
    REFERENCE.lastIndex = at;
    match = REFERENCE.exec(text);
    if (match === null || `${Number(match[1])}` !== match[1]) return undefined;
    at = REFERENCE.lastIndex;
  }
  return { task_count: Number(count), avg_score: mean === 'null' ? null : Number(mean), evaluations };
}

/** Reads groups by index: destructuring a match costs as much as creating it. */
function referenceIn(match: RegExpExecArray): JsonObject {
  const reference: JsonObject = {
    score: Number(match[1]),
    task_id: match[2] ?? '',
    timestamp: match[3] ?? '',
    context_id: match[4] ?? '',
  };
  if (match[5] !== undefined) reference['evaluation_id'] = match[5];
  if (match[6] !== undefined) reference['source'] = match[6];
  return reference;
}

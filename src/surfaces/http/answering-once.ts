import { canonicalJson } from '#kernel/canonical-json.js';
import { sha256 } from '#kernel/hash.js';
import { REPEAT_LIMITS } from '#kernel/limits/repeats.js';
import { refuseReused } from '#kernel/request.js';
import type { Call } from './api.js';

/**
 * Makes every change with a key once: sent again by the same caller, also while it is being made, it
 * gets the same answer. The store of the graph knows the keys of its own changes for good; these are kept in memory, up
 * to a number, and only if the change was made. Errors: `request_id_reused` for a key with another input.
 */
export function answeringOnce(call: Call): Call {
  const kept = new Map<string, { readonly input: string; readonly answer: Promise<unknown> }>();
  return async (name, input, caller, requestId) => {
    if (requestId === undefined) return await call(name, input, caller, requestId);
    const key = JSON.stringify([caller, requestId]);
    const hash = sha256(`${name} ${canonicalJson(input)}`);
    const before = kept.get(key);
    if (before !== undefined) {
      refuseReused(requestId, before.input, hash);
      return await before.answer;
    }
    const answer = call(name, input, caller, requestId);
    kept.set(key, { input: hash, answer });
    for (const oldest of kept.keys()) {
      if (kept.size <= REPEAT_LIMITS.answers) break;
      kept.delete(oldest);
    }
    try {
      return await answer;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

import { TroupeError } from '#kernel/errors.js';

/**
 * `fetch` that follows no redirect, so that a key goes nowhere else, and reads no more than `most` bytes: an answer that
 * does not end is not kept in memory.
 */
export function boundedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    let left = most;
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength;
          if (left >= 0) controller.enqueue(chunk);
          else controller.error(new TroupeError('bad_model_answer', { what: `said more than ${most} bytes` }));
        },
      }),
    );
    return new Response(bounded, { status, statusText, headers });
  };
}

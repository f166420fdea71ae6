import { TroupeError } from '#kernel/errors.js';

/** Where the service ends, nobody waits for a model: the next one asks again. */
export function unlessEnded<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new TroupeError('bad_model_answer', { what: 'The service ended.' }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

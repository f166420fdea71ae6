import { TroupeError } from '#kernel/errors.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

const WORDS_SHOWN = 200;

/** `notify_failed` with the server's message, sanitised and without the secret that was sent. */
export function failure(what: string, why: string, secret: string | undefined): TroupeError {
  const clean = secret ? why.replaceAll(secret, '********') : why;
  return new TroupeError('notify_failed', { what, why: cut(inert(redact(clean)), WORDS_SHOWN) });
}

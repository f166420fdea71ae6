import type { TroupeError } from '#kernel/errors.js';

/** A failure in one line: what failed and why, or what helps if there is no reason. */
export function failureText({ message, why, hint }: TroupeError): string {
  if (why !== undefined && why !== '') return `${message.replace(/\.$/, '')}: ${why}`;
  return [message, hint].filter(Boolean).join(' ');
}

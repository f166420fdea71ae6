import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { askService } from './client.js';

const OTHERS = 0o077;

/**
 * Refuses a place for a socket that somebody named, unless only they can reach it and nobody listens there: `bad_input` for
 * a path that is too long, `unsafe_path` for a folder that others may enter or something else in its place, `socket_in_use`.
 * A folder that is not there is made.
 */
export async function refuseSharedPlace(file: string): Promise<void> {
  const shown = inert(file);
  if (Buffer.byteLength(file) > LIMITS.socketPathBytes) {
    throw new TroupeError('bad_input', {
      what: `${shown} is longer than the ${LIMITS.socketPathBytes} bytes that a socket's path may have.`,
      hint: 'Name a shorter one with --socket.',
    });
  }
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = lstatSync(folder);
  if (!place.isDirectory() || place.uid !== process.getuid?.() || (place.mode & OTHERS) !== 0) {
    throw new TroupeError('unsafe_path', {
      what: `${inert(folder)} is no folder that you alone may enter.`,
      hint: 'Name a socket in a folder of your own, made with `mkdir -m 700`.',
      details: { path: folder },
    });
  }
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new TroupeError('unsafe_path', {
      what: `${shown} is there, and is no socket: nothing was changed.`,
      hint: 'Move it away, or name another place with --socket.',
      details: { path: file },
    });
  }
  const asked = await askService(file, { cmd: 'status' }).catch(() => ({ state: 'answered' }));
  if (asked.state !== 'absent')
    throw new TroupeError('socket_in_use', { what: `Somebody listens at ${shown} already.` });
}

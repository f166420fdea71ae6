import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { room } from '../../room.js';

/** A folder with a program of the desktop that writes down its arguments, one on a line, and its environment. */
export function desktopProgram(name = 'notify-send') {
  const folder = room();
  const [shown, environment] = [path.join(folder, 'shown'), path.join(folder, 'environment')];
  const ends = {
    accepts: 'exit 0',
    refuses: 'echo "no session bus" >&2; exit 1',
    silent: 'exec sleep 60',
    endless: 'exec sleep 60',
  };
  const behave = (end: keyof typeof ends) => {
    const lines = ['#!/bin/sh', `printf '%s\\n' "$@" >> '${shown}'`, `env > '${environment}'`, ends[end]];
    writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
    chmodSync(path.join(folder, name), 0o755);
  };
  return {
    path: `${folder}:${process.env['PATH']}`,
    behave,
    shown: () => (existsSync(shown) ? readFileSync(shown, 'utf8').split('\n') : []),
    environment: () => readFileSync(environment, 'utf8'),
  };
}

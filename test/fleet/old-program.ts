import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { room } from '../room.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** Creates an installation that lacks the last migration; returns its program. */
export function oldProgram(): string {
  const folder = room('old');
  for (const part of ['dist', 'data', 'package.json'])
    cpSync(path.join(HOME, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(HOME, 'node_modules'), path.join(folder, 'node_modules'));
  const steps = path.join(folder, 'data/database');
  const newest = readdirSync(steps).sort().at(-1);
  if (newest === undefined) throw new Error('there are no steps');
  rmSync(path.join(steps, newest));
  return path.join(folder, 'dist/cli.cjs');
}

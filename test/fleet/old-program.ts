import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { room } from '../room.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** An installation that knows one step less in the making of the tables of a project; answers its program. */
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

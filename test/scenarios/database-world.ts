import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { room } from '../room.js';
import { endEverything, troupe, until } from './program.js';

/** Another clone of a project, whose person chose this address. */
export async function cloneOf(cwd: string, place: string): Promise<string> {
  const clone = path.join(room(), 'clone');
  mkdirSync(path.join(clone, '.workgraph'), { recursive: true });
  cpSync(path.join(cwd, '.workgraph/config.toml'), path.join(clone, '.workgraph/config.toml'));
  await until(
    'the server to be ready',
    async () => (await troupe(['database', 'use', place], { cwd: clone })).code === 0,
  );
  onTestFinished(() => endEverything(clone));
  return clone;
}

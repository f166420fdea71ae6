import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { runtimeFolder } from '#main/places.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { endEverything, project, start, troupe } from './program.js';

/** Of somebody with this HOME who has set no other folder. */
const environmentOf = (HOME: string) => ({ HOME, XDG_RUNTIME_DIR: '', XDG_CONFIG_HOME: '' });
const typed = (words: readonly string[], cwd: string, home: string) =>
  start(words, { cwd, env: environmentOf(home) }).finished;
const typedInResident = (words: readonly string[], cwd: string, home: string) =>
  troupe(words, { cwd, env: environmentOf(home) });

verifies(
  'tree.home',
  'a home that is no folder, or in which nothing can be made, is a sentence and no loop',
  async () => {
    const file = path.join(room('home'), 'file');
    writeFileSync(file, '');
    for (const home of [file, '/proc/nobody', '/dev/null']) {
      const cwd = await project();
      // Processes of their own begin in one of them: the others are the same to whoever has begun.
      const type = home === file ? typed : typedInResident;
      for (const words of [
        ['init'],
        ['add', 'Alpha', '--exec', 'true'],
        ['list'],
        ['status'],
        ['doctor'],
        ['projects'],
      ])
        expect([home, words, (await type(words, cwd, home)).code]).toEqual([home, words, 0]);
      for (const words of [['service', 'start'], ['trust']]) {
        const { code, stderr } = await type(words, cwd, home);
        expect([home, words, code, stderr]).toEqual([
          home,
          words,
          1,
          expect.stringMatching(/^error\[read_only\]: .*\nhint: Set HOME/),
        ]);
        expect(stderr).toContain(home);
      }
    }
  },
);

verifies(
  'tree.home',
  'a home that is missing is made; an empty one is looked up, and nothing lands in the project',
  async () => {
    const missing = path.join(room('home'), 'not', 'yet');
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    expect(await typed(['service', 'start'], cwd, missing)).toMatchObject({ code: 0 });
    expect(existsSync(path.join(missing, '.cache'))).toBe(true);
    for (const words of [['list'], ['status']]) await typed(words, cwd, '');
    expect(existsSync(path.join(cwd, '.config'))).toBe(false);
    expect(existsSync(path.join(cwd, '.cache'))).toBe(false);
    vi.stubEnv('HOME', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(path.isAbsolute(homeFolder())).toBe(true);
    expect(runtimeFolder({ XDG_RUNTIME_DIR: 'relative' })).toBe(path.join(homeFolder(), '.cache/troupe/run'));
  },
);

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { MEMORY_EVENTS } from '#core/squad/memory-ledger.js';
import { mass } from '../mass.js';
import { asked, endEverything, project, start } from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS = mass(4, 500);
const LIVES_MS = 400;

interface Decisions {
  readonly decisions: readonly { readonly number: number; readonly title: string }[];
}
interface Entries {
  readonly entries: readonly { readonly number: number; readonly title: string; readonly status: string }[];
}

verifies(
  'one.memory',
  `${KILLS} kills of processes that decide, propose and merge: what was said to be done is there once, and entries agree`,
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    await asked(['cast', 'manual', 'writer'], { cwd });
    const { added } = await asked<{ added: readonly string[] }>(['cast', 'confirm'], { cwd });
    const [member = ''] = added;
    const random = randomFrom(seed);
    const done: string[] = [];
    let [kills, number] = [0, 0];
    /** Whether the command ended by itself, and well. */
    const runs = async (args: readonly string[]) => {
      const running = start([...args, '--json'], { cwd });
      if (await killAfter(running.child, random() * LIVES_MS)) kills++;
      return (await running.finished).code === 0;
    };
    const write = async () => {
      while (kills < KILLS) {
        const title = `Title ${++number}`;
        if (random() < 0.5) {
          if (await runs(['decision', 'add', title])) done.push(title);
          continue;
        }
        const proposed = await asked<{ number: number }>(['decision', 'propose', member, title, '--type', 'scope'], {
          cwd,
        });
        if (await runs(['decision', 'merge', String(proposed.number)])) done.push(title);
      }
    };
    await Promise.all([write(), write()]);
    const { entries } = await asked<Entries>(['decision', 'inbox', '--status', 'all', '--limit', '500'], { cwd });
    const { decisions } = await asked<Decisions>(['decision', 'list', '--limit', '500'], { cwd });
    const titles = decisions.map(({ title }) => title);
    expect(new Set(titles).size, `seed ${seed}`).toBe(titles.length);
    expect(titles, `seed ${seed}`).toEqual(expect.arrayContaining(done));
    expect(new Set(decisions.map((one) => one.number)).size).toBe(decisions.length);
    for (const { title, status } of entries)
      expect(status, `${title}, seed ${seed}`).toBe(titles.includes(title) ? 'merged' : 'pending');
    const lines = readFileSync(path.join(cwd, MEMORY_EVENTS), 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
  },
);

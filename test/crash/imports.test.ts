import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mass } from '../mass.js';
import { asked, project, start } from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS = mass(4, 300);
const ISSUES = 2_000;

interface Listed {
  readonly total: number;
}

verifies('import.whole', `${KILLS} kills of an import leave all of its tasks or none`, async () => {
  const random = randomFrom(seed);
  let took = 2_000;
  const seen = { none: 0, all: 0 };
  for (let kills = 0; kills < KILLS; ) {
    const cwd = await project(`kill-${kills}`);
    const lines = Array.from({ length: ISSUES }, (_, number) =>
      JSON.stringify({
        id: `bd-${number}`,
        title: `Issue ${number}`,
        status: 'open',
        priority: 2,
        notes: 'x'.repeat(500),
      }),
    );
    writeFileSync(path.join(cwd, 'issues.jsonl'), lines.join('\n'));
    const began = performance.now();
    const running = start(['import', 'issues.jsonl', '--json'], { cwd });
    if (await killAfter(running.child, took * (0.3 + random() * 0.7))) kills++;
    else took = performance.now() - began;
    const { total } = await asked<Listed>(['list'], { cwd });
    expect([0, ISSUES], `seed ${seed}`).toContain(total);
    seen[total === 0 ? 'none' : 'all']++;
    const again = await asked<{ tasks: unknown[]; present: number }>(['import', 'issues.jsonl'], { cwd });
    expect([again.tasks.length, again.present], `seed ${seed}`).toEqual([ISSUES - total, total]);
  }
  expect(seen.none + seen.all).toBeGreaterThanOrEqual(KILLS);
});

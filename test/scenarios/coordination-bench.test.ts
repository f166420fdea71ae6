import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript of the benchmarks
import { pageOf } from '../../bench/coordination/page.mjs';
import { mass } from '../mass.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { CLI, environment } from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Program {
  readonly name: string;
  readonly version?: string;
  readonly settings?: string;
  readonly absent?: string;
  readonly figures?: Readonly<Record<string, number>>;
  readonly failures?: Readonly<Record<string, string>>;
}

test('the page shows the figures, and the programs that were not measured with the reason', async () => {
  const page = (await pageOf({
    machine: '2 cores',
    measures: [
      {
        name: 'Added to begun',
        what: 'a task',
        unit: 'ms',
        rows: [
          { program: 'Troupe', value: 12.34 },
          { program: 'beads', note: 'absent' },
        ],
      },
    ],
    programs: [{ name: 'beads', absent: 'not <built>' }],
  })) as string;
  for (const said of ['12.3 ms', '>absent<', 'not &lt;built&gt;']) expect(page).toContain(said);
});

// It takes a minute, as it waits for processes that are killed.
if (mass(0, 1) > 0)
  verifies(
    'bench.coordination',
    'one command measures Troupe and its neighbours alike, and says what it could not measure',
    () => {
      const output = room('output');
      // Our own program under the name of the original: what its adapter types is taken.
      const wg = path.join(room('bin'), 'wg');
      writeFileSync(wg, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
      chmodSync(wg, 0o755);
      // Without bench/run.mjs, which would build what is out of date.
      const measures = "await (await import('./bench/coordination.mjs')).default()";
      execFileSync(process.execPath, ['--input-type=module', '-e', measures, '--', '--tiny'], {
        cwd: ROOT,
        env: environment({ TROUPE_BENCH_OUTPUT: output, TROUPE_BENCH_WORKGRAPH: wg }),
        stdio: 'ignore',
      });
      const result = JSON.parse(readFileSync(path.join(output, 'result.json'), 'utf8')) as {
        readonly machine: string;
        readonly programs: readonly Program[];
      };
      expect(result.machine).toMatch(/^\d+ cores, .*Node v\d/);
      const named = new Map(result.programs.map((program) => [program.name, program]));
      expect(named.get('beads')?.absent).toMatch(/^not measured here: build it from its own sources/);
      for (const name of ['Troupe, files', 'GNU make', 'xargs', 'workgraph']) {
        const { version, settings, failures } = named.get(name) ?? {};
        expect([version, settings], name).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/\w/)]);
        expect(failures, name).toEqual({});
      }
      const { figures } = named.get('Troupe, files') ?? {};
      expect(figures).toMatchObject({ repeated: 0, lost: 0, doubled: 0, updates: 0, undelivered: 0 });
      for (const key of ['first', 'each', 'added', 'unblocked', 'recovered', 'idle', 'one-100', 'next-100'])
        expect(figures?.[key], key).toBeGreaterThanOrEqual(0);
      expect(Object.keys(named.get('xargs')?.figures ?? {})).not.toContain('unblocked');

      const page = readFileSync(path.join(output, 'report.html'), 'utf8');
      expect(page).toContain('Programs and settings');
      expect(page).not.toMatch(/<script|src=|href=/);
    },
  );

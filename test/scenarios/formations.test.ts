import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { clientProject, ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, until } from './program.js';

interface Standing {
  readonly run: string;
  readonly state: string;
  readonly outcome?: string;
  readonly folder: string;
  readonly steps: readonly { readonly step: string; readonly status: string; readonly reason?: string }[];
}

/** A run to its end, with a client that plays all seats. */
async function played(words: (cwd: string) => readonly string[]) {
  const cwd = await clientProject(['poll_interval = 1']);
  onTestFinished(() => endEverything(cwd));
  const env = ownSettings();
  const { run } = await asked<Standing>([...words(cwd), '--yes'], { cwd, env });
  await asked(['service', 'start'], { cwd, env: { PATH: WITH_CLIENT.PATH, ...env } });
  const standing = async () => (await asked<{ formation: Standing }>(['playbook', 'status', run], { cwd })).formation;
  await until(`${run} to end`, async () => {
    const now = await standing();
    return now?.state === 'ended' && now.steps.every(({ status }) => status === 'done');
  });
  const end = (await standing()) ?? expect.unreachable();
  return {
    ...end,
    statuses: Object.fromEntries(end.steps.map(({ step, status }) => [step, status])),
    text: (name: string) => readFileSync(path.join(cwd, end.folder, name), 'utf8'),
    log: (folder: string) => readFileSync(path.join(cwd, '.claude', folder, 'log.md'), 'utf8'),
  };
}

test('a panel of four that all sign off argues against itself before it decides', async () => {
  const { outcome, statuses, text, log } = await played(() => ['panel', 'Drop the queue play=sits']);
  expect(outcome).toBe('decided');
  expect(statuses).toEqual(
    Object.fromEntries(
      ['operator', 'maintainer', 'user-advocate', 'skeptic', 'unanimity', 'steelman', 'decision', 'log'].map((step) => [
        step,
        'done',
      ]),
    ),
  );
  expect(text('decision.md')).toContain('Drop it.');
  expect(log('brainstorm-panel')).toContain('- Steelman: ran, it is not idle, retained\n');
});

test('a sweep of six slices has nine of sixty entries checked, and the slice of the one refuted in full', async () => {
  const slices = ['s1', 's2', 's3', 's4', 's5', 's6'];
  const { outcome, statuses, text, log } = await played((cwd) => {
    const file = path.join(cwd, 'slices.yaml');
    writeFileSync(file, JSON.stringify({ slices: slices.map((name) => ({ name, owns: [`key ${name}`] })) }));
    return ['sweep', 'How caches fail play=scouts', '--slices', file];
  });
  expect(outcome).toBe('complete');
  const { ids } = JSON.parse(text('sample.yaml')) as { ids: string[] };
  const slice = ids[0]?.split('-')[0] ?? '';
  expect([ids.length, new Set(ids.map((id) => id.split('-')[0])).size, statuses[`verify-${slice}`]]).toEqual([
    9,
    6,
    'done',
  ]);
  const { entries } = strictYaml(text('findings.yaml')).value as { entries: { id: string }[] };
  expect([entries.length, entries.some(({ id }) => id === ids[0])]).toEqual([59, false]);
  expect(text('report.md')).toContain('1 were refuted and removed');
  expect(log('research-sweep')).toMatch(/- verifier: skeptic: \d+ checked, \d+ hold, 0 with cuts, 1 refuted\n/);
});

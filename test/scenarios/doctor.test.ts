import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

interface Examined {
  readonly ok: boolean;
  readonly findings: readonly { code: string; severity: string; line?: number; remedy: string }[];
  readonly repaired: readonly string[];
}

verifies(
  ['sec.audit', 'graph.store.torn'],
  'doctor says what is wrong, what to do, and ends with 1 on errors',
  async () => {
    const cwd = await project();
    for (const title of ['Alpha', 'Beta']) await asked(['add', title], { cwd });
    const sound = await troupe(['doctor'], { cwd });
    expect([sound.code, sound.stdout]).toEqual([0, expect.stringContaining('is valid')]);
    const log = path.join(cwd, '.workgraph/operations.jsonl');
    const before = readFileSync(log, 'utf8');
    appendFileSync(log, '{"seq":3,"id":"torn');
    const torn = await asked<Examined>(['doctor'], { cwd });
    expect(torn).toMatchObject({ ok: true, findings: [{ code: 'torn', severity: 'warning' }], repaired: [] });
    const repaired = await asked<Examined>(['doctor', '--repair'], { cwd });
    expect(repaired.repaired).toEqual(['Moved the torn end of the log to .workgraph/service/lost+found/.']);
    expect(readFileSync(log, 'utf8')).toBe(before);

    writeFileSync(log, before.replace('"id":"', '"id":"\\u001b[2J'));
    const edited = await troupe(['doctor', '--json'], { cwd });
    expect(edited.code).toBe(1);
    const { findings } = JSON.parse(edited.stdout) as Examined;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'log_edited', line: 1 }));
    const shown = await troupe(['doctor'], { cwd });
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/error {2}log_edited .*operations\.jsonl:1/);
    expect(shown.stdout).not.toContain('\u001b');
  },
);

verifies('graph.store.lock', 'a repair leaves alone what a service holds', async () => {
  const cwd = await project();
  await asked(['add', 'Alpha'], { cwd });
  await startService(cwd);
  expect(await asked<Examined>(['doctor'], { cwd })).toMatchObject({ ok: true });
  const refused = await troupe(['doctor', '--repair', '--json'], { cwd });
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'locked' } });
});

test('doctor looks at the machine first, also where there is no graph yet', async () => {
  const cwd = room();
  const { code, stdout } = await troupe(['doctor'], { cwd });
  expect(code).toBe(0);
  for (const subject of ['node', 'git', 'bash', 'terminal'])
    expect(stdout).toMatch(new RegExp(`^ok +${subject} `, 'm'));
  expect(stdout).toContain('`troupe setup`');
  const answer = await asked<{ initialized: boolean; machine: { subject: string }[] }>(['doctor'], { cwd });
  expect(answer.initialized).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { LANES, type Lane } from '#core/roles/lane.js';
import { mintRow } from '#core/roles/lane-edit.js';
import { promptPartsAt } from '#core/roles/prompt-parts.js';
import { readRoles } from '#core/roles/registry.js';
import { endRun } from '#core/roles/run-end.js';
import { occupantOf } from '#core/roles/seat.js';
import { TroupeError } from '#kernel/errors.js';
import { rolesCandidates, rolesGraduate } from '#operations/roles/graduate.js';
import { learn } from '#operations/roles/learn.js';
import { evolve } from '#operations/roles/look.js';
import { sessionStart } from '#operations/roles/session-start.js';
import { rolesAs } from '#operations/roles/solo-run.js';
import { roleStage } from './place.js';

const fileOf = (lane: Lane) => `.claude/roles/${lane}.md`;
const CORE =
  '# qa\n\n## Charter\n\nChecks.\n\n## Learnings (core)\n\n- 2026-01-01 — ask twice\n\n## Learnings (solo)\n';
const linked = (lesson: string) => `### qa\n- role: qa\n- status: stable\n- learnings:\n  - 2026-02-02 — ${lesson}\n`;

/** What each part of the role system can do where the others are not there; the table of the specification, a test a row. */
describe('nothing is worse off alone', () => {
  for (const lane of LANES) {
    test(`${lane} alone mints its rows, learns in them, seats them and is told of them, and no core is asked for`, () => {
      const { text, minted } = mintRow(lane, undefined, {
        name: 'qa',
        fields: { charter: 'Checks what was promised.' },
      });
      expect(minted).toBe(true);
      let file = text;
      for (const run of ['r1', 'r2', 'r3']) {
        const rows = [{ name: 'qa', result: 'clean' as const, lesson: `the gate of ${run} is npm test` }];
        file = endRun(lane, file, { run, date: '2026-03-01', rows }).text;
      }
      const registry = readRoles(new Map([[fileOf(lane), file]]));
      expect(registry.problems).toEqual([]);
      const [row] = registry.rows[lane];
      expect([row?.status, row?.runs.clean, row?.role]).toEqual(['stable', 3, undefined]);
      const parts = promptPartsAt(registry, { lane, seat: 'qa' });
      expect(parts.map(({ part }) => part)).toEqual(['row', 'own lessons']);
      expect(parts.map(({ text: words }) => words).join('\n')).toContain('the gate of r3 is npm test');
      expect(occupantOf(row, undefined, { agency: new Agency([]), team: undefined })).toEqual({ by: 'nobody' });
    });
  }

  test('roles alone: the solo lane learns and the audit looks, without a row of any lane', async () => {
    const own = await roleStage();
    expect(await own.call(rolesAs, { name: 'skeptic', target: ['the plan'] })).toMatchObject({ from: 'starter' });
    await own.call(learn, { name: 'skeptic', text: 'Ask for the number behind every claim.' });
    const registry = readRoles(own.files.texts);
    const parts = promptPartsAt(registry, { lane: 'solo', role: 'skeptic' });
    expect(parts.find(({ part }) => part === 'own lessons')?.text).toContain('number behind every claim');
    expect((await own.call(rolesCandidates)).candidates).toEqual([]);
    expect(await own.call(sessionStart)).toEqual({});
    expect(own.files.texts.get('.claude/roles/registry.md')).toContain('| skeptic |');
    expect((await own.call(evolve)).findings).toEqual([]);
  });

  test('with cores seats gain identity and core lessons, and lessons graduate: those, and nothing else', async () => {
    const lanes = LANES.map((lane) => [fileOf(lane), linked('Check the unit first')] as const);
    const without = readRoles(new Map(lanes));
    const own = await roleStage([['.claude/roles/qa.md', CORE], ...lanes]);
    const withCores = readRoles(own.files.texts);
    for (const lane of LANES) {
      const before = promptPartsAt(without, { lane, seat: 'qa' });
      const gained = promptPartsAt(withCores, { lane, seat: 'qa' });
      expect(gained.filter(({ part }) => part === 'row' || part === 'own lessons')).toEqual(before);
      expect(
        gained.filter((part) => !before.some(({ sha256 }) => sha256 === part.sha256)).map(({ part }) => part),
      ).toEqual(['charter', 'core lessons']);
    }
    expect((await own.call(rolesCandidates)).candidates.map(({ why }) => why)).toEqual([
      'shared-lesson',
      'several-lanes',
    ]);
    const refusal = await own.call(rolesGraduate, { id: 'c1' }).catch((error: unknown) => error);
    if (!(refusal instanceof TroupeError)) throw refusal;
    await own.call(rolesGraduate, { id: 'c1', ...(refusal.details['agree'] as object) });
    const after = readRoles(own.files.texts);
    expect(after.cores.get('qa')?.core.map(({ text }) => text)).toEqual(['ask twice', 'Check the unit first']);
    for (const lane of LANES) expect(after.rows[lane].flatMap(({ lessons }) => lessons)).toEqual([]);
  });
});

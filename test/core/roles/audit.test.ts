import { expect } from 'vitest';
import { auditRoles } from '#core/roles/audit.js';
import { candidatesIn } from '#core/roles/candidates.js';
import { readRoles } from '#core/roles/registry.js';
import { coreFile, laneFile, logFile } from '#core/roles/role-paths.js';
import { verifies } from '../../verifies.js';

const core = (name: string, lessons: readonly string[], solo: readonly string[] = []) =>
  [
    `# ${name}`,
    '## Charter',
    'Works.',
    '## Learnings (core)',
    ...lessons.map((text) => `- ${text}`),
    '## Learnings (solo)',
    ...solo.map((text) => `- ${text}`),
    '',
  ].join('\n');
const row = (name: string, ...lines: string[]) => [`### ${name}`, '- status: stable', ...lines, ''].join('\n');
const audit = (texts: Readonly<Record<string, string>>, ...[files]: readonly (readonly string[])[]) => {
  const all = new Map(Object.entries(texts));
  return auditRoles({ registry: readRoles(all), texts: all, files, poor: [] });
};
const kinds = (findings: ReturnType<typeof audit>) =>
  findings.map(({ kind, role, file, line }) => `${kind} ${role} ${file}:${line}`);

verifies('roles.audit', 'three core lessons about one thing are crowded, two are not', () => {
  const file = coreFile('qa');
  const lessons = ['see `src/a.ts` first', 'then `src/a.ts`', 'and `npm test` last'];
  const files = ['src/a.ts'];
  expect(audit({ [file]: core('qa', lessons) }, files)).toEqual([]);
  expect(kinds(audit({ [file]: core('qa', [...lessons, '`src/a.ts`, again']) }, files))).toEqual([
    `consolidate qa ${file}:5`,
  ]);
});

verifies('roles.audit', 'two named files that are gone make lessons stale; commands and files elsewhere do not', () => {
  const file = coreFile('qa');
  const named = {
    [file]: core('qa', ['x', 'ask `lib/old.ts` and `npm run check`'], ['see `gone.md` or `docs/guide/`, not `*.ts`']),
  };
  expect(kinds(audit(named, ['packages/one/lib/old.ts', 'docs/guide/a.md']))).toEqual([]);
  const findings = audit(named, ['docs/guide/a.md']);
  expect(kinds(findings)).toEqual([`stale qa ${file}:6`]);
  expect(findings[0]?.text).toContain('`lib/old.ts`, `gone.md`');
  expect(audit(named)).toEqual([]);
});

verifies('roles.audit', 'three words that contradict are drift', () => {
  const file = coreFile('qa');
  const lessons = ['use a table instead of prose', 'the body is wrong here'];
  expect(audit({ [file]: core('qa', lessons) })).toEqual([]);
  expect(kinds(audit({ [file]: core('qa', [...lessons, 'No longer ask twice']) }))).toEqual([`drift qa ${file}:5`]);
});

verifies('roles.audit', 'three solo lessons on one topic of a role of two lanes want to graduate', () => {
  const file = coreFile('skeptic');
  const solo = ['Ask for benchmarks.', 'No benchmarks, no claim.', 'A machine belongs to benchmarks'];
  const lanes = { [laneFile('crew')]: row('critic', '- role: skeptic'), [laneFile('panel')]: row('skeptic') };
  expect(kinds(audit({ ...lanes, [file]: core('skeptic', [], solo) }))).toEqual([`graduate skeptic ${file}:6`]);
  expect(audit({ ...lanes, [file]: core('skeptic', [], solo.slice(1)) })).toEqual([]);
  expect(audit({ [laneFile('crew')]: row('skeptic'), [file]: core('skeptic', [], solo) })).toEqual([]);
});

verifies('roles.audit', 'a log of more than thirty entries, and a row that was cut three times', () => {
  const log = (entries: number) =>
    Array.from({ length: entries }, (_, at) => `## r${at}\n- outcome: shipped\n`).join('\n');
  expect(audit({ [logFile('panel')]: log(30) })).toEqual([]);
  expect(kinds(audit({ [logFile('panel')]: log(31) }))).toEqual([`consolidate panel ${logFile('panel')}:1`]);
  const cut = row('qa', '- runs: clean 0, thin 0, cuts 3');
  expect(kinds(audit({ [laneFile('crew')]: cut }))).toEqual([`retire qa ${laneFile('crew')}:1`]);
  expect(audit({ [laneFile('crew')]: cut.replace('stable', 'retired') })).toEqual([]);
});

verifies('roles.audit', 'how a status came about is no lesson that lanes share', () => {
  const note = (run: string) => `  - 2026-11-23 — status: stable after 3 clean runs (${run})`;
  const lane = (run: string) => row('qa', '- role: qa', '- learnings:', note(run));
  const texts = { [laneFile('crew')]: lane('r1'), [laneFile('panel')]: lane('r2'), [coreFile('qa')]: core('qa', []) };
  expect(candidatesIn(readRoles(new Map(Object.entries(texts)))).map(({ why }) => why)).toEqual(['several-lanes']);
});

verifies(
  'roles.audit',
  'a row whose work was scored badly run after run is one to retire, unless it is retired',
  () => {
    const text = `${row('qa')}${row('dev').replace('stable', 'retired')}`;
    const texts = new Map([[laneFile('crew'), text]]);
    const poor = ['qa', 'dev'].map((name) => ({ lane: 'crew' as const, name, runs: 3, mean: 0.314 }));
    expect(auditRoles({ registry: readRoles(texts), texts, files: [], poor })).toEqual([
      {
        ...{ kind: 'retire', role: 'qa', file: laneFile('crew'), line: 1 },
        text: 'Its work was scored 0.31 in its last 3 judged runs: retire it with `troupe roles retire qa --lane crew`.',
      },
    ]);
  },
);

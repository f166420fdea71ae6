// Measures the audit of 500 roles with 10,000 lessons in a repository of 20,000 files: reading and auditing them. Then
// measures the hook of a client in that repository, as a whole process, alternating with bare Node.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { CLI, median, timeProcess } from './measure.mjs';

const ROLES = 500;
const LESSONS = 20;
const FILES = 20_000;
const PASSES = 7;
const BAR_MS = 500;
const HOOK_BAR_MS = 150;
const PAIRS = 21;

function core(number) {
  const lessons = (from) =>
    Array.from(
      { length: LESSONS / 2 },
      (_, at) => `- 2026-01-01 — \`src/part-${from}/file-${at}.ts\` comes before ${at}`,
    );
  const sections = ['## Charter', 'Works.', '## Learnings (core)', ...lessons(number)];
  return [`# role-${number}`, ...sections, '## Learnings (solo)', ...lessons(number + 1), ''].join('\n');
}

export default async () => {
  const { audit, registry } = await fromSource({
    audit: 'src/core/roles/audit.ts',
    registry: 'src/core/roles/registry.ts',
  });
  const numbers = Array.from({ length: ROLES }, (_, number) => number);
  const texts = new Map(numbers.map((number) => [`.claude/roles/role-${number}.md`, core(number)]));
  const row = (number) => `### role-${number}\n- role: role-${number}\n- status: stable\n`;
  for (const lane of ['crew', 'panel']) texts.set(`.claude/roles/${lane}.md`, numbers.map(row).join(''));
  const files = Array.from({ length: FILES }, (_, at) => `packages/p${at % 50}/src/part-${at % 400}/file-${at % 7}.ts`);
  const times = [];
  for (let pass = 0; pass < PASSES; pass++) {
    const begun = performance.now();
    const findings = audit.auditRoles({ registry: registry.readRoles(texts), texts, files, poor: [] });
    times.push(performance.now() - begun);
    if (findings.length < ROLES) throw new Error(`only ${findings.length} findings`);
  }
  const middle = median(times);
  return [
    {
      name: 'audit, 500 roles, 10,000 lessons',
      figure: `p50 ${middle.toFixed(0)} ms, first ${times[0].toFixed(0)} ms`,
      bar: `${BAR_MS} ms`,
      met: middle <= BAR_MS,
    },
    ...hookAmongRoles(numbers),
  ];
};

/** Measures an agent named after its phase, one that a row names, and one that belongs to no crew. */
function hookAmongRoles(numbers) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  process.on('exit', () => rmSync(cwd, { recursive: true, force: true }));
  const lessons = Array.from(
    { length: LESSONS },
    (_, at) => `  - 2026-01-01 — \`src/file-${at}.ts\` comes before ${at}\n`,
  );
  const row = (name, agent) => `### ${name}\n- subagent: ${agent}\n- status: stable\n- learnings:\n${lessons.join('')}`;
  const rows = [...numbers.map((number) => row(`role-${number}`, `agent-${number}`)), row('qa', 'checker')];
  mkdirSync(path.join(cwd, '.claude/roles'), { recursive: true });
  writeFileSync(path.join(cwd, '.claude/roles/crew.md'), rows.join(''));
  for (const number of numbers) writeFileSync(path.join(cwd, `.claude/roles/role-${number}.md`), core(number));
  const run = path.join(cwd, '.claude/dev-crew/runs/20261123-add-csv-export-1f0c');
  mkdirSync(run, { recursive: true });
  writeFileSync(path.join(run, 'CONTRACT.md'), '## Done-criteria\n\n- CSV leaves\n');
  writeFileSync(path.join(run, 'CHANGES.md'), 'A writer of CSV.\n');
  return ['dc-dev', 'checker', 'Explore'].map((agent) => {
    const input = JSON.stringify({ session_id: 'bench', cwd, tool_input: { subagent_type: agent } });
    const [bare, hook] = [[], []];
    for (let pair = 0; pair < PAIRS; pair++) {
      bare.push(timeProcess(process.execPath, ['-e', '0']));
      const stdio = ['pipe', 'ignore', 'ignore'];
      hook.push(timeProcess(process.execPath, [CLI, 'hook', 'check-handoffs'], { cwd, input, stdio }));
    }
    const [whole, more] = [median(hook), median(hook) - median(bare)];
    return {
      name: `hook of a client, 500 roles, 10,000 lessons, agent ${agent}`,
      figure: `${whole.toFixed(0)} ms: bare Node + ${more.toFixed(0)} ms`,
      bar: `${HOOK_BAR_MS} ms`,
      met: whole <= HOOK_BAR_MS,
    };
  });
}

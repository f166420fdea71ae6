// The audit of 500 roles with 10,000 lessons, in a repository of 20,000 files: reading them and looking through them.
import { fromSource } from '../tooling/from-source.mjs';
import { median } from './measure.mjs';

const ROLES = 500;
const LESSONS = 20;
const FILES = 20_000;
const PASSES = 7;
const BAR_MS = 500;

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
    audit: 'src/core/lanes/audit.ts',
    registry: 'src/core/lanes/registry.ts',
  });
  const numbers = Array.from({ length: ROLES }, (_, number) => number);
  const texts = new Map(numbers.map((number) => [`.claude/roles/role-${number}.md`, core(number)]));
  const row = (number) => `### role-${number}\n- role: role-${number}\n- status: stable\n`;
  for (const lane of ['crew', 'panel']) texts.set(`.claude/roles/${lane}.md`, numbers.map(row).join(''));
  const files = Array.from({ length: FILES }, (_, at) => `packages/p${at % 50}/src/part-${at % 400}/file-${at % 7}.ts`);
  const times = [];
  for (let pass = 0; pass < PASSES; pass++) {
    const begun = performance.now();
    const findings = audit.auditRoles({ registry: registry.readRoles(texts), texts, files });
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
  ];
};

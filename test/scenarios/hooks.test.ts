import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { systemClock } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { clientProject, engine, ownSettings } from './client-world.js';
import { asked, environment, start, troupe, until } from './program.js';

const RUN = '20261123-add-csv-export-1f0c';
const CALL = JSON.stringify({ tool_name: 'Agent', tool_input: { subagent_type: 'dev-crew:dc-qa', prompt: 'Go on.' } });

function crewRun() {
  const top = room();
  const folder = path.join(top, '.claude/dev-crew/runs', RUN);
  mkdirSync(folder, { recursive: true });
  return { top, changes: path.join(folder, 'CHANGES.md') };
}

/** What the hook says to a payload; it is never closed where it is left out. */
async function hook(cwd: string, payload?: string) {
  const running = start(['hook', 'check-handoffs'], { cwd, input: 'pipe' });
  if (payload !== undefined) running.child.stdin?.end(payload);
  return running.finished;
}

verifies(['gate.deny', 'gate.allow'], 'a client is answered in its own words, or not at all', async () => {
  const { top, changes } = crewRun();
  const denied = await hook(top, CALL);
  expect([denied.code, denied.stderr]).toEqual([0, '']);
  const permissionDecisionReason = expect.stringMatching(
    /^handoff_missing: there is no CHANGES\.md .* Have dev write it/,
  );
  expect(JSON.parse(denied.stdout)).toEqual({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
  });
  writeFileSync(changes, 'A writer of CSV.\n');
  expect(await hook(top, CALL)).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

verifies('gate.closed', 'whatever cannot be told ends with 2 and its reason', async () => {
  const { top, changes } = crewRun();
  const says = async (payload?: string) => {
    const { code, stdout, stderr } = await hook(top, payload);
    return `${code} ${stdout}${stderr}`;
  };
  const late = says(); // a client that never says what it wants
  expect(await says(CALL.slice(0, 40))).toMatch(/^2 check-handoffs: bad_input/);
  expect(await says('')).toMatch(/^2 check-handoffs: bad_input/);
  writeFileSync(changes, '');
  truncateSync(changes, 1024 * 1024 + 1);
  expect(await says(CALL)).toMatch(/^2 check-handoffs: handoff_unreadable: .*1048577 bytes/);
  expect(await late).toMatch(/^2 check-handoffs: handoff_unreadable: Checking the handoffs timed out/);
});

verifies(
  ['audit.lazy', 'audit.never-edits', 'audit.open'],
  'a session that begins is told of candidates, nothing without roles, and begins whatever is wrong with them',
  async () => {
    const begun = async (cwd: string) => {
      const running = start(['hook', 'session-start'], { cwd, input: 'pipe' });
      const { code, stdout } = await running.finished; // its input stays open: nobody reads it
      return { code, stdout };
    };
    const bare = room();
    expect(await begun(bare)).toEqual({ code: 0, stdout: '' });
    expect(readdirSync(bare)).toEqual([]);
    const top = room();
    const roles = path.join(top, '.claude/roles');
    mkdirSync(roles, { recursive: true });
    const row = '### qa\n- role: qa\n- status: stable\n- learnings:\n  - 2026-02-02 — Check the unit first\n';
    const files = { 'qa.md': '# qa\n\n## Charter\n\nChecks.\n', 'crew.md': row, 'panel.md': row };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(roles, name), text);
    const { code, stdout } = await begun(top);
    const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    expect([code, hookEventName]).toEqual([0, 'SessionStart']);
    expect(additionalContext).toContain('c1 qa: learned in crew, panel: "Check the unit first"');
    for (const [name, text] of Object.entries(files)) expect(readFileSync(path.join(roles, name), 'utf8')).toBe(text);
    expect(existsSync(path.join(roles, 'registry.md'))).toBe(true);
    const runtime = environment()['XDG_RUNTIME_DIR'] ?? '';
    const place = path.join(runtime, `roles-${sha256(top).slice(0, 16)}`, 'roles.lock');
    const lock = new ProcessTable().lock(place, systemClock);
    await lock.acquire();
    writeFileSync(path.join(roles, 'dev.md'), '# dev\n\n## Charter\n\nBuilds.\n');
    expect(await begun(top)).toEqual({ code, stdout }); // somebody writes for long: the table waits, the client does not
    lock.release();
    expect(readFileSync(path.join(roles, 'registry.md'), 'utf8')).not.toContain('dev');
    const odd = room();
    mkdirSync(path.join(odd, '.claude'));
    symlinkSync(roles, path.join(odd, '.claude/roles'));
    expect((await begun(odd)).code).toBe(0);
  },
);

verifies(
  'gate.same-function',
  'a phase does not begin when what it needs is gone since, and it is said why',
  async () => {
    const cwd = await clientProject();
    const by = { cwd, env: ownSettings() };
    const { run } = await asked<{ run: string }>(['crew', 'Add CSV export', '--mode', 'autopilot', '--yes'], by);
    const contract = path.join(cwd, '.claude/dev-crew/runs', run, 'CONTRACT.md');
    mkdirSync(path.dirname(contract), { recursive: true });
    writeFileSync(contract, '## Done-criteria\n\n- CSV leaves\n');
    await asked(['done', `${run}-architect`], by);
    rmSync(contract);
    await engine(cwd);
    const said = async () => (await troupe(['why', `${run}-dev`], { cwd })).stdout;
    await until('why dev does not begin', async () =>
      (await said()).includes('dev may not start: there is no CONTRACT.md'),
    );
    expect(await asked<{ task: { status: string } }>(['show', `${run}-dev`], { cwd })).toMatchObject({
      task: { status: 'open' },
    });
  },
);

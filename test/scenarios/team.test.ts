import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/squads');

interface Changed {
  readonly member: { readonly name: string; readonly member_id: string; readonly status: string };
  readonly tasks: readonly string[];
}

verifies(
  ['member.add', 'squad.check', 'squad.state-wins'],
  'a team is changed and checked without a task graph',
  async () => {
    const cwd = room('team');
    await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
    await asked(['cast', 'confirm'], { cwd });
    const added = await asked<Changed>(['member', 'add', 'qa-engineer'], { cwd });
    expect(added.member.name).toBe('Morpheus');
    expect(await troupe(['squad', 'check'], { cwd })).toMatchObject({ code: 0 });
    const file = path.join(cwd, '.squad/team.md');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('| Neo |', '| Smith |'));
    const drifted = await troupe(['squad', 'check'], { cwd });
    expect(drifted.code).toBe(1);
    expect(drifted.stdout).toContain('has rows the registry does not: Smith');
    expect(JSON.parse((await troupe(['squad', 'check', '--json'], { cwd })).stdout)).toMatchObject({ ok: false });
    expect((await troupe(['squad', 'render'], { cwd })).stdout).toContain('wrote    .squad/team.md');
    expect(readFileSync(file, 'utf8')).toBe(text);
    const refused = await troupe(['member', 'retire', 'Neo'], { cwd });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error[leader_needed]') });
    expect((await troupe(['member', 'retire', 'Coordinator'], { cwd })).stderr).toContain('error[builtin_member]');
    expect((await troupe(['squad', 'migrate', '--keep', 'both'], { cwd })).code).toBe(2);
  },
);

verifies(
  ['member.retire', 'member.restore'],
  'with a service: tasks of who leaves are nobody’s, an id outlives it all',
  async () => {
    const cwd = await project('zion');
    await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
    await asked(['cast', 'confirm'], { cwd });
    await startService(cwd);
    await asked(['add', 'Write it', '--id', 'write-it', '--paused'], { cwd });
    await asked(['edit', 'write-it', '--member', 'Trinity'], { cwd });
    const gone = await asked<Changed>(['member', 'retire', 'trinity'], { cwd });
    expect(gone).toMatchObject({ tasks: ['write-it'], member: { status: 'Retired' } });
    expect(await asked<object>(['show', 'write-it'], { cwd })).not.toHaveProperty('member');
    const back = await asked<Changed>(['member', 'restore', 'Trinity'], { cwd });
    expect(back.member.member_id).toBe(gone.member.member_id);
    const renamed = await asked<Changed>(['member', 'rename', 'Trinity', 'Switch Board'], { cwd });
    expect(renamed.member).toMatchObject({ name: 'Switch Board', member_id: gone.member.member_id });
  },
);

verifies(['squad.dialect.read', 'squad.migrate'], 'the team of another tool: shown, migrated, changed', async () => {
  const cwd = room('other');
  cpSync(path.join(FIXTURES, 'snake'), cwd, { recursive: true });
  expect((await troupe(['team', 'show'], { cwd })).stdout).toContain('Ripley');
  const refused = await troupe(['member', 'add', 'writer'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('troupe squad migrate');
  expect((await troupe(['squad', 'migrate', '--dry-run'], { cwd })).stdout).toContain('would be imported');
  expect((await troupe(['squad', 'migrate'], { cwd })).code).toBe(0);
  expect((await troupe(['squad', 'migrate'], { cwd })).stdout).toContain('Nothing to migrate');
  const added = await asked<Changed>(['member', 'add', 'writer'], { cwd });
  expect(['Ripley', 'Dallas', 'Ash', 'Kane', 'Lambert']).not.toContain(added.member.name);
});

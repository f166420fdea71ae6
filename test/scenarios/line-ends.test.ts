import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, project, troupe } from './program.js';

/** A project with tasks, an agency and a team, committed. */
async function committed(): Promise<string> {
  const cwd = await project();
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  await asked(['add', 'Alpha'], { cwd });
  await asked(['agency', 'init'], { cwd });
  await asked(['cast', 'goal', 'write a command line tool'], { cwd });
  await asked(['cast', 'confirm'], { cwd });
  await asked(['done', 'alpha'], { cwd });
  mkdirSync(path.join(cwd, '.claude/roles'), { recursive: true });
  writeFileSync(path.join(cwd, '.claude/roles/tester.md'), '# Tester\n\nTests.\n');
  return cwd;
}

/** As a person commits: what git is told to leave out stays out. */
function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '-m', 'all');
}

/** A clone by a person whose git changes line ends. */
function cloned(from: string): string {
  const to = path.join(room('clone'), 'clone');
  git(from, 'clone', '--quiet', '-c', 'core.autocrlf=true', '--', from, to);
  return to;
}

const converted = (cwd: string) =>
  git(cwd, 'ls-files', '--eol', '--', '.workgraph', '.squad', '.claude')
    .split('\n')
    .filter((line) => line.includes('w/crlf'));

const findings = async (cwd: string) =>
  JSON.stringify(JSON.parse((await troupe(['doctor', '--json'], { cwd })).stdout));

verifies('tree.bytes', 'a clone whose git changes line ends is sound', async () => {
  const cwd = await committed();
  commit(cwd);
  const clone = cloned(cwd);
  expect(converted(clone)).toEqual([]);
  expect((await troupe(['doctor'], { cwd: clone })).code).toBe(0);
  await asked(['add', 'Beta'], { cwd: clone });
  expect(git(clone, 'diff', '--stat').includes('CRLF')).toBe(false);
});

verifies('tree.bytes', 'a clone from before is named and repaired, and stays so', async () => {
  const cwd = await committed();
  for (const file of ['.gitattributes', '.workgraph/.gitattributes']) {
    const kept = readFileSync(path.join(cwd, file), 'utf8')
      .split('\n')
      .filter((line) => !line.includes('-text'));
    writeFileSync(path.join(cwd, file), kept.join('\n'));
  }
  commit(cwd);
  const clone = cloned(cwd);
  expect(converted(clone).length).toBeGreaterThan(20);
  // Goes on as before, so that the log has both kinds of line ends.
  await asked(['add', 'Beta'], { cwd: clone });
  const before = await findings(clone);
  expect(before).toContain('"line_ends"');
  expect(before).toContain('doctor --repair');
  expect(before).not.toContain('log_edited');
  const { stdout } = await troupe(['doctor', '--repair'], { cwd: clone });
  expect(stdout).toContain('line ends back');
  expect(converted(clone)).toEqual([]);
  const after = await findings(clone);
  expect(after).not.toContain('"line_ends"');
  expect(after).not.toContain('log_edited');
  expect(git(clone, 'ls-files', '--eol', '--', '.workgraph')).not.toContain('w/crlf');
  for (const file of ['operations.jsonl', 'graph.jsonl'])
    expect(readFileSync(path.join(clone, '.workgraph', file), 'utf8')).not.toContain('\r');
  expect((await troupe(['list'], { cwd: clone })).stdout).toMatch(/alpha[\s\S]*beta/);
  git(clone, 'add', '--renormalize', '.');
  commit(clone);
  expect((await troupe(['doctor'], { cwd: cloned(clone) })).code).toBe(0);
});

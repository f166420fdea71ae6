import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commitAll, git, repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, endEverything, readJson, startService, troupe, untilStatus } from './program.js';

const line = (id: string, exec: string) => `${JSON.stringify({ kind: 'task', id, title: id, status: 'open', exec })}\n`;

/** A repository that brings its own graph, cloned as a person clones it. `touched` appears when one of its commands ran. */
function hostileClone(): { cwd: string; touched: string } {
  const touched = path.join(room(), 'touched');
  const source = repository({
    'README.md': '# Friendly\n',
    '.workgraph/graph.jsonl': line('a', `touch '${touched}'`) + line('b', `touch '${touched}' # \u001b[8m\u202e`),
  });
  const cwd = path.join(room(), 'clone');
  git(path.dirname(cwd), 'clone', '--quiet', source, cwd);
  onTestFinished(() => endEverything(cwd));
  return { cwd, touched };
}

describe('a repository that brings a graph with commands', () => {
  verifies('sec.inert', 'they do not run before a person on this machine trusts them', async () => {
    const { cwd, touched } = hostileClone();
    for (const words of [
      ['service', 'start'],
      ['run', '--exit', '--run', 'none'],
      ['run', '--resume', '--exit'],
    ]) {
      const end = await troupe([...words, '--json'], { cwd });
      expect(end.code, words.join(' ')).toBe(1);
      expect(JSON.parse(end.stderr).error).toMatchObject({
        code: 'untrusted_graph',
        message: expect.stringContaining('2 of its tasks hold commands'),
        hint: expect.stringContaining('troupe trust'),
        details: { tasks: 2 },
      });
    }
    // Neither what a person does to look around nor making a graph where there is one is a yes.
    for (const words of [['list'], ['status'], ['show', 'a'], ['init'], ['trust', '--show']])
      expect((await troupe(words, { cwd })).code, words.join(' ')).toBe(0);
    expect((await troupe(['service', 'start'], { cwd })).code).toBe(1);
    expect(existsSync(path.join(cwd, '.squad'))).toBe(false);
    // Trust is the machine's: a file of the repository's own making gives none.
    mkdirSync(path.join(cwd, '.config/troupe'), { recursive: true });
    writeFileSync(
      path.join(cwd, '.config/troupe/trusted.json'),
      JSON.stringify({ version: 1, projects: { [cwd]: {} } }),
    );
    expect((await troupe(['service', 'start'], { cwd })).stderr).toContain('error[untrusted_graph]');
    // A run is not asked for its opinion.
    const asRun = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'a', WG_FENCE: '1' };
    expect((await troupe(['trust'], { cwd, env: asRun })).stderr).toContain('error[not_yours]');
    expect(existsSync(touched)).toBe(false);

    const said = await troupe(['trust'], { cwd });
    expect(said.stdout).toContain(`touch '${touched}'`);
    expect(said.stdout).toContain('\\u{1b}[8m\\u{202e}');
    expect(said.stdout).not.toMatch(/[\u001b\u202e]/);
    await startService(cwd);
    await untilStatus(cwd, 'b', 'done');
    expect(existsSync(touched)).toBe(true);
    await troupe(['service', 'stop'], { cwd });
    expect(await asked(['trust', '--withdraw'], { cwd })).toMatchObject({ trusted: false, changed: true });
    await asked(['add', 'C', '--exec', 'true'], { cwd });
    expect((await troupe(['service', 'start'], { cwd })).stderr).toContain('1 of its tasks holds a command');
  });

  verifies(
    ['sec.inert', 'sec.open'],
    'a trial leaves them out, and does not follow a link in their place',
    async () => {
      const { cwd, touched } = hostileClone();
      const temporary = room('temporary');
      const end = await troupe(['trial', cwd, '--exit', '--run', 'none'], { cwd: room(), env: { TMPDIR: temporary } });
      expect(end.code, end.stderr).toBe(0);
      expect(existsSync(touched)).toBe(false);
      const clone = path.join(temporary, readdirSync(temporary)[0] ?? '', 'clone');
      expect(end.stderr).toContain(path.dirname(clone));
      expect(end.stderr).not.toContain('Dashboard:');
      expect(readFileSync(path.join(clone, '.workgraph/operations.jsonl'), 'utf8')).not.toContain('touched');

      const kept = room('kept');
      writeFileSync(path.join(kept, 'graph.jsonl'), line('a', `touch '${touched}'`));
      rmSync(path.join(cwd, '.workgraph'), { recursive: true, force: true });
      symlinkSync(kept, path.join(cwd, '.workgraph'));
      commitAll(cwd, 'A link');
      const other = await troupe(['trial', cwd, '--exit', '--run', 'none'], {
        cwd: room(),
        env: { TMPDIR: room('temporary') },
      });
      expect(other.code, other.stderr).toBe(0);
      expect(readdirSync(kept)).toEqual(['graph.jsonl']);
      expect(existsSync(touched)).toBe(false);
    },
  );

  verifies('sec.tree.links', 'a graph behind a link is neither read nor written', async () => {
    const outside = room('outside');
    writeFileSync(path.join(outside, 'profile'), 'mine\n');
    const links: [string, string][] = [
      ['.workgraph', outside],
      ['.workgraph/operations.jsonl', path.join(outside, 'profile')],
      ['.workgraph/service', outside],
    ];
    for (const [from, to] of links) {
      const cwd = room('linked');
      if (from.includes('/')) {
        mkdirSync(path.join(cwd, '.workgraph'));
        writeFileSync(path.join(cwd, '.workgraph/graph.jsonl'), '');
      } else writeFileSync(path.join(outside, 'graph.jsonl'), '');
      symlinkSync(to, path.join(cwd, from));
      for (const words of [['init'], ['add', 'x'], ['list'], ['service', 'start']])
        expect((await troupe(words, { cwd })).stderr, `${from}: ${words}`).toContain('error[unsafe_path]');
      rmSync(path.join(outside, 'graph.jsonl'), { force: true });
      expect(readdirSync(outside)).toEqual(['profile']);
      expect(readFileSync(path.join(outside, 'profile'), 'utf8')).toBe('mine\n');
    }
  });

  test('whoever makes a graph trusts it; the record is private and outside of it', async () => {
    const settings = room('settings');
    const cwd = room('own');
    const env = { XDG_CONFIG_HOME: settings };
    expect(await asked(['init'], { cwd, env })).toMatchObject({ created: true, trusted: true });
    const file = path.join(settings, 'troupe/trusted.json');
    expect(Object.keys(readJson<{ projects: object }>(file)?.projects ?? {})).toEqual([cwd]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    // Another person, or this one on another machine, has not agreed to anything.
    await asked(['add', 'A', '--exec', 'true'], { cwd, env });
    const other = await troupe(['service', 'start'], { cwd, env: { XDG_CONFIG_HOME: room('other') } });
    expect(other.stderr).toContain('error[untrusted_graph]');
  });
});

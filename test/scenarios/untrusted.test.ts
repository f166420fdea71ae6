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
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { scratchClone } from '#main/scratch.js';
import { commitAll, git, repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import {
  asked,
  endEverything,
  readJson,
  startAtTerminal,
  startService,
  troupe,
  until,
  untilStatus,
} from './program.js';

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
        message: expect.stringContaining('2 of its tasks have commands'),
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
    await asked(['add', 'C', '--exec', 'true'], { cwd });
    expect(await asked(['trust', '--withdraw'], { cwd })).toMatchObject({ trusted: false, changed: true });
    expect((await troupe(['service', 'start'], { cwd })).stderr).toContain('1 of its tasks has a command');
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
      vi.stubEnv('TMPDIR', room('temporary'));
      onTestFinished(() => void vi.unstubAllEnvs());
      const { projectFolder } = await scratchClone(cwd);
      expect(readdirSync(projectFolder).sort()).toEqual(['.git', 'README.md']);
      expect(readdirSync(kept)).toEqual(['graph.jsonl']);
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

  verifies(
    'sec.trust.each',
    'a command that comes by a merge under a running service waits, and is told of, until somebody agrees to it',
    async () => {
      const touched = path.join(room(), 'touched');
      const cwd = repository({ 'README.md': '# Shared\n' });
      onTestFinished(() => endEverything(cwd));
      const committed = (folder: string) => {
        git(folder, 'add', '-A');
        git(folder, 'commit', '--quiet', '-m', 'The graph');
      };
      await asked(['init'], { cwd });
      committed(cwd);
      const peer = path.join(room(), 'peer');
      git(path.dirname(peer), 'clone', '--quiet', cwd, peer);
      const env = { XDG_CONFIG_HOME: room('peer-settings') };
      await asked(['add', 'Theirs', '--id', 'theirs', '--exec', `touch '${touched}'`], { cwd: peer, env });
      await asked(['add', 'Checked', '--id', 'checked', '--verify-cmd', `touch '${touched}'`], { cwd: peer, env });
      committed(peer);
      await startService(cwd);
      git(cwd, 'pull', '--quiet', '--ff-only', peer, 'HEAD');
      await until('the task to be seen', async () => (await troupe(['show', 'theirs'], { cwd })).code === 0);
      await asked(['add', 'Mine too', '--id', 'mine-too', '--exec', 'true'], { cwd });
      await untilStatus(cwd, 'mine-too', 'done');
      const [why] = await asked<{ code: string }[]>(['why', 'theirs'], { cwd });
      expect(why?.code).toBe('trust');
      const { needs_you: needs } = await asked<{ needs_you: { rows: object[] } }>(['status'], { cwd });
      expect(needs.rows).toContainEqual(
        expect.objectContaining({ id: 'theirs', reason: expect.stringContaining('troupe trust') }),
      );
      const { problems } = await asked<{ problems: object[] }>(['problems'], { cwd });
      expect(problems).toContainEqual(expect.objectContaining({ kind: 'trust', command: 'troupe trust --show' }));
      for (const words of [
        ['exec', 'theirs'],
        ['done', 'checked'],
        ['spawn', 'theirs'],
      ])
        expect((await troupe(words, { cwd })).stderr, words.join(' ')).toContain('error[untrusted_command]');
      // Another title agrees to nothing; a copy of the same command of my own does.
      await asked(['edit', 'theirs', '--title', 'Renamed'], { cwd });
      await asked(['service', 'tick'], { cwd });
      expect(existsSync(touched)).toBe(false);
      const shown = await asked<{ commands: { command: string }[] }>(['trust', '--show'], { cwd });
      expect(shown.commands).toEqual([{ command: `touch '${touched}'`, tasks: ['checked', 'theirs'] }]);
      await asked(['trust'], { cwd });
      await untilStatus(cwd, 'theirs', 'done');
      expect(existsSync(touched)).toBe(true);
      expect((await asked<{ commands: object[] }>(['trust', '--show'], { cwd })).commands).toEqual([]);
    },
  );

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

verifies(
  'sec.first-run',
  'checks of a repository nobody trusted are named, and run only after a yes at a terminal',
  async () => {
    const touched = path.join(room(), 'touched');
    const cwd = repository({ 'package.json': JSON.stringify({ scripts: { lint: `touch '${touched}'` } }) });
    for (const words of ['run', 'run --exit', 'trial']) {
      const refused = await startAtTerminal('n', words, { cwd }).finished;
      expect(refused.stdout, words).toContain('npm run lint');
      expect(refused.stdout, words).toContain('Nothing was run.');
    }
    expect([existsSync(path.join(cwd, '.workgraph')), existsSync(touched)]).toEqual([false, false]);
    // Nobody is there to be asked: they are named all the same. Who made a graph here has agreed.
    const named = await troupe(['trial', '--exit'], { cwd });
    expect([named.code, named.stderr]).toEqual([0, expect.stringContaining('npm run lint')]);
    await asked(['init'], { cwd });
    expect(await asked(['review', 'checks'], { cwd })).toMatchObject({
      trusted: true,
      checks: [{ command: 'npm run lint' }],
    });
    expect(existsSync(touched)).toBe(true);
  },
);

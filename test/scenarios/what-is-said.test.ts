import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { asked, project, readJson, start, startService, troupe, until, untilStatus } from './program.js';

describe('a service that is up and one that is not', () => {
  test('a command that a hand writes into the graph begins without waiting for the poll, once it is agreed to', async () => {
    const cwd = await project();
    // By content: what a person has said once is agreed to wherever it stands.
    await asked(['add', 'First', '--exec', 'true'], { cwd });
    await startService(cwd, '--poll-interval', '600');
    const graph = path.join(cwd, '.workgraph/graph.jsonl');
    const byHand = '{"kind":"task","id":"by-hand","title":"By hand","status":"open","exec":"true"}\n';
    // A hand does not write while the service does: what was there before has been done, and stands there.
    await until('the snapshot', () => /"id":"first".*"status":"done"/.test(readFileSync(graph, 'utf8')));
    writeFileSync(graph, readFileSync(graph, 'utf8') + byHand);
    await untilStatus(cwd, 'by-hand', 'done', 15_000);
  });

  test('what it says of itself is there while it is up, and gone afterwards', async () => {
    const cwd = await project();
    await startService(cwd);
    const service = path.join(cwd, '.workgraph/service');
    const { address } = await asked<{ address: string }>(['dashboard'], { cwd });
    expect(readJson(path.join(service, 'state.json'))).toMatchObject({ http_port: Number(new URL(address).port) });
    expect(existsSync(path.join(service, 'http-token'))).toBe(true);
    await troupe(['service', 'stop'], { cwd });
    expect(readdirSync(service).filter((name) => ['state.json', 'http-token', 'daemon.sock'].includes(name))).toEqual(
      [],
    );
  });

  test('what is ready but has nobody to run it says so, and what is claimed is not called running', async () => {
    const cwd = await project();
    await asked(['add', 'Machine', '--exec', 'true'], { cwd });
    await asked(['add', 'Person'], { cwd });
    for (const words of [['status'], []])
      expect((await troupe(words, { cwd })).stdout).toContain('`troupe service start`');
    expect((await troupe(['show', 'machine'], { cwd })).stdout).toContain('`troupe service start`');
    expect((await troupe(['show', 'person'], { cwd })).stdout).not.toContain('troupe claim');
    await asked(['config', 'set', 'coordinator.executor', 'shell'], { cwd });
    expect((await troupe(['show', 'person'], { cwd })).stdout).toContain('`troupe claim person`');
    await asked(['claim', 'person', '--actor', 'ann'], { cwd });
    await asked(['claim', 'machine', '--actor', 'agent-7'], { cwd });
    const status = (await troupe(['status'], { cwd })).stdout;
    expect(status).toContain('claimed  person  Person  by ann');
    expect(status).toMatch(/claimed {2}machine .*by agent-7, which is not running: `troupe sweep`/);
    expect(status).not.toMatch(/ running /);
    expect((await troupe(['list'], { cwd })).stdout).not.toMatch(/ running /);
    await startService(cwd);
    expect((await troupe(['status'], { cwd })).stdout).not.toContain('service start');
  });

  test('a command that the service has answered does not ask it whether it is there', async () => {
    const cwd = await project();
    mkdirSync(path.join(cwd, '.workgraph/service'), { recursive: true });
    const requests: object[] = [];
    const task = { kind: 'task', id: 'cut', title: 'Cut', status: 'open', rev: 1 };
    const result = { ...task, task, ready: true, done_by: 'client', reasons: [], after: [], before: [] };
    const server = createServer((socket) => {
      createInterface(socket).on('line', (line) => {
        requests.push(JSON.parse(line));
        socket.write(`${JSON.stringify({ ok: true, result })}\n`);
      });
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((ready) => server.listen(path.join(cwd, '.workgraph/service/daemon.sock'), ready));
    const { stdout } = await troupe(['show', 'cut'], { cwd });
    expect(stdout).toContain('ready  Cut');
    expect(stdout).not.toContain('service start');
    // No id and no introduction, which its reader does not need.
    const caller = { kind: 'person', name: expect.any(String) };
    expect(requests).toEqual([{ cmd: 'operation', name: 'task.show', input: { id: 'cut' }, caller }]);
  });

  test('after making the tasks of a review, what is named next does not make them again', async () => {
    const cwd = repository({ 'README.md': '# Tidy\n' });
    await asked(['init'], { cwd });
    await asked(['cast', 'for', 'repository-review'], { cwd });
    const { stderr } = await troupe(['workflow', 'run', 'repository-review', '--run', 'none'], { cwd });
    expect(stderr).toContain('Next: troupe run --resume, or troupe service start');
    expect((await troupe(['run', '--resume', '--exit'], { cwd })).stderr).toContain('Resuming review');
    expect(readdirSync(path.join(cwd, '.workgraph/reports'))).toEqual(['review']);
  });

  test('Ctrl-C in a run that only watches a service does not say that anything is released', async () => {
    const flag = path.join(room(), 'go-on');
    const lint = `until test -e '${flag}'; do sleep 0.05; done`;
    const cwd = repository({
      'package.json': JSON.stringify({ name: 'slow', scripts: { lint } }),
      'README.md': '# Slow\n',
    });
    await asked(['init'], { cwd });
    await startService(cwd);
    const run = start(['run', '--exit', '--json'], { cwd });
    await until('a step to run', () => run.stdout().includes('"spawn_agent"'));
    run.child.kill('SIGINT');
    const { code, stderr } = await run.finished;
    expect(code).toBe(130);
    expect(stderr).toContain('the service continues');
    expect(stderr).not.toContain('released');
    writeFileSync(flag, '');
  });
});

describe('words that are not understood', () => {
  test('a value that a flag does not know is refused before anything is done', async () => {
    const cwd = repository({ 'README.md': '# Tidy\n' });
    for (const [words, known] of [
      [['run', '--run', 'nonsense', '--exit'], 'fast, all, none'],
      [['trial', '--run', 'nonsense', '--exit'], 'fast, all, none'],
      [['add', 'x', '--exec-mode', 'nonsense'], 'full, light, bare, shell'],
    ] as const) {
      const end = await troupe(words, { cwd });
      expect(end).toMatchObject({ code: 2, stdout: '' });
      expect(end.stderr).toMatch(/^error\[usage\]: --[a-z-]+ must be one of /);
      expect(end.stderr).toContain(known);
    }
    expect(readdirSync(cwd).sort()).toEqual(['.git', 'README.md']);
    expect((await troupe(['add', 'a', 'b'], { cwd })).stderr).toMatch(/but got 2\.\n/);
  });

  test('a folder where a command ran without a project is still none', async () => {
    const cwd = room();
    await asked(['cast', 'scenario', 'quick-software-development'], { cwd });
    expect(existsSync(path.join(cwd, '.workgraph'))).toBe(true);
    for (const words of [['list'], ['add', 'x'], ['service', 'start']])
      expect((await troupe(words, { cwd })).stderr, words.join(' ')).toContain('error[not_initialized]');
    expect(await asked(['init'], { cwd })).toMatchObject({ created: true, trusted: true });
  });
});

describe('what helps next', () => {
  test('whoever mistypes a command is shown its own help', async () => {
    const cwd = await project();
    const refusals: [words: string[], what: string][] = [
      [['add'], "Missing required argument 'TITLE'."],
      [['add', 'A', '--hours', 'many'], '--hours must be a number, not "many".'],
      [['add', 'A', '--visibility', 'moon'], '--visibility must be one of internal, peer, public, not "moon".'],
      [['add', ''], 'A task needs a title.'],
      [['artifact', 'a', '--remove'], 'Name the files.'],
      [['team', 'review', 'a'], 'Use approve or reject.'],
    ];
    for (const [words, what] of refusals) {
      const command = words.slice(0, words[0] === 'team' ? 2 : 1).join(' ');
      const { code, stderr } = await troupe(words, { cwd });
      expect({ code, stderr: stderr.replace(/error\[\w+\]/, 'error') }).toEqual({
        code: 2,
        stderr: `error: ${what}\nhint: Run \`troupe ${command} --help\`.\n`,
      });
    }
    expect((await troupe(['--dir'], { cwd })).stderr).toContain('hint: Run the command with --help.');
  });

  test('a file that is not there is said to be none, by whatever reads it', async () => {
    const cwd = await project();
    for (const words of [
      ['trace', 'import', 'gone.json'],
      ['git-merge', 'gone', 'gone', 'gone'],
    ])
      expect((await troupe(words, { cwd })).stderr).toMatch(
        /^error\[not_found\]: There is no file \S*gone\S*\nhint: Check the path\.\n$/,
      );
  });

  test('a function that is written elsewhere is applied from there, as it says', async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    await asked(['done', 'alpha', '--force'], { cwd });
    for (const [place, words] of [
      [[], 'one'],
      [['--output', 'one.yaml'], '--from one.yaml'],
    ] as const) {
      const { stderr } = await troupe(['func', 'extract', 'alpha', '--name', 'one', ...place], { cwd });
      expect(stderr).toContain(`Next: troupe func apply ${words} --dry-run`);
      expect((await troupe(['func', 'apply', ...words.split(' '), '--dry-run'], { cwd })).code).toBe(0);
    }
  });

  test('a message is kept whatever else is asked for, and a search without a match does not call the archive empty', async () => {
    const cwd = await project();
    await asked(['add', 'Alpha'], { cwd });
    await asked(['add', 'Beta', '--after', 'alpha', '--after', 'gone', '--allow-missing'], { cwd });
    await troupe(['log', 'alpha', 'one'], { cwd });
    expect((await troupe(['log', 'alpha', 'two', '--list'], { cwd })).stdout).toMatch(/one\n.*two\n$/);
    expect((await troupe(['why-blocked', 'beta'], { cwd })).stdout).toMatch(
      /Root cause\nID .*\nalpha {2}◎ ready {2}Alpha\n$/,
    );
    await asked(['abandon', 'alpha'], { cwd });
    await troupe(['archive', 'alpha'], { cwd });
    expect((await troupe(['archive', 'search', 'beta'], { cwd })).stdout).toBe(
      'No archived task matches. `troupe archive --list` shows them all.\n',
    );
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished } from 'vitest';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, endEverything, runsOf, start, startService, startTime, statuses, troupe, until } from './program.js';

/** A repository whose lint waits for a file. */
function sleeper(): { cwd: string; wake(): void } {
  const flag = path.join(room(), 'go-on');
  const lint = `until test -e '${flag}'; do sleep 0.05; done`;
  const cwd = repository({
    'package.json': JSON.stringify({ name: 'sleeper', scripts: { lint } }),
    'README.md': '# Sleeper\n',
  });
  return { cwd, wake: () => writeFileSync(flag, '') };
}

function events(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('a review in the foreground', () => {
  verifies(
    ['ui.cli.progress', 'ui.cli.quiet', 'review.next', 'service.second'],
    'ends by itself with a report, one event a line with --json; with a service up it uses that, and leaves it running',
    async () => {
      const cwd = repository({ 'README.md': '# Tidy\n', LICENSE: 'MIT\n' });
      await asked(['init'], { cwd });
      const { pid } = await startService(cwd);
      const { code, stdout, stderr } = await troupe(['run', '--exit', '--run', 'none', '--json'], { cwd });
      expect([code, stderr.includes('error')]).toEqual([0, false]);
      const lines = events(stdout);
      expect(lines.at(-1)).toMatchObject({
        event: 'finished',
        project_folder: cwd,
        files: { html: expect.any(String) },
      });
      expect(lines[0]).toEqual({ event: 'dashboard', address: expect.stringMatching(/^http:/) });
      expect(
        lines.slice(1, -1).filter(({ event, seq }) => typeof event !== 'string' || typeof seq !== 'number'),
      ).toEqual([]);
      const { html, markdown } = (lines.at(-1) as { files: { html: string; markdown: string } }).files;
      for (const file of [html, markdown])
        expect(readFileSync(path.join(cwd, file), 'utf8').length).toBeGreaterThan(200);
      expect(Object.values(await statuses(cwd)).every((status) => status === 'done')).toBe(true);
      expect(startTime(pid)).toBeDefined();
      expect(await asked(['service', 'status'], { cwd })).toMatchObject({ pid, agents: { alive: 0 } });

      const plain = await troupe(['trial', cwd, '--exit', '--run', 'none'], { cwd, env: { TMPDIR: room('trial') } });
      expect(plain.code).toBe(0);
      expect(plain.stdout).toMatch(/report\.html/);
      expect(plain.stderr).toMatch(/\d\d:\d\d:\d\d {2}/);
      expect(plain.stdout + plain.stderr).not.toContain('\u001b[');
      expect(plain.stdout).toContain('no model was asked');
      const [, next = ''] = plain.stdout.split('\nNext\n');
      const [, address = ''] = /Open the report in a browser: (file:\S+)/.exec(next) ?? [];
      expect(existsSync(fileURLToPath(address))).toBe(true);
      expect(next).toContain('troupe setup');
      expect(next).toContain('in your project: `troupe run`');
    },
  );

  verifies('end.cut', 'a check that could not run is told everywhere, and the review does not end well', async () => {
    const cwd = repository({
      'package.json': JSON.stringify({
        name: 'bare',
        scripts: { lint: 'eslint .', 'test:unit': 'node --version' },
        devDependencies: { eslint: '9.0.0' },
      }),
      'package-lock.json': JSON.stringify({ name: 'bare', lockfileVersion: 3, packages: {} }),
      'README.md': '# Bare\n',
      LICENSE: 'MIT\n',
    });
    const { code, stdout, stderr } = await troupe(['run', '--exit', '--yes'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 of 2 checks finished\.\n/);
    expect(stdout).toContain('troupe setup');
    expect(stdout, 'it stands in the project already').not.toContain('in your project');
    expect(stdout).toMatch(/Do first\n1 {2}Some checks could not be run\n {3}Run npm ci, then review again\./);
    expect(stderr.match(/● done · not run {2}/g)).toHaveLength(2);
    const [id = ''] = Object.keys(await statuses(cwd)).filter((task) => task.includes('-command-'));
    expect((await troupe(['list'], { cwd })).stdout).toMatch(new RegExp(`${id} +● done · not run`));
    const shown = await troupe(['show', id], { cwd });
    expect(shown.stdout).toMatch(/^● done · not run {2}/);
    expect(shown.stdout).toMatch(/unchecked +npm run \S+: not run/);
    const report = readFileSync(path.join(cwd, '.workgraph/reports/review/report.md'), 'utf8');
    expect(report).toContain('0 of 2 checks finished.');
    expect(report).toMatch(/: done, not run · /);
    expect(report).not.toContain('no exit code');
  });

  verifies(
    ['service.detached', 'coord.apply.effects'],
    'it holds the project; TERM and Ctrl-C give running tasks back, leave nothing running, and --resume finishes',
    async () => {
      const { cwd, wake } = sleeper();
      onTestFinished(() => endEverything(cwd));
      const begin = async (...more: string[]) => {
        const run = start(['run', ...more, '--exit', '--json'], { cwd });
        await until('the slow step to run', () => runsOf(cwd).length > 0 && run.stdout().includes('"claim"'));
        return run;
      };
      const told = await begin();
      const stop = await troupe(['service', 'stop'], { cwd });
      expect(stop.code).toBe(1);
      expect(stop.stderr).toMatch(/troupe run.*\nhint: .*Ctrl-C/);
      const second = await troupe(['service', 'start'], { cwd });
      expect(second.stderr).toContain('error[service_running]');
      told.child.kill('SIGTERM');
      expect((await told.finished).code).toBe(130);
      const run = await begin('--resume');
      run.child.kill('SIGINT');
      const { code, stderr } = await run.finished;
      expect(code).toBe(130);
      expect(stderr).toContain('troupe run --resume');
      expect(stderr).not.toMatch(/error\[/);
      await until('nothing to be left', () => runsOf(cwd).length === 0, 2_000);
      const left = await statuses(cwd);
      expect(Object.values(left)).not.toContain('in-progress');
      expect(Object.values(left)).toContain('open');
      expect(existsSync(path.join(cwd, '.workgraph/service/write.lock'))).toBe(false);
      wake();
      const again = await troupe(['run', '--resume', '--exit', '--json'], { cwd });
      expect(again.stderr).toContain('Resuming review');
      expect(again.code).toBe(0);
      expect(Object.keys(await statuses(cwd)).sort()).toEqual(Object.keys(left).sort());
      expect(Object.values(await statuses(cwd)).every((status) => ['done', 'failed'].includes(status))).toBe(true);
    },
  );

  verifies('service.readopt', 'killed with -9 it can be resumed, and no step is done twice', async () => {
    const cwd = repository({ 'README.md': '# Tidy\n', 'a.js': 'console.log(1);\n' });
    onTestFinished(() => endEverything(cwd));
    const run = start(['run', '--exit', '--json', '--run', 'none'], { cwd });
    await until('steps to run', () => run.stdout().includes('"done"'));
    run.child.kill('SIGKILL');
    const { stdout } = await run.finished;
    const told = stdout
      .slice(0, stdout.lastIndexOf('\n'))
      .split('\n')
      .map((line) => JSON.parse(line));
    const idsOf = (event: string) => told.flatMap((line) => (line.event === event ? [line.task_id] : []));
    expect(idsOf('claim'), 'the stream begins with the work').toEqual(expect.arrayContaining(idsOf('done')));
    const again = await troupe(['run', '--resume', '--exit', '--json'], { cwd });
    expect(again.code).toBe(0);
    expect(Object.values(await statuses(cwd)).every((status) => status === 'done')).toBe(true);
    const log = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const done = log.filter((entry) => entry.op === 'done').map((entry) => entry.task_id);
    expect(new Set(done).size).toBe(done.length);
    expect(runsOf(cwd)).toEqual([]);
  });
});

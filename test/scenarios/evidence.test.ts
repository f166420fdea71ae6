import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { inRun, ownSettings, say } from './client-world.js';
import { asked, start, statuses, textOf, troupe, until, untilStatus } from './program.js';
import { addPlay, logOf, repositoryProject, serveClients, shownTask } from './repository-world.js';

verifies(
  'done.verify-cmd',
  'a check runs where the work lies; what fails it leaves the task as it is, and from the wrapper fails it',
  async () => {
    const cwd = await repositoryProject();
    const check = 'pwd > "$WG_PROJECT_ROOT/checked-in"; test -e there.txt';
    await addPlay(cwd, 'asks', 'asks-done', '--verify-cmd', check);
    await addPlay(cwd, 'ends', 'leaves', '--verify-cmd', 'test -e there.txt');
    await serveClients(cwd);
    await untilStatus(cwd, 'ends', 'failed');
    expect((await shownTask(cwd, 'ends'))['failure_reason']).toBe(
      'The check `test -e there.txt` exited with code 1 and printed nothing',
    );
    const run = String((await shownTask(cwd, 'asks'))['assigned']);
    await until('it to be refused', () => textOf(inRun(cwd, run, 'said-code')) === '1\n');
    expect(textOf(inRun(cwd, run, 'said'))).toContain('"verify_failed"');
    expect(textOf(path.join(cwd, 'checked-in')).trim()).toBe(path.join(cwd, '.workgraph/worktrees/asks-1'));
    expect(await statuses(cwd)).toMatchObject({ asks: 'in-progress' });
    await until('the check to stay', () => textOf(inRun(cwd, run, 'skipped')).includes('"not_yours"'));
    say(cwd, run, 'go');
    await untilStatus(cwd, 'asks', 'done');
    expect((await shownTask(cwd, 'asks'))['evidence']).toMatchObject({
      verify_cmd: check,
      exit: 0,
      ms: expect.any(Number),
    });
  },
);

verifies('done.verify-cmd', 'it holds no lock, is a group of its own, and a person may leave it out', async () => {
  const cwd = await repositoryProject();
  const slow = 'cut -d" " -f5 /proc/$$/stat > group; echo $$ >> group; until [ -e go.txt ]; do sleep 0.05; done; false';
  await asked(['add', 'A', '--id', 'a', '--verify-cmd', slow], { cwd });
  await asked(['add', 'B', '--id', 'b'], { cwd });
  await asked(['claim', 'a'], { cwd });
  const asking = start(['done', 'a', '--json'], { cwd });
  await until(
    'the check to run',
    () => existsSync(path.join(cwd, 'group')) && textOf(path.join(cwd, 'group')).split('\n').length > 2,
  );
  const [group = '', leader = ''] = textOf(path.join(cwd, 'group'))
    .split('\n')
    .map((line) => line.trim());
  expect(group).toBe(leader);
  await asked(['done', 'b'], { cwd });
  expect(await statuses(cwd)).toMatchObject({ a: 'in-progress', b: 'done' });
  writeFileSync(path.join(cwd, 'go.txt'), '');
  const refused = await asking.finished;
  expect(refused.code).toBe(1);
  expect(`${refused.stdout}${refused.stderr}`).toContain('verify_failed');
  expect(await statuses(cwd)).toMatchObject({ a: 'in-progress' });
  await asked(['done', 'a', '--skip-verify'], { cwd });
  expect(await statuses(cwd)).toMatchObject({ a: 'done' });
  expect((await shownTask(cwd, 'a'))['evidence']).toEqual({ verify_cmd: slow, unchecked: 'skipped' });
});

verifies('done.receipt', 'what a command did is shown by its check and the files it named', async () => {
  const cwd = await repositoryProject('executor = "shell"');
  await asked(['add', 'A', '--id', 'a', '--exec', 'echo out > out.txt', '--verify-cmd', 'test -s out.txt'], {
    cwd,
    env: ownSettings(),
  });
  await asked(['artifact', 'a', 'out.txt', 'none.txt'], { cwd });
  await serveClients(cwd);
  await untilStatus(cwd, 'a', 'done');
  const evidence = logOf(cwd).find((entry) => entry.op === 'done')?.detail?.['evidence'];
  expect(evidence).toMatchObject({
    verify_cmd: 'test -s out.txt',
    exit: 0,
    commit: git(cwd, 'rev-parse', 'HEAD').trim(),
    clean: false,
    artifacts: [{ path: 'none.txt' }, { path: 'out.txt', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }].reverse(),
  });
  expect((await troupe(['show', 'a'], { cwd })).stdout).toMatch(/checked +test -s out\.txt: exited with 0/);
});

verifies(
  ['hold.report-way', 'hold.modes'],
  'a run commits in its worktree by our command, as its rules ask; what it pushes reaches nobody',
  async () => {
    const cwd = await repositoryProject();
    git(cwd, 'init', '--quiet', '--bare', 'remote.git');
    await addPlay(cwd, 'a', 'commits', '--require-commit');
    await serveClients(cwd);
    await untilStatus(cwd, 'a', 'done');
    expect(git(cwd, 'log', '--format=%s', 'wg/integration')).toContain('Make it');
    expect(git(cwd, '--git-dir', 'remote.git', 'for-each-ref')).toBe('');
    expect(textOf(path.join(cwd, '.workgraph/agents/agent-1/pushed'))).toContain('runs-do-not-push');
  },
);

verifies('done.commit', 'a run that leaves what requires a commit has failed, and its work stays', async () => {
  const cwd = await repositoryProject();
  await addPlay(cwd, 'a', 'leaves', '--require-commit');
  await addPlay(cwd, 'b', 'edits', '--require-commit');
  await serveClients(cwd);
  await untilStatus(cwd, 'a', 'failed');
  expect((await shownTask(cwd, 'a'))['failure_reason']).toMatch(/requires a commit/);
  expect(existsSync(path.join(cwd, '.workgraph/worktrees/a-1/a.txt'))).toBe(true);
  await untilStatus(cwd, 'b', 'done');
});

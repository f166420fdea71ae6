import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { GitHistory, LocalGit } from '#adapters/git/local-git.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TrustFile } from '#adapters/trust/trust-file.js';
import { TrustedCommandsFile } from '#adapters/trust/trusted-commands-file.js';
import { systemClock } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { repository } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const [A, B] = [sha256('a'), sha256('b')];

verifies(
  'sec.trust.each',
  'what was agreed to is kept outside of the project, private, and seen by other processes',
  () => {
    const [folder, project] = [path.join(room('settings'), 'troupe'), room('project')];
    const open = () => new TrustedCommandsFile({ folder, projectFolder: project });
    const [mine, other] = [open(), open()];
    expect([mine.trusts(A), other.trusts(A)]).toEqual([false, false]);
    mine.add([A]);
    chmodSync(folder, 0o755);
    mine.add([A]);
    expect(statSync(folder).mode & 0o777, 'what is known already touches nothing').toBe(0o755);
    other.look();
    expect([other.trusts(A), other.trusts(B)]).toEqual([true, false]);
    other.add([B]);
    mine.look();
    expect(mine.trusts(B)).toBe(true);
    const file = path.join(folder, 'trusted-commands', readdirSync(path.join(folder, 'trusted-commands'))[0] ?? '');
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(path.basename(file)).toMatch(/^[0-9a-f]{32}$/);
    expect(readdirSync(project)).toEqual([]);
    appendFileSync(file, `${sha256('c')}x\n${sha256('d')}\n`);
    mine.look();
    expect(['c', 'd'].map((text) => [mine.trusts(sha256(text)), mine.trusts(`${sha256(text)}x`)])).toEqual([
      [false, false],
      [true, false],
    ]);
    const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect([JSON.parse(head ?? ''), lines]).toEqual([
      { version: 1, folder: realpathSync(project), device: expect.any(String), inode: expect.any(String) },
      [A, B, `${sha256('c')}x`, sha256('d')],
    ]);
    mine.clear();
    mine.clear();
    other.look();
    expect([mine.trusts(A), other.trusts(B)]).toEqual([false, false]);
    const blocked = path.join(room('blocked'), 'file');
    writeFileSync(blocked, '');
    const unkept = new TrustedCommandsFile({ folder: path.join(blocked, 'troupe'), projectFolder: project });
    unkept.add([A]);
    expect(unkept.trusts(A), 'as long as this process lives').toBe(true);
  },
);

verifies('sec.trust.each', 'trust is for the folder that lay there, not for another one at its path', async () => {
  const [folder, outer] = [room('settings'), room('outer')];
  const project = path.join(outer, 'project');
  mkdirSync(project);
  const history = () => new GitHistory(project, new LocalGit(process.env));
  const trust = () =>
    new TrustFile({
      folder,
      projectFolder: project,
      processes: new ProcessTable(),
      clock: systemClock,
      history: history(),
    });
  const commands = () => new TrustedCommandsFile({ folder, projectFolder: project });
  const given = { at: '2026-03-01T10:00:00.000Z', commands: 1, sha256: 'abc' };
  await trust().give(given);
  commands().add([A]);
  expect([await trust().read(), await trust().isOfAnother(), commands().trusts(A)]).toEqual([given, false, true]);
  renameSync(project, path.join(outer, 'moved'));
  mkdirSync(project);
  expect([await trust().read(), await trust().isOfAnother(), commands().trusts(A)]).toEqual([undefined, true, false]);
  commands().add([B]);
  expect([commands().trusts(A), commands().trusts(B)]).toEqual([false, true]);
  // The same folder with another repository in it.
  rmSync(project, { recursive: true });
  renameSync(repository({ 'a.txt': 'a\n' }), project);
  const kept = trust();
  await kept.give(given);
  expect(await kept.read()).toEqual(given);
  rmSync(path.join(project, '.git'), { recursive: true });
  renameSync(path.join(repository({ 'b.txt': 'b\n' }), '.git'), path.join(project, '.git'));
  expect([await kept.read(), await kept.isOfAnother()]).toEqual([undefined, true]);
});

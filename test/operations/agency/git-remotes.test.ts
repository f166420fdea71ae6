import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fileText } from '#core/agency/entity-text.js';
import { performanceFrom } from '#core/agency/read.js';
import { agencyTrust } from '#operations/agency/entities.js';
import { agencyMerge, agencyPull, agencyPush, agencyScan } from '#operations/agency/pull.js';
import { remoteAdd, remoteShow } from '#operations/agency/remotes.js';
import { role } from '../../core/agency/people.js';
import { commitAll, git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { fill, names, twoProjects } from './two-projects.js';

const coded = (code: string) => expect.objectContaining({ code });
const [writer, tester] = [role('Writer'), role('Tester')];
const scored = (...tasks: readonly string[]) =>
  performanceFrom(
    tasks.map((task_id) => ({
      score: 0.5,
      task_id,
      timestamp: `2026-01-0${task_id.slice(1)}T00:00:00.000Z`,
      context_id: 'c',
    })),
  );

function bare() {
  const folder = path.join(room(), 'hub.git');
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
  return folder;
}

verifies(
  ['fed.remote', 'fed.pull', 'fed.existing', 'fed.atomic', 'fed.inert'],
  'two projects share an agency by a branch of a repository, and what they have comes to be the same',
  async () => {
    const { here, there, close } = await twoProjects();
    const hub = bare();
    await fill(here, [{ ...writer, performance: scored('t1', 't2') }]);
    await fill(there, [{ ...writer, performance: scored('t2', 't3') }, tester]);
    const added = await here.call(remoteAdd, { name: 'hub', path: `file://${hub}` });
    expect(added).toMatchObject({ kind: 'git', remote: { path: `file://${hub}` } });
    expect(await there.call(remoteAdd, { name: 'hub', path: hub })).toMatchObject({
      kind: 'git',
      remote: { path: hub },
    });
    await expect(here.call(agencyPull, { from: 'hub' })).rejects.toThrow(coded('unreadable'));
    expect(await here.call(agencyPush, { to: 'hub', dry_run: true })).toMatchObject({ entities: [{ action: 'new' }] });
    expect(git(hub, 'for-each-ref')).toBe('');
    await here.call(agencyPush, { to: 'hub' });
    const scan = await there.call(agencyScan, { from: 'hub' });
    expect(scan.entities).toMatchObject([{ name: 'Writer', task_count: 2, present: true }]);
    expect(names((await there.call(agencyPull, { from: 'hub' })).entities)).toEqual([
      expect.stringMatching(/^merged role/),
    ]);
    await there.call(agencyPush, { to: 'hub' });
    const last = await here.call(agencyPull, { from: 'hub' });
    expect(last.entities.map(({ name, action, scores }) => [name, action, scores])).toEqual([
      ['Tester', 'new', 0],
      ['Writer', 'merged', 1],
    ]);
    // and then nobody has anything for anybody
    for (const one of [here, there]) {
      expect(await one.call(agencyPush, { to: 'hub' })).toMatchObject({ entities: [], evaluations: 0 });
      expect(await one.call(agencyPull, { from: 'hub' })).toMatchObject({ entities: [], evaluations: 0 });
    }
    expect(git(hub, 'rev-list', '--count', 'troupe/agency').trim()).toBe('2');
    const { commit } = await here.call(remoteShow, { name: 'hub' });
    expect(git(hub, 'rev-parse', 'troupe/agency').trim()).toBe(commit);
    // the branch goes back: it is said, and nothing is lost with --force either
    git(hub, 'update-ref', 'refs/heads/troupe/agency', 'troupe/agency~1');
    const before = readFileSync(path.join(here.folder, 'federation.yaml'), 'utf8');
    for (const dry_run of [true, false])
      await expect(here.call(agencyPull, { from: 'hub', dry_run })).rejects.toThrow(coded('remote_went_back'));
    expect(readFileSync(path.join(here.folder, 'federation.yaml'), 'utf8')).toBe(before);
    expect(await here.call(agencyPull, { from: 'hub', force: true })).toMatchObject({ entities: [] });
    await close();
  },
);

verifies(
  ['sec.tree.links', 'sec.forge', 'fed.inert'],
  'of a commit, links and forged files are refused by name; into a branch with other things nothing is pushed',
  async () => {
    const { here, there, close } = await twoProjects();
    await fill(here, [writer]);
    const forged = fileText(tester).replace('Does Tester.', 'Does harm.');
    const work = repository({ [`roles/${writer.id}.yaml`]: fileText(writer), [`roles/${tester.id}.yaml`]: forged });
    symlinkSync('/etc/hostname', path.join(work, 'roles', `${'0'.repeat(64)}.yaml`));
    commitAll(work, 'a link');
    await there.call(remoteAdd, { name: 'work', path: work, ref: 'main' });
    const taken = await there.call(agencyPull, { from: 'work' });
    expect(taken).toMatchObject({ ok: false, entities: [{ name: 'Writer', action: 'new' }] });
    expect(taken.refused.map((line) => line.slice(0, 14)).sort()).toEqual(
      ['roles/00000000', `roles/${tester.id.slice(0, 8)}`].sort(),
    );
    // a folder that is a link
    git(work, 'rm', '-r', '--quiet', 'roles');
    symlinkSync('/etc', path.join(work, 'roles'));
    commitAll(work, 'a linked folder');
    await expect(there.call(agencyPull, { from: 'work' })).rejects.toThrow(coded('unsafe_path'));
    // a project is changed by its own program; a repository of code is none of an agency
    const hub = bare();
    for (const [branch, file] of [
      ['code', 'index.js'],
      ['project', '.workgraph/graph.jsonl'],
    ]) {
      const other = repository({ [file ?? '']: '' });
      git(other, 'push', '--quiet', hub, `main:${branch}`);
      await here.call(remoteAdd, { name: branch, path: hub, ref: branch });
      await expect(here.call(agencyPush, { to: branch })).rejects.toThrow(coded('bad_input'));
    }
    for (const address of ['ext::sh -c id', 'https://token@example.org/a', 'http://example.org/a'])
      await expect(here.call(remoteAdd, { name: 'x', path: address })).rejects.toThrow(coded('bad_input'));
    for (const ref of ['-f', 'a..b'])
      await expect(here.call(remoteAdd, { name: 'x', path: hub, ref })).rejects.toThrow(coded('bad_input'));
    await close();
  },
);

verifies(
  ['fed.pull', 'fed.existing', 'fed.atomic'],
  'several agencies are merged as one change: all of them or nothing',
  async () => {
    const { here, there, close } = await twoProjects();
    const alone = room();
    write(alone, { [`roles/${tester.id}.yaml`]: fileText({ ...tester, performance: scored('t1') }) });
    await fill(here, [{ ...writer, performance: scored('t1') }]);
    await fill(there, [
      { ...writer, performance: scored('t2') },
      { ...tester, performance: scored('t1', 't2') },
    ]);
    const gone = path.join(room(), 'gone');
    await expect(here.call(agencyMerge, { sources: [there.project, gone] })).rejects.toThrow(coded('unreadable'));
    const seq = (await here.store.view()).seq;
    const dry = await here.call(agencyMerge, { sources: [there.project, alone], dry_run: true });
    const merged = await here.call(agencyMerge, { sources: [there.project, alone] });
    expect(merged.entities).toEqual(dry.entities);
    expect(merged.entities.map(({ name, action }) => [name, action])).toEqual([
      ['Tester', 'new'],
      ['Writer', 'merged'],
    ]);
    expect((await here.store.view()).seq).toBe(seq + 1);
    expect(await here.call(agencyMerge, { sources: [alone, there.project] })).toMatchObject({ entities: [] });
    expect((await here.call(agencyTrust, { kind: 'role', all: true })).accepted).toMatchObject([{ name: 'Tester' }]);
    await close();
  },
);

verifies('sec.export', 'an agency with a secret in it is not pushed, not even the rest of it', async () => {
  const { here, close } = await twoProjects();
  const keeper = role('Keeper', { description: 'Logs in with quite-an-ordinary-passphrase.' });
  const hub = bare();
  await fill(here, [writer, keeper]);
  await here.call(remoteAdd, { name: 'hub', path: `file://${hub}` });
  for (const dry_run of [true, false])
    await expect(here.call(agencyPush, { to: 'hub', dry_run })).rejects.toMatchObject({
      code: 'secret_in_export',
      why: 'role Keeper (the value of ROUTE_PASSWORD)',
    });
  expect(git(hub, 'for-each-ref')).toBe('');
  expect(await here.call(agencyPush, { to: 'hub', ids: [writer.id] })).toMatchObject({
    entities: [{ name: 'Writer' }],
  });
  // what is there already is looked at too: it may be gone by the time that this is written
  const other = repository({ [`roles/${keeper.id}.yaml`]: fileText(keeper) });
  git(other, 'push', '--quiet', '--force', hub, 'main:troupe/agency');
  await expect(here.call(agencyPush, { to: 'hub' })).rejects.toMatchObject({ code: 'secret_in_export' });
  await close();
});

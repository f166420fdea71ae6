import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findProject } from '#main/project-folder.js';
import { commitAll, git, write } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { start, troupe } from './program.js';

/** A folder with a graph, as an `init` in a home folder by accident leaves it, and a repository in it. */
async function repositoryBelowProject() {
  const above = room('above');
  expect((await troupe(['init'], { cwd: above })).code).toBe(0);
  const inner = path.join(above, 'code', 'inner');
  mkdirSync(path.join(inner, 'src'), { recursive: true });
  git(inner, 'init', '--quiet', '--initial-branch=main');
  write(inner, { 'a.txt': 'a' });
  commitAll(inner, 'first');
  return { above, inner };
}

const titles = async (cwd: string, ...words: string[]) =>
  JSON.parse((await troupe(['list', ...words, '--json'], { cwd })).stdout) as
    | { title: string }[]
    | { tasks: { title: string }[] };

verifies('tree.project', 'the search for a project stops at the top of the repository', async () => {
  const { above, inner } = await repositoryBelowProject();
  for (const cwd of [inner, path.join(inner, 'src')])
    for (const words of [['add', 'Lost'], ['list'], ['status'], ['service', 'status']]) {
      const { code, stderr } = await troupe(words, { cwd });
      expect([words, code, stderr]).toEqual([
        words,
        expect.any(Number),
        expect.stringContaining('error[not_initialized]'),
      ]);
      expect(code).not.toBe(0);
      expect(stderr).toContain(`hint: Run \`troupe init\` here, or name the other with \`--dir ${above}\``);
    }
  expect((await troupe(['cast', 'goal', 'a tool'], { cwd: inner })).code).toBe(0);
  expect(existsSync(path.join(above, '.squad'))).toBe(false);
  expect(JSON.stringify(await titles(above))).not.toContain('Lost');
  // Both commands of the hint help.
  expect((await troupe(['add', 'Kept', '--dir', above], { cwd: inner })).code).toBe(0);
  expect((await troupe(['init'], { cwd: inner })).code).toBe(0);
  expect((await troupe(['add', 'Own'], { cwd: path.join(inner, 'src') })).code).toBe(0);
  expect(JSON.stringify(await titles(inner))).toContain('Own');
  expect(JSON.stringify(await titles(above))).not.toContain('Own');
  expect(JSON.stringify(await titles(above))).toContain('Kept');
});

verifies('tree.project', 'another project is named on purpose, and what is changed there is said first', async () => {
  const { above, inner } = await repositoryBelowProject();
  await troupe(['init'], { cwd: inner });
  const env = { TROUPE_PROJECT: above };
  const first = `In the project ${above}:\n`;
  expect(await troupe(['add', 'By variable'], { cwd: inner, env })).toMatchObject({ code: 0, stderr: first });
  expect(await troupe(['add', 'By flag', '--dir', above], { cwd: inner })).toMatchObject({ code: 0, stderr: first });
  expect(JSON.stringify(await titles(above))).toMatch(/By variable.*By flag|By flag.*By variable/);
  // The flag is the nearer word; looking changes nothing; programs read the answer alone.
  expect(await troupe(['add', 'Here', '--dir', '.'], { cwd: inner, env })).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.stringify(await titles(inner))).toContain('Here');
  expect(await troupe(['list'], { cwd: inner, env })).toMatchObject({ code: 0, stderr: '' });
  expect(await troupe(['add', 'Json', '--json'], { cwd: inner, env })).toMatchObject({ code: 0, stderr: '' });
  expect(await troupe(['add', 'Below'], { cwd: path.join(inner, 'src') })).toMatchObject({ code: 0, stderr: '' });
});

verifies('tree.project', 'a submodule and a linked worktree belong to the project of their repository', async () => {
  const { inner } = await repositoryBelowProject();
  await troupe(['init'], { cwd: inner });
  const library = path.join(room('library'), 'library');
  mkdirSync(library);
  git(library, 'init', '--quiet', '--initial-branch=main');
  write(library, { 'deep/b.txt': 'b' });
  commitAll(library, 'first');
  git(inner, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor');
  const [within, elsewhere] = [path.join(inner, 'trees', 'one'), path.join(room('elsewhere'), 'two')];
  git(inner, 'worktree', 'add', '--quiet', '-b', 'one', within);
  git(inner, 'worktree', 'add', '--quiet', '-b', 'two', elsewhere);
  const places = { module: path.join(inner, 'vendor', 'deep'), within, elsewhere };
  for (const [name, cwd] of Object.entries(places))
    expect([name, (await troupe(['add', `From ${name}`], { cwd })).code]).toEqual([name, 0]);
  for (const name of Object.keys(places)) expect(JSON.stringify(await titles(inner))).toContain(`From ${name}`);
  // What a folder says of itself alone is not believed.
  const pretended = path.join(room('pretended'), 'three');
  mkdirSync(pretended);
  writeFileSync(path.join(pretended, '.git'), `gitdir: ${inner}/.git/worktrees/two\n`);
  expect((await troupe(['add', 'Pretended'], { cwd: pretended })).stderr).toContain('error[not_initialized]');
});

verifies(
  ['tree.project', 'fleet.address'],
  'a worktree whose settings name the same project in a database belongs to it',
  () => {
    const main = path.join(room('repository'), 'main');
    mkdirSync(main);
    git(main, 'init', '--quiet', '--initial-branch=main');
    const names = (name: string) => ({ '.workgraph/config.toml': `[database]\nproject = "${name}"\n` });
    write(main, names('shop'));
    commitAll(main, 'first');
    const [within, elsewhere] = [path.join(main, 'trees', 'one'), path.join(room('elsewhere'), 'two')];
    for (const [branch, place] of [
      ['one', within],
      ['two', elsewhere],
    ] as const)
      git(main, 'worktree', 'add', '--quiet', '-b', branch, place);
    const found = (folder: string) => findProject(folder, undefined).project?.folder;
    expect([main, within, elsewhere].map(found)).toEqual([main, main, main]);
    write(elsewhere, names('other'));
    expect(found(elsewhere), 'another branch may name another').toBe(elsewhere);
    write(main, names('other'));
    expect(found(within)).toBe(within);
    write(main, { '.workgraph/config.toml': '' });
    expect(found(elsewhere), 'the repository itself is in no database').toBe(elsewhere);
  },
);

test('a run belongs to the project that started it in every repository below', async () => {
  const { above, inner } = await repositoryBelowProject();
  const { code } = await start(['list'], { cwd: inner, env: { WG_PROJECT_ROOT: above } }).finished;
  expect(code).toBe(0);
});

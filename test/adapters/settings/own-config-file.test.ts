import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OwnConfigFile } from '#adapters/settings/own-config-file.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const NOTHING = { allowUnsafe: false, passEnv: [], person: undefined };

function place(text?: string, mode = 0o600) {
  const [folder, projectFolder] = [room('own'), room('project')];
  const file = path.join(folder, 'config.toml');
  if (text !== undefined) {
    writeFileSync(file, text);
    chmodSync(file, mode);
  }
  return { folder, projectFolder, file, own: new OwnConfigFile({ folder, projectFolder }) };
}
const wrong = async (text: string, mode?: number) => {
  const { own, file } = place(text, mode);
  const error = await own.read().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'bad_config' });
  expect(error.message).toContain(`${file}: `);
  return error.message.slice(`${file}: `.length);
};

test('what a person says of this machine is read from their own file', async () => {
  expect(await place().own.read()).toEqual(NOTHING);
  expect(await place('').own.read()).toEqual(NOTHING);
  const text = 'allow_unsafe = true\nperson = " Ann "\n[executors]\npass_env = ["HTTP_PROXY"]\n';
  const { own } = place(text, 0o644);
  expect(await own.read()).toEqual({ allowUnsafe: true, passEnv: ['HTTP_PROXY'], person: 'Ann' });
  expect(await own.person()).toBe('Ann');
  expect((await place('allow_unsafe = false\n').own.read()).allowUnsafe).toBe(false);
  expect([await place().own.person(), await place('x = 1\n').own.person()]).toEqual([undefined, undefined]);
});

test('what is not as it should be is told with the file', async () => {
  expect(await wrong('allow_unsafe = 1\n')).toBe('allow_unsafe must be true or false');
  expect(await wrong('executors = 1\n')).toBe('executors must be a table');
  expect(await wrong('person = 1\n')).toBe('person must be a name');
  expect(await wrong('a = 1\nb = = 2\n')).toMatch(/^line 2: /);
  expect(await wrong('__proto__ = 1\n')).toBe('line 1: the key __proto__ is not allowed');
  expect(await wrong('person = "a/b"\n')).toMatch(/^A name must have/);
  expect(await wrong('[executors]\npass_env = 7\n')).not.toBe('');
  expect(await wrong('', 0o620)).toMatch(/^others may write it/);
  expect(await wrong('', 0o602)).toMatch(/^others may write it/);
  expect(await wrong(' '.repeat(TEAM_LIMITS.settingsFileBytes + 1))).toBe('it is not a small regular file');
  const largest = place(' '.repeat(TEAM_LIMITS.settingsFileBytes));
  expect([await largest.own.read(), openBelow(largest.folder)]).toEqual([NOTHING, []]);
});

test('a file that lies within the project is the project’s, and says nothing; a folder is no file', async () => {
  const { projectFolder } = place();
  const inside = path.join(projectFolder, 'config');
  mkdirSync(inside);
  writeFileSync(path.join(inside, 'config.toml'), 'allow_unsafe = true\n');
  expect(await new OwnConfigFile({ folder: inside, projectFolder }).read()).toEqual(NOTHING);
  const { folder, own, file } = place();
  symlinkSync(path.join(inside, 'config.toml'), file);
  expect(await new OwnConfigFile({ folder, projectFolder }).read()).toEqual(NOTHING);
  expect((await own.read()).allowUnsafe, 'of another project').toBe(true);
  const odd = place();
  mkdirSync(odd.file);
  await expect(odd.own.read()).rejects.toMatchObject({ code: 'bad_config' });
});

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { sha256 } from '#kernel/hash.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

function place() {
  const folder = room('files');
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  return { folder, write, files: new LocalFiles(folder) };
}

test('a file that is waited for is known by its time and size, one that is not there by none', async () => {
  const { folder, write, files } = place();
  write('a.txt', 'abc');
  utimesSync(path.join(folder, 'a.txt'), 7, 7.0004);
  expect(await files.fact('a.txt')).toEqual({ mtime: 7_000, size: 3 });
  expect([await files.fact('gone'), await files.fact('a.txt/below')]).toEqual([
    { mtime: 0, size: 0 },
    { mtime: 0, size: 0 },
  ]);
  await expect(files.fact('x'.repeat(300))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
});

test('what lies inside is read up to a size; what leads out, is no file or too large is not', async () => {
  const { folder, write, files } = place();
  write('in/a.txt', 'abc');
  symlinkSync('in/a.txt', path.join(folder, 'link'));
  symlinkSync('/etc/hostname', path.join(folder, 'out'));
  expect(await files.fingerprint('in/a.txt', 3)).toBe(sha256('abc'));
  expect(Buffer.from((await files.bytes('link', 3)) ?? []).toString()).toBe('abc');
  expect(Buffer.from((await files.bytes('a.txt', 3, path.join(folder, 'in'))) ?? []).toString()).toBe('abc');
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  for (const name of ['out', '../x', '/etc/hostname', 'in', 'gone', 'in/a.txt/below', 'pipe'])
    expect([await files.bytes(name, 99), await files.fingerprint(name, 99)], name).toEqual([undefined, undefined]);
  expect(await files.bytes('in/a.txt', 2)).toBe('too-large');
  expect(await files.fingerprint('in/a.txt', 2)).toBeUndefined();
  write('..in', 'dots');
  expect(await files.fingerprint('..in', 4), 'a name may begin with dots').toBe(sha256('dots'));
  symlinkSync(folder, path.join(folder, 'in/up'));
  expect(await files.bytes('up/..in', 9, path.join(folder, 'in'))).toBeUndefined();
  expect([await files.text('in/a.txt', 2), await files.text('gone', 9)]).toEqual(['ab', undefined]);
  await expect(files.text('out', 9)).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(openBelow(folder)).toEqual([]);
});

test('data is JSON or YAML; a person is told what is wrong with it', async () => {
  const { write, files } = place();
  write('a.json', '{"a":[1]}');
  write('a.yaml', 'a: [1]\n');
  write('bad.yaml', 'a: 1\nb: [\n');
  expect([await files.data('a.json', 99), await files.data('a.yaml', 7)]).toEqual([{ a: [1] }, { a: [1] }]);
  await expect(files.data('gone', 9)).rejects.toMatchObject({ code: 'not_found', message: 'There is no file gone.' });
  await expect(files.data('n'.repeat(201), 9)).rejects.toMatchObject({
    message: `There is no file ${'n'.repeat(200)}.`,
  });
  await expect(files.data('a.yaml', 6)).rejects.toMatchObject({ code: 'too_large' });
  await expect(files.data('bad.yaml', 99)).rejects.toMatchObject({
    ...{ code: 'bad_input', message: expect.stringMatching(/^bad.yaml cannot be read as YAML: line \d+: /) },
  });
});

test('the summary is written as a file of its own in the folder of the graph', async () => {
  const { folder, write, files } = place();
  await expect(files.writeContext('x')).rejects.toMatchObject({ code: 'unsafe_path' });
  write('.workgraph/x', '');
  write('kept', 'kept');
  symlinkSync('../kept', path.join(folder, '.workgraph/context.md'));
  expect(await files.writeContext('text')).toBe('.workgraph/context.md');
  expect(readFileSync(path.join(folder, '.workgraph/context.md'), 'utf8')).toBe('text');
  expect(lstatSync(path.join(folder, '.workgraph/context.md')).mode & 0o777).toBe(0o644 & ~process.umask());
  expect(readFileSync(path.join(folder, 'kept'), 'utf8')).toBe('kept');
  mkdirSync(path.join(folder, 'other'));
  const blocked = place();
  mkdirSync(path.join(blocked.folder, '.workgraph/context.md'), { recursive: true });
  await expect(blocked.files.writeContext('x')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(path.join(blocked.folder, '.workgraph'))).toEqual(['context.md']);
});

import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, diskError, isMissing, safePath } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

const failed = (code: string) => Object.assign(new Error(code), { code });

test('a path of the project is safe when every part of it is a folder or not there, and the last a file or not there', async () => {
  const project = room('squad');
  write(project, { file: '', 'folder/file': '' });
  symlinkSync('folder', path.join(project, 'link'));
  symlinkSync('file', path.join(project, 'folder/link'));
  const said = async (relative: string) =>
    await safePath(project, relative).then(
      (file) => path.relative(project, file),
      ({ code, message, details }: TroupeError) => `${code}: ${message.split(':')[0]} ${JSON.stringify(details)}`,
    );
  for (const fine of ['file', 'folder/file', 'new', 'new/deeper/file', '.squad/x']) expect(await said(fine)).toBe(fine);
  for (const [relative, why] of [
    ...['', '/etc/passwd', '../x', 'a/../b', './x', 'a//b', 'a/', 'a\\b', 'a\0b'].map(
      (name) => [name, 'leaves'] as const,
    ),
    ['link/file', 'link is a link'],
    ['folder/link', 'folder/link is a link'],
    ['folder', 'folder is not a regular file'],
    ['file/x', 'file is not a folder'],
  ] as const)
    expect(await said(relative), relative).toMatch(new RegExp(`^unsafe_path: .*${why}`));
  expect(await said('file/x')).toContain('{"path":"file"}');
  expect(await said(`../${'x'.repeat(300)}`)).toBe(
    `unsafe_path: ../${'x'.repeat(196)}… leaves the workspace {"path":"../${'x'.repeat(196)}…"}`,
  );
  expect(await said('x'.repeat(300))).toMatch(/^unreadable: x+… cannot be accessed\. /);
});

test('what the disk says is told by its code', () => {
  expect(
    [failed('ENOENT'), failed('ENOTDIR'), failed('EIO'), new Error('x'), { code: 'ENOENT' }, undefined].map(isMissing),
  ).toEqual([...[true, true, false, false, false, false]]);
  expect([codeOf(failed('EIO')), codeOf(new Error('x')), codeOf({ code: 'EIO' })]).toEqual([
    'EIO',
    undefined,
    undefined,
  ]);
  const [full, odd] = [failed('ENOSPC'), new Error('odd')];
  expect(diskError(full)).toMatchObject({
    code: 'disk_full',
    cause: full,
    message: new TroupeError('disk_full').message,
  });
  expect(diskError(full, 'No.')).toMatchObject({ code: 'disk_full', message: 'No.' });
  expect(diskError(odd)).toBe(odd);
});

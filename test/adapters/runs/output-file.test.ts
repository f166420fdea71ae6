import { closeSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CappedFile, cleanOutput, lastOutputLines, linesFrom, tailOf, wholeLines } from '#adapters/runs/output-file.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';

const MOST = 4 * WORK_LIMITS.redactorHeldCharacters;
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

function place(text?: string) {
  const folder = room('output');
  const file = path.join(folder, 'output.log');
  if (text !== undefined) writeFileSync(file, text);
  return { folder, file, text: () => readFileSync(file, 'utf8') };
}

test('one end of a file, as much as was asked for', () => {
  const { file, folder } = place('abcdef');
  expect(tailOf(file, 2, 'end')).toEqual({ text: 'ef', next: 6, size: 6 });
  expect(tailOf(file, 2, 'beginning')).toEqual({ text: 'ab', next: 2, size: 6 });
  expect(tailOf(file, 99, 'end')).toEqual({ text: 'abcdef', next: 6, size: 6 });
  symlinkSync(file, path.join(folder, 'link'));
  expect([
    tailOf(path.join(folder, 'link'), 9, 'end'),
    tailOf(folder, 9, 'end'),
    tailOf(`${file}/x`, 9, 'end'),
  ]).toEqual([...[undefined, undefined, undefined]]);
});

test('lines are whole, and one that is longer than may be read comes in parts', () => {
  expect(wholeLines({ text: 'a\nbü', next: 9, size: 12 })).toEqual({ text: 'a\n', next: 6, size: 12 });
  const { file } = place('one\ntwo\nthree');
  expect(linesFrom(file, 0, 99)).toEqual({ text: 'one\ntwo\n', next: 8, size: 13 });
  expect(linesFrom(file, 4, 5)).toEqual({ text: 'two\n', next: 8, size: 13 });
  expect(linesFrom(file, 4, 3)).toEqual({ text: 'two', next: 7, size: 13 });
  expect(linesFrom(file, 8, 99)).toEqual({ text: '', next: 8, size: 13 });
  expect(linesFrom(file, 99, 5), 'made anew').toEqual({ text: 'one\n', next: 4, size: 13 });
  expect(linesFrom(place(`x ${SECRET}\n`).file, 0, 99)?.text).not.toContain(SECRET);
});

test('the last lines are those after the line with which a check begins', () => {
  const of = (text: string) => lastOutputLines(place(text).file, '--- check');
  expect(of('work\n--- check\nfirst\n--- check\none\ntwo\n\n')).toBe('one\ntwo');
  const many = Array.from({ length: WORK_LIMITS.lastLines + 5 }, (_, at) => `l${at}`);
  expect(of(many.join('\n')).split('\n')).toEqual(many.slice(5));
  expect(of(`a${'x'.repeat(2 * WORK_LIMITS.lastLinesBytes)}`)).toBe('x'.repeat(WORK_LIMITS.lastLinesBytes));
  expect(of(`x ${SECRET}`)).not.toContain(SECRET);
  expect(lastOutputLines(path.join(place().folder, 'none'), '--- check')).toBe('');
});

test('a file takes so many bytes, and then says once that the rest is missing', () => {
  const capped = (work: (file: CappedFile) => void) => {
    const own = place('');
    const descriptor = openSync(own.file, 'a');
    const file = new CappedFile(descriptor, 10, '[cut]');
    work(file);
    closeSync(descriptor);
    return { text: own.text(), full: file.full };
  };
  expect(capped((file) => file.write('12345'))).toEqual({ text: '12345', full: true });
  expect(capped((file) => file.write('1234'))).toEqual({ text: '1234', full: false });
  expect(capped((file) => file.write(''))).toEqual({ text: '', full: false });
  const over = (file: CappedFile) => {
    for (const text of ['123', '4567', '8']) file.write(text);
  };
  const lines = (file: CappedFile) => {
    for (const text of ['12', '34', '5']) file.line(text);
  };
  expect(capped(over)).toEqual({ text: '12345[cut]', full: true });
  expect(capped((file) => file.line('1234'))).toEqual({ text: '1234\n', full: true });
  expect(capped(lines)).toEqual({ text: '12\n[cut]', full: true });
  const closed = openSync(place('').file, 'a');
  closeSync(closed);
  const gone = new CappedFile(closed, 10, '');
  gone.write('x');
  expect(gone.full, 'no room on the disk').toBe(true);
});

test('what a command printed loses its secrets and what is too much; all else is left alone', async () => {
  const kept = place('fine\n');
  const { ino } = statSync(kept.file);
  await cleanOutput(kept.file, MOST);
  expect([kept.text(), statSync(kept.file).ino]).toEqual(['fine\n', ino]);
  const secret = place(`a ${SECRET}\nb\n`);
  await cleanOutput(secret.file, MOST);
  expect(secret.text()).toMatch(/^a \S+\nb\n$/);
  expect(secret.text()).not.toContain(SECRET);
  expect(statSync(secret.file).mode & 0o777).toBe(0o600);
  const large = place('line\n'.repeat(MOST / 5 + 10));
  await cleanOutput(large.file, MOST);
  expect(statSync(large.file).size).toBe(MOST);
  expect(large.text().endsWith('\n[the rest of the output is not kept]\n')).toBe(true);
  const long = place(`${'x'.repeat(WORK_LIMITS.redactorHeldCharacters + 1)}\n`);
  await cleanOutput(long.file, MOST);
  expect(long.text()).toHaveLength(WORK_LIMITS.redactorHeldCharacters + 2);
  const empty = place('');
  await cleanOutput(empty.file, MOST);
  const { folder, file } = place(`x ${SECRET}`);
  symlinkSync(file, path.join(folder, 'link'));
  mkdirSync(path.join(folder, 'dir'));
  for (const name of ['link', 'dir', 'none']) await cleanOutput(path.join(folder, name), MOST);
  expect([empty.text(), readFileSync(file, 'utf8')]).toEqual(['', `x ${SECRET}`]);
  expect([kept, secret, large, long].flatMap((one) => openBelow(one.folder))).toEqual([]);
});

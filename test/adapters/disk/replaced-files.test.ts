import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import {
  FileConflict,
  recordFiles,
  redo,
  type StepHook,
  undo,
  writeRecordedFiles,
} from '#adapters/disk/recorded-files.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const replace = (file: string, was: string | null, text: string): FileChange => ({
  ...{ kind: 'replace', path: file, text },
  was: was === null ? null : sha256(was),
});
const CHANGES = [replace('a.md', 'a', 'new a'), replace('b.md', 'b', 'new b'), replace('c.md', null, 'new c')];

function started() {
  const places = { base: room('base'), folder: room('folder'), modeOf: () => 0o644 };
  write(places.base, { 'a.md': 'a', 'b.md': 'b' });
  const at = (file: string) => path.join(places.base, file);
  const texts = () => ['a.md', 'b.md', 'c.md'].map((file) => existsSync(at(file)) && readFileSync(at(file), 'utf8'));
  const recorded = (changes: readonly FileChange[]) => ({
    ...{ name: 'n', from: null, boot: 'first' },
    ...recordFiles(places, changes),
  });
  return { places, at, texts, recorded };
}

verifies(['one.commit', 'roles.file.conflict'], 'a file is replaced while it is as it was decided on', async () => {
  const { places, texts, recorded } = started();
  await writeRecordedFiles(places, recorded(CHANGES), () => undefined);
  expect(texts()).toEqual(['new a', 'new b', 'new c']);
});

verifies('roles.file.conflict', 'one that was changed before the change is recorded ends it', () => {
  for (const late of [replace('a.md', 'other', 'x'), replace('a.md', null, 'x'), replace('c.md', 'c', 'x')]) {
    const { recorded, texts } = started();
    expect(() => recorded([late])).toThrow(FileConflict);
    expect(texts()).toEqual(['a', 'b', false]);
  }
});

verifies(
  'roles.file.conflict',
  'one that is changed right before its turn is kept, and the others are restored',
  async () => {
    for (const file of ['b.md', 'c.md']) {
      const { places, at, texts, recorded } = started();
      const hand: StepHook = (step) => {
        if (step === `put ${file}`) writeFileSync(at(file), 'by hand');
      };
      const record = recorded(CHANGES);
      await expect(writeRecordedFiles(places, record, hand)).rejects.toThrow(FileConflict);
      await undo(places, record, () => undefined);
      expect(texts()).toEqual(file === 'b.md' ? ['a', 'by hand', false] : ['a', 'b', 'by hand']);
    }
  },
);

verifies('one.flush', 'what a stopped machine lost of it is written again, what a hand wrote is not', async () => {
  const { places, at, texts, recorded } = started();
  const record = recorded(CHANGES);
  await writeRecordedFiles(places, record, () => undefined);
  writeFileSync(at('a.md'), 'a');
  truncateSync(at('b.md'), 0);
  writeFileSync(at('c.md'), 'by hand');
  await redo(places, record, () => undefined);
  expect(texts()).toEqual(['new a', 'new b', 'by hand']);
});

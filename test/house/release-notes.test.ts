import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript of the tooling
import { notesOf, withLinks } from '../../tooling/release-notes.mjs';
import { verifies } from '../verifies.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(HOME, name), 'utf8');

verifies('pack.notes', 'the notes of a release are the changes of its version, with links that lead somewhere', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const notes = notesOf(read('CHANGELOG.md'), version) as string;
  expect(notes).toContain('\n- ');
  expect(notes).not.toMatch(/^## /m);
  expect(() => notesOf(read('CHANGELOG.md'), '99.0.0')).toThrow('no section');

  const log =
    '# Changes\n\n## 0.2.0\n\n- Two ([guide](docs/a.md#b), [web](https://x.example)).\n\n## 0.1.0\n\n- One.\n';
  expect(notesOf(log, '0.1.0')).toBe('- One.');
  expect(withLinks(notesOf(log, '0.2.0'), 'https://g.example/blob/v0.2.0')).toBe(
    '- Two ([guide](https://g.example/blob/v0.2.0/docs/a.md#b), [web](https://x.example)).',
  );
});

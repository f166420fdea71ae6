import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { fillPlaceholders, WORDING_NAMES } from '#core/runs/prompt-wording.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { room } from '../../room.js';

const SHIPPED = path.resolve(import.meta.dirname, '../../../data/prompts');

test('every text there is gets loaded, and every text that is asked for is there', async () => {
  const wording = await new WordingFolder(SHIPPED).load();
  expect(readdirSync(SHIPPED).sort()).toEqual(WORDING_NAMES.map((name) => `${name}.md`).sort());
  for (const name of WORDING_NAMES) {
    expect(wording[name].length, name).toBeGreaterThan(10);
    expect(wording[name], name).toBe(readFileSync(path.join(SHIPPED, `${name}.md`), 'utf8').trim());
    expect(wording[name], name).not.toMatch(/[\u200b-\u200f\u202a-\u202e]|\t| {2}\n|!/);
  }
});

test('no text names a command by itself: the one way to report is filled in, and held to the table elsewhere', async () => {
  const wording = await new WordingFolder(SHIPPED).load();
  for (const name of WORDING_NAMES) expect(wording[name], name).not.toMatch(/`\{\{program\}\} |`troupe /);
});

test('a text that is missing, empty, too long or asks for what nobody fills in is refused by name', async () => {
  const broken: [string, string | undefined, string][] = [
    ['git', undefined, 'data/prompts/git.md: the file is missing or empty.'],
    ['grow', ' \n', 'data/prompts/grow.md: the file is missing or empty.'],
    ['cycle', 'x {{nonce}}', 'data/prompts/cycle.md: unknown placeholder {{nonce}}.'],
    ['task', 'x'.repeat(TEAM_LIMITS.wordingFileBytes + 1), 'data/prompts/task.md: longer than 16384 characters.'],
  ];
  for (const [name, text, what] of broken) {
    const folder = path.join(room(), 'prompts');
    cpSync(SHIPPED, folder, { recursive: true });
    const file = path.join(folder, `${name}.md`);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    await expect(new WordingFolder(folder).load()).rejects.toThrow(
      expect.objectContaining({ code: 'catalog_invalid', message: what }),
    );
  }
});

test('what is filled in is not looked at again', () => {
  expect(fillPlaceholders('{{a}} {{b}} {{c}}', { a: '{{b}} $& $1', b: 2 })).toBe('{{b}} $& $1 2 {{c}}');
});

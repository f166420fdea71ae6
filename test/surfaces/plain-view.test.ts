import { readdirSync } from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { printPlainly } from '#surfaces/cli/plain-view.js';
import { rendererOf } from '#surfaces/cli/renderers.js';
import { verifies } from '../verifies.js';

const FOLDER = path.resolve(import.meta.dirname, '../../src/surfaces/cli/render');

function shown(answer: unknown, width = 80): string[] {
  const lines: string[] = [];
  const [line, aside] = [(text = '') => void lines.push(text), (text: string) => void lines.push(`(${text})`)];
  printPlainly(answer, { width, colour: pc.createColors(false), unicode: true, line, aside });
  return lines;
}

verifies('one.view', 'an answer without a printer is a table, facts or a sentence, by its form', () => {
  expect(shown('Done.')).toEqual(['Done.']);
  expect(shown({ seq: 7, is_ready: true, tags: ['a', 'b'], note: null })).toEqual([
    'seq       7',
    'is ready  yes',
    'tags      a, b',
    'note      –',
  ]);
  expect(shown({ runs: [{ id: 'r1', cost: 2 }, { id: 'r12' }] })).toEqual(['ID   COST', 'r1      2', 'r12     –']);
  expect(shown({ tokens: [] }), 'an empty list that is the whole answer').toEqual(['No tokens.']);
  expect(shown({ project: 'p', runs: [{ id: 'r1' }], gone: [] })).toEqual([
    'project  p',
    'gone     –',
    '',
    'runs',
    'ID',
    'r1',
  ]);
});

verifies('one.view', 'foreign text is harmless, wide tables fit, and fields beyond a line are named', () => {
  expect(shown({ title: 'a\u001b[31mb' })[0]).not.toContain('\u001b');
  const row = Object.fromEntries('abcdefghi'.split('').map((field) => [field, field.repeat(30)]));
  const lines = shown([row], 80);
  expect(Math.max(...lines.slice(0, 2).map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.at(-1)).toBe('(2 more fields: --json.)');
  expect(shown([])).toEqual(['No row.']);
});

test('each printer is of an operation that there is, and is the one that prints it', async () => {
  const names = OPERATIONS.map(({ name }) => name);
  const printed = new Set<string>();
  for (const file of readdirSync(FOLDER)) {
    const { renderers = {} }: { renderers?: Record<string, unknown> } = await import(path.join(FOLDER, file));
    for (const [name, print] of Object.entries(renderers)) {
      expect(names, `${file}: ${name}`).toContain(name);
      expect(await rendererOf(name), `${file}: ${name}`).toBe(print);
      printed.add(name);
    }
  }
  expect(names.filter((name) => !printed.has(name))).toEqual(['graph.picture', 'token.list']);
});

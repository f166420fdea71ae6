import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { TroupeError } from '#kernel/errors.js';
import { compact } from '#operations/insight/compact.js';
import type { Context } from '#operations/operation.js';
import type { Model } from '#ports/model.js';
import { world } from '../e2e/world.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';

const NO_MODEL: Model = {
  ready: async () => {
    throw new TroupeError('no_model');
  },
  complete: async () => expect.unreachable(),
};

async function project(model: Model) {
  const folder = room('compact');
  mkdirSync(path.join(folder, '.workgraph'));
  const own = world();
  await own.add('parse', { status: 'done', title: 'Parse the input' });
  const context: Context = {
    ...own.context,
    projectFolder: folder,
    freshId: () => 'fresh-id',
    files: async () => new LocalFiles(folder),
    model: async () => model,
  };
  return { folder, context, file: path.join(folder, '.workgraph', 'context.md') };
}

verifies('compact.file', 'without a model the page is made by code alone, whole, in its place', async () => {
  const { context, file, folder } = await project(NO_MODEL);
  const elsewhere = path.join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  symlinkSync(elsewhere, file);
  expect(await compact.run(context, {})).toMatchObject({
    file: '.workgraph/context.md',
    tasks: 1,
    narrative: false,
    warnings: [],
  });
  expect(readFileSync(file, 'utf8')).toContain('- 1 task: 1 done.');
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
});

verifies('compact.file', 'a model is given the page as data, and its account is added', async () => {
  const asked: string[] = [];
  const { context, file } = await project({
    ready: async () => undefined,
    complete: async ({ prompt }) => {
      asked.push(prompt);
      return { text: 'A parser that is done.\u001b[31m' };
    },
  });
  expect(await compact.run(context, {})).toMatchObject({ narrative: true });
  expect(asked[0]).toMatch(/<<<data-\S+ summary\n# Where this project stands/);
  expect(readFileSync(file, 'utf8')).toMatch(/## In other words\n\nA parser that is done\.\\u\{1b\}/);
  expect(await compact.run(context, { narrative: 'never' })).toMatchObject({ narrative: false });
  expect(asked).toHaveLength(1);
});

test('a model that fails is a warning; a folder that leads elsewhere is refused', async () => {
  const failing: Model = {
    ready: async () => undefined,
    complete: async () => {
      throw new TroupeError('bad_model_answer', { what: 'The model said nothing.' });
    },
  };
  const { context } = await project(failing);
  expect(await compact.run(context, {})).toMatchObject({
    narrative: false,
    warnings: ['narrative: The model said nothing.'],
  });
  const folder = room('linked');
  symlinkSync(room('target'), path.join(folder, '.workgraph'));
  await expect(new LocalFiles(folder).writeContext('x')).rejects.toMatchObject({ code: 'unsafe_path' });
});

import path from 'node:path';
import { expect } from 'vitest';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import { askPlace } from '#operations/coordinator/placing.js';
import type { Context } from '#operations/operation.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

verifies(
  'place.auto',
  'the model sees the new task and those that are not over, as data; without one rules say',
  async () => {
    const own = world();
    await own.add('design', { title: 'Design >>> the interface' });
    await own.add('over', { title: 'Over long ago' });
    await own.set('over', { status: 'done' });
    await own.add('new', { title: 'Write it down', inputs: ['api.md'] });
    const ask = (answer: string | TroupeError) => {
      const model = new ScriptedModel([answer]);
      const context: Context = {
        ...own.context,
        freshId: () => '0123456789abcdef',
        model: async () => model,
        wording: async () => new WordingFolder(path.resolve('data/prompts')),
      };
      return { model, placed: askPlace(context, 'new', new AbortController().signal) };
    };
    const { model, placed } = ask('{"after":["design"],"before":[]}');
    expect(await placed).toEqual({ of: 'place', after: ['design'], before: [] });
    const prompt = model.asked[0]?.prompt ?? '';
    for (const part of ['new  Write it down', 'reads: api.md', 'design  Design']) expect(prompt).toContain(part);
    expect(prompt).not.toContain('Over long ago');
    expect(await ask(new TroupeError('no_model')).placed).toEqual({
      of: 'place',
      after: [],
      before: [],
      byRules: expect.any(String),
    });
    expect(await ask('Wherever you like.').placed).toMatchObject({
      byRules: expect.stringContaining('requested format'),
    });
  },
);

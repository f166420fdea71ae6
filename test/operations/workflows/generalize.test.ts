import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { extract } from '#operations/workflows/extract-function.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const PROMPTS = path.resolve(import.meta.dirname, '../../../data/prompts');

async function stage(...answers: (string | TroupeError)[]) {
  const own = world();
  const project = room();
  mkdirSync(path.join(project, '.workgraph'));
  await own.add('login-write', { title: 'Write login page for Ann', status: 'done' });
  await own.add('login-review', { title: 'Review login page', status: 'done', after: ['login-write'] });
  const model = new ScriptedModel(answers);
  const wording = new WordingFolder(PROMPTS);
  let fresh = 0;
  const context: Context = {
    ...own.context,
    projectFolder: project,
    freshId: () => `fresh-${++fresh}`,
    functions: async () => new FunctionFolder(project),
    squad: async () => ({ readTeam: async () => undefined }) as never,
    wording: () => wording.load().then(() => wording),
    model: async () => model,
  };
  const run = (name: string, generalize: boolean) =>
    extract.run(context, { tasks: ['login-write', 'login-review'], name, generalize });
  const read = (name: string) => {
    const text = readFileSync(path.join(project, `.workgraph/functions/${name}.yaml`), 'utf8');
    return text.replace(`id: ${name}\nname: ${name}\n`, '');
  };
  return { model, run, read, project, context };
}

verifies('graph.func.params', 'what a model rewords is in the file, and nothing else in it is changed', async () => {
  const title = 'Write {{input.feature_name}}';
  const { model, run, read } = await stage(JSON.stringify({ tasks: [{ template_id: 'write', title }] }));
  expect((await run('plain', false)).warnings).toEqual([]);
  expect(model.asked).toEqual([]);
  const made = await run('better', true);
  expect(made).toMatchObject({ task_count: 2, warnings: [] });
  expect(model.asked).toHaveLength(1);
  expect(model.asked[0]?.prompt).toContain('{{input.feature_name}} for Ann');
  expect(read('better')).toBe(read('plain').replace(`${title} for Ann`, title));
  expect(read('better')).not.toBe(read('plain'));
});

verifies('graph.func.params', 'an answer of no use, or none, gives the plain function and a warning', async () => {
  const failed = new TroupeError('bad_model_answer', { what: 'The model took longer than 120 s.' });
  const { run, read } = await stage('No.', '{"tasks":[{"template_id":"write","after":[]}]}', failed);
  await run('plain', false);
  for (const name of ['prose', 'structure', 'late']) {
    const { warnings } = await run(name, true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(name === 'late' ? 'longer than 120 s' : 'requested format');
    expect(warnings[0]).toContain('The texts are unchanged');
    expect(read(name)).toBe(read('plain'));
  }
});

verifies('graph.func.params', 'without a model the refusal comes before anything is read', async () => {
  const { context, project } = await stage();
  const graph = () => Promise.reject(new Error('read'));
  await expect(extract.run({ ...context, graph }, { tasks: ['nobody'], generalize: true })).rejects.toThrowError(
    expect.objectContaining({ code: 'no_model' }),
  );
  expect(existsSync(path.join(project, '.workgraph/functions'))).toBe(false);
});

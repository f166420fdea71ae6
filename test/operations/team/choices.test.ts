import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import type { AskFailure, AskFailureCode } from '#operations/settings/ask.js';
import { withoutModel } from '#operations/squad/ask-model.js';
import { clientFilesOf, projectOf, withAgentFiles } from '#operations/squad/team-plan.js';
import { world } from '../../e2e/world.js';

test('where a model gives nothing of use rules decide: with a warning, without, or not at all', () => {
  const failure = (code: AskFailureCode, expected = false): AskFailure => ({
    code,
    reason: 'It took longer.',
    hint: 'Wait.',
    expected,
  });
  expect(withoutModel(failure('bad_answer'))).toEqual([
    { code: 'rules_decided', message: 'Chosen by rules, as no model could: It took longer.' },
  ]);
  expect(withoutModel(failure('no_model'))).toEqual([]);
  for (const [code, expected] of [
    ['no_model', true],
    ['budget_spent', false],
    ['budget_spent', true],
  ] as const)
    expect(() => withoutModel(failure(code, expected)), code).toThrow(
      expect.objectContaining({ code, message: 'It took longer.', hint: 'Wait.' }),
    );
});

test('files for clients are written as was said with the call, else as the settings say, else as before', async () => {
  const { context } = world();
  const of = (file: object, requested?: boolean) =>
    clientFilesOf(
      {
        ...context,
        settings: async () => ({ name: 'config.toml', read: async () => file, set: expect.unreachable }) as never,
      },
      requested,
    );
  const setting = (wanted: boolean) => ({ casting: { client_files: wanted } });
  expect([await of({}), await of(setting(true)), await of(setting(false))]).toEqual([
    ...['configured', 'wanted', 'untouched'],
  ]);
  expect([await of(setting(false), true), await of(setting(true), false)]).toEqual(['wanted', 'untouched']);
  const refusing = (code: 'not_initialized' | 'bad_config') =>
    clientFilesOf({ ...context, settings: () => Promise.reject(new TroupeError(code)) });
  expect(await refusing('not_initialized'), 'a team may be without a graph').toBe('configured');
  await expect(refusing('bad_config')).rejects.toMatchObject({ code: 'bad_config' });
});

test('agents are made with the change that needs them, and by none that changes nothing', () => {
  const bridge = { changes: ['agent'] } as never;
  const plan = (...changes: string[]) => withAgentFiles(bridge, { changes, result: 'r' } as never);
  expect([plan(), plan('team')]).toEqual([
    { changes: [], result: 'r' },
    { changes: ['agent', 'team'], result: 'r' },
  ]);
  const called = (name?: string) =>
    projectOf({ projectFolder: '/somewhere/shop' }, {
      context: new Map(name === undefined ? [] : [['Project', name]]),
    } as never);
  expect([called(), called('Till'), called('')]).toEqual(['shop', 'Till', 'shop']);
});

import { expect, test } from 'vitest';
import { MODEL_PURPOSES, modelChoice } from '#core/settings/model-choice.js';
import { OWN_PRICES, ownPrices } from '#core/settings/own-prices.js';
import { settingsFrom } from '#core/settings/settings.js';

const settings = (raw: object = {}) => settingsFrom(raw as never).settings;
const chosen = (raw: object, ...rest: [Parameters<typeof modelChoice>[1], Parameters<typeof modelChoice>[2]?]) => {
  const { provider, model, ...more } = modelChoice(settings(raw), ...rest);
  return [provider, model, more];
};

test('whom each purpose asks where nobody says anything', () => {
  expect(Object.fromEntries(MODEL_PURPOSES.map((purpose) => [purpose, chosen({}, purpose)]))).toEqual({
    ...Object.fromEntries(
      ['casting', 'blueprint', 'workflow', 'assigner'].map((purpose) => [
        purpose,
        [undefined, undefined, { orClient: false }],
      ]),
    ),
    evaluator: [undefined, undefined, { orClient: true }],
    evolver: [undefined, undefined, { orClient: true, usual: 'sonnet' }],
    replay: [undefined, undefined, { orClient: true }],
    flip_inference: [undefined, undefined, { orClient: true, usual: 'sonnet' }],
    flip_comparison: [undefined, undefined, { orClient: true, usual: 'sonnet' }],
    flip_verification: [undefined, undefined, { orClient: true, usual: 'opus' }],
    ...Object.fromEntries(
      ['triage', 'placing', 'functions', 'compact', 'team_plan', 'team_name'].map((purpose) => [
        purpose,
        ['claude-cli', undefined, { orClient: true }],
      ]),
    ),
  });
});

test('the word on the command line counts before the setting of the purpose, that before the coordinator', () => {
  const raw = {
    agency: { evaluator_provider: 'openai', evaluator_model: 'gpt' },
    coordinator: { provider: 'anthropic', model: 'opus' },
  };
  expect(chosen(raw, 'evaluator').slice(0, 2)).toEqual(['openai', 'gpt']);
  expect(chosen(raw, 'casting').slice(0, 2)).toEqual(['anthropic', 'opus']);
  expect(chosen(raw, 'triage').slice(0, 2)).toEqual(['anthropic', 'opus']);
  expect(chosen(raw, 'evaluator', { model: 'mini' }).slice(0, 2)).toEqual(['openai', 'mini']);
  expect(chosen(raw, 'evaluator', { provider: 'openai' }).slice(0, 2)).toEqual(['openai', 'gpt']);
  expect(chosen(raw, 'evaluator', { provider: 'anthropic' }).slice(0, 2), 'a model is a name at one provider').toEqual([
    ...['anthropic', 'opus'],
  ]);
  expect(chosen(raw, 'evaluator', { provider: 'openrouter' }).slice(0, 2)).toEqual(['openrouter', undefined]);
  expect(chosen({ coordinator: { model: 'opus' } }, 'casting').slice(0, 2)).toEqual([undefined, undefined]);
  expect(chosen(raw, 'flip_verification')).toEqual(['anthropic', 'opus', { orClient: true }]);
  const local = {
    models: { local_url: 'http://x', local_key_env: 'K' },
    coordinator: { provider: 'local', model: 'm' },
  };
  expect(chosen(local, 'casting')).toEqual(['local', 'm', { orClient: false, url: 'http://x', keyVariable: 'K' }]);
});

test('prices of a person are read entry by entry', () => {
  expect(ownPrices('gpt-5.5=5/30/0.5, house=0/0')).toEqual([
    { name: 'gpt-5.5', input: 5, output: 30, cached: 0.5 },
    { name: 'house', input: 0, output: 0 },
  ]);
  expect([ownPrices(undefined), ownPrices(''), ownPrices('x=1')]).toEqual([[], [], []]);
  for (const text of ['a=1/2', 'a=1/2/3,b=0.5/1']) expect(OWN_PRICES.test(text), text).toBe(true);
  for (const text of ['', 'a=1', 'a=1/2,', 'a b=1/2', 'a=1/2/3/4', 'a=-1/2'])
    expect(OWN_PRICES.test(text), text).toBe(false);
});

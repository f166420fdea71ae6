import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NO_USAGE, type Usage } from '#core/runs/event.js';
import { priced, priceOf, priceTable, withOwnPrices } from '#core/runs/prices.js';
import { settingsFrom } from '#core/settings/settings.js';
import { verifies } from '../../verifies.js';

const FILE = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../data/prices.json'), 'utf8'));
const SHIPPED = priceTable(FILE);
const used = (fields: Partial<Usage>): Usage => ({ ...NO_USAGE, ...fields });

verifies(
  'pay.unpriced',
  'the shipped prices are dated, name their source, and have every default model and alias',
  () => {
    expect(SHIPPED.asOf).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(SHIPPED.source).toContain('US dollars per million tokens');
    for (const model of [...SHIPPED.clients.values(), ...SHIPPED.aliases.values()])
      expect(priceOf(SHIPPED, { model }), model).toBeDefined();
    expect([...SHIPPED.clients.keys()]).toEqual(['claude', 'codex', 'gemini']);
    expect(() => priceTable({ ...FILE, models: { x: { input: -1, output: 1 } } })).toThrow('price table');
  },
);

verifies('pay.unpriced', 'a model is found under every name it goes by, and no other is taken for it', () => {
  const input = (model: string | undefined, client?: string) => priceOf(SHIPPED, { model, client })?.input;
  const opus = FILE.models['claude-opus-5-5'].input;
  for (const name of ['claude-opus-5-5', 'Opus', 'opus[1m]', 'anthropic/claude-opus-5.5', 'claude-opus-5-5-20260901'])
    expect(input(name), name).toBe(opus);
  expect(input('us.anthropic.claude-opus-5-5-20260901-v1:0')).toBe(opus);
  expect(input('openai/gpt-5.5-codex')).toBe(FILE.models['gpt-5.5'].input);
  expect(input('gpt-5-mini')).toBe(FILE.models['gpt-5-mini'].input);
  expect(input('gpt-5-huge')).toBeUndefined();
  expect(input('qwen3:8b')).toBeUndefined();
  expect(input(undefined, 'codex')).toBe(FILE.models['gpt-5.5'].input);
  expect(input('gpt-99', 'codex'), 'newer than the table').toBe(FILE.models['gpt-5.5'].input);
  expect(input(undefined, 'qwen')).toBeUndefined();
  expect(input(undefined)).toBeUndefined();
});

verifies('pay.unpriced', 'the price of a client is the exact one of the table, as Claude Code itself says it', () => {
  // From a run of Claude Code 2.1.332, which names its own price: $0.012582.
  const usage = used({
    ...{ input_tokens: 2_468, output_tokens: 112, cache_read_input_tokens: 2_000, cache_creation_input_tokens: 14 },
  });
  const price = priceOf(SHIPPED, { model: 'claude-opus-5-5' });
  expect(priced(usage, price)).toEqual({ ...usage, cost_usd: 0.012582, estimated_usd: 0.012582 });
  expect(priced({ ...usage, cost_usd: 0.02 }, price), 'what a client says itself is no estimate').toEqual({
    ...usage,
    cost_usd: 0.02,
  });
  expect(priced(usage, undefined)).toBe(usage);
  expect(priced(used({}), price), 'nothing reported').toEqual(NO_USAGE);
});

test('prices of the person come before the shipped ones, for models and for clients', () => {
  const own = withOwnPrices(SHIPPED, 'gpt-5.5=1/2/0.5, house/model=0/0, qwen=3/4 ,opus=7/8, codex=9/9');
  expect(priceOf(own, { model: 'gpt-5.5' })).toEqual({ input: 1, output: 2, cacheRead: 0.5, cacheWrite: 1 });
  expect(priceOf(own, { model: 'model' })).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  expect(priceOf(own, { model: 'opus[1m]' })?.input).toBe(7);
  expect(priceOf(own, { client: 'codex' })?.output).toBe(9);
  expect(withOwnPrices(SHIPPED, undefined).models).toEqual(SHIPPED.models);
});

test('the setting takes this form and no other', () => {
  const accepts = (prices: string) => {
    try {
      return settingsFrom({ budget: { prices } }).settings.budget.prices === prices;
    } catch {
      return false;
    }
  };
  for (const good of ['a=1/2', 'a/b:c=0.25/10/0.01', 'a=1/2, b=3/4']) expect(accepts(good), good).toBe(true);
  for (const bad of ['', 'a', 'a=1', 'a=-1/2', 'a=1/2/3/4', 'a=1/2;b=1/2', 'a=1/2,', 'a=x/y'])
    expect(accepts(bad), bad).toBe(false);
});

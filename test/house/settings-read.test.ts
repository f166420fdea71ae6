import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ModelPurpose, modelChoice } from '#core/settings/model-choice.js';
import { KEYS } from '#core/settings/schema.js';
import { type Settings, settingsFrom } from '#core/settings/settings.js';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';

const SOURCE = path.resolve(import.meta.dirname, '../../src');
/** Where keys are declared, described and set; nobody is changed by what stands there. */
const DECLARATIONS = /\/(schema|agency-options|(?:graph|other)-rows)\.ts$/;

const sources = filesBelow(SOURCE, /\.ts$/)
  .filter((file) => !DECLARATIONS.test(file))
  .map((file) => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' '));

/** Is the key taken out of its section somewhere: `budget.usd_total`, or `{ usd_total } = settings.budget`? */
function isTaken(section: string, key: string): boolean {
  const owner = `(?:settings|said|given|${section})`;
  const access = new RegExp(`\\b${owner}\\??\\.${key}\\b`);
  const taking = new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\}(?: =|:) [^;{}]*\\b(?:${section}|[sS]ettings)\\b`);
  return sources.some((text) => access.test(text) || taking.test(text));
}

/** The keys of the agency that are looked up by what a model is asked for. */
function takenByPurpose(): Set<string> {
  const { settings } = settingsFrom({});
  const taken = new Set<string>();
  const agency = new Proxy(settings.agency, {
    get(target, key, receiver) {
      taken.add(`agency.${String(key)}`);
      return Reflect.get(target, key, receiver);
    },
  });
  const asked = sources.flatMap((text) =>
    [...text.matchAll(/'(casting|evaluator|evolver|assigner|flip_(?:inference|comparison|verification))'/g)].map(
      ([, name]) => name,
    ),
  );
  for (const purpose of new Set(asked)) modelChoice({ ...settings, agency } as Settings, purpose as ModelPurpose);
  return taken;
}

verifies('hold.config.read', 'every setting is read by something', () => {
  const byPurpose = takenByPurpose();
  const unread = [...KEYS.keys()].filter((key) => {
    const words = key.split('.');
    return !byPurpose.has(key) && !isTaken(words.at(-2) ?? '', words.at(-1) ?? '');
  });
  expect(KEYS.size).toBeGreaterThan(40);
  expect(unread).toEqual([]);
});

test('a key that nothing takes is told from one that is', () => {
  expect(isTaken('budget', 'usd_total')).toBe(true);
  expect(isTaken('budget', 'usd_nowhere')).toBe(false);
});

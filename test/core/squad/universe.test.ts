import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { chooseUniverse, DESCRIPTIVE, parsePolicy, type UniverseRequest } from '#core/squad/universe.js';
import { verifies } from '../../verifies.js';
import { POOLS } from '../casting/small-catalog.js';

const names = POOLS.map((pool) => pool.name);
const policyOf = (...allowlistUniverses: string[]) => ({ allowlistUniverses });
const choose = (wish: Partial<UniverseRequest> = {}) =>
  chooseUniverse({ policy: undefined, pools: POOLS, history: [], ...wish }).universe;

verifies(
  ['casting.universe.unseen', 'casting.universe.pure'],
  'without a seed: the first allowed one not used before, then the first again',
  () => {
    const policy = policyOf('The Matrix', 'Star Wars', 'Inception', 'Firefly');
    expect(choose({ policy })).toBe('The Matrix');
    expect(choose({ policy, history: ['The Matrix'] })).toBe('Star Wars');
    expect(choose({ policy, history: ['the MATRIX', 'inception'] })).toBe('Star Wars');
    expect(choose({ policy, history: ['Firefly', 'Inception', 'Star Wars', 'The Matrix'] })).toBe('The Matrix');
    expect(choose({ policy, history: ['The Matrix'], seed: 'anything' })).toBe('Star Wars');
  },
);

verifies('casting.universe.hash', 'a fresh project is spread by the hash of its seed, the empty text included', () => {
  for (const seed of ['', 'troupe', 'a', 'Füchse', '🎭']) {
    const bytes = createHash('sha256').update(Buffer.from(seed, 'utf8')).digest();
    const unsigned = (bytes[0] ?? 0) + (bytes[1] ?? 0) * 2 ** 8 + (bytes[2] ?? 0) * 2 ** 16 + (bytes[3] ?? 0) * 2 ** 24;
    const absolute = unsigned >= 2 ** 31 ? 2 ** 32 - unsigned : unsigned;
    expect(choose({ seed })).toBe(names[absolute % names.length]);
  }
  // e3 b0 c4 42 read from its low end is 1120186595; 1120186595 mod 4 = 3.
  expect(choose({ seed: '' })).toBe('Firefly');
  expect(new Set(Array.from({ length: 60 }, (_, index) => choose({ seed: `p${index}` }))).size).toBe(names.length);
});

verifies('casting.universe.override', 'an override must be allowed; the spelling of the policy is kept', () => {
  expect(choose({ override: ' star wars ' })).toBe('Star Wars');
  expect(choose({ policy: policyOf('FIREFLY', 'Dune'), override: 'firefly' })).toBe('FIREFLY');
  expect(() => choose({ policy: policyOf('Firefly'), override: 'Star Wars' })).toThrow(
    expect.objectContaining({ code: 'universe_invalid' }),
  );
  expect(() => choose({ override: 'Middle Earth' })).toThrow(expect.objectContaining({ code: 'universe_invalid' }));
});

verifies('casting.policy', 'no policy allows every shipped pool; an empty allowlist allows nothing', () => {
  expect(parsePolicy(undefined)).toBeUndefined();
  const kept = parsePolicy('{"version":1,"allowlistUniverses":["Firefly"],"universeCapacity":{"Firefly":1}}');
  expect(choose({ policy: kept, history: ['Firefly'] })).toBe('Firefly');
  for (const text of [
    '{"allowlistUniverses":[]}',
    '{}',
    'no json',
    '{"allowlistUniverses":"all"}',
    '{"allowlistUniverses":[1]}',
  ]) {
    expect(() => parsePolicy(text)).toThrow(expect.objectContaining({ code: 'policy_invalid' }));
  }
});

verifies('casting.policy.unknown', 'allowed names without a pool are passed over while another has one', () => {
  const policy = policyOf('Narnia', 'Firefly');
  expect(chooseUniverse({ policy, pools: POOLS, history: [] })).toEqual({
    universe: 'Firefly',
    withoutPool: ['Narnia'],
  });
  expect(chooseUniverse({ policy: policyOf('Narnia'), pools: POOLS, history: [] })).toEqual({
    universe: 'Narnia',
    withoutPool: ['Narnia'],
  });
});

verifies('casting.names.descriptive', 'the universe `descriptive` needs no allowlist and can be the default', () => {
  expect(choose({ policy: policyOf('Firefly'), override: 'Descriptive' })).toBe(DESCRIPTIVE);
  expect(choose({ policy: { allowlistUniverses: ['Firefly'], defaultNaming: 'descriptive' } })).toBe(DESCRIPTIVE);
});

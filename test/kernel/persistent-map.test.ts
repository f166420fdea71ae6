import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PersistentMap } from '#kernel/persistent-map.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

type Step = ['set', string, number] | ['delete', string] | ['freeze'] | ['fork'];

const key = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((number) => `key-${number}`),
  fc.string({ maxLength: 3 }),
);
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.tuple(fc.constant('set' as const), key, fc.integer()) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('delete' as const), key) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('freeze' as const)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('fork' as const)) },
  ),
  { size: 'max', maxLength: 800 },
);

function expectSame(map: PersistentMap<number>, model: ReadonlyMap<string, number>): void {
  expect(map.size).toBe(model.size);
  expect([...map.keys()].sort()).toEqual([...model.keys()].sort());
  expect([...map.values()].sort((a, b) => a - b)).toEqual([...model.values()].sort((a, b) => a - b));
  expect([...model].filter(([name, value]) => map.get(name) !== value)).toEqual([]);
}

test('behaves as a Map does, through growth, and no copy ever sees what is written elsewhere', () => {
  fc.assert(
    fc.property(steps, (sequence: Step[]) => {
      let map = new PersistentMap<number>();
      let model = new Map<string, number>();
      const copies: [PersistentMap<number>, ReadonlyMap<string, number>][] = [];
      for (const step of sequence) {
        if (step[0] === 'set') {
          map.set(step[1], step[2]);
          model.set(step[1], step[2]);
        } else if (step[0] === 'delete') {
          expect(map.delete(step[1])).toBe(model.delete(step[1]));
          expect(map.has(step[1])).toBe(false);
        } else if (step[0] === 'freeze') {
          copies.push([map.freeze(), new Map(model)]);
        } else {
          copies.push([map, model]); // goes on in the fork; what was left behind must stay as it is
          map = map.fork();
          model = new Map(model);
        }
      }
      expectSame(map, model);
      for (const [copy, seen] of copies) expectSame(copy, seen);
    }),
    { numRuns: mass(25, 500) },
  );
});

test('both sides of a fork go their own way, also in the bucket they share', () => {
  const left = new PersistentMap<number>();
  for (let number = 0; number < 2_000; number++) left.set(`key-${number}`, number);
  const right = left.fork();
  left.set('key-7', -1);
  right.set('key-7', -2);
  right.delete('key-8');
  expect([left.get('key-7'), right.get('key-7')]).toEqual([-1, -2]);
  expect([left.has('key-8'), right.has('key-8')]).toEqual([true, false]);
  expect([left.size, right.size]).toEqual([2_000, 1_999]);
});

test('a frozen map cannot be written', () => {
  const map = new PersistentMap<number>();
  map.set('a', 1);
  const frozen = map.freeze();
  expect(() => frozen.set('a', 2)).toThrow(/frozen/);
  expect(() => frozen.delete('a')).toThrow(/frozen/);
  expect(frozen.get('a')).toBe(1);
});

verifies('fleet.sim', 'what has changed since a copy is found without reading the rest, unless much has', () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const map = new PersistentMap<number>();
      const write = ([step, name, value]: Step) => {
        if (step === 'set') map.set(name ?? '', value ?? 0);
        else if (step === 'delete') map.delete(name ?? '');
      };
      first.forEach(write);
      const earlier = map.freeze();
      second.forEach(write);
      const names = new Set([...earlier.keys(), ...map.keys()]);
      const differ = [...names].filter((name) => earlier.get(name) !== map.get(name));
      const changed = map.changedSince(earlier);
      if (changed !== undefined) expect([...changed].sort()).toEqual(differ.sort());
      expect([...(map.changedSince(map.freeze()) ?? ['unknown'])]).toEqual([]);
    }),
    { numRuns: mass(40, 400) },
  );
  const large = new PersistentMap<number>(20_000);
  for (let number = 0; number < 20_000; number++) large.set(`key-${number}`, number);
  const before = large.freeze();
  large.set('key-7', -1);
  large.delete('key-8');
  large.set('new', 1);
  expect([...(large.changedSince(before) ?? [])].sort()).toEqual(['key-7', 'key-8', 'new']);
  for (let number = 0; number < 20_000; number++) large.set(`key-${number}`, 0);
  expect(large.changedSince(before)).toBeUndefined();
  expect(new PersistentMap<number>().changedSince(before)).toBeUndefined();
});

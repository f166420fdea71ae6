import { describe, expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript of the tooling
import { compiles, faultsOf, reasonsIn, sample, withFaults } from '../../tooling/faults.mjs';
import { verifies } from '../verifies.js';

interface Fault {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly early: boolean;
}

const FILE = 'src/core/graph/example.ts';
const SOURCE = `
import { wanted } from './wanted.js';
export const MOST = 5;
export function chosen(rows: readonly string[], least?: number): string[] {
  // if (a < b) return 1;
  if (rows.length === 0) return [];
  const seen: string[] = [...rows];
  if (wanted) seen.push('if (x < y)');
  else seen.reverse();
  const named = rows.find((row) => row.startsWith('n') && wanted);
  return seen.concat(named ?? ['one', 'other']).filter((row) => row.length > (least ?? 1)).sort();
}
`;
const faults = (text = SOURCE): Fault[] => faultsOf(FILE, text);

describe('faults that are seeded', () => {
  test('conditions, bounds, defaults, steps, spreads and statements; comments, texts and types are left alone', () => {
    const kinds = faults().map((fault) => fault.kind);
    for (const kind of [
      'condition-negated',
      'guard-removed',
      '===-becomes-!==',
      '>-becomes->=',
      'default-dropped',
      'filter-dropped',
      'sort-dropped',
      'predicate-negated',
      'spread-dropped',
      'statement-removed',
      'number-plus-one',
      'first-conjunct-dropped',
      'last-conjunct-dropped',
      'element-dropped',
      'fallback-widened',
    ]) {
      expect(kinds).toContain(kind);
    }
    expect(kinds.filter((kind) => kind.startsWith('<'))).toEqual([]);
    expect(faults().filter((fault) => fault.early)).toMatchObject([{ kind: 'number-plus-one' }]);
  });

  verifies('test.bites', 'a condition loses one of its parts, a list an element, a search its condition', () => {
    const faultyOf = (kind: string, text: string) =>
      faultsOf(FILE, text).find((fault: { kind: string }) => fault.kind === kind)?.faulty;
    expect(faultyOf('first-conjunct-dropped', 'if (a && b) c();')).toBe('b');
    expect(faultyOf('last-conjunct-dropped', 'if (a && b) c();')).toBe('a');
    expect(["['x']", "['y']"]).toContain(faultyOf('element-dropped', "const a = ['x', 'y'];"));
    expect(faultyOf('element-dropped', '[a, b] = both();')).toBeUndefined();
    expect(faultyOf('element-dropped', "const a = ['x'];")).toBeUndefined();
    expect(faultyOf('fallback-widened', 'const a = rows.find(fits);')).toBe('rows.find(fits) ?? rows.at(0)');
  });

  test('each leaves a text that can be read, and all of them together do what the sound text does', () => {
    for (const fault of faults())
      expect(compiles(withFaults(SOURCE, [{ number: 0, fault }], 'x')), fault.id).toBe(true);
    const some = sample([faults()], 100, 'any') as Fault[];
    const seeded = withFaults(
      SOURCE,
      some.map((fault, number) => ({ fault, number })),
      'x',
    );
    expect(compiles(seeded)).toBe(true);
    expect(seeded.split('\n')).toHaveLength(SOURCE.split('\n').length);
    const branch = faultsOf(FILE, 'if (a) b();\nelse c();').find((fault: Fault) => fault.kind === 'statement-removed');
    expect(withFaults('if (a) b();\nelse c();', [{ number: 7, fault: branch }], 'x')).toContain(
      'if (a) { if (!seededFault(7)) { b(); } }\nelse c();',
    );
  });

  test('no parentheses end an optional chain early', () => {
    expect(faults('const a = b?.filter(Boolean).map(c);').map((fault) => fault.kind)).toEqual([]);
  });

  test('what no test can see is left alone, and nothing beside it', () => {
    const kinds = (text: string, file = FILE) => faultsOf(file, text).map(({ kind }: Fault) => kind);
    expect(kinds('write(draft, { flush: true, wait: true });')).toEqual(['statement-removed', 'true-becomes-false']);
    expect([kinds('fsyncSync(draft);'), kinds('fdatasyncSync(draft);'), kinds('closeSync(draft);')]).toEqual([
      ...[[], [], ['statement-removed']],
    ]);
    expect(kinds("assert(rows.some(fits) && there, 'one fits');")).toEqual([]);
    const guard = (thrown: string) => `try { go(); } catch (error) { if (!(error instanceof Ours)) throw ${thrown}; }`;
    expect(kinds(guard('error'))).toEqual(['statement-removed', 'condition-negated']);
    expect(kinds(guard('other()'))).toContain('guard-removed');
    expect(kinds(guard('error'), 'src/adapters/files/example.ts')).toContain('guard-removed');
    expect(kinds("if (a) { throw new TroupeError('internal', { what: 'x' }); }")).toEqual(['condition-negated']);
    expect(kinds("if (a) throw new TroupeError('bad_input', { what: 'x' });")).toContain('guard-removed');
    expect(kinds('const VIEW = queriesOf<Answers>({ team: true, ...{ labels: true } });')).toEqual(['spread-dropped']);
    expect(kinds('const VIEW = viewOf({ team: true });')).toEqual(['true-becomes-false']);
    expect(kinds('throw new Error(a ?? rows.slice(1).join());')).toEqual([]);
  });

  test('a seed takes the same ones, and an edit elsewhere leaves them as they are', () => {
    const ids = (text: string, seed: string) => sample([faults(text)], 6, seed).map((fault: Fault) => fault.id);
    expect(ids(SOURCE, '1')).toEqual(ids(SOURCE, '1'));
    expect(ids(SOURCE, '1')).not.toEqual(ids(SOURCE, '2'));
    expect(ids(`// A new comment.\n${SOURCE}`, '1')).toEqual(ids(SOURCE, '1'));
    expect(new Set(faults().map((fault) => fault.id)).size).toBe(faults().length);
  });

  test('reasons stand below the ids they are for', () => {
    const reasons = reasonsIn(
      'Some words.\n\nsrc/a.ts f kind 1\n  equivalent: one\n  two\nsrc/b.ts g kind 2\n  later\n',
    );
    expect([...reasons]).toEqual([
      ['src/a.ts f kind 1', 'equivalent: one two'],
      ['src/b.ts g kind 2', 'later'],
    ]);
  });
});

import { expect } from 'vitest';
import { parseBase } from '#adapters/store/base-text.js';
import { verifies } from '../../verifies.js';

verifies('graph.store.rotate', 'a packed graph is known by the entry that it follows', () => {
  const of = (head: object, rest = '{"id":"a"}\n{"id":"b"}\n') => `${JSON.stringify(head)}\n${rest}`;
  const head = { kind: 'base', seq: 7 };
  const nodes = '{"id":"a"}\n{"id":"b"}\n';
  expect(parseBase(of({ ...head, last_run: 4 }), 7)).toEqual({ nodes, retired: [], lastRun: 4 });
  expect(parseBase(of(head, ''), 7)).toEqual({ nodes: '', retired: [], lastRun: undefined });
  expect(parseBase(of({ ...head, last_run: '4' }), 7)?.lastRun).toBeUndefined();
  const others = [of(head), of({ ...head, kind: 'other' }), 'base\n', ''];
  expect(others.map((text) => parseBase(text, 8))).toEqual([undefined, undefined, undefined, undefined]);
  expect(parseBase(of({ kind: 'other', seq: 7 }), 7)).toBeUndefined();
});

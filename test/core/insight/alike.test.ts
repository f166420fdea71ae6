import { expect } from 'vitest';
import { commonReason, groupAlike, LEAST_ALIKE } from '#core/insight/alike.js';
import { verifies } from '../../verifies.js';

const rows = (count: number, reason: string, act: string | undefined, from = 0) =>
  Array.from({ length: count }, (_, number) => ({ id: `${reason}-${from + number}`, reason, act }));

verifies('web.now.group', 'rows with the same act and reason are one group, in the order of the first', () => {
  const keys = rows(LEAST_ALIKE, 'key refused', 'retry');
  const spent = rows(LEAST_ALIKE, 'key refused', 'reopen', 10);
  const other = rows(LEAST_ALIKE - 1, 'red', 'retry');
  const silent = rows(LEAST_ALIKE, 'untrusted', undefined);
  const mixed = [...other, ...spent.slice(0, 1), ...keys, ...spent.slice(1), ...silent];
  expect(groupAlike(mixed)).toEqual([
    { act: 'reopen', reason: 'key refused', rows: spent },
    { act: 'retry', reason: 'key refused', rows: keys },
    { act: undefined, reason: 'untrusted', rows: silent },
  ]);
  expect(groupAlike([])).toEqual([]);
});

verifies('web.now.group', 'a reason is the same whichever run had it, when and for how long; its facts are not', () => {
  expect(commonReason('agent-21: the key is refused')).toBe('the key is refused');
  expect(commonReason('agent-7 was silent for 2m 10s')).toBe(commonReason('agent-12 was silent for 95s'));
  expect(commonReason('Over since 2026-03-01T10:00:00.000Z')).toBe(commonReason('Over since 2026-03-02T11:30:00Z'));
  expect(commonReason('exit code 1:  3 links\nlead nowhere')).toBe('exit code 1: 3 links lead nowhere');
  expect(commonReason('exit code 1')).not.toBe(commonReason('exit code 2'));
  expect(commonReason('port 80 of my-agent-3x')).toBe('port 80 of my-agent-3x');
});

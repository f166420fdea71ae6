import { expect, test } from 'vitest';
import {
  findMemoryBlock,
  isOurState,
  isStateLine,
  memoryBlock,
  NO_SESSION,
  readMark,
  renderDiary,
  renderNow,
  withMemoryBlock,
  withState,
} from '#core/squad/memory-text.js';

const AT = Date.parse('2026-03-01T10:00:00.000Z');
const memory = (type: 'update' | 'learning', content: string) =>
  ({ number: 1, agent: 'neo', type, importance: 'high', content, created_by: 'ann', created_at: AT }) as never;

test('a file that is ours as a whole says so, whatever editors do to its blanks; a hand or a merge is seen', () => {
  const text = withState('# A\n\nwords\n\n');
  expect(text).toMatch(/^# A\n\nwords\n\n<!-- troupe:state [0-9a-f]{12} -->\n$/);
  expect(isOurState(text)).toBe(true);
  expect(isOurState(text.replaceAll('\n', '\r\n'))).toBe(true);
  expect(isOurState(` ${text.replace('words', '  words  \n\n')}`)).toBe(true);
  expect(isOurState(text.replace('words', 'other'))).toBe(false);
  expect(isOurState('# A\n')).toBe(false);
  expect(isOurState(`${text}\n${withState('# B')}`)).toBe(false);
  const line = text.split('\n').at(-2) ?? '';
  expect([isStateLine(line), isStateLine(`  ${line} `), isStateLine(`x ${line}`), isStateLine('')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('the block of a file is found, replaced, or put at the end; every other byte stays', () => {
  const block = memoryBlock('## Memory\n');
  expect(block.split('\n').slice(0, 4)).toEqual(['<!-- troupe:memory:begin -->', '', '## Memory', '']);
  expect(memoryBlock('').split('\n')).toHaveLength(4);
  expect(withMemoryBlock('', block)).toBe(`${block}\n`);
  expect(withMemoryBlock('mine', block)).toBe(`mine\n\n${block}\n`);
  expect(withMemoryBlock('mine\n', block)).toBe(`mine\n\n${block}\n`);
  const text = `a\n${block}\nb`;
  expect(withMemoryBlock(text, 'X')).toBe('a\nX\nb');
  expect(findMemoryBlock(text)).toEqual({ from: 2, to: 2 + block.length });
  expect(findMemoryBlock(`${text}\n${block}`)).toEqual({ from: 2, to: text.length + 1 + block.length });
  expect([findMemoryBlock('x'), findMemoryBlock('<!-- troupe:memory:begin -->')]).toEqual(['none', 'unclear']);
  expect(findMemoryBlock('<!-- troupe:memory:end --> <!-- troupe:memory:begin -->')).toBe('unclear');
  expect(findMemoryBlock('<!-- troupe:memory:end -->')).toBe('unclear');
});

test('a diary holds updates and learnings with the id each has, and shows whether a hand changed one', () => {
  const text = renderDiary(
    [memory('learning', 'Ask twice\n\nand again'), memory('update', 'Began')],
    () => '0123456789abcdef',
  );
  expect(
    text
      .replace(/ <!-- troupe:memory \w+ \w+ -->/g, ' MARK')
      .split('\n')
      .slice(2, -3),
  ).toEqual([
    ...['## Memory', '', '### Updates', '', '- 2026-03-01 (high) Began MARK', ''],
    ...['### Learnings', '', '- 2026-03-01 (high) Ask twice MARK', '', '  and again'],
  ]);
  const part = text.split('\n').find((line) => line.includes('Began')) ?? '';
  expect(readMark(part.slice(2)).mark).toEqual({ id: '0123456789abcdef', intact: true });
  expect(readMark(part.slice(2).replace('Began', 'Ended')).mark).toMatchObject({ intact: false });
  expect(readMark('plain')).toEqual({ mark: undefined, text: 'plain' });
  expect(renderDiary([memory('update', 'x')], () => undefined)).not.toContain('troupe:memory 0');
  expect(renderDiary([], () => undefined)).not.toContain('###');
});

test('what the team is working on at present', () => {
  expect(renderNow(undefined, undefined)).toBe(NO_SESSION);
  const session = { number: 3, focus: 'Ship', context: 'Soon', started_by: 'ann', started_at: AT } as never;
  const lines = [
    '# Now',
    '',
    'What the team is working on at present.',
    '',
    '- **Focus:** Ship',
    '- **Since:** 2026-03-01',
  ];
  expect(renderNow(session, undefined).split('\n')).toEqual([
    ...lines,
    '- **Begun by:** ann',
    '- **Session:** 3',
    '',
    'Soon',
    '',
  ]);
  const marked = renderNow(session, '0123456789abcdef');
  expect(readMark(marked).mark).toEqual({ id: '0123456789abcdef', intact: true });
});

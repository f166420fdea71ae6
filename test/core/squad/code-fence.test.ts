import { expect } from 'vitest';
import { CodeFence } from '#core/squad/code-fence.js';
import { readDecisions } from '#core/squad/memory-readings.js';
import { memoryBlock, NO_DECISIONS, renderDecisions, withMemoryBlock } from '#core/squad/memory-text.js';
import { verifies } from '../../verifies.js';

const decision = (number: number, content: string, rationale = '') => ({
  ...{ number, type: 'process', title: `T${number}`, content, rationale, status: 'active' },
  ...{ created_by: 'ann', created_at: 0 },
});

/** Content, rationale and mark of each decision after it was written to the file and read again. */
function readBack(...decisions: ReturnType<typeof decision>[]) {
  const body = renderDecisions(decisions as never, ({ number }) => `${number}`.repeat(16));
  const { readings } = readDecisions(withMemoryBlock(NO_DECISIONS, memoryBlock(body)));
  return readings.flatMap((reading) =>
    reading.kind === 'decision' ? [[reading.content, reading.rationale, reading.mark] as const] : [],
  );
}

verifies('memory.export', 'a decision with any text and the next one are read back as they were', () => {
  for (const content of [
    '```\ncode\n````',
    '~~~~\n~~~\n## no heading\n~~~~\nand on',
    '## a heading',
    '\\# escaped before',
    '\\\\## escaped twice',
    '```\n\\# in code\n# and bare\n```',
    'a <!-- note --> and &lt;!-- text --&gt; and &amp;lt;!-- more --&amp;gt;',
    '````\n```\n## x\n```\n````',
  ]) {
    const [first, second] = readBack(decision(1, content, 'Because.'), decision(2, 'two'));
    expect(first, content).toEqual([content, 'Because.', { id: '1'.repeat(16), intact: true }]);
    expect(second, content).toEqual(['two', '', { id: '2'.repeat(16), intact: true }]);
  }
});

verifies('memory.export', 'a block that is left open is closed, also where a rationale begins with one', () => {
  const contents = readBack(decision(1, '```\nopen'), decision(2, 'two')).map((read) => read[0]);
  expect(contents).toEqual(['```\nopen\n```', 'two']);
  const both = readBack(decision(1, 'one', '```\n## x\n```'), decision(2, 'two'));
  expect(both).toHaveLength(2);
  expect(both[1]).toEqual(['two', '', { id: '2'.repeat(16), intact: true }]);
});

verifies('memory.export', 'a fence is closed by one of its kind that is as long or longer and stands alone', () => {
  const kinds = (text: string) => {
    const fence = new CodeFence();
    return text.split('\n').map((line) => fence.holds(line));
  };
  expect(kinds('a\n   ```ts\nb\n~~~\n``\n``` x\n````\nc')).toEqual([false, true, true, true, true, true, true, false]);
  expect(kinds('    ```\na')).toEqual([false, false]);
});

import { expect } from 'vitest';
import { readDecisions, readDiary } from '#core/squad/memory-readings.js';
import { findMemoryBlock, memoryBlock, NO_DECISIONS, renderDiary, withMemoryBlock } from '#core/squad/memory-text.js';
import { verifies } from '../../verifies.js';

const BEGIN = '<!-- troupe:memory:begin -->';
const END = '<!-- troupe:memory:end -->';

verifies(
  'memory.export.keep',
  'a block reaches from its first mark to its last, and is nowhere where one of them lacks',
  () => {
    expect(findMemoryBlock('text')).toBe('none');
    const whole = { from: 1, to: 1 + BEGIN.length + 1 + END.length };
    expect(findMemoryBlock(`a${BEGIN}b${END}c`)).toEqual(whole);
    expect(findMemoryBlock(`a${BEGIN}${BEGIN}${END}${END}c`)).toMatchObject({ from: 1 });
    for (const text of [BEGIN, END, `${END}${BEGIN}`]) expect(findMemoryBlock(text), text).toBe('unclear');
  },
);

verifies('memory.export', 'updates stand before learnings, the lines of each in its own item', () => {
  const made = { agent: 'neo', importance: 'high', created_by: 'ann', created_at: 0 } as const;
  const block = renderDiary(
    [
      { ...made, number: 1, type: 'learning', content: 'One\n\ntwo' },
      { ...made, number: 2, type: 'update', content: 'Done' },
    ],
    (memory) => `${memory.number}`.repeat(16),
  );
  const plain = withMemoryBlock('', block).replace(/ ?<!-- troupe:(?:memory|state) [0-9a-f ]+-->/g, '');
  expect(plain).toBe(
    `${BEGIN}\n\n## Memory\n\n### Updates\n\n- 1970-01-01 (high) Done\n\n### Learnings\n\n- 1970-01-01 (high) One\n\n  two\n\n\n${END}\n`,
  );
  const { readings, strange, merged } = readDiary('neo', block);
  expect([strange, merged]).toEqual([false, false]);
  expect(readings).toEqual([
    {
      kind: 'memory',
      agent: 'neo',
      type: 'update',
      importance: 'high',
      at: 0,
      content: 'Done',
      mark: { id: '2'.repeat(16), intact: true },
    },
    {
      kind: 'memory',
      agent: 'neo',
      type: 'learning',
      importance: 'high',
      at: 0,
      content: 'One\n\ntwo',
      mark: { id: '1'.repeat(16), intact: true },
    },
  ]);
});

verifies('memory.import', 'bold text among the facts of a section is no fact, and the facts around it count', () => {
  const section = '## 3. Ports\n\n- **Type:** scope, **really**, **Decided:** 2026-03-01\n\nOne port.';
  expect(readDecisions(withMemoryBlock(NO_DECISIONS, memoryBlock(section)))).toEqual({
    readings: [
      {
        ...{ kind: 'decision', mark: undefined, at: Date.parse('2026-03-01'), number: 3, title: 'Ports' },
        ...{ type: 'scope', agent: undefined, content: 'One port.', rationale: '' },
      },
    ],
    strange: false,
    merged: false,
  });
});

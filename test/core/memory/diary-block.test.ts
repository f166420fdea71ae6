import { expect } from 'vitest';
import { findDiaryBlock, renderDiaryBlock, withDiaryBlock } from '#core/memory/diary-block.js';
import { verifies } from '../../verifies.js';

const BEGIN = '<!-- troupe:memory:begin -->';
const END = '<!-- troupe:memory:end -->';

verifies('memory.export.keep', 'a block is where one mark of each kind stands in order, and nowhere else', () => {
  expect(findDiaryBlock('text')).toBe('none');
  expect(findDiaryBlock(`a${BEGIN}b${END}c`)).toEqual({ from: 1, to: 1 + BEGIN.length + 1 + END.length });
  for (const text of [
    BEGIN,
    END,
    `${END}${BEGIN}`,
    `${BEGIN}${BEGIN}${END}`,
    `${BEGIN}${END}${END}`,
    `${BEGIN}${END}${BEGIN}${END}`,
    `${BEGIN}${BEGIN}${END}${END}`,
  ])
    expect(findDiaryBlock(text), text).toBe('unclear');
});

verifies('memory.export', 'updates stand before learnings, the lines of each in its own item', () => {
  const made = { agent: 'neo', importance: 'high', created_by: 'ann', created_at: 0 } as const;
  const block = renderDiaryBlock([
    { ...made, number: 1, type: 'learning', content: 'One\n\ntwo' },
    { ...made, number: 2, type: 'update', content: 'Done' },
  ]);
  expect(withDiaryBlock('', block)).toBe(
    `${BEGIN}\n\n## Memory\n\n### Updates\n\n- 1970-01-01 (high) Done\n\n### Learnings\n\n- 1970-01-01 (high) One\n\n  two\n\n${END}\n`,
  );
});

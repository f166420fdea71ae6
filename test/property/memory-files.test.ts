import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedEntry, readInboxFile, renderInboxFile } from '#core/squad/inbox-file.js';
import { ENTRY_TYPES, type Memory } from '#core/squad/memory.js';
import { findMemoryBlock, renderDiary, withMemoryBlock } from '#core/squad/memory-text.js';

const line = fc.oneof(
  fc.string(),
  fc.constantFrom('---', 'agent: x', '**Rationale:** y', '# head', '```', '<!-- troupe:memory:end -->', ''),
);
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

test('every entry that is kept comes back from its file as it is', () => {
  fc.assert(
    fc.property(text, text, fc.string(), fc.constantFrom(...ENTRY_TYPES), (content, rationale, title, type) => {
      const checked = checkedEntry({ agent: 'neo', slug: 'a-b', type, title, content, rationale });
      if ('reason' in checked) return;
      const file = renderInboxFile(checked.entry);
      expect(readInboxFile(file)).toEqual(checked);
      expect(readInboxFile(`\ufeff${file.replaceAll('\n', '\r\n')}`)).toEqual(checked);
    }),
  );
});

test('no text ends the block it stands in, and nothing beside the block changes', () => {
  const memory = (content: string): Memory => ({
    ...{ number: 1, agent: 'neo', type: 'learning', importance: 'low', created_by: 'ann', created_at: 0 },
    content,
  });
  fc.assert(
    fc.property(text, text, text, (before, first, second) => {
      if (findMemoryBlock(before) !== 'none') return;
      const once = withMemoryBlock(
        before,
        renderDiary([memory(first)], () => undefined),
      );
      expect(once.startsWith(before)).toBe(true);
      const twice = withMemoryBlock(
        `${once}after`,
        renderDiary([memory(second)], () => undefined),
      );
      expect(twice).toBe(
        `${withMemoryBlock(
          before,
          renderDiary([memory(second)], () => undefined),
        )}after`,
      );
    }),
  );
});

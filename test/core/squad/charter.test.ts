import { expect } from 'vitest';
import { checkCharter, compileCharter } from '#core/squad/charter.js';
import { verifies } from '../../verifies.js';
import { ARCHETYPES } from '../casting/small-catalog.js';

const writer = ARCHETYPES.find((one) => one.id === 'writer');
if (!writer) throw new Error('the small catalog has a writer');
const TEMPLATE = '# {Name} — {Role Title}\n\n{Role summary}\n\n{Name} writes -> always.\n';
const point = (code: number) => String.fromCodePoint(code);

verifies('charter.source', 'the template filled in, nothing of it left open', () => {
  expect(compileCharter('Neo', writer, TEMPLATE)).toBe(
    '# Neo — Writer\n\nWriter of the team.\n\nNeo writes -> always.\n',
  );
  expect(compileCharter('$&', writer, TEMPLATE)).toContain('# $& — Writer');
  expect(() => compileCharter('Neo', writer, `${TEMPLATE}{Universe}`)).toThrow(/unknown placeholder \{Universe\}/);
  expect(() => compileCharter('Neo', writer, '# A writer\n{Name}')).toThrow(
    expect.objectContaining({ code: 'catalog_invalid' }),
  );
});

verifies('charter.source', 'without a template a charter is made from the metadata and answers five questions', () => {
  const charter = compileCharter('Neo', writer, undefined);
  expect(charter.split('\n')[0]).toBe('# Neo — Writer');
  expect(charter.match(/^## .*$/gm)).toHaveLength(5);
  for (const text of [writer.summary, ...writer.responsibilities, ...writer.capabilities, ...writer.boundaries]) {
    expect(charter).toContain(text);
  }
});

verifies('charter.emoji', 'every emoji is refused with line and code point, arrows are not', () => {
  for (const code of [0x1f000, 0x1f680, 0x1faff, 0x2600, 0x2705, 0x27bf, 0x2b50, 0x2b55, 0xfe00, 0xfe0f, 0x20e3]) {
    const hex = code.toString(16).toUpperCase().padStart(4, '0');
    expect(() => compileCharter('Neo', writer, `${TEMPLATE}\nx${point(code)}`)).toThrow(
      expect.objectContaining({ code: 'charter_emoji', details: { name: 'Neo', line: 7, codePoint: `U+${hex}` } }),
    );
  }
  for (const code of [0x1efff, 0x1fb00, 0x25ff, 0x27c0, 0x2190, 0x2192, 0x21d2, 0x2b51, 0x2013, 0xe9])
    checkCharter(point(code), 'Neo');
});

verifies('charter.hidden', 'what is there but not seen is refused', () => {
  for (const code of [0x202e, 0x2066, 0x200f, 0x061c, 0xe0041, 0x200b, 0xfeff, 0x2060]) {
    expect(() => checkCharter(`a\nb${point(code)}`, 'Neo')).toThrow(
      expect.objectContaining({ code: 'charter_hidden_text', details: expect.objectContaining({ line: 2 }) }),
    );
  }
});

import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST_CODE_POINT = 0x10ffff;

/**
 * Texts of any code points, of ASCII, and of property names that objects inherit. fast-check's own unit `binary`
 * generates the same, but keeps a table of all 1.1 million of them, which takes each process seconds to build and 100
 * MB of memory.
 */
export function anyText({ maxLength }: { readonly maxLength: number }): fc.Arbitrary<string> {
  const codePoint = fc
    .integer({ min: 0, max: LAST_CODE_POINT - SURROGATES.count })
    .map((number) => (number < SURROGATES.first ? number : number + SURROGATES.count));
  const texts = fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
  return fc.oneof({ weight: 3, arbitrary: texts }, { weight: 1, arbitrary: fc.string({ maxLength }) });
}

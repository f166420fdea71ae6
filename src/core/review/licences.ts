import parse, { type Info } from 'spdx-expression-parse';
import SPDX_IDS from 'spdx-license-ids/index.json' with { type: 'json' };
import { LIMITS } from '#kernel/limits.js';

export type LicenceKind = 'permissive' | 'weak-copyleft' | 'copyleft' | 'unknown';

const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[1234]-Clause.*|Apache-2\.0|Unlicense|CC0-1\.0|CC-BY-[34]\.0|Python-2\.0|PSF-2\.0|Zlib|WTFPL|BlueOak-1\.0\.0|BSL-1\.0|Unicode-.*|X11|NCSA|Artistic-2\.0|OFL-1\.1)$/;
const WEAK = /^(LGPL-.*|MPL-.*|EPL-.*|CDDL-.*|EUPL-.*|MS-RL)$/;
const STRONG = /^(A?GPL-.*|SSPL-.*|OSL-.*|CC-BY-(NC-)?SA-.*|CC-BY-NC-.*)$/;

/** What people write where an identifier should stand; each asks for the same as the identifier beside it. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\//g, ' OR '], // as Cargo once wanted it
  [/\bapache(?:[ -]license)?,?(?: version)?[ -]?2(?:\.0)?(?![\w.-])/gi, 'Apache-2.0'],
  [/(?<![\w.-])bsd(?![\w.-])/gi, 'BSD-3-Clause'],
  [/\bpublic domain\b/gi, 'CC0-1.0'],
  [/(?<![\w.-])([al]?gpl)(?:[ -]?v?[123](?:\.\d)?)?(?![\w.-])/gi, '$1-3.0-only'],
];

/** Identifiers mean the same in capitals and without; the parser wants them as the list of SPDX has them. */
const ID_BY_LOWER_CASE = new Map(SPDX_IDS.map((id) => [id.toLowerCase(), id]));

/**
 * What a licence asks of those who pass the work on. Of an SPDX expression, the kindest side of an `OR` counts and the
 * strictest of an `AND`; what is no such expression, or names what is not known here, is `unknown`, never `permissive`.
 */
export function licenceKind(text: string | undefined): LicenceKind {
  if (text === undefined || text.length > LIMITS.licenceCharacters) return 'unknown';
  const spelled = SPELLINGS.reduce((current, [words, id]) => current.replace(words, id), text);
  const expression = expressionOf(
    spelled.replace(/[\w.-]+/g, (word) => ID_BY_LOWER_CASE.get(word.toLowerCase()) ?? word),
  );
  return expression === undefined ? 'unknown' : kindOf(expression);
}

function expressionOf(text: string): Info | undefined {
  try {
    return parse(text);
  } catch {
    return undefined; // it throws errors of several kinds, and all of them say that this is no expression
  }
}

function kindOf(expression: Info): LicenceKind {
  if ('conjunction' in expression) {
    const kinds = [kindOf(expression.left), kindOf(expression.right)];
    return expression.conjunction === 'or' ? best(kinds) : worst(kinds);
  }
  const { license } = expression;
  if (PERMISSIVE.test(license)) return 'permissive';
  if (WEAK.test(license)) return 'weak-copyleft';
  return STRONG.test(license) ? 'copyleft' : 'unknown';
}

const STRICTNESS: readonly LicenceKind[] = ['permissive', 'weak-copyleft', 'copyleft', 'unknown'];
const best = (kinds: LicenceKind[]): LicenceKind => STRICTNESS.find((kind) => kinds.includes(kind)) ?? 'unknown';
const worst = (kinds: LicenceKind[]): LicenceKind => STRICTNESS.findLast((kind) => kinds.includes(kind)) ?? 'unknown';

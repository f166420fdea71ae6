import parse, { type Info } from 'spdx-expression-parse';
import SPDX_IDS from 'spdx-license-ids/index.json' with { type: 'json' };
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { countUp } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import { type Finding, finding } from './finding.js';
import { isSample } from './samples.js';

export const ECOSYSTEMS = ['npm', 'python', 'cargo', 'go', 'maven'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version?: string | undefined;
  /** Named by the project itself, not only by another dependency. */
  readonly direct: boolean;
  /** Required for development only. */
  readonly development: boolean;
  readonly licence?: string | undefined;
}

export interface DependencyManifest {
  readonly file: string;
  readonly ecosystem: Ecosystem;
  /** Number of dependencies it names. */
  readonly names: number;
  /** Whether there is a lockfile beside it or at the top. */
  readonly locked: boolean;
  /** Whether it is published for others, who choose the versions themselves. */
  readonly library: boolean;
}

const NAMES_MOST = 12;
/** If fewer than one in this many packages lack a licence, each of them is reported. */
const SILENT_SHARE = 10;

/** Findings from an inventory of dependencies. */
export function judgeDependencies(
  dependencies: readonly Dependency[],
  manifests: readonly DependencyManifest[],
): Finding[] {
  const findings: Finding[] = [];
  for (const manifest of manifests) {
    // Python and Maven pin versions in the manifest itself, so a lockfile is optional there.
    if (manifest.locked || manifest.names === 0 || manifest.ecosystem === 'maven') continue;
    if (manifest.library || isSample(manifest.file)) continue;
    const names = manifest.names === 1 ? '1 dependency' : `${manifest.names} dependencies`;
    findings.push(
      finding({
        severity: manifest.ecosystem === 'python' ? 'low' : 'medium',
        title: 'Dependencies are not locked',
        detail: `${names} and no lockfile: two machines can install different programs.`,
        file: manifest.file,
        rule: 'no-lockfile',
        remedy: 'Commit the lockfile of your package manager.',
      }),
    );
  }
  const strict = dependencies.filter((item) => licenceKind(item.licence) === 'copyleft');
  for (const item of strict.slice(0, 50)) {
    findings.push(
      finding(
        {
          severity: item.development ? 'info' : 'medium',
          title: `${inert(item.name)} is under ${inert(item.licence ?? '')}`,
          detail: item.development
            ? 'It is only a development dependency, so its terms do not affect what you distribute.'
            : 'Its licence requires that what contains it be distributed under the same terms.',
          rule: 'copyleft-licence',
          remedy: 'Check whether its terms fit yours; if not, replace it.',
        },
        `${item.ecosystem}:${item.name}`,
      ),
    );
  }
  // Lockfiles leave most licences out; if few packages are installed to supply them, a missing licence is not reported.
  const npm = dependencies.filter((item) => item.ecosystem === 'npm');
  const mostSay = npm.filter((item) => item.licence === undefined).length * SILENT_SHARE < npm.length;
  const silent = npm.filter(({ licence }) => licenceKind(licence) === 'unknown' && (licence !== undefined || mostSay));
  if (silent.length > 0 && silent.length < npm.length) {
    const names = silent.map(
      (item) => `${inert(item.name)}${item.licence === undefined ? '' : ` (${cut(inert(item.licence), 40)})`}`,
    );
    const more = names.length > NAMES_MOST ? `, and ${names.length - NAMES_MOST} more` : '';
    findings.push(
      finding({
        severity: 'info',
        title:
          silent.length === 1
            ? 'The licence of one dependency is unclear'
            : `The licences of ${silent.length} dependencies are unclear`,
        detail: `${names.slice(0, NAMES_MOST).join(', ')}${more}.`,
        rule: 'unclear-licence',
        remedy: 'Read their LICENSE files, and write down what you may do with them.',
      }),
    );
  }
  return findings;
}

/** Removes duplicates by version and merges their facts, in a stable order. */
export function mergeDependencies(all: readonly Dependency[]): Dependency[] {
  const merged = new Map<string, Dependency>();
  for (const item of all) {
    const key = `${item.ecosystem}\u0000${item.name}\u0000${item.version ?? ''}`;
    const other = merged.get(key);
    merged.set(
      key,
      other
        ? {
            ...other,
            direct: other.direct || item.direct,
            development: other.development && item.development,
            licence: other.licence ?? item.licence,
          }
        : item,
    );
  }
  return [...merged.values()].sort(
    (left, right) =>
      compareText(left.ecosystem, right.ecosystem) ||
      compareText(left.name, right.name) ||
      compareText(left.version ?? '', right.version ?? ''),
  );
}

/** Number of dependencies per licence, most first. */
export function countLicences(dependencies: readonly Dependency[]): { licence: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const item of dependencies) {
    const licence = item.licence === undefined ? 'not said' : cut(inert(item.licence), 40);
    countUp(counts, licence);
  }
  return [...counts]
    .map(([licence, count]) => ({ licence, count }))
    .sort((left, right) => right.count - left.count || compareText(left.licence, right.licence));
}

export type LicenceKind = 'permissive' | 'weak-copyleft' | 'copyleft' | 'unknown';

const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[1234]-Clause.*|Apache-2\.0|Unlicense|CC0-1\.0|CC-BY-[34]\.0|Python-2\.0|PSF-2\.0|Zlib|WTFPL|BlueOak-1\.0\.0|BSL-1\.0|Unicode-.*|X11|NCSA|Artistic-2\.0|OFL-1\.1)$/;
const WEAK = /^(LGPL-.*|MPL-.*|EPL-.*|CDDL-.*|EUPL-.*|MS-RL)$/;
const STRONG = /^(A?GPL-.*|SSPL-.*|OSL-.*|CC-BY-(NC-)?SA-.*|CC-BY-NC-.*)$/;

/** Common spellings of licences, with the identifier of the same kind. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\//g, ' OR '], // the older form of Cargo
  [/\bapache(?:[ -]license)?,?(?: version)?[ -]?2(?:\.0)?(?![\w.-])/gi, 'Apache-2.0'],
  [/(?<![\w.-])bsd(?![\w.-])/gi, 'BSD-3-Clause'],
  [/\bpublic domain\b/gi, 'CC0-1.0'],
  [/(?<![\w.-])([al]?gpl)(?:[ -]?v?[123](?:\.\d)?)?(?![\w.-])/gi, '$1-3.0-only'],
];

/** SPDX identifiers are case-insensitive, but the parser requires the spelling of the SPDX list. */
const ID_BY_LOWER_CASE = new Map(SPDX_IDS.map((id) => [id.toLowerCase(), id]));

/**
 * Obligations of a licence towards redistributors. In an SPDX expression, the most permissive side of an `OR` and the
 * strictest side of an `AND` count. An invalid expression or an unknown identifier is `unknown`, never `permissive`.
 */
export function licenceKind(text: string | undefined): LicenceKind {
  if (text === undefined || text.length > SURFACE_LIMITS.licenceCharacters) return 'unknown';
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
    return undefined; // errors of several kinds, all for an invalid expression
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

export type LicenceKind = 'permissive' | 'weak-copyleft' | 'copyleft' | 'unknown';

const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD|BSD-[1234]-CLAUSE.*|APACHE-?2\.0|APACHE LICENSE 2\.0|APACHE 2\.0|UNLICENSE|CC0-1\.0|CC-BY-[34]\.0|PYTHON-2\.0|PSF-2\.0|ZLIB|WTFPL|BLUEOAK-1\.0\.0|BSL-1\.0|UNICODE-.*|X11|NCSA|ARTISTIC-2\.0|OFL-1\.1|PUBLIC DOMAIN)$/;
const WEAK = /^(LGPL.*|MPL-.*|EPL-.*|CDDL-.*|EUPL-.*|MS-RL)$/;
const STRONG = /^(A?GPL.*|SSPL.*|OSL-.*|CC-BY-SA-.*|CC-BY-NC.*)$/;

/**
 * What a licence asks of those who pass the work on. Understands SPDX `OR` (the kindest choice counts), `AND` (the
 * strictest part counts) and brackets around the whole; what it does not know is `unknown`, never `permissive`.
 */
export function licenceKind(text: string | undefined): LicenceKind {
  const licence = (text ?? '')
    .trim()
    .toUpperCase()
    .replace(/^\((.*)\)$/, '$1');
  if (licence === '' || licence === 'UNLICENSED' || licence.startsWith('SEE LICEN')) return 'unknown';
  const choices = licence.split(/\s+OR\s+|\//);
  if (choices.length > 1) return best(choices.map(licenceKind));
  const parts = licence.split(/\s+AND\s+/);
  if (parts.length > 1) return worst(parts.map(licenceKind));
  const plain = licence
    .replace(/\s+WITH\s+.*$/, '')
    .replace(/[()]/g, '')
    .trim();
  if (PERMISSIVE.test(plain)) return 'permissive';
  if (WEAK.test(plain)) return 'weak-copyleft';
  return STRONG.test(plain) ? 'copyleft' : 'unknown';
}

const STRICTNESS: readonly LicenceKind[] = ['permissive', 'weak-copyleft', 'copyleft', 'unknown'];
const best = (kinds: LicenceKind[]): LicenceKind => STRICTNESS.find((kind) => kinds.includes(kind)) ?? 'unknown';
const worst = (kinds: LicenceKind[]): LicenceKind => STRICTNESS.findLast((kind) => kinds.includes(kind)) ?? 'unknown';

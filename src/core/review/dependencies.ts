import { compareText, type Finding, finding } from '#core/review/finding.js';
import { licenceKind } from '#core/review/licences.js';
import { cut, inert } from '#kernel/text.js';

export const ECOSYSTEMS = ['npm', 'python', 'cargo', 'go', 'maven'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version?: string | undefined;
  /** Named by the project itself, not only by another dependency. */
  readonly direct: boolean;
  /** Only needed to work on the project, not to use it. */
  readonly development: boolean;
  readonly licence?: string | undefined;
}

export interface Manifest {
  readonly file: string;
  readonly ecosystem: Ecosystem;
  /** Number of dependencies it names. */
  readonly names: number;
  /** A lockfile beside it or at the top. */
  readonly locked: boolean;
}

const NAMES_TOLD = 12;

/** What an inventory gives reason to say. */
export function judgeDependencies(dependencies: readonly Dependency[], manifests: readonly Manifest[]): Finding[] {
  const findings: Finding[] = [];
  for (const manifest of manifests) {
    // Python and Maven name versions in the manifest itself; a lockfile is a matter of taste there.
    if (manifest.locked || manifest.names === 0 || manifest.ecosystem === 'maven') continue;
    findings.push(
      finding({
        severity: manifest.ecosystem === 'python' ? 'low' : 'medium',
        title: 'Dependencies are not locked',
        detail: `${manifest.names} dependencies and no lockfile: two machines can install different programs.`,
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
            ? 'It is only used while developing, so its terms do not reach what you pass on.'
            : 'Its licence asks that what contains it be passed on under the same terms.',
          rule: 'copyleft-licence',
          remedy: 'Ask whether its terms fit yours; if not, replace it.',
        },
        `${item.ecosystem}:${item.name}`,
      ),
    );
  }
  // Where nothing installed can say, silence of a lockfile is no finding: only npm's files carry licences.
  const silent = dependencies.filter((item) => item.ecosystem === 'npm' && licenceKind(item.licence) === 'unknown');
  const asked = dependencies.filter((item) => item.ecosystem === 'npm').length;
  if (silent.length > 0 && silent.length < asked) {
    const names = silent.map(
      (item) => `${inert(item.name)}${item.licence === undefined ? '' : ` (${cut(inert(item.licence), 40)})`}`,
    );
    const more = names.length > NAMES_TOLD ? `, and ${names.length - NAMES_TOLD} more` : '';
    findings.push(
      finding({
        severity: 'low',
        title:
          silent.length === 1
            ? 'The licence of one dependency is unclear'
            : `The licences of ${silent.length} dependencies are unclear`,
        detail: `${names.slice(0, NAMES_TOLD).join(', ')}${more}.`,
        rule: 'unclear-licence',
        remedy: 'Read their LICENSE files, and write down what you may do with them.',
      }),
    );
  }
  return findings;
}

/** Each dependency once per version, in a stable order; facts of repeated entries are joined. */
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

/** How many dependencies are under which licence, most first. */
export function countLicences(dependencies: readonly Dependency[]): { licence: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const item of dependencies) {
    const licence = item.licence === undefined ? 'not said' : cut(inert(item.licence), 40);
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts]
    .map(([licence, count]) => ({ licence, count }))
    .sort((left, right) => right.count - left.count || compareText(left.licence, right.licence));
}

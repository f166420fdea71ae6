import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as npm from '#adapters/inspectors/manifests/npm.js';
import * as others from '#adapters/inspectors/manifests/others.js';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import {
  countLicences,
  type Dependency,
  type DependencyManifest,
  ECOSYSTEMS,
  judgeDependencies,
  mergeDependencies,
} from '#core/review/dependencies.js';
import { baseNameOf } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { isTest } from '#core/review/samples.js';
import { parseJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import type { InspectionResult } from '#ports/inspector.js';

const LOCKFILE_BYTES = 16 * 1024 * 1024;
const DEPENDENCIES_KEPT = 2_000;
const PACKAGES_ASKED = 3_000;

interface Source {
  readonly matches: RegExp;
  readonly ecosystem: Dependency['ecosystem'];
  readonly read: (text: string) => Dependency[];
  /**
   * Lockfiles for this manifest. A manifest names version ranges, a lockfile the resolved versions. Absent for a
   * lockfile.
   */
  readonly lockedBy?: readonly string[];
}

const SOURCES: readonly Source[] = [
  { matches: /^package\.json$/, ecosystem: 'npm', read: npm.fromPackageJson, lockedBy: ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'] },
  { matches: /^(package-lock|npm-shrinkwrap)\.json$/, ecosystem: 'npm', read: npm.fromPackageLock },
  { matches: /^pnpm-lock\.yaml$/, ecosystem: 'npm', read: npm.fromPnpmLock },
  { matches: /^yarn\.lock$/, ecosystem: 'npm', read: npm.fromYarnLock },
  { matches: /^pyproject\.toml$/, ecosystem: 'python', read: others.fromPyproject, lockedBy: ['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock', 'requirements.txt'] },
  { matches: /^requirements[\w.-]*\.txt$/, ecosystem: 'python', read: others.fromRequirements },
  { matches: /^(poetry|uv)\.lock$/, ecosystem: 'python', read: (text) => others.fromPackageList(text, 'python') },
  { matches: /^Cargo\.toml$/, ecosystem: 'cargo', read: others.fromCargoToml, lockedBy: ['Cargo.lock'] },
  { matches: /^Cargo\.lock$/, ecosystem: 'cargo', read: (text) => others.fromPackageList(text, 'cargo') },
  { matches: /^go\.mod$/, ecosystem: 'go', read: others.fromGoMod, lockedBy: ['go.sum'] },
  { matches: /^pom\.xml$/, ecosystem: 'maven', read: others.fromPom, lockedBy: [] },
]; // biome-ignore format: a table reads best with one row a line

/** Lists dependencies of the repository with their licences, from manifests, lockfiles and installed packages. */
export async function inventory(
  reader: TrackedFileReader,
  plan: ReviewPlan,
  files: readonly string[],
): Promise<InspectionResult> {
  const present = new Set(files);
  const all: Dependency[] = [];
  const manifests: DependencyManifest[] = [];
  const findings: Finding[] = [];
  const sourceOf = (file: string) => SOURCES.find((source) => source.matches.test(baseNameOf(file)));
  for await (const { file, text } of reader.texts(files.filter(sourceOf), LOCKFILE_BYTES)) {
    const source = sourceOf(file);
    if (!source || /(^|\/)(node_modules|vendor)\//.test(file) || isTest(file)) continue;
    let dependencies: Dependency[];
    try {
      dependencies = source.read(text);
    } catch (error) {
      findings.push(unreadable(file, error instanceof Error ? error.message : ''));
      continue;
    }
    all.push(...dependencies);
    if (source.lockedBy === undefined) continue;
    const folder = path.posix.dirname(file);
    const locked = source.lockedBy.some((name) => present.has(path.posix.join(folder, name)) || present.has(name));
    const library = isLibrary(file, text, present);
    manifests.push({ file, ecosystem: source.ecosystem, names: dependencies.length, locked, library });
  }
  const dependencies = await withLicences(mergeDependencies(chosenOnly(all)), plan.dependencies_from);
  const licences = countLicences(dependencies);
  const counts = ECOSYSTEMS.map((ecosystem) => ({
    ecosystem,
    count: dependencies.filter((item) => item.ecosystem === ecosystem).length,
  }));
  const counted = counts.filter((row) => row.count > 0).map((row) => `${row.count} of ${row.ecosystem}`);
  return {
    command: 'manifests and lockfiles of git ls-files',
    exit_code: 0,
    output: [
      `${manifests.length} manifests, ${dependencies.length} dependencies${counted.length === 0 ? '' : ` (${counted.join(', ')})`}.`,
      ...licences.slice(0, 8).map((row) => `${row.count} × ${row.licence}`),
    ].join('\n'),
    findings: [...findings, ...judgeDependencies(dependencies, manifests), ...reader.findings('inventory')],
    facts: {
      manifests,
      total: dependencies.length,
      ecosystems: counts.filter((row) => row.count > 0),
      licences,
      dependencies: dependencies.slice(0, DEPENDENCIES_KEPT),
    },
  };
}

/** Whether the package of a manifest is a library, whose users lock its dependencies themselves. */
function isLibrary(file: string, text: string, present: ReadonlySet<string>): boolean {
  const folder = path.posix.dirname(file);
  if (baseNameOf(file) === 'package.json') return npm.isPublished(text);
  if (baseNameOf(file) === 'pyproject.toml') return /^\[build-system\]/m.test(text);
  return (
    baseNameOf(file) === 'Cargo.toml' &&
    !/^\[\[bin\]\]/m.test(text) &&
    !present.has(path.posix.join(folder, 'src/main.rs'))
  );
}

/** Drops version ranges of manifests for packages that a lockfile resolves. */
function chosenOnly(all: readonly Dependency[]): Dependency[] {
  const key = (item: Dependency) => `${item.ecosystem}\u0000${item.name.toLowerCase()}`;
  const direct = new Map(all.filter((item) => item.direct).map((item) => [key(item), item]));
  const locked = new Set(all.filter((item) => !item.direct || isExact(item.version)).map(key));
  return all
    .filter((item) => isExact(item.version) || !locked.has(key(item)))
    .map((item) => {
      const wish = direct.get(key(item));
      return wish && !item.direct ? { ...item, direct: true, development: wish.development } : item;
    });
}

const isExact = (version: string | undefined): boolean => version !== undefined && /^v?\d[\w.+-]*$/.test(version);

/**
 * Adds licences that an npm lockfile leaves out, from the installed packages. Reads nothing outside the installation.
 */
async function withLicences(dependencies: readonly Dependency[], installedIn: string): Promise<Dependency[]> {
  const top = await realpath(path.join(installedIn, 'node_modules')).catch(() => undefined);
  if (top === undefined) return [...dependencies];
  let requests = 0;
  const answered: Dependency[] = [];
  for (const item of dependencies) {
    const silent = item.ecosystem === 'npm' && item.licence === undefined && /^(@[\w.~-]+\/)?[\w.~-]+$/.test(item.name);
    answered.push(
      silent && requests++ < PACKAGES_ASKED ? { ...item, licence: await installedLicence(top, item.name) } : item,
    );
  }
  return answered;
}

async function installedLicence(top: string, name: string): Promise<string | undefined> {
  try {
    const file = await realpath(path.join(top, name, 'package.json'));
    if (!file.startsWith(`${top}${path.sep}`)) return undefined;
    const manifest = parseJsonObject(await readFile(file, 'utf8'));
    return manifest ? npm.licenceOf(manifest) : undefined;
  } catch {
    return undefined; // not installed, so its licence is unknown
  }
}

function unreadable(file: string, why: string): Finding {
  return finding({
    severity: 'low',
    title: 'A manifest cannot be parsed',
    detail: cut(inert(why), 300),
    file,
    rule: 'manifest-invalid',
    remedy: 'Fix the file: other tools fail on it too.',
  });
}

import { createHash } from 'node:crypto';
import type { RecognisedCommand, RunMode } from '#core/review/plan.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';

type Kind = RecognisedCommand['kind'];

/** Names of scripts for quick checks, in order of preference. Only these scripts are ever run. */
const SCRIPT_NAMES: Readonly<Record<Kind, readonly string[]>> = {
  typecheck: ['typecheck', 'type-check', 'check:types', 'check-types', 'types:check', 'tsc'],
  lint: ['lint', 'lint:check', 'check:lint', 'eslint'],
  unit: ['test:unit', 'unit', 'unit-test', 'unit:test', 'test:fast'],
  test: ['test'],
};

const STEP_TITLES: Readonly<Record<Kind, string>> = {
  typecheck: 'Type check',
  lint: 'Lint',
  unit: 'Unit tests',
  test: 'Tests',
};

/** A command that a manifest provides, before the run mode selects. */
interface Offer {
  readonly kind: Kind;
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly needs?: string;
  readonly install: string;
}

/** Manifests that define checks, by file name. */
export const COMMAND_MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'pytest.ini',
  'tox.ini',
  'setup.cfg',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
];

/**
 * Selects the commands of a repository to run. Pure: decides by file names and manifest texts only.
 * @param files tracked files, below the top, with `/`
 * @param manifests texts of those files whose name is in `COMMAND_MANIFESTS`, as far as they could be read
 */
export function recogniseCommands(
  files: readonly string[],
  manifests: ReadonlyMap<string, string>,
  mode: RunMode,
): RecognisedCommand[] {
  if (mode === 'none') return [];
  const present = new Set(files);
  const commands: RecognisedCommand[] = [];
  for (const folder of manifestFolders([...manifests.keys()])) {
    const at = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    const offers = [
      ...fromPackage(manifests.get(at('package.json')), (name) => present.has(at(name)) || present.has(name)),
      ...fromPython(files, folder, (name) => manifests.get(at(name))),
      ...fromCargo(manifests.get(at('Cargo.toml'))),
      ...fromGo(manifests.get(at('go.mod'))),
      ...fromMaven(manifests.get(at('pom.xml'))),
    ];
    for (const offer of choose(offers, mode)) commands.push(commandOf(offer, folder));
  }
  return commands.slice(0, SURFACE_LIMITS.commandsMost);
}

/** The top folder if it has a manifest; otherwise up to three of the shallowest folders with one. */
function manifestFolders(paths: readonly string[]): string[] {
  const folders = [...new Set(paths.map((file) => file.slice(0, Math.max(0, file.lastIndexOf('/')))))];
  if (folders.includes('')) return [''];
  const depth = (folder: string) => folder.split('/').length;
  const nearest = Math.min(...folders.map(depth));
  return folders
    .filter((folder) => depth(folder) === nearest && nearest <= 2)
    .sort(compareText)
    .slice(0, 3);
}

/** `fast`: quick checks, and the whole test command only if there is no quicker one. `all`: everything. */
function choose(offers: readonly Offer[], mode: RunMode): Offer[] {
  if (mode === 'all') return [...offers];
  const families = new Set(offers.filter((offer) => offer.kind === 'unit').map((offer) => offer.program));
  return offers.filter((offer) => offer.kind !== 'test' || !families.has(offer.program));
}

function commandOf(offer: Offer, folder: string): RecognisedCommand {
  const words = [offer.program, ...offer.args].join(' ');
  return {
    id: folder === '' ? offer.name : `${offer.name}-${folderSlug(folder)}`,
    title: `${STEP_TITLES[offer.kind]}: ${words}${folder === '' ? '' : ` in ${inert(folder)}`}`,
    kind: offer.kind,
    program: offer.program,
    args: [...offer.args],
    folder,
    ...(offer.needs === undefined ? {} : { needs: offer.needs }),
    install: offer.install,
  };
}

/** Folder name as part of an id, with a hash if characters were lost. */
function folderSlug(folder: string): string {
  const slug = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20);
  if (slug === folder) return slug;
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 6);
  return slug === '' ? digest : `${slug}-${digest}`;
}

function fromPackage(text: string | undefined, has: (file: string) => boolean): Offer[] {
  const manifest = text === undefined ? undefined : parseJsonObject(text);
  if (!manifest || !isJsonObject(manifest['scripts'])) return [];
  const scripts = manifest['scripts'];
  const named = typeof manifest['packageManager'] === 'string' ? manifest['packageManager'].split('@')[0] : undefined;
  const pnpm = named === 'pnpm' || (named === undefined && has('pnpm-lock.yaml'));
  const yarn = named === 'yarn' || (named === undefined && !pnpm && has('yarn.lock'));
  const program = pnpm ? 'pnpm' : yarn ? 'yarn' : 'npm';
  const depends = ['dependencies', 'devDependencies'].some(
    (field) => isJsonObject(manifest[field]) && Object.keys(manifest[field]).length > 0,
  );
  const install = pnpm ? 'pnpm install' : yarn ? 'yarn install' : has('package-lock.json') ? 'npm ci' : 'npm install';
  const offers: Offer[] = [];
  for (const kind of ['typecheck', 'lint', 'unit', 'test'] as const) {
    const script = SCRIPT_NAMES[kind].find((name) => isWorthRunning(scripts[name]));
    if (script === undefined) continue;
    const slug = script.replace(/[^a-z0-9]+/g, '-');
    const args = ['run', script];
    offers.push({
      kind,
      name: `${program}-${slug}`,
      program,
      args,
      install,
      ...(depends ? { needs: 'node_modules' } : {}),
    });
  }
  return offers;
}

/** Whether a script is worth running: not the placeholder of `npm init`, and not a watcher that never ends. */
function isWorthRunning(script: unknown): boolean {
  if (typeof script !== 'string' || script.trim() === '') return false;
  return !/no test specified/i.test(script) && !/(^|\s)(--watch(All)?|-w|watch)(\s|=true|$)/.test(script);
}

function fromPython(files: readonly string[], folder: string, read: (name: string) => string | undefined): Offer[] {
  const configured =
    read('pytest.ini') !== undefined ||
    /^\[tool\.pytest/m.test(read('pyproject.toml') ?? '') ||
    /^\[(tool:)?pytest\]/m.test(`${read('setup.cfg') ?? ''}\n${read('tox.ini') ?? ''}`);
  const isPython = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'pytest.ini'].some((name) => read(name) !== undefined);
  const prefix = folder === '' ? '' : `${folder}/`;
  const hasTests = files.some((file) => file.startsWith(prefix) && /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(file));
  if (!configured && !(isPython && hasTests)) return [];
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
  return [
    {
      kind: 'unit',
      name: 'pytest',
      program: 'python3',
      args,
      install: 'pip install pytest, and what the project needs',
    },
  ];
}

function fromCargo(text: string | undefined): Offer[] {
  if (text === undefined) return [];
  const cargo = { program: 'cargo', install: 'cargo fetch' };
  return [
    { ...cargo, kind: 'typecheck', name: 'cargo-check', args: ['check', '--offline', '--workspace'] },
    { ...cargo, kind: 'lint', name: 'cargo-clippy', args: ['clippy', '--offline', '--workspace'] },
    { ...cargo, kind: 'unit', name: 'cargo-test-lib', args: ['test', '--offline', '--workspace', '--lib', '--bins'] },
    { ...cargo, kind: 'test', name: 'cargo-test', args: ['test', '--offline', '--workspace'] },
  ];
}

function fromGo(text: string | undefined): Offer[] {
  if (text === undefined) return [];
  const go = { program: 'go', install: 'go mod download' };
  return [
    { ...go, kind: 'lint', name: 'go-vet', args: ['vet', './...'] },
    { ...go, kind: 'unit', name: 'go-test-short', args: ['test', '-short', './...'] },
    { ...go, kind: 'test', name: 'go-test', args: ['test', './...'] },
  ];
}

function fromMaven(text: string | undefined): Offer[] {
  if (text === undefined) return [];
  const args = ['-o', '-B', '-ntp', 'test'];
  return [{ kind: 'test', name: 'mvn-test', program: 'mvn', args, install: 'mvn dependency:go-offline' }];
}

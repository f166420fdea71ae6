import { strictToml } from '#adapters/disk/strict-toml.js';
import type { Dependency } from '#core/review/dependencies.js';
import { isJsonObject } from '#kernel/json.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Parses a requirement: `requests[socks] >= 2.0; python_version > "3"` → requests. Undefined for options, links and
 * other files.
 */
function pythonName(requirement: string): { name: string; version: string | undefined } | undefined {
  const match = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(==\s*[^\s;#,]+)?/.exec(requirement);
  return match?.[1] === undefined ? undefined : { name: match[1], version: match[2]?.replace(/^==\s*/, '') };
}

function pythonDependency(requirement: string, development: boolean): Dependency[] {
  const named = pythonName(requirement);
  return named && named.name.toLowerCase() !== 'python'
    ? [{ ecosystem: 'python', ...named, direct: true, development }]
    : [];
}

export function fromRequirements(text: string): Dependency[] {
  return text
    .split('\n')
    .flatMap((line) =>
      /^\s*(?:#|-|$|(?:https?|file|(?:git|hg|svn|bzr)\+\w+):)/.test(line) ? [] : pythonDependency(line, false),
    );
}

/** Parses pyproject.toml, in the standard form and in the older form of Poetry. */
export function fromPyproject(text: string): Dependency[] {
  const file: unknown = strictToml(text);
  if (!isJsonObject(file)) return [];
  const project = isJsonObject(file['project']) ? file['project'] : {};
  const tool = isJsonObject(file['tool']) ? file['tool'] : {};
  const poetry = isJsonObject(tool['poetry']) ? tool['poetry'] : {};
  const list = (value: unknown, development: boolean): Dependency[] =>
    Array.isArray(value)
      ? value.flatMap((item) => (typeof item === 'string' ? pythonDependency(item, development) : []))
      : [];
  const groups = (value: unknown): Dependency[] =>
    isJsonObject(value) ? Object.values(value).flatMap((item) => list(item, true)) : [];
  return [
    ...list(project['dependencies'], false),
    ...groups(project['optional-dependencies']),
    ...groups(file['dependency-groups']),
    ...(isJsonObject(poetry['dependencies'])
      ? Object.keys(poetry['dependencies']).flatMap((name) => pythonDependency(name, false))
      : []),
  ];
}

/** Parses poetry.lock, uv.lock or Cargo.lock, which share a format: a list of packages with name and version. */
export function fromPackageList(text: string, ecosystem: 'python' | 'cargo'): Dependency[] {
  const file: unknown = strictToml(text);
  const packages = isJsonObject(file) ? file['package'] : undefined;
  if (!Array.isArray(packages)) return [];
  return packages.flatMap((item): Dependency[] => {
    const name = isJsonObject(item) ? textOf(item['name']) : undefined;
    if (name === undefined || !isJsonObject(item)) return [];
    // A crate of the project itself has no source.
    if (ecosystem === 'cargo' && item['source'] === undefined) return [];
    return [
      { ecosystem, name, version: textOf(item['version']), direct: false, development: item['category'] === 'dev' },
    ];
  });
}

export function fromCargoToml(text: string): Dependency[] {
  const file: unknown = strictToml(text);
  if (!isJsonObject(file)) return [];
  const named = (field: string, development: boolean): Dependency[] =>
    isJsonObject(file[field])
      ? Object.entries(file[field]).flatMap(([name, value]): Dependency[] => {
          if (isJsonObject(value) && value['path'] !== undefined) return [];
          // For Cargo, a bare version number means a minimum, not an exact version.
          const version = textOf(isJsonObject(value) ? value['version'] : value)?.replace(/^(?=\d)/, '^');
          return [{ ecosystem: 'cargo', name, version, direct: true, development }];
        })
      : [];
  return [...named('dependencies', false), ...named('build-dependencies', true), ...named('dev-dependencies', true)];
}

export function fromGoMod(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  let inBlock = false;
  for (const line of text.split('\n')) {
    if (/^require\s*\(/.test(line)) inBlock = true;
    else if (/^\)/.test(line)) inBlock = false;
    const match = (inBlock ? /^\s+(\S+)\s+(v\S+)(.*)$/ : /^require\s+(\S+)\s+(v\S+)(.*)$/).exec(line);
    if (match?.[1]) {
      dependencies.push({
        ecosystem: 'go',
        name: match[1],
        version: match[2],
        direct: !/\/\/\s*indirect/.test(match[3] ?? ''),
        development: false,
      });
    }
  }
  return dependencies;
}

export function fromPom(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  const live = text.replace(/<!--[\s\S]*?(?:-->|$)/g, ''); // without comments
  for (const match of live.matchAll(/<dependency>([\s\S]{0,4000}?)<\/dependency>/g)) {
    const field = (name: string) => new RegExp(`<${name}>\\s*([^<\\s]{1,200})\\s*</${name}>`).exec(match[1] ?? '')?.[1];
    const artifact = field('artifactId');
    if (artifact === undefined) continue;
    dependencies.push({
      ecosystem: 'maven',
      name: `${field('groupId') ?? '?'}:${artifact}`,
      version: field('version'),
      direct: true,
      development: field('scope') === 'test',
    });
  }
  return dependencies;
}

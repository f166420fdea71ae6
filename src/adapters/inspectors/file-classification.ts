import path from 'node:path';
import type { Framework, Language } from '#core/catalog/signal-vocabulary.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';

/** Folders without hand-written files of this project. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bin',
  'obj',
  '.next',
  'dist',
  'build',
  'target',
  '__pycache__',
  '.venv',
  'vendor',
  '.cache',
  'coverage',
  '.squad',
  GRAPH_FOLDER,
]);

/** Whether a file may contain keys: such files are neither opened nor counted. */
export function mayHoldSecrets(name: string): boolean {
  return /^(?:\.env.*|.*\.(?:pem|key|pfx|p12|secret)|id_rsa|id_ed25519|credentials.*|secrets\..*|\.npmrc|\.netrc)$/i.test(
    name,
  );
}

const EXTENSIONS: Readonly<Record<string, Language>> = {
  cs: 'csharp',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  rb: 'ruby',
  php: 'php',
  swift: 'swift',
  kt: 'kotlin',
  kts: 'kotlin',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  sh: 'shell',
  bash: 'shell',
};

const LANGUAGES = new Map(Object.entries(EXTENSIONS).map(([extension, language]) => [`.${extension}`, language]));

export function languageOf(name: string): Language | undefined {
  return LANGUAGES.get(path.extname(name).toLowerCase());
}

export function isTestFolder(name: string): boolean {
  return /^(?:tests?|__tests__|spec)$/i.test(name);
}

export function isTestFile(name: string): boolean {
  return /\.(?:test|spec)\.|_test\.go$|^test_.*\.py$/i.test(name);
}

/** Whether a file is documentation. `relative` is separated by `/`. */
export function isDocument(relative: string): boolean {
  return /^(?:docs\/.*|(?:.*\/)?README[^/]*)$/i.test(relative);
}

export function isPipeline(relative: string): boolean {
  return /^(?:\.github\/workflows\/[^/]+|\.gitlab-ci\.yml|azure-pipelines\.yml)$/.test(relative);
}

const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
  'Package.swift',
  'CMakeLists.txt',
  'Makefile',
]);

export function isManifest(name: string): boolean {
  return MANIFESTS.has(name) || /\.csproj$/i.test(name);
}

/** Frameworks named in a manifest. Only names from a fixed table are returned, never text of the file. */
export function frameworksIn(name: string, text: string): Framework[] {
  if (name === 'package.json') return javaScriptFrameworks(text);
  if (/\.csproj$/i.test(name)) return matches(text, DOTNET);
  if (/^(?:pyproject\.toml|requirements\.txt|setup\.py|setup\.cfg|Pipfile)$/.test(name)) {
    return matches(text.replace(/#.*$/gm, ''), PYTHON);
  }
  return [];
}

const PACKAGES: Readonly<Record<string, Framework>> = {
  react: 'react',
  vue: 'vue',
  '@angular/core': 'angular',
  next: 'nextjs',
  svelte: 'svelte',
};

/** Frameworks of a package.json; none if it is invalid or truncated. */
function javaScriptFrameworks(text: string): Framework[] {
  const manifest = parseJsonObject(text);
  const names = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((field) => {
    const listed = manifest?.[field];
    return isJsonObject(listed) ? Object.keys(listed) : [];
  });
  return Object.entries(PACKAGES).flatMap(([name, framework]) => (names.includes(name) ? [framework] : []));
}

const DOTNET: readonly (readonly [RegExp, Framework])[] = [
  [/Microsoft\.NET\.Sdk\.Web\b|Microsoft\.AspNetCore\./, 'aspnet'],
  [/Microsoft\.NET\.Sdk\.BlazorWebAssembly|Microsoft\.AspNetCore\.Components/, 'blazor'],
];

const PYTHON: readonly (readonly [RegExp, Framework])[] = (['django', 'flask', 'fastapi'] as const).map((name) => [
  new RegExp(`(?:^|["'\\s])${name}(?=$|["'\\s=<>~!;,\\[\\]])`, 'im'),
  name,
]);

function matches(text: string, rules: readonly (readonly [RegExp, Framework])[]): Framework[] {
  return rules.flatMap(([pattern, framework]) => (pattern.test(text) ? [framework] : []));
}

// Collects the licence notices that must accompany distributions of the bundled packages.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nameAt } from './components.mjs';

const WORDS = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/**
 * The notices as one text: every package with a module in the outputs, with its full licence; packages with identical
 * texts share one.
 */
export function licencesOf(outputs) {
  const modules = outputs.flatMap(({ output }) => output.flatMap((chunk) => Object.keys(chunk.modules ?? {})));
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
  const packages = [...folders].map(licenceIn).sort((left, right) => (left.name < right.name ? -1 : 1));
  const byWords = new Map(packages.map(({ words }) => [words, packages.filter((other) => other.words === words)]));
  return `Troupe holds parts of these packages.\n${[...byWords].map(section).join('')}`;
}

/** `/x/node_modules/@a/b/dist/c.js` -> `/x/node_modules/@a/b`; undefined for Troupe's own files. */
function packageFolder(module) {
  const at = module.lastIndexOf('/node_modules/');
  if (at < 0 || module.startsWith('\0')) return undefined;
  const [scope, name] = nameAt(module).split('/');
  return path.join(module.slice(0, at), 'node_modules', scope.startsWith('@') ? `${scope}/${name}` : scope);
}

function licenceIn(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => WORDS.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  // Some packages declare a licence without including its text.
  const stated = `Licence: ${license}. Author: ${author?.name ?? author ?? 'the authors of the package'}.`;
  return { name: `${name}@${version}`, license, words: texts.length > 0 ? texts.join('\n\n') : stated };
}

function section([words, packages]) {
  const heads = new Set(packages.map(({ name, license }) => `${name} (${license})`));
  return `\n${'-'.repeat(80)}\n${[...heads].join('\n')}\n\n${words}\n`;
}

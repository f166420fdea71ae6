// npm run release-notes [-- VERSION]: prints the changes of a version, by default of the one in package.json, as they
// are in CHANGELOG.md. Links to files of the repository lead to that version of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HOME } from './prepare.mjs';

/** The section of a version without its heading. Throws if there is none. */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => section.split(/\s/, 1)[0] === version);
  if (found === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return found.slice(found.indexOf('\n')).trim();
}

/** Makes links relative to the repository absolute. */
export const withLinks = (notes, base) =>
  notes.replace(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, target) => `](${base}/${target})`);

function main() {
  const { version } = JSON.parse(readFileSync(path.join(HOME, 'package.json'), 'utf8'));
  const wanted = process.argv[2] ?? version;
  const notes = notesOf(readFileSync(path.join(HOME, 'CHANGELOG.md'), 'utf8'), wanted);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const isOnGitHub = server !== undefined && repository !== undefined;
  process.stdout.write(`${isOnGitHub ? withLinks(notes, `${server}/${repository}/blob/v${wanted}`) : notes}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();

import { sha256 } from '#kernel/hash.js';
import type { FileChange } from './file-change.js';
import type { SquadTexts } from './squad-texts.js';

/** Beside `routing.md`: `routing.prev.md`. */
const previousPath = (path: string) => path.replace(/\.md$/, '.prev.md');

/** The copy of a file for a client that somebody changed: among the files of the team. */
export function outputAside(path: string, text: string): FileChange {
  const name = path.replace(/^\./, '').replace(/\.md$/, '').replaceAll('/', '-');
  return { kind: 'create', path: `.squad/outputs/${name}.prev.${sha256(text).slice(0, 8)}.md`, text };
}

export const isPutAside = (path: string) => /\.prev(?:\.[0-9a-f]{8})?\.md$/.test(path);

/** Keeps the text of a file that is taken over beside it; what was kept there before stays. */
export function previousVersion(texts: SquadTexts, path: string, text: string): FileChange[] {
  const first = previousPath(path);
  const kept = texts.get(first);
  if (kept === text) return [];
  if (kept === undefined) return [{ kind: 'write', path: first, text }];
  return [{ kind: 'create', path: path.replace(/\.md$/, `.prev.${sha256(text).slice(0, 8)}.md`), text }];
}

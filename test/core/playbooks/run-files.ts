import type { HandoffFile, HandoffFiles } from '#core/playbooks/handoffs.js';
import { sha256 } from '#kernel/hash.js';

/** A file of a run's folder, as read from disk. */
export function written(text: string, modifiedMs = 1_000): HandoffFile {
  return { text, sha256: sha256(text), modifiedMs };
}

export const CONTRACT =
  '# Contract\n\n## Done-criteria\n\n- rows leave as CSV\n- the head names the columns — in order\n';
export const CHANGES = '# Changes\n\nA writer of CSV, and its tests.\n';
export const QA =
  '# QA\n\n- [PASS] 1 rows leave as CSV — npm test, 12 passed\n- [PASS] 2 the head names the columns — in order — seen in out.csv\n';
export const BLOCKED =
  'status: BLOCKED\n\n## Tried\n\nTwo ways.\n\n## Why stuck\n\nBash is denied.\n\n## Needs\n\nBash.\n\n## Suggested escalation\n\nowner of Bash\n';

/** Files of a run whose phases all completed; files given by name replace or, if undefined, remove those. */
export function runFiles(changed: Readonly<Record<string, string | HandoffFile | undefined>> = {}): HandoffFiles {
  const texts = {
    'CONTRACT.md': CONTRACT,
    'CHANGES.md': CHANGES,
    'QA.md': QA,
    'DEPLOY.md': '# Deploy\n\nnpm publish\n',
  };
  const files = new Map<string, HandoffFile>();
  for (const [name, file] of Object.entries({ ...texts, ...changed })) {
    if (file !== undefined) files.set(name, typeof file === 'string' ? written(file) : file);
  }
  return files;
}

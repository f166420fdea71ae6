import { formatDuration } from '#kernel/duration.js';
import { isJsonObject } from '#kernel/json.js';

const HASH_CHARACTERS = 12;
const ARTIFACTS_SHOWN = 20;

/** What shows that a task was done, as lines of a label and a text. */
export function evidenceRows(evidence: unknown): [string, string][] {
  if (!isJsonObject(evidence)) return [];
  const { verify_cmd: command, exit, ms, commit, clean, artifacts } = evidence;
  const rows: [string, string][] = [];
  if (typeof command === 'string') {
    const took = typeof ms === 'number' ? ` after ${formatDuration(ms)}` : '';
    rows.push(['checked', `${command}: ended with ${String(exit ?? 'nothing')}${took}`]);
  }
  if (typeof commit === 'string') {
    rows.push(['commit', `${commit.slice(0, HASH_CHARACTERS)}${clean === false ? ', not all was committed' : ''}`]);
  }
  const listed = Array.isArray(artifacts) ? artifacts.filter(isJsonObject) : [];
  for (const { path, sha256 } of listed.slice(0, ARTIFACTS_SHOWN)) {
    const hash = typeof sha256 === 'string' ? `sha256 ${sha256.slice(0, HASH_CHARACTERS)}…` : 'no such file';
    rows.push(['artifact', `${String(path)}  ${hash}`]);
  }
  return rows;
}

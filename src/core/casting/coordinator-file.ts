import { createHash } from 'node:crypto';
import type { FileChange } from '#core/casting/file-change.js';
import { COORDINATOR_AGENT } from '#core/casting/squad-paths.js';
import type { SquadTexts } from '#core/casting/squad-state.js';

const MARKER = '<!-- troupe:generated';

/** The Coordinator as an agent file for GitHub clients. A file somebody else wrote there is left alone. */
export function coordinatorAgentFile(texts: SquadTexts, charter: string): FileChange[] {
  const present = texts.get(COORDINATOR_AGENT);
  if (present !== undefined && !present.includes(MARKER)) return [];
  const hash = createHash('sha256').update(charter, 'utf8').digest('hex');
  const text = [
    '---',
    'name: squad-agentweaver',
    'description: Coordinates the cast team of this repository. Its members and their charters are in .squad/team.md.',
    '---',
    '',
    `${MARKER} sha256:${hash} -->`,
    '',
    charter,
  ].join('\n');
  return present === text ? [] : [{ kind: 'write', path: COORDINATOR_AGENT, text }];
}

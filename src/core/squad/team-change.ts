import type { FileChange } from '#kernel/file-change.js';
import { parseJsonObject } from '#kernel/json.js';
import type { SquadTexts } from './file-change.js';
import { parseEvent, type Registry, rebuildRegistry } from './registry.js';
import { HISTORY_EVENTS, REGISTRY_EVENTS, TEAM_MD } from './squad-paths.js';
import { projectName, readTeamFile } from './team-file.js';
import { type CastHistory, type CastSnapshot, rebuildHistory, snapshotSchema } from './team-history.js';

/** A change of the team's membership, for components that store derived data. */
export interface TeamChange {
  readonly project: string;
  /** The team after the write. */
  readonly registry: Registry;
  readonly history: CastHistory;
  /** Snapshot added by the write. Its id identifies the change, so repeated handling is idempotent. */
  readonly snapshot: CastSnapshot | undefined;
  /** Members that left the team or were renamed. */
  readonly left: readonly { readonly name: string; readonly next?: string }[];
}

/** Derives the membership change of a write; undefined if the write has none. `texts` are the files after the write. */
export function teamChangeOf(
  folder: string,
  texts: SquadTexts,
  changes: readonly FileChange[],
): TeamChange | undefined {
  if (!changes.some(({ path }) => path === REGISTRY_EVENTS || path === HISTORY_EVENTS)) return undefined;
  const registry = rebuildRegistry(texts.get(REGISTRY_EVENTS));
  const retired = new Set(
    registry.records.filter((record) => record.status === 'Retired').map((record) => record.name.toLowerCase()),
  );
  const departures = linesOf(changes, REGISTRY_EVENTS).flatMap((line) => {
    const event = parseEvent(line);
    // A record may have been added by another tool: only members that the registry lists as retired count as departed.
    if (event?.status !== 'Retired' || !retired.has(event.name.toLowerCase())) return [];
    return [{ name: event.name, ...(event.succeededBy === undefined ? {} : { next: event.succeededBy }) }];
  });
  const last = snapshotSchema.safeParse(linesOf(changes, HISTORY_EVENTS).at(-1));
  const snapshot = last.success && last.data.snapshotId !== undefined ? last.data : undefined;
  const project = projectName(readTeamFile(texts.get(TEAM_MD)), folder);
  return { project, registry, history: rebuildHistory(texts.get(HISTORY_EVENTS)), snapshot, left: departures };
}

function linesOf(changes: readonly FileChange[], path: string): unknown[] {
  return changes.flatMap((change) =>
    change.kind === 'append' && change.path === path ? change.lines.map((line) => parseJsonObject(line)) : [],
  );
}

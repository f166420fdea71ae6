import type { FileChange } from '#kernel/file-change.js';
import { parseJsonObject } from '#kernel/json.js';
import type { SquadTexts } from './file-change.js';
import { parseEvent, type Registry, rebuildRegistry } from './registry.js';
import { HISTORY_EVENTS, REGISTRY_EVENTS, TEAM_MD } from './squad-paths.js';
import { projectName, readTeamFile } from './team-file.js';
import { type CastHistory, type CastSnapshot, rebuildHistory, snapshotSchema } from './team-history.js';

/** What a write changed about who is on the team, told to those who keep something of it elsewhere. */
export interface TeamChange {
  readonly project: string;
  /** The team as it is after the write. */
  readonly registry: Registry;
  readonly history: CastHistory;
  /** The snapshot that the write added: its id names the change, whoever carries it out and however often. */
  readonly snapshot: CastSnapshot | undefined;
  /** Who is no longer on the team, or goes by another name now. */
  readonly left: readonly { readonly name: string; readonly next?: string }[];
}

/** Undefined for a write that says nothing about who is on the team. `texts` are the files as they are after it. */
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
    // A record may have been put there by somebody else: only whom the team itself calls gone is taken for gone.
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

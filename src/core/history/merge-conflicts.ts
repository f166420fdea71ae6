import type { Entry, EventDraft } from '#core/graph/event.js';
import { NOT_BY_HAND } from '#core/graph/hand-edit.js';
import type { ParsedGraph } from '#core/graph/line.js';
import { type Parcel, packEvents } from '#core/graph/packing.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { newestTime, renamedNode } from './merge-graphs.js';
import { type DiscardedValue, mergedLog, mergeNode, sameNode } from './merge-node.js';
import { nodeDifference } from './node-difference.js';
import { asWritten, isByHand, versionsOf } from './node-versions.js';

/** What the lines of a file add to what the histories say, when no exact copy of the file before is at hand. */
export interface FileDifferences {
  /** Nodes as they are to be; only those that differ. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly lost: readonly DiscardedValue[];
}

interface Histories {
  /** The histories that are known, each from its beginning. */
  readonly lines: readonly (readonly Entry[])[];
  /** What such a line goes on from, when the log begins later. */
  readonly begin: (line: readonly Entry[]) => GraphState;
  readonly present: (id: string) => GraphNode | undefined;
  readonly renamed: ReadonlyMap<string, string>;
  /** A line that somebody changed: true, it counts as a whole; false, only in the fields it changed. */
  readonly whole: boolean;
}

/**
 * Looks at each line that differs from the state: is it merely older, or did a person write it? A person's line wins.
 * Lines between conflict markers that no history knows are one more side, and nothing of them is lost.
 */
export function fileDifferences(parsed: ParsedGraph, histories: Histories): FileDifferences {
  const nodes = new Map<string, GraphNode>();
  const lost: DiscardedValue[] = [];
  const differs = (node: GraphNode) => {
    const present = histories.present(node.id);
    return !present || !(sameNode(present, node) || sameNode(asWritten(present), asWritten(node)));
  };
  const lines = [...parsed.nodes.values()].filter(differs);
  const candidates = parsed.candidates.filter(differs);
  if (lines.length === 0 && candidates.length === 0) return { nodes, lost };

  const versions = versionsFor([...lines, ...candidates], histories);
  for (const line of lines) {
    const looks = versions(line.id);
    if (isBeyondMemory(line, histories.lines) || !isByHand(asWritten(line), looks)) continue;
    const present = histories.present(line.id);
    const base = histories.whole
      ? undefined
      : looks.find((look) => look['rev'] === line['rev'] && line['rev'] !== undefined);
    nodes.set(line.id, present ? byPerson(line, present, base ?? (histories.whole ? undefined : present)) : line);
  }
  for (const candidate of candidates) {
    if (!isByHand(asWritten(candidate), versions(candidate.id))) continue;
    const ours = nodes.get(candidate.id) ?? histories.present(candidate.id);
    if (!ours) {
      nodes.set(candidate.id, candidate);
      continue;
    }
    const touched = { ours: () => newestTime(ours), theirs: () => newestTime(candidate) };
    const merged = mergeNode({ base: undefined, ours, theirs: candidate }, touched);
    nodes.set(candidate.id, merged.node);
    lost.push(...merged.lost);
  }
  return { nodes, lost };
}

/** A line from before the present log began: of what it was then nothing is left to compare with. It is merely older. */
function isBeyondMemory(line: GraphNode, lines: Histories['lines']): boolean {
  const rev = line['rev'];
  const [first] = lines.map(([entry]) => entry);
  return typeof rev === 'number' && first?.op === 'base' && rev < first.seq;
}

/** The looks of a node, also those it had under the id that a merge took from it. */
function versionsFor(
  lines: readonly GraphNode[],
  { lines: histories, renamed, begin }: Histories,
): (id: string) => GraphNode[] {
  const old = new Map([...renamed].map(([from, to]) => [to, from]));
  const ids = new Set(lines.flatMap(({ id }) => [id, old.get(id) ?? id]));
  const versions = versionsOf(histories, ids, begin);
  return (id) => {
    const own = [...(versions.get(id) ?? []), ...(versions.get(old.get(id) ?? '') ?? [])];
    if (renamed.size === 0) return own;
    return [...own, ...own.map((look) => asWritten(renamedNode(look, renamed)))].filter((look) => look.id === id);
  };
}

/** The person's line over what is known: whole, or the fields in which it differs from `base`. Logs only grow. */
function byPerson(line: GraphNode, present: GraphNode, base: GraphNode | undefined): GraphNode {
  const node: Record<string, unknown> = base ? { ...present } : { ...line };
  if (base) {
    for (const field of new Set([...Object.keys(base), ...Object.keys(line)])) {
      if (JSON.stringify(fieldsOf(base)[field]) === JSON.stringify(fieldsOf(line)[field])) continue;
      if (fieldsOf(line)[field] === undefined) delete node[field];
      else node[field] = fieldsOf(line)[field];
    }
  }
  const log = mergedLog(present['log'], line['log']);
  if (log.length > 0) node['log'] = log;
  for (const field of NOT_BY_HAND) {
    if (fieldsOf(present)[field] === undefined) delete node[field];
    else node[field] = fieldsOf(present)[field];
  }
  return node as GraphNode;
}

/** What was found as a `hand_edit`, against this state. */
export function handEditEvents(differences: FileDifferences, state: GraphState): EventDraft[] {
  const parcels: Parcel[] = [];
  for (const node of differences.nodes.values()) {
    const patch = nodeDifference(state.node(node.id), node);
    if (patch) parcels.push({ patch });
  }
  if (parcels.length === 0) return [];
  const lost = differences.lost.map((item) => ({ ...item }));
  return packEvents('hand_edit', parcels, (here, first) => ({
    tasks: here.map((parcel) => parcel.patch.id),
    ...(first && lost.length > 0 ? { lost } : {}),
  }));
}

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

/** Changes in a graph file relative to the histories, found without an exact copy of the earlier file. */
export interface FileDifferences {
  /** Final nodes; only those that differ. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly lost: readonly DiscardedValue[];
}

interface Histories {
  /** The known histories, each from its beginning. */
  readonly lines: readonly (readonly Entry[])[];
  /** Returns the state before a line's first entry, if the log starts later. */
  readonly begin: (line: readonly Entry[]) => GraphState;
  readonly present: (id: string) => GraphNode | undefined;
  readonly renamed: ReadonlyMap<string, string>;
  /** Treatment of a hand-edited line: true, the whole line counts; false, only the fields that were changed. */
  readonly whole: boolean;
}

/**
 * Examines each line that differs from the state: it is either merely old, or a person edited it, in which case it
 * wins. Lines between conflict markers that no history contains are merged as another side; none of their values are
 * lost.
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
    if (predatesLog(line, histories.lines) || !isByHand(asWritten(line), looks)) continue;
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

/** Whether a line predates the present log. Then there is nothing to compare it with, and it counts as old. */
function predatesLog(line: GraphNode, lines: Histories['lines']): boolean {
  const rev = line['rev'];
  const [first] = lines.map(([entry]) => entry);
  return typeof rev === 'number' && first?.op === 'base' && rev < first.seq;
}

/** Versions of each node, including those under the id it had before a merge renamed it. */
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

/** Applies a person's line: whole, or only the fields that differ from `base`. Log entries are only added. */
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

/** Events of a `hand_edit` for these differences, relative to a state. */
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

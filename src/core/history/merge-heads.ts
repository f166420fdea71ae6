import type { Retired } from '#core/graph/departed.js';
import type { Entry, EventDraft, Patch } from '#core/graph/event.js';
import { type Parcel, packEvents } from '#core/graph/packing.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode, NodeFields } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { firstParent, type LogHistory } from './log-history.js';
import { type Base, type MergedGraph, mergeGraphs, type Side } from './merge-graphs.js';
import type { DiscardedValue, LastTouched } from './merge-node.js';
import { nodeDifference } from './node-difference.js';

/** Result of a merge of heads; not written yet. */
export interface MergedHeads {
  /** The head that the history continues from. */
  readonly onto: Entry;
  /** State at that head, which the merge's patch is relative to. */
  readonly present: GraphState;
  readonly heads: readonly Entry[];
  readonly merged: MergedGraph;
  /** Ids retired on any side, with the patch that removed them: never reused, but their tasks can be restored. */
  readonly retired: ReadonlyMap<string, Patch>;
}

/** Maximum recursion depth for merges of merges in the search for a merge base. */
const DEPTH_MOST = 50;

/** Merges all heads of a history, two at a time, in file order; the first is ours. Undefined for a single head. */
export function mergeHeads(history: LogHistory): MergedHeads | undefined {
  const onto = firstParent(history.heads);
  const [first, ...others] = history.heads;
  if (!onto || !first || others.length === 0) return undefined;
  const retired = new Map<string, Patch>();
  const lost: DiscardedValue[] = [];
  const renamed = new Map<string, string>();
  const revived: string[] = [];
  const states = new Map(history.heads.map((head) => [head.id, history.stateAt(head.id)]));
  for (const [head, state] of states) {
    const retiredHere = new Set([...state.retiredIds()].map(idOf));
    for (const id of retiredHere) retired.set(id, { id, del: true });
    for (const entry of history.line(head)) {
      for (const patch of entry.patch)
        if ('del' in patch && patch.kept && retiredHere.has(patch.id)) retired.set(patch.id, patch);
    }
  }

  let ids = history.withAncestors([first.id]);
  let nodes: ReadonlyMap<string, GraphNode> = nodesOf(states.get(first.id));
  for (const other of others) {
    const otherIds = history.withAncestors([other.id]);
    const base = baseOf(history, ids, otherIds, 0);
    const baseIds = intersection(ids, otherIds);
    const side = (of: ReadonlySet<string>, present: ReadonlyMap<string, GraphNode>): Side => ({
      nodes: present,
      touched: touchedBy(history.entries.filter((entry) => of.has(entry.id) && !baseIds.has(entry.id))),
      retired: (id) => retired.has(id) && !present.has(id),
    });
    const merged = mergeGraphs(base, side(ids, nodes), side(otherIds, nodesOf(states.get(other.id))));
    nodes = merged.nodes;
    lost.push(...merged.lost);
    revived.push(...merged.revived);
    for (const [from, to] of merged.renamed) renamed.set(from, to);
    ids = new Set([...ids, ...otherIds]);
  }
  const present = states.get(onto.id) ?? history.stateAt(onto.id);
  return {
    onto,
    present,
    heads: history.heads,
    merged: { nodes: new Map(nodes), lost, renamed, revived },
    retired,
  };
}

/** Merge base of two sides. After criss-cross merges it is the merge of their common ancestors. */
function baseOf(history: LogHistory, left: ReadonlySet<string>, right: ReadonlySet<string>, depth: number): Base {
  const [first, ...others] = history.forks(left, right);
  if (!first) return { nodes: new Map(), retired: () => false };
  const state = history.stateAt(first.id);
  let nodes: ReadonlyMap<string, GraphNode> = nodesOf(state);
  let ids = history.withAncestors([first.id]);
  const retired = new Set([...state.retiredIds()].map(idOf));
  for (const other of depth < DEPTH_MOST ? others : []) {
    const otherState = history.stateAt(other.id);
    for (const entry of otherState.retiredIds()) retired.add(idOf(entry));
    const otherIds = history.withAncestors([other.id]);
    const side = (present: ReadonlyMap<string, GraphNode>): Side => ({
      nodes: present,
      touched: () => 0,
      retired: (id) => retired.has(id) && !present.has(id),
    });
    nodes = mergeGraphs(baseOf(history, ids, otherIds, depth + 1), side(nodes), side(nodesOf(otherState))).nodes;
    ids = new Set([...ids, ...otherIds]);
  }
  return { nodes, retired: (id) => retired.has(id) };
}

function idOf(entry: Retired): string {
  return typeof entry === 'string' ? entry : entry.id;
}

export function nodesOf(state: GraphState | undefined): Map<string, GraphNode> {
  return new Map([...(state?.nodes() ?? [])].map((node) => [node.id, node]));
}

function intersection(left: ReadonlySet<string>, right: ReadonlySet<string>): Set<string> {
  return new Set([...left].filter((id) => right.has(id)));
}

/** Time at which these entries last touched a field. Merge entries are skipped: they only repeat other entries. */
function touchedBy(entries: readonly Entry[]): LastTouched {
  const times = new Map<string, number>();
  const note = (id: string, field: string, time: number) => {
    const key = JSON.stringify([id, field]);
    times.set(key, Math.max(times.get(key) ?? 0, time));
  };
  for (const entry of entries) {
    if (entry.op === 'merge') continue;
    const time = Math.max(0, Date.parse(entry.timestamp) || 0);
    for (const patch of entry.patch) {
      if ('del' in patch) continue;
      const fields =
        'put' in patch ? Object.keys(patch.put) : [...Object.keys(patch.set ?? {}), ...(patch.unset ?? [])];
      for (const field of fields) note(patch.id, field, time);
    }
  }
  return (id, field) => times.get(JSON.stringify([id, field])) ?? 0;
}

/** Events of the merge, relative to the head it continues from; several in one group if one line cannot hold them. */
export function mergeEvents(
  { onto, present, heads, merged, retired }: MergedHeads,
  resolved: readonly string[],
): EventDraft[] {
  const parcels: Parcel[] = [];
  const lostOf = new Map<string, DiscardedValue[]>();
  for (const lost of merged.lost) lostOf.set(lost.id, [...(lostOf.get(lost.id) ?? []), lost]);
  for (const node of merged.nodes.values()) {
    const patch = nodeDifference(present.node(node.id), node);
    const lost = lostOf.get(node.id);
    const note = lost ? { note: { lost: lost.map((item) => ({ ...item })) } } : {};
    if (patch) parcels.push({ patch, ...note });
    else if (lost) parcels.push({ patch: { id: node.id }, ...note });
  }
  for (const { id } of present.nodes()) {
    if (!merged.nodes.has(id)) parcels.push({ patch: retired.get(id) ?? { id, del: true } });
  }
  for (const [id, patch] of retired) if (!merged.nodes.has(id) && !present.wasUsed(id)) parcels.push({ patch });
  return packEvents('merge', parcels, (here, first) => {
    const lost = here.flatMap((parcel) => (parcel.note?.['lost'] as JsonObject[] | undefined) ?? []);
    return {
      ...(first ? aboutMerge() : {}),
      ...(lost.length > 0 ? { lost } : {}),
    };
  });

  function aboutMerge(): NodeFields {
    return {
      heads: heads.filter((head) => head.id !== onto.id).map((head) => head.id),
      ...(merged.renamed.size > 0
        ? { renamed: Object.fromEntries([...merged.renamed].slice(0, WORK_LIMITS.mergeNamed)) }
        : {}),
      ...(merged.revived.length > 0 ? { kept: merged.revived.slice(0, WORK_LIMITS.mergeNamed) } : {}),
      ...(resolved.length > 0 ? { resolved: resolved.slice(0, WORK_LIMITS.mergeNamed) } : {}),
    };
  }
}

/**
 * The forest of the same graph, with arcs beside it.
 * @packageDocumentation
 */
import type { Picture, PictureEdge, PictureNode } from '../picture.js';

/** A task's place in the tree. */
export interface Branch {
  readonly node: PictureNode;
  /** Whether each of its ancestors below the root, and then itself, has a sibling that comes later. */
  readonly more: readonly boolean[];
}

export interface Forest {
  /** Top to bottom. */
  readonly branches: readonly Branch[];
  /** The edges that are no branches. */
  readonly extra: readonly PictureEdge[];
}

/**
 * Makes a forest of a graph: a task hangs below that predecessor which is shown last, so everything it waits for stands
 * above it. A branch deeper than `depthMost` begins again as a tree of its own.
 */
export function forestOf({ nodes, edges }: Picture, depthMost: number): Forest {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const after = new Map<string, string[]>(nodes.map((node) => [node.id, []]));
  const open = new Map<string, number>();
  for (const { from, to, back } of edges) {
    if (back === true) continue;
    after.get(from)?.push(to);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  const branches: Branch[] = [];
  const parentOf = new Map<string, string>();
  const roots = nodes.filter((node) => !open.has(node.id)).map((node) => node.id);
  for (let root = 0; root < roots.length; root++) {
    const pending: { id: string; more: readonly boolean[] }[] = [{ id: roots[root] ?? '', more: [] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { id, more } = next;
      const node = byId.get(id);
      if (node === undefined) continue;
      branches.push({ node, more });
      const children: string[] = [];
      for (const other of after.get(id) ?? []) {
        const left = (open.get(other) ?? 1) - 1;
        open.set(other, left);
        if (left === 0) children.push(other);
      }
      if (more.length >= depthMost) {
        roots.push(...children);
        continue;
      }
      for (const child of children) parentOf.set(child, id);
      pending.push(
        ...children.map((child, at) => ({ id: child, more: [...more, at < children.length - 1] })).reverse(),
      );
    }
  }
  return { branches, extra: edges.filter(({ from, to, back }) => back === true || parentOf.get(to) !== from) };
}

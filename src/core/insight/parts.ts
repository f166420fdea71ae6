import type { Picture, PictureEdge, PictureNode } from './picture.js';

/** The parts of a picture that hang together; what stands alone comes last. */
export function parted(picture: Picture): Picture[] {
  const beside = new Map<string, string[]>(picture.nodes.map((node) => [node.id, []]));
  for (const { from, to } of picture.edges) {
    beside.get(from)?.push(to);
    beside.get(to)?.push(from);
  }
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { id } of picture.nodes) {
    if (partOf.has(id)) continue;
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (partOf.has(next)) continue;
      partOf.set(next, count);
      pending.push(...(beside.get(next) ?? []));
    }
    count++;
  }
  const parts = Array.from({ length: count }, () => ({ nodes: [] as PictureNode[], edges: [] as PictureEdge[] }));
  for (const node of picture.nodes) parts[partOf.get(node.id) ?? 0]?.nodes.push(node);
  for (const edge of picture.edges) parts[partOf.get(edge.to) ?? 0]?.edges.push(edge);
  return [...parts.filter((part) => part.nodes.length > 1), ...parts.filter((part) => part.nodes.length === 1)];
}

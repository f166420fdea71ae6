/**
 * The strongly connected components of two or more nodes, and nodes with an edge to themselves: Tarjan's algorithm with
 * its own stack, so that a chain of 100,000 needs no deep recursion. Edges to ids outside `ids` do not count.
 */
export function components(ids: Iterable<string>, edgesOf: (id: string) => readonly string[]): string[][] {
  const names = [...ids];
  const numberOf = new Map<string, number>();
  for (const [number, name] of names.entries()) numberOf.set(name, number);
  const count = names.length;
  const found: string[][] = [];
  /** 0: not seen. */
  const index = new Int32Array(count);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const nextEdge = new Int32Array(count);
  const stack: number[] = [];
  const path: number[] = [];
  const edges: (readonly string[])[] = new Array(count);
  let counter = 0;
  const enter = (node: number) => {
    counter++;
    index[node] = counter;
    low[node] = counter;
    onStack[node] = 1;
    stack.push(node);
    path.push(node);
    edges[node] = edgesOf(names[node] ?? '');
  };
  for (let root = 0; root < count; root++) {
    if (index[root] !== 0) continue;
    enter(root);
    while (path.length > 0) {
      const node = path[path.length - 1] ?? 0;
      const list = edges[node] ?? [];
      const place = nextEdge[node] ?? 0;
      if (place < list.length) {
        nextEdge[node] = place + 1;
        const target = numberOf.get(list[place] ?? '');
        if (target === undefined) continue;
        if (index[target] === 0) enter(target);
        else if (onStack[target] === 1) low[node] = Math.min(low[node] ?? 0, index[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
      if (low[node] === index[node]) close(node);
    }
  }
  return found;

  function close(node: number): void {
    const component: string[] = [];
    for (;;) {
      const member = stack.pop();
      if (member === undefined) break;
      onStack[member] = 0;
      component.push(names[member] ?? '');
      if (member === node) break;
    }
    const name = names[node] ?? '';
    if (component.length > 1 || edges[node]?.includes(name)) found.push(component);
  }
}

import type { GraphView } from '#core/graph/view.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { refuseLinks } from './disk.js';
import { loadStore } from './store-load.js';

/** Reads the graph from its files, without a lock and without recording hand edits. */
export function readGraphUnlocked(folder: string): GraphView {
  const paths = graphLayout(folder);
  refuseLinks(paths);
  return loadStore(paths).graph.view();
}

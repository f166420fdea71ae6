import type { GraphView } from '#core/graph/view.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { refuseLinks } from './disk.js';
import { loadStore } from './store-load.js';

/** What the files say, and nothing else: no lock, and what a hand changed is not written down. */
export function glance(folder: string): GraphView {
  const paths = graphLayout(folder);
  refuseLinks(paths);
  return loadStore(paths).graph.view();
}

import type { GraphView } from '#core/graph/view.js';
import { refuseLinks } from './disk.js';
import { storePaths } from './paths.js';
import { loadStore } from './store-load.js';

/** What the files say, and nothing else: no lock, and what a hand changed is not written down. */
export function glance(folder: string): GraphView {
  const paths = storePaths(folder);
  refuseLinks(paths);
  return loadStore(paths).graph.view();
}

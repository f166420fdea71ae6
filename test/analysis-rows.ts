import { specNamed } from '#operations/named.js';

/** Rows of the operations that analyse the graph. */
export const ANALYSIS_ROWS = (
  [
    ...(['task.why', 'analysis.problems', 'graph.compact', 'analysis.next', 'task.context'] as const),
    ...(['resource.add', 'resource.list', 'graph.check', 'analysis.report'] as const),
  ] as const
).map((name) => specNamed(name));

/** Sections of an analysis of the whole graph, in the order of the report. */
export const GRAPH_SECTIONS = [
  ...['stats', 'forecast', 'velocity', 'critical-path', 'bottlenecks', 'structure', 'cycles'],
  ...['workload', 'aging', 'resources', 'parallel', 'recent', 'plan'],
] as const;
/** Sections of an analysis of one task. */
export const TASK_SECTIONS = ['why-blocked', 'blocked', 'impact', 'cost'] as const;

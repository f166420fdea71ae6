/** Conditions of a replay as its run records them: the flags of the command, in the words of the original. */
export interface RecordedFilter {
  readonly failed_only?: unknown;
  readonly below_score?: unknown;
  readonly unscored?: unknown;
  readonly tasks?: unknown;
  readonly model?: unknown;
  readonly keep_done?: unknown;
  readonly subgraph?: unknown;
  /** Id of the run that was restored after the graph was stored. */
  readonly restore?: unknown;
}

const FLAGS: readonly (keyof RecordedFilter)[] = [
  ...(['failed_only', 'below_score', 'unscored', 'tasks', 'model', 'keep_done', 'subgraph'] as const),
];

/** Text of a filter, as `meta.json` of a run holds it; `all tasks` if there is no condition. */
export function filterText(filter: RecordedFilter): string {
  if (typeof filter.restore === 'string') return `pre-restore safety snapshot (restoring ${filter.restore})`;
  const words = FLAGS.flatMap((name) => {
    const value = filter[name];
    const flag = `--${name.replaceAll('_', '-')}`;
    if (value === true) return [flag];
    if (Array.isArray(value)) return [`${flag} ${value.join(',')}`];
    return typeof value === 'string' || typeof value === 'number' ? [`${flag} ${value}`] : [];
  });
  return words.length === 0 ? 'all tasks' : words.join(' ');
}

/** Size of a terminal. One of unknown size reports 0 and counts as 80 by 24. */
export function terminalSize(out: Pick<NodeJS.WriteStream, 'columns' | 'rows'>): {
  readonly columns: number;
  readonly rows: number;
} {
  return { columns: out.columns || 80, rows: out.rows || 24 };
}

/** Image formats rendered by an external program. */
export type DrawnFormat = 'png' | 'svg';

export interface GraphDrawer {
  /**
   * Renders a graph given in the DOT language of Graphviz. Errors: `dot_missing` if Graphviz is not installed,
   * `dot_failed`.
   */
  draw(dot: string, format: DrawnFormat): Promise<Uint8Array>;
}

/** The forms of picture that a program outside has to draw. */
export type DrawnFormat = 'png' | 'svg';

export interface GraphDrawer {
  /** A graph in the language of Graphviz as a picture. `dot_missing` where nobody can draw, `dot_failed`. */
  draw(dot: string, format: DrawnFormat): Promise<Uint8Array>;
}

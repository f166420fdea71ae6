import type { GraphView } from '#core/graph/view.js';

/** A piece of the log that was closed: its entries are packed away, and the present piece begins after them. */
export interface Rotated {
  readonly from: number;
  readonly to: number;
  /** Bytes of the log before and after. */
  readonly before: number;
  readonly after: number;
  /** The files that hold the entries, and the graph as it was after the last of them; relative to the graph's folder. */
  readonly files: readonly string[];
}

/** What a store in files has beside the graph: a picture of it that people read, and a log in pieces. Others do nothing here. */
export interface GraphFiles {
  /** A picture in the form of the readable snapshot, with what else stands in that: comments, lines that are no nodes. */
  text(view: GraphView): Promise<string>;
  /** Brings the readable snapshot up to date; returns its `seq`. */
  snapshot(): Promise<number>;
  /**
   * Closes the present piece of the log, whatever its size; stores do so by themselves when it is large. Undefined when
   * there is nothing in it, or when the store does not keep its log in pieces. Nothing that readers see changes.
   */
  rotate(): Promise<Rotated | undefined>;
}

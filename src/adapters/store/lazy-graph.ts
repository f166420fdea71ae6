import type { Entry } from '#core/graph/event.js';
import { LineView, type SnapshotLines } from '#core/graph/line-view.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/**
 * Maximum entries applied to the line view. Each new view replays every entry since the snapshot, so the full graph is
 * cheaper for a caller that keeps changing.
 */
const MAX_APPLIED_ENTRIES = 32;

/** Snapshot written by this store, with a function that builds a state from it. */
export interface SnapshotSource {
  readonly lines: Omit<SnapshotLines, 'whole'>;
  readonly stateOf: (entries: readonly Entry[]) => GraphState;
  /** `seq` of the last entry that changed the retired ids. */
  readonly retiredSeq: number;
}

/** Snapshot, with the view of it and of later entries. */
interface Lines {
  readonly source: SnapshotSource;
  readonly view: LineView;
}

/**
 * Present graph of a store, loaded lazily. A command that reads or adds one task of ten thousand does not need the
 * whole graph: until a caller does, the snapshot's lines and later entries represent it.
 */
export class LazyGraph {
  private form: GraphState | Lines;
  /** Number of entries applied individually. */
  private applied = 0;
  /** The latest immutable view, until the next change: many readers ask for it between two rounds. */
  private frozen: GraphView | undefined;

  private constructor(form: GraphState | Lines) {
    this.form = form;
  }

  /** Wraps a loaded graph. */
  static of(state: GraphState): LazyGraph {
    return new LazyGraph(state);
  }

  /** Creates a graph from a snapshot and later entries. */
  static from(source: SnapshotSource, entries: readonly Entry[]): LazyGraph {
    const whole = (newEntries: readonly Entry[]): GraphView => graph.stateAfter(source, newEntries).freeze();
    const graph = new LazyGraph({ source, view: new LineView({ ...source.lines, whole }, entries) });
    return graph;
  }

  get seq(): number {
    return this.present.seq;
  }

  get size(): number {
    return this.present.size;
  }

  /** `seq` of the last entry that changed the retired ids. */
  get retiredSeq(): number {
    const { form } = this;
    return 'source' in form && !retires(form.source, form.view.entries)
      ? form.source.retiredSeq
      : this.whole.retiredSeq;
  }

  /** Full graph. Loading it releases the snapshot's text, to save memory in a long-lived service. */
  get whole(): GraphState {
    const { form } = this;
    if (!('source' in form)) return form;
    const state = form.source.stateOf(form.view.entries);
    this.form = state;
    return state;
  }

  /** View for decisions; the next `apply` may change it. */
  get present(): GraphView {
    return 'source' in this.form ? this.form.view : this.form;
  }

  /** Returns an immutable view. */
  view(): GraphView {
    if ('source' in this.form) return this.form.view;
    this.frozen ??= this.form.freeze();
    return this.frozen;
  }

  /** Applies one entry. Loads the full graph if retired ids change or the line view has too many entries. */
  apply(entry: Entry): void {
    const { form } = this;
    this.applied++;
    this.frozen = undefined;
    const few = this.applied <= MAX_APPLIED_ENTRIES;
    if (
      'source' in form &&
      few &&
      form.view.entries.length < WORK_LIMITS.snapshotTailEvents &&
      !retires(form.source, [entry])
    )
      this.form = { ...form, view: form.view.with(entry) };
    else this.whole.apply(entry);
  }

  /** State for line view queries that need the whole: the present one if the view is current, otherwise a new one. */
  private stateAfter(source: SnapshotSource, entries: readonly Entry[]): GraphState {
    return 'source' in this.form && this.form.view.entries === entries ? this.whole : source.stateOf(entries);
  }
}

/** Whether one of these entries retires an id or reuses a retired one. */
function retires({ lines }: SnapshotSource, entries: readonly Entry[]): boolean {
  const retiredIds = new Set(lines.retired().map((one) => (typeof one === 'string' ? one : one.id)));
  return entries.some(({ patch }) => patch.some((one) => 'del' in one || ('put' in one && retiredIds.has(one.id))));
}

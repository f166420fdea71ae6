import type { Entry } from '#core/graph/event.js';
import { LineView, type SnapshotLines } from '#core/graph/line-view.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';

/** Each picture of lines redoes every entry since the snapshot: whoever goes on changing is better off with the whole. */
const APPLIED_MOST = 32;

/** A snapshot of our own, and how to make a state of it. */
export interface SnapshotSource {
  readonly lines: Omit<SnapshotLines, 'whole'>;
  readonly stateOf: (entries: readonly Entry[]) => GraphState;
  /** `seq` of the last entry that changed which ids are no longer in use. */
  readonly retiredSeq: number;
}

/** A snapshot, with the view of it and of the entries since. */
interface Lines {
  readonly source: SnapshotSource;
  readonly view: LineView;
}

/**
 * The present graph of a store. A command that looks at one task of ten thousand, or adds one, never needs the whole of it:
 * until somebody does, the snapshot's lines and the entries since stand for it.
 */
export class LazyGraph {
  private form: GraphState | Lines;
  /** How many entries were redone one at a time. */
  private applied = 0;

  private constructor(form: GraphState | Lines) {
    this.form = form;
  }

  /** A graph that is there already. */
  static of(state: GraphState): LazyGraph {
    return new LazyGraph(state);
  }

  /** A snapshot and the entries since. */
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

  /** `seq` of the last entry that changed which ids are no longer in use. */
  get retiredSeq(): number {
    const { form } = this;
    return 'source' in form && !retires(form.source, form.view.entries)
      ? form.source.retiredSeq
      : this.whole.retiredSeq;
  }

  /** Everything, ready for any question. From then on the snapshot's text is let go: a service lives long. */
  get whole(): GraphState {
    const { form } = this;
    if (!('source' in form)) return form;
    const state = form.source.stateOf(form.view.entries);
    this.form = state;
    return state;
  }

  /** What a change is decided on; the next `apply` may change it. */
  get present(): GraphView {
    return 'source' in this.form ? this.form.view : this.form;
  }

  /** A picture that stays as it is. */
  view(): GraphView {
    return 'source' in this.form ? this.form.view : this.form.freeze();
  }

  /** Redoes one entry. One that changes which ids are in use needs the whole, and so many that lines no longer pay. */
  apply(entry: Entry): void {
    const { form } = this;
    this.applied++;
    const few = this.applied <= APPLIED_MOST;
    if (
      'source' in form &&
      few &&
      form.view.entries.length < LIMITS.snapshotTailEvents &&
      !retires(form.source, [entry])
    )
      this.form = { ...form, view: form.view.with(entry) };
    else this.whole.apply(entry);
  }

  /** What a view of lines is asked about the whole: the present state where it is of now, else one of its own. */
  private stateAfter(source: SnapshotSource, entries: readonly Entry[]): GraphState {
    return 'source' in this.form && this.form.view.entries === entries ? this.whole : source.stateOf(entries);
  }
}

/** Does one of these entries take an id out of use, or into use again? */
function retires({ lines }: SnapshotSource, entries: readonly Entry[]): boolean {
  const retiredIds = new Set(lines.retired().map((one) => (typeof one === 'string' ? one : one.id)));
  return entries.some(({ patch }) => patch.some((one) => 'del' in one || ('put' in one && retiredIds.has(one.id))));
}

import type { GraphView } from '#core/graph/view.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import type { Schema } from '#operations/operation.js';

/** Input of a section: the same state of the graph for all, and the options of the analysis. */
export interface Analyzed {
  readonly view: GraphView;
  readonly context: WorkContext & MachineContext;
  /** Id of the analyzed task; empty for the whole graph. */
  readonly id: string;
  readonly weeks?: number | undefined;
  readonly since?: string | undefined;
  readonly budget?: number | undefined;
  readonly hours?: number | undefined;
}

/** One section of an analysis. */
interface Section<Answer> {
  readonly output: Schema<unknown, Answer>;
  run(analyzed: Analyzed): Promise<Answer>;
}

/** Defines a section whose answer has the type of its schema. */
export function section<Answer>(definition: {
  readonly output: Schema<unknown, Answer>;
  run(analyzed: Analyzed): Promise<NoInfer<Answer>>;
}): Section<Answer> {
  return definition;
}

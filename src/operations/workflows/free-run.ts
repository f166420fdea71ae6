import type { GraphView } from '#core/graph/view.js';
import type { CompiledWorkflow } from '#core/workflows/compiled.js';
import { TroupeError } from '#kernel/errors.js';

const PREFIXES_TRIED = 1_000;

export type NamedRun = CompiledWorkflow & { readonly prefix: string };

/** The first free name of a run: `bug-fix`, `bug-fix-2`, … */
export function freeRun(view: GraphView, base: string, compile: (prefix: string) => CompiledWorkflow): NamedRun {
  for (let number = 1; number <= PREFIXES_TRIED; number++) {
    const prefix = number === 1 ? base : `${base}-${number}`;
    const compiled = compile(prefix);
    if (!compiled.tasks.some((task) => view.wasUsed(task.id))) return { ...compiled, prefix };
  }
  throw new TroupeError('id_taken', { what: `There are ${PREFIXES_TRIED} runs of “${base}” already.` });
}

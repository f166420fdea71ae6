import type { TaskTemplate } from '#core/workflows/function.js';
import { generalizeBlocks, generalized } from '#core/workflows/generalize.js';
import { TroupeError } from '#kernel/errors.js';
import { ask } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';

interface Reworded {
  readonly tasks: readonly TaskTemplate[];
  readonly warnings: string[];
}

/** The templates in the words of a model; as they are, with a warning, when its answer is of no use. Errors: `no_model`. */
export async function reworded(context: Context, tasks: readonly TaskTemplate[]): Promise<Reworded> {
  const plain = (why: string): Reworded => ({ tasks, warnings: [`${why} The texts are as they were extracted.`] });
  const blocks = generalizeBlocks(tasks);
  if (blocks === undefined)
    return plain('These texts cannot be shown to a model: too long, with hidden characters, or with secrets.');
  const { answer, failure } = await ask(context, {
    ...{ purpose: 'functions', name: 'generalize', blocks },
    take: (text) => generalized(tasks, text),
  });
  if (answer) return { tasks: answer, warnings: [] };
  if (failure.code !== 'no_model') return plain(failure.reason);
  throw new TroupeError('no_model', { what: failure.reason, hint: failure.hint });
}

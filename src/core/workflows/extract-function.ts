import { isIdForm, slugOf } from '#core/graph/slug.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { FunctionInput, TaskTemplate } from './function.js';
import { parametrize } from './function-inputs.js';
import { type Picking, pickTasks } from './pick-tasks.js';
import { commonWords, templatesOf } from './template.js';

export interface ExtractOptions extends Picking {
  readonly now: number;
  readonly actor: string;
  /** The id of the function; without it what the ids of the tasks have in common, else the first task's. */
  readonly name?: string | undefined;
  /** The role of each team member, for the hint who should do such a task. */
  readonly roles: ReadonlyMap<string, string>;
}

/** A function file as it is written, keys in the order of the file. */
export interface FunctionDraft {
  readonly kind: 'trace-function';
  readonly version: 1;
  readonly id: string;
  readonly description: string;
  readonly extracted_from: readonly string[];
  readonly extracted_by: string;
  readonly extracted_at: string;
  readonly inputs: readonly FunctionInput[];
  readonly tasks: readonly TaskTemplate[];
}

/** A function from tasks that are done: their structure, with what varies made inputs. Changes nothing in the graph. */
export function extractFunction(view: GraphView, named: readonly string[], options: ExtractOptions): FunctionDraft {
  if (named.length === 0) throw new TroupeError('usage', { what: 'Say which tasks a function is made of.' });
  const picked = pickTasks(view, named, options);
  const ids = picked.tasks.map((task) => task.id).sort();
  const { inputs, tasks } = parametrize(templatesOf(picked, options.roles));
  return {
    kind: 'trace-function',
    version: 1,
    id: options.name === undefined ? defaultId(ids) : givenId(options.name),
    description: `Made from ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`,
    extracted_from: ids,
    extracted_by: options.actor,
    extracted_at: timestamp(options.now),
    inputs,
    tasks,
  };
}

function defaultId(ids: readonly string[]): string {
  const words = (commonWords(ids) || (ids[0] ?? '')).replace(/-$/, '');
  return isIdForm(words) ? words : slugOf(words);
}

function givenId(name: string): string {
  if (isIdForm(name)) return name;
  throw new TroupeError('bad_input', {
    what: `Not a name for a function: ${JSON.stringify(name.slice(0, 60))}`,
    hint: 'Use letters, digits, . _ and -, at most 100, beginning with a letter or digit.',
  });
}

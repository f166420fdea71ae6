import { modelChoice } from '#core/settings/model-choice.js';
import type { Settings } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** Whether a model is there that scores. One that was found is not looked for again until the settings name another. */
export class Judge {
  private readonly context: Pick<Context, 'model'>;
  private found: string | undefined;

  constructor(context: Pick<Context, 'model'>) {
    this.context = context;
  }

  /** Why there is none; that there is one, and whether that is news. */
  async look(settings: Settings): Promise<{ readonly unjudged: string } | { readonly judgeIsNew: boolean }> {
    const choice = modelChoice(settings, 'evaluator');
    const wanted = JSON.stringify(choice);
    if (this.found === wanted) return { judgeIsNew: false };
    try {
      await (await this.context.model(choice)).ready();
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      this.found = undefined;
      return { unjudged: error.message };
    }
    this.found = wanted;
    return { judgeIsNew: true };
  }
}

import type { AgencyFacts } from '#core/coordinator/agency.js';
import { modelChoice } from '#core/settings/model-choice.js';
import type { Settings } from '#core/settings/schema.js';
import { modelFor } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';

/** Whether a model is there that scores. One that was found is not looked for again until the settings name another. */
export class Judge {
  private readonly context: Pick<Context, 'model' | 'settings' | 'trust'>;
  private found: string | undefined;

  constructor(context: Pick<Context, 'model' | 'settings' | 'trust'>) {
    this.context = context;
  }

  /** Why there is none; that there is one, and whether that is news. */
  async look(settings: Settings): Promise<Pick<AgencyFacts, 'unjudged' | 'judgeIsNew'>> {
    const wanted = JSON.stringify([modelChoice(settings, 'evaluator'), settings.models.ask]);
    if (this.found === wanted) return { unjudged: undefined, judgeIsNew: false };
    const there = await modelFor(this.context, 'evaluator');
    const unjudged = 'failure' in there ? there.failure.reason : undefined;
    this.found = unjudged === undefined ? wanted : undefined;
    return { unjudged, judgeIsNew: unjudged === undefined };
  }
}

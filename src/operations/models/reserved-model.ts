import type { Usage } from '#core/coordinator/snapshot.js';
import { TroupeError } from '#kernel/errors.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import type { ModelBudget } from './model-budget.js';

/** A model that is asked only what the budget allows: its part is set aside before each question and settled after it. */
export class ReservedModel implements Model {
  readonly name: string;
  private readonly model: Model;
  private readonly budget: ModelBudget;

  constructor(model: Model, budget: ModelBudget) {
    this.name = model.name ?? 'unknown';
    this.model = model;
    this.budget = budget;
  }

  ready(): Promise<void> {
    return this.model.ready();
  }

  async complete(question: ModelQuestion): Promise<ModelAnswer> {
    const { purpose = 'text', task, prompt, timeMs } = question;
    const promptBytes = Buffer.byteLength(prompt);
    const id = await this.budget.reserve({ purpose, model: this.name, task, promptBytes, timeMs });
    if (id === undefined) return await this.model.complete(question);
    try {
      const answer = await this.model.complete(question);
      await this.settle(id, { usage: usageOf(answer.usage) });
      return answer;
    } catch (error) {
      const unspent = error instanceof TroupeError && (error.code === 'no_model' || error.details['unspent'] === true);
      await this.settle(id, unspent ? { free: true } : {});
      throw error;
    }
  }

  /** An answer is not lost because the log could not take its price: what was set aside counts when its time is over. */
  private async settle(id: string, end: Parameters<ModelBudget['settle']>[1]): Promise<void> {
    await this.budget.settle(id, end).catch(() => undefined);
  }
}

function usageOf(used: ModelAnswer['usage']): Usage | undefined {
  const { inputTokens, outputTokens, costUsd } = used ?? {};
  if (inputTokens === undefined && outputTokens === undefined && costUsd === undefined) return undefined;
  return {
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
  };
}

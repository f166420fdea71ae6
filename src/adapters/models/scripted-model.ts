import { TroupeError } from '#kernel/errors.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';

/** A model whose answers are given ahead, one a question; an error among them is thrown. Keeps what it was asked. */
export class ScriptedModel implements Model {
  readonly asked: ModelQuestion[] = [];
  private readonly answers: readonly (string | TroupeError)[];

  constructor(answers: readonly (string | TroupeError)[]) {
    this.answers = answers;
  }

  /** A script without answers is no model. */
  async ready(): Promise<void> {
    if (this.answers.length === 0) throw new TroupeError('no_model');
  }

  async complete(question: ModelQuestion): Promise<ModelAnswer> {
    const answer = this.answers[this.asked.length];
    this.asked.push(question);
    if (answer === undefined) throw new TroupeError('bad_model_answer', { what: 'The script has no answer left.' });
    if (typeof answer !== 'string') throw answer;
    return { text: answer };
  }
}

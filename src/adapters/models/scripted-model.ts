import * as z from 'zod/mini';
import { boundedText } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';

const scriptSchema = z.array(
  z.strictObject({ purpose: z.optional(z.string()), match: z.optional(z.string()), reply: z.string() }),
);

/** A model whose answers stand in a file: the first line of it whose purpose and words fit the question. */
export class ScriptFile implements Model {
  readonly name = 'scripted';
  private readonly file: string | undefined;
  private readonly variable: string;

  /** `variable` names where the path comes from; a project never says it. */
  constructor(file: string | undefined, variable: string) {
    this.file = file;
    this.variable = variable;
  }

  async ready(): Promise<void> {
    await this.script();
  }

  async complete({ prompt, purpose }: ModelQuestion): Promise<ModelAnswer> {
    const script = await this.script();
    const answer = script.find(
      (line) => (line.purpose ?? purpose) === purpose && (line.match === undefined || prompt.includes(line.match)),
    );
    if (answer === undefined) throw new TroupeError('bad_model_answer', { what: 'The script has no answer to this.' });
    return { text: answer.reply };
  }

  private async script(): Promise<z.infer<typeof scriptSchema>> {
    const refuse = (why: string): never => {
      throw new TroupeError('no_model', { what: why, hint: `Name a file of answers in ${this.variable}.` });
    };
    if (this.file === undefined || this.file === '') return refuse(`${this.variable} names no file.`);
    const text = await boundedText(this.file, LIMITS.squadFileBytes, 'followed').catch(() => undefined);
    if (typeof text === 'number') return refuse('The script of the model is too large.');
    let value: unknown;
    try {
      value = JSON.parse(text ?? '');
    } catch {
      return refuse('The script of the model cannot be read.');
    }
    const parsed = scriptSchema.safeParse(value);
    return parsed.success ? parsed.data : refuse('The script of the model is not a list of {purpose, match, reply}.');
  }
}

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

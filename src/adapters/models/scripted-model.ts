import * as z from 'zod/mini';
import { boundedText } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';

const scriptSchema = z.array(
  z.strictObject({ purpose: z.optional(z.string()), match: z.optional(z.string()), reply: z.string() }),
);

/** A model with answers from a file: the first line whose purpose and words match the question. */
export class ScriptFile implements Model {
  readonly name = 'scripted';
  private readonly file: string | undefined;
  private readonly variable: string;

  /** `variable` is the environment variable with the path. Project settings cannot set it. */
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
    const text = await boundedText(this.file, TEAM_LIMITS.squadFileBytes, 'followed').catch(() => undefined);
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

/** A model with predefined answers, one per question; an error among them is thrown. Keeps its questions. */
export class ScriptedModel implements Model {
  readonly asked: ModelQuestion[] = [];
  private readonly answers: readonly (string | TroupeError)[];

  constructor(answers: readonly (string | TroupeError)[]) {
    this.answers = answers;
  }

  /** Rejects with `no_model` if there are no answers. */
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

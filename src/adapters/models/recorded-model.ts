import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Clock, timestamp } from '#kernel/clock.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { Redactor } from '#kernel/secrets.js';
import { cut } from '#kernel/text.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/;

/**
 * A model that writes a file for each call: question, answer, duration, tokens and cost, without secrets. The file is
 * created before the request is sent, so an interrupted call is recorded too.
 */
export class RecordedModel implements Model {
  /** Name of the wrapped model. */
  readonly name?: string;
  private readonly model: Model;
  private readonly folder: string;
  private readonly clock: Clock;
  private readonly secrets: readonly string[];

  /** `folder` is absolute; `secrets` are values that must be redacted from it in any form. */
  constructor(parts: { model: Model; folder: string; clock: Clock; secrets?: readonly string[] }) {
    this.model = parts.model;
    if (parts.model.name !== undefined) this.name = parts.model.name;
    this.folder = parts.folder;
    this.clock = parts.clock;
    this.secrets = parts.secrets ?? [];
  }

  ready(): Promise<void> {
    return this.model.ready();
  }

  async complete(question: ModelQuestion): Promise<ModelAnswer> {
    const started = this.clock.now();
    const at = timestamp(started);
    const runId = `${at.replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`;
    const request = {
      run_id: runId,
      at,
      purpose: question.purpose ?? 'text',
      model: this.model.name ?? 'unknown',
      prompt: this.clean(question.prompt),
    };
    this.keep(runId, { ...request, status: 'asked' });
    const took = () => ({ duration_ms: this.clock.now() - started });
    try {
      const { text, usage = {} } = await this.model.complete(question);
      if (Buffer.byteLength(text) > TEAM_LIMITS.modelAnswerBytes) {
        const what = `The model said more than ${TEAM_LIMITS.modelAnswerBytes} bytes.`;
        throw new TroupeError('bad_model_answer', { what });
      }
      const tokens = {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cost_usd: usage.costUsd,
      };
      this.keep(runId, { ...request, status: 'answered', ...took(), ...tokens, answer: this.clean(text) });
      return { text, usage, runId };
    } catch (error) {
      const failure = asTroupeError(error);
      this.keep(runId, {
        ...request,
        status: 'failed',
        ...took(),
        error: this.clean(`${failure.code}: ${failure.message}`),
      });
      const { message: what, hint, details } = failure;
      throw new TroupeError(failure.code, { what, hint, details: { ...details, run_id: runId }, cause: error });
    }
  }

  private clean(text: string): string {
    const redactor = new Redactor(this.secrets);
    return cut(redactor.push(text) + redactor.end(), TEAM_LIMITS.modelRunBytes);
  }

  private keep(runId: string, record: object): void {
    const file = path.join(this.folder, `${runId}.json`);
    const part = `${file}.part`;
    try {
      for (const place of [path.dirname(path.dirname(this.folder)), path.dirname(this.folder), this.folder]) {
        if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
          throw new TroupeError('unsafe_path', { what: `${place} is a link: records are not kept through it.` });
      }
      mkdirSync(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
      writeFileSync(part, `${JSON.stringify(record, null, 2)}\n`, { mode: PRIVATE_FILE });
      renameSync(part, file);
      const names = readdirSync(this.folder).filter((name) => NAME.test(name));
      const old = names.sort().slice(0, Math.max(0, names.length - TEAM_LIMITS.modelRunsKept));
      for (const name of old) rmSync(path.join(this.folder, name), { force: true });
    } catch (error) {
      rmSync(part, { force: true });
      throw asTroupeError(error);
    }
  }
}

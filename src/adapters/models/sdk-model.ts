/**
 * Models that answer in text: HTTP services, the `claude` command line, scripts; the record of each call.
 * @packageDocumentation
 */
import type { LanguageModel } from 'ai';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import { SERVICE_KEYS, type ServiceName } from './service-keys.js';

interface Service {
  /** The person's environment variable for another base URL. */
  readonly address: string;
  /** Default model: a cheap one, because the questions are small. */
  readonly model: string;
  readonly aliases: Readonly<Record<string, string>>;
  make(
    model: string,
    options: { apiKey: string; baseURL: string | undefined; fetch: typeof fetch },
  ): Promise<LanguageModel>;
}

const SERVICES: Readonly<Record<ServiceName, Service>> = {
  anthropic: {
    address: 'ANTHROPIC_BASE_URL',
    model: 'claude-haiku-4-5',
    aliases: { haiku: 'claude-haiku-4-5', sonnet: 'claude-sonnet-4-5', opus: 'claude-opus-4-5' },
    async make(model, { apiKey, baseURL, fetch }) {
      const { createAnthropic } = await import('#adapters/models/providers.js');
      // The variable has no version path, as other programs that share it expect.
      const address = baseURL === undefined ? {} : { baseURL: /\/v\d+\/?$/.test(baseURL) ? baseURL : `${baseURL}/v1` };
      return createAnthropic({ apiKey, fetch, ...address })(model);
    },
  },
  openai: {
    address: 'OPENAI_BASE_URL',
    model: 'gpt-5-mini',
    aliases: {},
    async make(model, { apiKey, baseURL, fetch }) {
      const { createOpenAI } = await import('#adapters/models/providers.js');
      return createOpenAI({ apiKey, fetch, ...(baseURL === undefined ? {} : { baseURL }) }).chat(model);
    },
  },
  openrouter: {
    address: 'OPENROUTER_BASE_URL',
    model: 'anthropic/claude-haiku-4.5',
    aliases: {
      haiku: 'anthropic/claude-haiku-4.5',
      sonnet: 'anthropic/claude-sonnet-4.5',
      opus: 'anthropic/claude-opus-4.5',
    },
    async make(model, { apiKey, baseURL, fetch }) {
      const { createOpenRouter } = await import('#adapters/models/providers.js');
      const provider = createOpenRouter({ apiKey, fetch, ...(baseURL === undefined ? {} : { baseURL }) });
      return provider.chat(model, { usage: { include: true } });
    },
  },
  local: {
    address: 'TROUPE_LOCAL_MODEL_URL',
    model: 'default',
    aliases: {},
    async make(model, { apiKey, baseURL = '', fetch }) {
      const { createOpenAICompatible } = await import('#adapters/models/providers.js');
      return createOpenAICompatible({ name: 'local', baseURL, fetch, ...(apiKey === '' ? {} : { apiKey }) })(model);
    },
  },
};

interface Parts {
  readonly service: ServiceName;
  readonly model?: string | undefined;
  /** Short name of the default model. */
  readonly usual?: string | undefined;
  /** From trusted settings; the person's environment variable takes precedence. */
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves after this many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Random number from 0 to 1. */
  readonly chance: () => number;
}

/** A model behind an HTTP service, through the AI SDK, which is loaded with the first question. */
export class SdkModel implements Model {
  readonly name: string;
  private readonly parts: Parts;
  private readonly service: Service;
  private readonly model: string;

  constructor(parts: Parts) {
    this.parts = parts;
    this.service = SERVICES[parts.service];
    const { aliases, model } = this.service;
    this.model = aliases[parts.model ?? ''] ?? parts.model ?? aliases[parts.usual ?? ''] ?? model;
    this.name = `${parts.service} ${this.model}`;
  }

  async ready(): Promise<void> {
    const { service, address } = { service: this.parts.service, address: this.address };
    const refuse = (what: string, hint: string): never => {
      throw new TroupeError('no_model', { what, hint });
    };
    if (service === 'local' && address === undefined)
      refuse('The address of the local model is not set.', `Set models.local_url, or ${this.service.address}.`);
    if (service !== 'local' && this.key === '')
      refuse(`There is no key for ${service}.`, `Set ${SERVICE_KEYS[service]} in your environment.`);
    if (address !== undefined && !/^https?:\/\/\S+$/i.test(address))
      refuse(`${cut(inert(redact(address)), 120)} is not a model address.`, 'Use http:// or https://.');
  }

  async complete({ prompt, timeMs }: ModelQuestion): Promise<ModelAnswer> {
    await this.ready();
    const signal = AbortSignal.timeout(timeMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.ask(prompt, signal);
      } catch (error) {
        if (signal.aborted) throw this.failed(`took longer than ${Math.round(timeMs / 1_000)} s`, error);
        if (attempt >= TEAM_LIMITS.modelRetries || !isRetryable(error)) throw this.failed(reasonOf(error), error);
        // Jitter, so that callers rejected together do not retry together.
        await this.parts.pause(TEAM_LIMITS.modelRetryMs * 2 ** attempt * (0.5 + this.parts.chance()));
      }
    }
  }

  private async ask(prompt: string, signal: AbortSignal): Promise<ModelAnswer> {
    const { generateText } = await import('#adapters/models/providers.js');
    globalThis.AI_SDK_LOG_WARNINGS = false; // warnings would appear among our output
    const options = { apiKey: this.key, baseURL: this.address, fetch: boundedFetch(TEAM_LIMITS.modelAnswerBytes * 2) };
    const model = await this.service.make(this.model, options);
    const { text, usage, providerMetadata } = await generateText({ model, prompt, maxRetries: 0, abortSignal: signal });
    if (text.trim() === '') throw new TroupeError('bad_model_answer', { what: 'gave no answer' });
    if (Buffer.byteLength(text) > TEAM_LIMITS.modelAnswerBytes)
      throw new TroupeError('bad_model_answer', { what: `said more than ${TEAM_LIMITS.modelAnswerBytes} bytes` });
    const { inputTokens, outputTokens } = usage;
    const cost = (providerMetadata?.['openrouter']?.['usage'] as { cost?: unknown } | undefined)?.cost;
    return {
      text,
      usage: {
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
        ...(typeof cost === 'number' ? { costUsd: cost } : {}),
      },
    };
  }

  private failed(why: string, cause: unknown): TroupeError {
    const reason = cut(inert(redact(why)), TEAM_LIMITS.executorReasonCharacters);
    const unspent = isErrorResponse(cause) ? { details: { unspent: true } } : {};
    return new TroupeError('bad_model_answer', { what: `${this.name}: ${reason}.`, cause, ...unspent });
  }

  private get key(): string {
    const { environment, keyVariable } = this.parts;
    return environment[keyVariable ?? SERVICE_KEYS[this.parts.service]] ?? '';
  }

  private get address(): string | undefined {
    return (this.parts.environment[this.service.address] || this.parts.url)?.replace(/\/+$/, '');
  }
}

/** Whether a retry may succeed: rate limit, or a fault of the service. */
function isRetryable(error: unknown): boolean {
  const status = (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' && (status === 429 || status >= 500);
}

/** Whether the service responded with an error: then the call is not charged. */
function isErrorResponse(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400;
}

function reasonOf(error: unknown): string {
  if (error instanceof TroupeError) return error.message;
  const { statusCode, message } = error as { statusCode?: unknown; message?: unknown };
  return `${typeof statusCode === 'number' ? `${statusCode}: ` : ''}${String(message ?? 'failed')}`;
}

/**
 * `fetch` without redirects, so that a key is sent nowhere else, and with at most `most` bytes of response, so that an
 * endless answer cannot fill the memory.
 */
function boundedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    let remaining = most;
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          remaining -= chunk.byteLength;
          if (remaining >= 0) controller.enqueue(chunk);
          else controller.error(new TroupeError('bad_model_answer', { what: `said more than ${most} bytes` }));
        },
      }),
    );
    return new Response(bounded, { status, statusText, headers });
  };
}

/**
 * GitHub and GitLab by the programs `gh` and `glab`, which have the account of the person: no token of ours.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import type { ForgeName } from '#core/imports/forges.js';
import { TroupeError } from '#kernel/errors.js';
import { isDeep, type Json } from '#kernel/json.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { redact } from '#kernel/secrets.js';
import { cut, inSentence } from '#kernel/text.js';
import type { Programs } from '#ports/programs.js';

export interface ProgramParts {
  readonly programs: Programs;
  /** Absolute path of the program; undefined if it is not installed. */
  readonly program: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Undefined for the one that the program uses without being told. */
  readonly host: string | undefined;
  /** Ends the program early. */
  readonly signal: AbortSignal | undefined;
}

export interface Asked {
  readonly status: number;
  readonly text: string;
}

const PROGRAMS = { github: 'gh', gitlab: 'glab' } as const;
const HEAD = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n([\s\S]*?)\r?\n\r?\n/;

/** Variables of the programs, beside those that every command gets. They hold the account of the person. */
const OWN_VARIABLES = /^(?:GH_|GITHUB_TOKEN$|GITHUB_ENTERPRISE_TOKEN$|GITLAB_|GLAB_|XDG_|DBUS_SESSION_BUS_ADDRESS$)/;

/** Environment of `gh` and `glab`: the shared one and their own variables; they ask nothing and announce nothing. */
export function forgeEnvironment(
  shared: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const own = Object.entries(ours).filter(([name]) => OWN_VARIABLES.test(name));
  const quiet = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GLAB_CHECK_UPDATE: 'false', NO_PROMPT: '1' };
  return { ...shared, ...Object.fromEntries(own), ...quiet, NO_COLOR: '1', GH_PAGER: 'cat' };
}

/** One of the two programs, used for nothing but requests to the API. */
export class ForgeProgram {
  readonly name: ForgeName;
  private readonly parts: ProgramParts;

  constructor(name: ForgeName, parts: ProgramParts) {
    this.name = name;
    this.parts = parts;
  }

  /**
   * One request. The address is made of checked parts; what is sent goes through standard input. Not found (404, 410)
   * and refused content (422) are answers. Errors: those of `Forge`.
   */
  async ask(method: 'GET' | 'POST' | 'PATCH' | 'PUT', address: string, body?: object): Promise<Asked> {
    const { programs, program, environment, folder, host, signal } = this.parts;
    if (program === undefined) throw this.missing();
    const words = [
      ...['api', '--method', method, '--include'],
      ...(host === undefined ? [] : ['--hostname', host]),
      ...(body === undefined ? [] : ['--header', 'Content-Type: application/json', '--input', '-']),
      address,
    ];
    const answer = await programs.run(program, words, {
      cwd: folder,
      environment,
      timeMs: FORGE_LIMITS.callMs,
      apartBytes: FORGE_LIMITS.answerBytes,
      ...(body === undefined ? {} : { input: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.end === 'missing' || answer.end === 'not-started') throw this.missing();
    if (answer.end === 'stopped') throw this.failed('was stopped');
    if (answer.end !== 'exited') throw this.failed(`did not answer within ${FORGE_LIMITS.callMs / 1_000} seconds`);
    const { output, errors = '' } = answer;
    const head = HEAD.exec(output);
    if (head === null) throw this.withoutAnswer(errors || output);
    const [whole, status = '', headers = ''] = head;
    const asked = { status: Number(status), text: output.slice(whole.length) };
    this.refuse(asked, headers);
    return asked;
  }

  /** An answer in this shape; undefined if there is no such thing. */
  async read<Value>(address: string, shape: z.ZodMiniType<Value>): Promise<Value | undefined> {
    const asked = await this.ask('GET', address);
    return asked.status < 300 ? this.parsed(asked, shape) : undefined;
  }

  /** All pages of a list, up to `pages`; undefined if there is no such list, or if it has more. */
  async list<Value>(
    address: string,
    shape: z.ZodMiniType<Value>,
    { items, pages }: { readonly items: number; readonly pages: number },
  ): Promise<Value[] | undefined> {
    const all: Value[] = [];
    for (let page = 1; page <= pages; page++) {
      const joint = address.includes('?') ? '&' : '?';
      const rows = await this.read(`${address}${joint}per_page=${items}&page=${page}`, z.array(shape));
      if (rows === undefined) return undefined;
      all.push(...rows);
      if (rows.length < items) return all;
    }
    return undefined;
  }

  parsed<Value>({ text }: Asked, shape: z.ZodMiniType<Value>): Value {
    if (isDeep(text)) throw this.failed('wrote JSON that is nested too deeply');
    let value: Json;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.failed('wrote something that is not JSON, or too much of it');
    }
    const parsed = z.safeParse(shape, value);
    if (parsed.success) return parsed.data;
    const at = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    throw this.failed(`wrote JSON in an unknown form${at === '' ? '' : ` (${inSentence(at)})`}`);
  }

  failed(what: string, hint?: string): TroupeError {
    const why = `${PROGRAMS[this.name]} ${what}.`;
    return new TroupeError('forge_failed', { what: why, ...(hint === undefined ? {} : { hint }) });
  }

  private missing(): TroupeError {
    const name = PROGRAMS[this.name];
    return new TroupeError('forge_missing', {
      what: `${name} is not installed: it is not on your PATH.`,
      hint: `Install it, then sign in with \`${name} auth login\`.`,
    });
  }

  private signIn(): TroupeError {
    const name = PROGRAMS[this.name];
    return new TroupeError('forge_sign_in', {
      what: `${name} is not signed in, or its sign-in has expired.`,
      hint: `Run \`${name} auth login\`.`,
    });
  }

  /** The program ended without an answer of the forge. */
  private withoutAnswer(words: string): TroupeError {
    if (/auth login|authentication|not logged in|GH_TOKEN|no token/i.test(words)) return this.signIn();
    return this.failed(`failed: ${shown(words) || 'it wrote nothing'}`);
  }

  private refuse({ status, text }: Asked, headers: string): void {
    if (status < 300 || status === 404 || status === 410 || status === 422 || status === 409) return;
    if (status === 401) throw this.signIn();
    const reset = /^(?:x-ratelimit-reset|ratelimit-reset):\s*(\d{1,12})/im.exec(headers)?.[1];
    const later = /^retry-after:\s*(\d{1,6})/im.exec(headers)?.[1];
    const isLimited = status === 429 || /^x-ratelimit-remaining:\s*0\s*$/im.test(headers) || later !== undefined;
    if (isLimited) {
      const until = reset === undefined ? '' : ` until ${new Date(Number(reset) * 1_000).toISOString()}`;
      throw this.failed(
        `was told to wait: the limit of requests is reached${until}`,
        'Nothing is lost: try again later.',
      );
    }
    throw this.failed(`was answered ${status}: ${shown(messageOf(text)) || 'without a reason'}`);
  }
}

/** The message of an error of the API; the text itself if it is in no known form. */
function messageOf(text: string): string {
  try {
    const parsed = z.safeParse(z.object({ message: z.string() }), JSON.parse(text));
    return parsed.success ? parsed.data.message : text;
  } catch {
    return text;
  }
}

function shown(text: string): string {
  return cut(inSentence(redact(text).trim()), FORGE_LIMITS.messageCharacters);
}

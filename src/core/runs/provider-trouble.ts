/**
 * Provider failures, distinguished by their remedy. `passes`: ends by itself, else a person has to fix it; `limit`: a
 * limit notice, after which the run has failed regardless of the client's result; `standIn`: a usage limit, during
 * which another client may take over; `scope`: concerns one model or the whole client.
 */
export const TROUBLES = {
  limited: { passes: true, limit: true, standIn: true, scope: 'client', words: 'requests are limited' },
  'usage-limit': { passes: true, limit: true, standIn: true, scope: 'client', words: 'the usage limit is reached' },
  'session-limit': { passes: true, limit: true, standIn: true, scope: 'client', words: 'the session limit is reached' },
  'weekly-limit': { passes: true, limit: true, standIn: true, scope: 'client', words: 'the weekly limit is reached' },
  'model-limit': {
    passes: true,
    limit: true,
    standIn: true,
    scope: 'model',
    words: 'the limit of the model is reached',
  },
  quota: { passes: true, limit: true, standIn: true, scope: 'client', words: 'the quota is used up' },
  overloaded: { passes: true, limit: true, standIn: true, scope: 'client', words: 'the provider is overloaded' },
  failing: { passes: true, limit: false, standIn: false, scope: 'client', words: 'the provider fails' },
  unreachable: { passes: true, limit: false, standIn: false, scope: 'client', words: 'the provider cannot be reached' },
  garbled: {
    passes: true,
    limit: false,
    standIn: false,
    scope: 'client',
    words: 'the answer is not from the provider',
  },
  'spending-limit': {
    passes: false,
    limit: true,
    standIn: true,
    scope: 'client',
    words: 'the spending limit is reached',
  },
  'no-credit': { passes: false, limit: true, standIn: true, scope: 'client', words: 'there is no credit left' },
  'key-refused': { passes: false, limit: true, standIn: false, scope: 'client', words: 'the key is refused' },
  'access-refused': { passes: false, limit: true, standIn: false, scope: 'client', words: 'access is refused' },
  'not-found': {
    passes: false,
    limit: false,
    standIn: false,
    scope: 'model',
    words: 'the provider knows no such model or address',
  },
} as const;
export type Trouble = keyof typeof TROUBLES;

export function isTrouble(value: unknown): value is Trouble {
  return typeof value === 'string' && Object.hasOwn(TROUBLES, value);
}

/**
 * Provider failure for an HTTP status; undefined if the request itself is at fault. `text`: the message of the
 * response.
 */
export function troubleOfStatus(status: number, text = ''): Trouble | undefined {
  if (status === 402) return 'no-credit';
  if (status === 401) return 'key-refused';
  if (status === 404) return 'not-found';
  if (status === 429) return limitIn(text) ?? 'limited';
  if (status === 403) return limitIn(text) ?? 'access-refused';
  if (status === 400) return CREDIT.test(text) ? 'no-credit' : NO_MODEL.test(text) ? 'not-found' : undefined;
  if (status === 529) return 'overloaded';
  return status >= 500 && status < 600 ? 'failing' : undefined;
}

/** Provider failure in a client's message about a failed request; never applied to text of a model. */
export function troubleIn(text: string): Trouble | undefined {
  const [status] = STATUS.flatMap((form) => form.exec(text)?.[1] ?? []);
  if (status !== undefined) return troubleOfStatus(Number(status), text);
  return limitIn(text) ?? WORDS.find(([words]) => words.test(text))?.[1];
}

/** Error codes of clients for failed requests, and the limit types of `rate_limit_event`. */
export const MARKS: Readonly<Record<string, Trouble>> = {
  authentication_failed: 'key-refused',
  oauth_org_not_allowed: 'access-refused',
  billing_error: 'no-credit',
  rate_limit: 'limited',
  overloaded: 'overloaded',
  server_error: 'failing',
  model_not_found: 'not-found',
  five_hour: 'session-limit',
  seven_day: 'weekly-limit',
  seven_day_opus: 'model-limit',
  seven_day_sonnet: 'model-limit',
  overage: 'spending-limit',
};

const CREDIT = /credit balance|insufficient[_ ](quota|credit|funds|balance)|billing_error/i;
const NO_MODEL =
  /issue with the selected model|model\b[^.\n]{0,80}\b(not (available|found|supported)|does not exist|unknown|invalid)|(unknown|invalid|no such) model|not available on your \w+ deployment/i;

/** Expressions for a used-up allowance: a verb and a noun close together, in either order, or a fixed expression. */
const USED_UP = '(?:hit|reach(?:ed|es)?|exceed(?:ed|s)?|exhausted|used up|out of|no more|over)';
const ALLOWANCE = '(?:limits?|quota|cap|capacity|usage|allowance|resources?)';
const LIMIT = new RegExp(
  [
    String.raw`\b${USED_UP}\b[^.\n]{0,60}\b${ALLOWANCE}\b`,
    String.raw`\b${ALLOWANCE}\b[^.\n]{0,60}\b${USED_UP}\b`,
    String.raw`\b(?:usage|rate)[ _-]limit`,
    'too many requests',
    'resource_exhausted',
  ].join('|'),
  'i',
);
/** Limits of the request itself concern the task, not the provider. */
const OF_THE_REQUEST =
  /\b(context|prompt|input length|output tokens?|max_tokens|(?:maximum|max)[ _](?:turns|length)|file size)\b/i;

/** Kinds of limits, most specific first; any other is a usage limit. */
const KINDS: readonly (readonly [RegExp, Trouble])[] = [
  [/\b(spend|spending|extra usage|overage|billing (?:cap|limit)|budget|monthly)\b/i, 'spending-limit'],
  [/\b(opus|sonnet|haiku|fable)\b[^.\n]{0,20}\blimit/i, 'model-limit'],
  [/\bweek(ly)?\b|\b(7|seven)[- _]?day/i, 'weekly-limit'],
  [/\bsession\b|\b(5|five)[- _]?h(ou)?rs?\b|\bhourly\b/i, 'session-limit'],
  [/\bcapacity\b/i, 'overloaded'],
  [/\b(quota|free usage|resources?|resource_exhausted)\b/i, 'quota'],
  [/\brate[ _-]limit|\brequests?\b|\bper (minute|second)|\b[rt]pm\b|\bconcurren/i, 'limited'],
];

/** Kind of limit named in a client's message; undefined if it names none. */
export function limitIn(text: string): Trouble | undefined {
  if (CREDIT.test(text)) return 'no-credit';
  if (/\borgani[sz]ation has been disabled|account (has been|is) (disabled|suspended)/i.test(text))
    return 'access-refused';
  if (!LIMIT.test(text) || OF_THE_REQUEST.test(text)) return undefined;
  return KINDS.find(([words]) => words.test(text))?.[1] ?? 'usage-limit';
}

/** Examples: `unexpected status 401 Unauthorized`, `"code":401`, `[API Error: 401 …]`, `500 The server is broken`. */
const STATUS: readonly RegExp[] = [
  /\bstatus(?: code)?[:\s]+(\d{3})\b/i,
  /"(?:code|status|statusCode)":\s*(\d{3})\b/,
  /^\W*(?:API Error: )?(?:Request rejected )?\(?(\d{3})\b/i,
];

const WORDS: readonly (readonly [RegExp, Trouble])[] = [
  [/not logged in|invalid api key|please run \/login|(token|login) (has )?expired|missing api key/i, 'key-refused'],
  [NO_MODEL, 'not-found'],
  [/overloaded|\bat capacity\b/i, 'overloaded'],
  [
    /ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|unable to connect to API|connection ?(was |to .{0,40} was )?(lost|refused|reset|closed|error)|fetch failed|socket hang up|stream disconnected|error sending request|network (error|is unreachable)/i,
    'unreachable',
  ],
  [/empty or malformed response|is not valid JSON|unexpected token .{0,20} in JSON|body is an HTML page/i, 'garbled'],
];

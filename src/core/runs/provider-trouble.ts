/** Trouble with the provider of a model, told apart by what helps: what passes by itself, and what a person has to mend. */
export const TROUBLES = {
  limited: { passes: true, words: 'requests are limited' },
  overloaded: { passes: true, words: 'the provider is overloaded' },
  failing: { passes: true, words: 'the provider fails' },
  unreachable: { passes: true, words: 'the provider cannot be reached' },
  garbled: { passes: true, words: 'the answer is not from the provider' },
  'key-refused': { passes: false, words: 'the key is refused' },
  'access-refused': { passes: false, words: 'access is refused' },
  'no-credit': { passes: false, words: 'there is no credit left' },
} as const;
export type Trouble = keyof typeof TROUBLES;

export function isTrouble(value: unknown): value is Trouble {
  return typeof value === 'string' && Object.hasOwn(TROUBLES, value);
}

/** By the status of an answer; undefined where it says something about the request. `text`: the words that came with it. */
export function troubleOfStatus(status: number, text = ''): Trouble | undefined {
  if (status === 402 || ((status === 400 || status === 403 || status === 429) && CREDIT.test(text))) return 'no-credit';
  if (status === 401) return 'key-refused';
  if (status === 403) return 'access-refused';
  if (status === 429) return 'limited';
  if (status === 529) return 'overloaded';
  return status >= 500 && status < 600 ? 'failing' : undefined;
}

/** By what a client says of a request that failed: its own words, never those of a model. */
export function troubleIn(text: string): Trouble | undefined {
  const status = STATUS.map((form) => form.exec(text)?.[1]).find((code) => code !== undefined);
  if (status !== undefined) return troubleOfStatus(Number(status), text);
  return WORDS.find(([words]) => words.test(text))?.[1];
}

const CREDIT = /credit balance|insufficient[_ ](quota|credit|funds|balance)|exceeded your current quota|billing_error/i;

/** `unexpected status 401 Unauthorized`, `"code":401`, `[API Error: 401 …]`, `500 The server is broken`. */
const STATUS: readonly RegExp[] = [
  /\bstatus(?: code)?[:\s]+(\d{3})\b/i,
  /"(?:code|status|statusCode)":\s*(\d{3})\b/,
  /^\W*(?:API Error: )?(?:Request rejected )?\(?(\d{3})\b/i,
];

const WORDS: readonly (readonly [RegExp, Trouble])[] = [
  [CREDIT, 'no-credit'],
  [/not logged in|invalid api key|please run \/login|(token|login) (has )?expired|missing api key/i, 'key-refused'],
  [/usage limit|rate limit|too many requests/i, 'limited'],
  [/overloaded/i, 'overloaded'],
  [
    /ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|unable to connect to API|connection ?(was |to .{0,40} was )?(lost|refused|reset|closed|error)|fetch failed|socket hang up|stream disconnected|error sending request|network (error|is unreachable)/i,
    'unreachable',
  ],
  [/empty or malformed response|is not valid JSON|unexpected token .{0,20} in JSON|body is an HTML page/i, 'garbled'],
];

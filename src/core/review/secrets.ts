import { baseNameOf } from './facts.js';
import { isSample } from './samples.js';

/** Words and hosts that do not occur in real secrets. */
const MADE_UP =
  /example|sample|dummy|fake|placeholder|change[-_ ]?(me|it|this)|replace|random|todo|your[-_ ]?|my[-_]?(secret|token|password|pass|key)|x{4,}|\*{3,}|\.{3}|…|<[^>]*>|\$[\w{(]|\{\w*\}|%[sd({]|redacted|insert|foo|bar\b|baz|hunter2|letmein|localhost|127\.0\.0\.1|0\.0\.0\.0|\.(test|invalid|local|localdomain)\b/i;
/**
 * Placeholder logins in a URL: common pairs of user and password, both the same, or a host that is only a service name.
 */
const USUAL_LOGIN =
  /:\/\/([^:/@]{1,40}):\1@|@[a-z][\w-]{0,30}(:\d+)?(\/|$)|:\/\/(user(name)?|admin|root|postgres|name|login|me|test|guest|u|a):[^@/]{0,40}@|:\/\/[^:/@]{1,40}:(pass(word|wd)?|pwd|secret|test|admin|root|postgres|guest|p|b)@/i;

/** A possible secret found by a search. */
export interface SecretHit {
  readonly file: string;
  /** Name of the rule without the common prefix: `privatekey`. */
  readonly kind: string;
  /** The matched text. Never shown. */
  readonly value: string;
  /** The line of the match, preceded by the line above if the match starts its line. Never shown. */
  readonly lineText: string;
  /** Whether it is after the start of the tests in this file. */
  readonly inTests: boolean;
}

/** Kinds with a form that is easily made up, so the form alone proves nothing. */
const UNPROVEN_KINDS = new Set(['basicauth', 'privatekey', 'database-connection-string', 'npm']);
const COMMENT = /^\s*(#|\/\/|\/?\*|--|;|<!--|"""|''')/;

/** Rates a hit: none for a made-up secret, an alarm for a possible real key. */
export function weighSecret(hit: SecretHit): 'alarm' | 'doubtful' | 'none' {
  const { file, kind, value, lineText, inTests } = hit;
  const inSample = isSample(file) || inTests;
  if (isMadeUp(value) || USUAL_LOGIN.test(value)) return 'none';
  if (kind === 'basicauth' && (inSample || COMMENT.test(lineText) || MADE_UP.test(lineText))) return 'none';
  if (inSample) return UNPROVEN_KINDS.has(kind) ? 'none' : 'doubtful';
  // A key called a sample may be real, but its author states that it is not in use.
  if (kind === 'privatekey') return MADE_UP.test(lineText) ? 'doubtful' : 'alarm';
  return UNPROVEN_KINDS.has(kind) ? 'doubtful' : 'alarm';
}

/** Whether a value is made up: it contains a word of examples, or hardly any different characters. */
function isMadeUp(value: string): boolean {
  const body = value.replace(/-----[^-]*-----/g, '').replace(/\s/g, '');
  return MADE_UP.test(value) || new Set(body.toLowerCase()).size <= 5;
}

/** Line at which the tests in a source file begin; infinity if it has none. */
export function testsBegin(file: string, text: string): number {
  const at = /\.rs$/.test(file) ? text.search(/^\s*#\[cfg\((any\()?test\b/m) : -1;
  return at === -1 ? Number.POSITIVE_INFINITY : text.slice(0, at).split('\n').length;
}

/** Names of variables with secrets. */
const SECRET_NAME = /secret|token|passw|passphrase|credential|private|api_?key|access_?key|auth(?!or)/i;

const SECRET_VALUE_LEAST_CHARACTERS = 8;

/** Environment variables with a secret by their name, whose values are long enough. */
export function secretVariables(
  environment: Readonly<Record<string, string | undefined>>,
): readonly [string, string][] {
  return Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SECRET_VALUE_LEAST_CHARACTERS && !isMadeUp(value)
      ? [[name, value]]
      : [],
  );
}

/** Whether a file of environment variables sets a variable with a secret. */
export function holdsSecrets(text: string): boolean {
  return text.split('\n').some((line) => {
    const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*["']?([^"'#\s]*)/.exec(line) ?? [];
    return (
      SECRET_NAME.test(name) &&
      value.length >= 6 &&
      !/^(true|false|null|none|\d{1,6})$/i.test(value) &&
      !MADE_UP.test(value)
    );
  });
}

/** Whether a file is `.env` or a variant, except templates. */
export function isEnvironmentFile(file: string): boolean {
  return /^\.env(\.[\w-]+)?$/i.test(baseNameOf(file)) && !isPattern(file);
}

/** Whether a file is a key by its name. */
export function isKeyFile(file: string): boolean {
  const name = baseNameOf(file);
  return (
    !isPattern(file) &&
    /^(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|credentials\.json|.*\.(pfx|p12|keystore|jks))$/i.test(name)
  );
}

const isPattern = (file: string): boolean => isSample(file) || /\.(dist|defaults?|ci)$/i.test(baseNameOf(file));

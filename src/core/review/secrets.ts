import { baseNameOf } from './facts.js';
import { isSample } from './samples.js';

/** Words that nobody has in a real secret, and hosts that nobody has. */
const MADE_UP =
  /example|sample|dummy|fake|placeholder|change[-_ ]?(me|it|this)|replace|random|todo|your[-_ ]?|my[-_]?(secret|token|password|pass|key)|x{4,}|\*{3,}|\.{3}|…|<[^>]*>|\$[\w{(]|\{\w*\}|%[sd({]|redacted|insert|foo|bar\b|baz|hunter2|letmein|localhost|127\.0\.0\.1|0\.0\.0\.0|\.(test|invalid|local|localdomain)\b/i;
/** The user and the password of an address, as everybody writes them who has none, or both the same; a service beside it. */
const USUAL_LOGIN =
  /:\/\/([^:/@]{1,40}):\1@|@[a-z][\w-]{0,30}(:\d+)?(\/|$)|:\/\/(user(name)?|admin|root|postgres|name|login|me|test|guest|u|a):[^@/]{0,40}@|:\/\/[^:/@]{1,40}:(pass(word|wd)?|pwd|secret|test|admin|root|postgres|guest|p|b)@/i;

/** What a search took for a secret. */
export interface SecretHit {
  readonly file: string;
  /** As the rule is called, without what all rules have in common: `privatekey`. */
  readonly kind: string;
  /** What was matched. Never shown. */
  readonly value: string;
  /** The line it stands in, after the one above it where nothing stands before it on its own. Never shown. */
  readonly lineText: string;
  /** It stands below where the tests of this very file begin. */
  readonly inTests: boolean;
}

/** Kinds whose form anybody can write down: no proof by themselves. */
const ANYBODYS = new Set(['basicauth', 'privatekey', 'database-connection-string', 'npm']);
const COMMENT = /^\s*(#|\/\/|\/?\*|--|;|<!--|"""|''')/;

/** How much a hit is worth: nothing where it is made up, an alarm where a real key may lie. */
export function weighSecret(hit: SecretHit): 'alarm' | 'doubtful' | 'none' {
  const { file, kind, value, lineText, inTests } = hit;
  const inSample = isSample(file) || inTests;
  if (isMadeUp(value) || USUAL_LOGIN.test(value)) return 'none';
  if (kind === 'basicauth' && (inSample || COMMENT.test(lineText) || MADE_UP.test(lineText))) return 'none';
  if (inSample) return ANYBODYS.has(kind) ? 'none' : 'doubtful';
  // A key may be real that is called a sample: whoever wrote it says that nobody relies on it.
  if (kind === 'privatekey') return MADE_UP.test(lineText) ? 'doubtful' : 'alarm';
  return ANYBODYS.has(kind) ? 'doubtful' : 'alarm';
}

/** By its own text: a word of an example, or hardly any different characters. */
function isMadeUp(value: string): boolean {
  const body = value.replace(/-----[^-]*-----/g, '').replace(/\s/g, '');
  return MADE_UP.test(value) || new Set(body.toLowerCase()).size <= 5;
}

/** Where the tests of a source file begin that holds both; after its end where it has none. */
export function testsBegin(file: string, text: string): number {
  const at = /\.rs$/.test(file) ? text.search(/^\s*#\[cfg\((any\()?test\b/m) : -1;
  return at === -1 ? Number.POSITIVE_INFINITY : text.slice(0, at).split('\n').length;
}

/** What a variable is called that holds a secret. */
const SECRET_NAME = /secret|token|passw|passphrase|credential|private|api_?key|access_?key|auth(?!or)/i;

const SECRET_VALUE_LEAST_CHARACTERS = 8;

/** The variables of an environment that hold a secret by their name, with values long enough to be one. */
export function secretVariables(
  environment: Readonly<Record<string, string | undefined>>,
): readonly [string, string][] {
  return Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SECRET_VALUE_LEAST_CHARACTERS && !isMadeUp(value)
      ? [[name, value]]
      : [],
  );
}

/** Whether a file of environment variables gives a value to one that is secret by its name. */
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

/** `.env` and its variants, but for the ones that show what is to be set. */
export function isEnvironmentFile(file: string): boolean {
  return /^\.env(\.[\w-]+)?$/i.test(baseNameOf(file)) && !isPattern(file);
}

/** Files that are keys by their very name. */
export function isKeyFile(file: string): boolean {
  const name = baseNameOf(file);
  return (
    !isPattern(file) &&
    /^(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|credentials\.json|.*\.(pfx|p12|keystore|jks))$/i.test(name)
  );
}

const isPattern = (file: string): boolean => isSample(file) || /\.(dist|defaults?|ci)$/i.test(baseNameOf(file));

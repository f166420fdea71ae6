import path from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { baseName } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { InspectionResult } from '#ports/inspector.js';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';

/** The rule is handed over as code: nothing is looked up in the reviewed repository, and a bundle needs no files. */
const CONFIG = { rules: [{ id: PRESET, rule: creator, options: {} }] };

/** Places where keys are usually made up. A real one there is still a finding, only not an alarm. */
const PRETENDED =
  /(^|\/)(tests?|__tests__|spec|fixtures?|testdata|examples?|samples?|docs?|mocks?)\/|[._-](test|spec)\.[a-z]+$|\.md$/i;

/** Rules that go by the name of a file: such a file is searched alone, under its own name. */
const SEARCHED_ALONE = /(^|\/)(\.npmrc|\.netrc)$|\.(json|p12)$/i;
/**
 * Other files are searched many at a time: each search keeps marks of its own start and end for ever and compares them
 * with all earlier ones, so that thousands of searches would take longer than reading.
 */
const BATCH_CHARACTERS = 256 * 1024;

/** A comment with this word switches the search off from there on: for its own file, as its authors want, and no other. */
const SILENCER = 'secretlint-disable';

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly ruleId: string;
  readonly message: string;
}

/** Looks for keys, tokens and passwords in tracked text. Masked before anything is written down. */
export async function secrets(reader: TrackedFileReader, files: readonly string[]): Promise<InspectionResult> {
  const hits: Hit[] = [];
  let batch = new Batch();
  for await (const { file, text } of reader.texts(files)) {
    if (hits.length >= LIMITS.inspectFindings) break;
    if (SEARCHED_ALONE.test(file) || text.includes(SILENCER)) {
      const alone = new Batch();
      alone.add(file, text);
      hits.push(...(await alone.search(`/${file}`)));
      continue;
    }
    batch.add(file, text);
    if (batch.characters < BATCH_CHARACTERS) continue;
    hits.push(...(await batch.search('/text')));
    batch = new Batch();
  }
  hits.push(...(await batch.search('/text')));
  const named = files.filter(isSecretByName).map(secretByName);
  const findings: Finding[] = [...named, ...hits.map(secretFound)].slice(0, LIMITS.inspectFindings);
  return {
    command: 'secretlint, recommended rules, over git ls-files',
    exit_code: 0,
    output: `${reader.files} files searched, ${hits.length} places that look like a secret.`,
    findings: [...findings, ...reader.findings('secrets')],
    facts: { searched: reader.files, bytes: reader.bytes, found: hits.length },
  };
}

/** Texts one below the other, searched as one and told apart again by their lines. */
class Batch {
  characters = 0;
  private readonly texts: string[] = [];
  private readonly starts: { readonly file: string; readonly line: number }[] = [];
  private lines = 0;

  add(file: string, text: string): void {
    this.starts.push({ file, line: this.lines });
    this.texts.push(text);
    this.lines += text.split('\n').length;
    this.characters += text.length;
  }

  async search(filePath: string): Promise<Hit[]> {
    if (this.texts.length === 0) return [];
    const { messages } = await lintSource({
      source: { content: this.texts.join('\n'), filePath, ext: path.posix.extname(filePath), contentType: 'text' },
      options: { config: CONFIG, maskSecrets: true, noPhysicFilePath: true },
    });
    return messages.flatMap((message): Hit[] => {
      const line = message.loc.start.line;
      const start = this.starts.findLast((place) => place.line < line);
      return start
        ? [{ file: start.file, line: line - start.line, ruleId: message.ruleId, message: message.message }]
        : [];
    });
  }
}

/** Told apart by which of its kind in the file it is, so that what happens elsewhere does not make it look new. */
function secretFound(hit: Hit, index: number, all: readonly Hit[]): Finding {
  const earlier = all.slice(0, index).filter((other) => other.file === hit.file && other.ruleId === hit.ruleId).length;
  return finding(
    {
      severity: PRETENDED.test(hit.file) ? 'medium' : 'critical',
      title: `A secret seems to be in the repository: ${kindOf(hit.ruleId)}`,
      detail: cut(inert(redact(hit.message)).replace(/\*{4,}/g, '****'), 300),
      file: hit.file,
      line: hit.line,
      rule: 'leaked-secret',
      remedy:
        'Revoke the key where it was issued, put the new one outside the repository, then remove it from the history.',
    },
    `${hit.ruleId}:${earlier}`,
  );
}

const KINDS: Readonly<Record<string, string>> = {
  aws: 'a key of AWS',
  gcp: 'a key of Google Cloud',
  privatekey: 'a private key',
  npm: 'a token of npm',
  basicauth: 'a password in an address',
  slack: 'a token of Slack',
  sendgrid: 'a key of SendGrid',
  github: 'a token of GitHub',
  gitlab: 'a token of GitLab',
  openai: 'a key of OpenAI',
  anthropic: 'a key of Anthropic',
  'database-connection-string': 'a password of a database',
};

/** `@secretlint/secretlint-rule-aws` → `a key of AWS`. */
function kindOf(ruleId: string): string {
  const rule = ruleId.replace(/^.*secretlint-rule-/, '');
  return KINDS[rule] ?? rule;
}

function isSecretByName(file: string): boolean {
  const name = baseName(file);
  if (/\.(example|sample|template|dist|defaults?)$/i.test(name)) return false;
  return /^(\.env(\.[\w-]+)?|id_(rsa|dsa|ecdsa|ed25519)|\.netrc|credentials\.json|.*\.(pfx|p12|keystore|jks))$/i.test(
    name,
  );
}

function secretByName(file: string): Finding {
  return finding({
    severity: PRETENDED.test(file) ? 'low' : 'high',
    title: 'A file that usually holds secrets is tracked',
    detail: `${inert(baseName(file))} is part of every clone.`,
    file,
    rule: 'secret-file-tracked',
    remedy: 'Stop tracking it (`git rm --cached`), add it to .gitignore, and change what was in it.',
  });
}

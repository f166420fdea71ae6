import path from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { redact } from '#core/review/excerpt.js';
import { baseName } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { InspectionResult } from '#ports/inspector.js';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';

/** The rule is handed over as code: nothing is looked up in the reviewed repository, and a bundle needs no files. */
const CONFIG = { rules: [{ id: PRESET, rule: creator, options: {} }] };

/** Places where keys are usually made up. A real one there is still a finding, only not an alarm. */
const PRETENDED =
  /(^|\/)(tests?|__tests__|spec|fixtures?|testdata|examples?|samples?|docs?|mocks?)\/|[._-](test|spec)\.[a-z]+$|\.md$/i;

/** Looks for keys, tokens and passwords in tracked text. Masked before anything is written down. */
export async function secrets(reader: TrackedFileReader, files: readonly string[]): Promise<InspectionResult> {
  const findings: Finding[] = files.filter(isSecretByName).map(secretByName);
  let seen = 0;
  for await (const { file, text } of reader.texts(files)) {
    if (findings.length >= LIMITS.inspectFindings) break;
    const { messages } = await lintSource({
      source: { content: text, filePath: `/${file}`, ext: path.posix.extname(file), contentType: 'text' },
      options: { config: CONFIG, maskSecrets: true, noPhysicFilePath: true },
    });
    for (const message of messages) {
      seen++;
      findings.push(
        finding(
          {
            severity: PRETENDED.test(file) ? 'medium' : 'critical',
            title: `A secret seems to be in the repository: ${kindOf(message.ruleId)}`,
            detail: cut(inert(redact(message.message)).replace(/\*{4,}/g, '****'), 300),
            file,
            line: message.loc.start.line,
            rule: 'leaked-secret',
            remedy:
              'Revoke the key where it was issued, put the new one outside the repository, then remove it from the history.',
          },
          `${message.ruleId}:${seen}`,
        ),
      );
    }
  }
  return {
    command: 'secretlint, recommended rules, over git ls-files',
    exit_code: 0,
    output: `${reader.files} files searched, ${seen} places that look like a secret.`,
    findings: [...findings, ...reader.findings('secrets')],
    facts: { searched: reader.files, bytes: reader.bytes, found: seen },
  };
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

import path from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { baseNameOf } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import { isSample } from '#core/review/samples.js';
import {
  holdsSecrets,
  isEnvironmentFile,
  isKeyFile,
  type SecretHit,
  secretVariables,
  testsBegin,
  weighSecret,
} from '#core/review/secrets.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { InspectionResult, Leak, Passage } from '#ports/inspector.js';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';

/**
 * Configuration with the rule as code: nothing is resolved in the reviewed repository, and a bundle needs no extra
 * files.
 */
const CONFIG = { rules: [{ id: PRESET, rule: creator, options: {} }] };

/** Files whose rules depend on their names: each is searched separately, under its own name. */
const SEARCHED_ALONE = /(^|\/)(\.npmrc|\.netrc)$|\.(json|p12)$/i;
/**
 * Batch size for all other files. The library keeps start and end markers of each search for ever and compares them
 * with all earlier ones, so thousands of searches would take longer than reading.
 */
const BATCH_CHARACTERS = 256 * 1024;

/** Maximum characters of context per line; a line may be a whole file. */
const LINE_CHARACTERS = 200;

/**
 * A comment with this word disables the search from there on. It must affect its own file only, so that file is
 * searched separately.
 */
const SILENCER = 'secretlint-disable';

interface Hit extends SecretHit {
  readonly line: number;
  readonly message: string;
}

/** Finds keys, tokens and passwords in tracked text files. Findings are masked before they are written. */
export async function secrets(reader: TrackedFileReader, files: readonly string[]): Promise<InspectionResult> {
  const hits: Hit[] = [];
  const named: Finding[] = files.filter((file) => isKeyFile(file) && !isSample(file)).map(secretByName);
  let batch = new Batch();
  for await (const { file, text } of reader.texts(files)) {
    if (hits.length >= SURFACE_LIMITS.inspectFindings) break;
    if (isEnvironmentFile(file) && !isSample(file) && holdsSecrets(text)) named.push(secretByName(file));
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
  const weighed = hits.map((hit, index) => ({ hit, index, weight: weighSecret(hit) }));
  const taken = weighed.flatMap(({ hit, index, weight }) =>
    weight === 'none' ? [] : [secretFinding(hit, index, hits, weight)],
  );
  const findings: Finding[] = [...named, ...taken].slice(0, SURFACE_LIMITS.inspectFindings);
  return {
    command: 'secretlint, recommended rules, over git ls-files',
    exit_code: 0,
    output: `${reader.files} files searched, ${taken.length} places that look like a secret, ${hits.length - taken.length} made up for tests and examples.`,
    findings: [...findings, ...reader.findings('secrets')],
    facts: { searched: reader.files, bytes: reader.bytes, found: taken.length, made_up: hits.length - taken.length },
  };
}

/**
 * Passages that contain a secret: by its form, or as the value of an environment variable. Tests and samples are not
 * exempt, because the passages leave this machine.
 */
export async function leaksIn(passages: readonly Passage[], environment: NodeJS.ProcessEnv): Promise<readonly Leak[]> {
  const variables = secretVariables(environment);
  const leaks = passages.flatMap(({ name, text }) =>
    variables.flatMap(([variable, value]): Leak[] =>
      text.includes(value) ? [{ name, kind: `the value of ${variable}`, value }] : [],
    ),
  );
  let batch = new Batch();
  const search = async () => {
    for (const hit of await batch.search('/text')) {
      const { file: name, kind, value } = hit;
      if (weighSecret({ ...hit, file: '', inTests: false }) === 'none') continue;
      leaks.push({ name, kind: KINDS[kind] ?? kind, value });
    }
    batch = new Batch();
  };
  for (const { name, text } of passages) {
    batch.add(name, text.replaceAll(SILENCER, ''));
    if (batch.characters >= BATCH_CHARACTERS) await search();
  }
  await search();
  return leaks;
}

/** The line around a match. If the match starts its line, the line above is included, because it may contain a name. */
function lineAround(content: string, at: number, hasLineAbove: boolean): string {
  let start = content.lastIndexOf('\n', at) + 1;
  if (hasLineAbove && content.slice(start, at).trim() === '') start = content.lastIndexOf('\n', start - 2) + 1;
  const [rest = ''] = content.slice(at, at + LINE_CHARACTERS).split('\n');
  return content.slice(Math.max(start, at - LINE_CHARACTERS), at) + rest;
}

/** Concatenated texts, searched as one. Findings are assigned to files by line number. */
class Batch {
  characters = 0;
  private readonly texts: string[] = [];
  private readonly starts: { readonly file: string; readonly line: number; readonly testsFrom: number }[] = [];
  private lines = 0;

  add(file: string, text: string): void {
    this.starts.push({ file, line: this.lines, testsFrom: testsBegin(file, text) });
    this.texts.push(text);
    this.lines += text.split('\n').length;
    this.characters += text.length;
  }

  async search(filePath: string): Promise<Hit[]> {
    if (this.texts.length === 0) return [];
    const content = this.texts.join('\n');
    const { messages } = await lintSource({
      source: { content, filePath, ext: path.posix.extname(filePath), contentType: 'text' },
      options: { config: CONFIG, maskSecrets: true, noPhysicFilePath: true },
    });
    return messages.flatMap(({ loc, range, ruleId, message }): Hit[] => {
      const start = this.starts.findLast((place) => place.line < loc.start.line);
      if (!start) return [];
      const line = loc.start.line - start.line;
      const [from, to] = range;
      const lineText = lineAround(content, from, line > 1);
      const kind = ruleId.replace(/^.*secretlint-rule-/, '');
      return [
        {
          file: start.file,
          line,
          kind,
          message,
          value: content.slice(from, to),
          lineText,
          inTests: line > start.testsFrom,
        },
      ];
    });
  }
}

/**
 * Identifies a secret by its position among those of its kind in the file, so that changes elsewhere do not make it
 * look new.
 */
function secretFinding(hit: Hit, index: number, all: readonly Hit[], weight: 'alarm' | 'doubtful'): Finding {
  const earlier = all.slice(0, index).filter(({ file, kind }) => file === hit.file && kind === hit.kind).length;
  return finding(
    {
      severity: weight === 'alarm' ? 'critical' : 'low',
      confidence: weight === 'alarm' ? 'certain' : 'possible',
      title: `A secret seems to be in the repository: ${KINDS[hit.kind] ?? hit.kind}`,
      detail: cut(inert(redact(hit.message)).replace(/\*{4,}/g, '****'), 300),
      file: hit.file,
      line: hit.line,
      rule: 'leaked-secret',
      remedy: 'Revoke the key, store the new one outside the repository, then remove it from the history.',
    },
    `${hit.kind}:${earlier}`,
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

function secretByName(file: string): Finding {
  return finding({
    severity: 'low',
    confidence: 'likely',
    title: 'A file that usually holds secrets is tracked',
    detail: `${inert(baseNameOf(file))} is part of every clone.`,
    file,
    rule: 'secret-file-tracked',
    remedy: 'Stop tracking it (`git rm --cached`), add it to .gitignore, and change what was in it.',
  });
}

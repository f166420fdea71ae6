import * as z from 'zod/mini';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { isInside } from '#kernel/paths.js';
import { inert } from '#kernel/text.js';

/** Reads the first `most` bytes of a file. With `inside`, only if its real path is in that folder. */
export type ReadText = (
  file: string,
  most: number,
  inside?: string,
) => Promise<{ text: string; more: boolean } | undefined>;

/** A parsed file of the configuration. */
export interface RosterConfigFile<Schema extends z.core.$ZodType> {
  readonly value: z.output<Schema>;
}

interface Wanted<Schema extends z.core.$ZodType> {
  readonly schema: Schema;
  /** An absolute path. */
  readonly file: string;
  /** The folder that must contain the real path of the file. */
  readonly root: string;
}

/** Parses a YAML file with its schema; undefined if there is none. Errors: `config_invalid`, `unsafe_path`. */
export async function configAt<Schema extends z.core.$ZodType>(
  readText: ReadText,
  wanted: Wanted<Schema>,
): Promise<RosterConfigFile<Schema> | undefined> {
  const text = await boundedText(readText, wanted);
  return text === undefined ? undefined : { value: await parsedValue(text, wanted, 0) };
}

/** Parses the front matter of a Markdown file with its schema, and returns it with the rest of the file. */
export async function frontMatterOf<Schema extends z.core.$ZodType>(
  readText: ReadText,
  wanted: Wanted<Schema>,
): Promise<(RosterConfigFile<Schema> & { readonly body: string }) | undefined> {
  const text = await boundedText(readText, wanted);
  if (text === undefined) return undefined;
  const match = /^\ufeff?---[ \t]*\r?\n(?<head>[\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match?.index !== 0) throw invalid(wanted.file, undefined, 'expected a front matter between two lines of ---');
  const body = text.slice(match[0].length).trim();
  return { value: await parsedValue(match.groups?.['head'] ?? '', wanted, 1), body };
}

async function boundedText<Schema extends z.core.$ZodType>(
  readText: ReadText,
  { file, root }: Wanted<Schema>,
): Promise<string | undefined> {
  if (!isInside(root, file))
    throw new TroupeError('unsafe_path', { what: `${inert(file)} leads out of ${inert(root)}.` });
  const read = await readText(file, TEAM_LIMITS.rosterFileBytes, root);
  if (read?.more) throw invalid(file, undefined, `expected at most ${TEAM_LIMITS.rosterFileBytes} bytes`);
  return read?.text;
}

/** `linesBefore`: lines of the file before this text. */
async function parsedValue<Schema extends z.core.$ZodType>(
  text: string,
  { schema, file }: Wanted<Schema>,
  linesBefore: number,
): Promise<z.output<Schema>> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js'); // most projects have no such file
  try {
    const { value, placeOf } = strictYaml(text);
    const parsed = z.safeParse(schema, value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    if (issue === undefined) throw invalid(file, undefined, 'expected something else');
    const explanation = explainIssue(issue, value);
    const place = placeOf(explanation.field) ?? { line: 1, column: 1 };
    throw invalid(
      file,
      { ...place, line: place.line + linesBefore },
      `expected: ${describeIssue(explanation, 'the file')}`,
    );
  } catch (error) {
    const rejection = rejectionIn(error);
    const place =
      rejection.line === undefined ? undefined : { line: rejection.line + linesBefore, column: rejection.column ?? 1 };
    throw invalid(file, place, `expected YAML: ${rejection.message}`);
  }
}

function invalid(file: string, place: { line: number; column: number } | undefined, why: string): TroupeError {
  const at = place === undefined ? '' : `:${place.line}:${place.column}`;
  return new TroupeError('config_invalid', { what: `${inert(file)}${at}: ${why}.`, details: { file, ...place } });
}

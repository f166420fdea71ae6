import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { ownRecord, sameEvaluation } from '#core/agency/record-text.js';
import { TroupeError } from '#kernel/errors.js';
import { type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { isJsonObject, type JsonObject, safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert, inSentence } from '#kernel/text.js';
import type { ArchivedRun, EvaluationComparison, Records, TraceFiles } from '#ports/trace-files.js';

/** Trace files named by a person or stored below `.workgraph/`. */
export class TraceFolder implements TraceFiles {
  private readonly layout: GraphLayout;
  private readonly here: string;

  /** `folder`: the project's `.workgraph`. `here`: base folder for relative names typed by a person. */
  constructor(folder: string, here: string) {
    this.layout = graphLayout(folder);
    this.here = here;
  }

  async read(named: string, maxBytes: number): Promise<string> {
    const file = path.resolve(this.here, named);
    const text = await boundedText(file, maxBytes, 'followed').catch((error) => {
      throw error instanceof TroupeError ? error : unreadable(file, 'cannot be read');
    });
    if (text === undefined) {
      throw new TroupeError('not_found', {
        what: `There is no file ${inSentence(file)}.`,
        hint: 'Check the path.',
      });
    }
    if (typeof text === 'string') return text;
    throw new TroupeError('bad_trace', {
      what: `${inSentence(named)} is larger than ${maxBytes / 1024 / 1024} MB: nothing was written.`,
    });
  }

  private get kept(): string {
    return path.join(this.layout.agency, 'evaluations');
  }

  /** The replay of the original looks for evaluations beside its other files, which are of any kind. */
  async evaluations(): Promise<Records> {
    const [kept, beside] = [await readRecords(this.kept), await readRecords(this.layout.agency)];
    const scores = beside.records.filter(
      ({ task_id, score }) => typeof task_id === 'string' && typeof score === 'number',
    );
    return { records: [...scores, ...kept.records], warnings: kept.warnings };
  }

  async evaluation(id: string): Promise<JsonObject | undefined> {
    if (!/^[A-Za-z][A-Za-z0-9._-]{0,180}$/.test(id)) return undefined;
    return await readRecord(this.kept, id);
  }

  async compareEvaluations(texts: ReadonlyMap<string, string>): Promise<EvaluationComparison> {
    const folder = this.kept;
    const same = new Set<string>();
    const others = new Map<string, JsonObject>();
    const unreadable = new Map<string, string>();
    if (!(await isPlainFolder(folder))) return { same, others, unreadable };
    const names = (await readdir(folder)).filter((name) => /\.(?:yaml|json)$/.test(name) && texts.has(idOf(name)));
    for await (const { name, text } of folderTexts(folder, names.sort(), TEAM_LIMITS.traceRecordBytes)) {
      const id = idOf(name);
      for (const group of [same, others, unreadable]) group.delete(id); // of two files with one id the later one counts
      if (typeof text === 'string' && sameEvaluation(text, texts.get(id) ?? '')) {
        same.add(id);
        continue;
      }
      const record = await recordIn(text);
      if (typeof record === 'string') unreadable.set(id, `${cut(inert(name), 120)}: ${record}`);
      else others.set(id, record);
    }
    return { same, others, unreadable };
  }

  functions(): Promise<Records> {
    return readRecords(this.layout.functions);
  }

  async archivedRuns(task: string): Promise<readonly ArchivedRun[]> {
    const folder = path.join(this.layout.pieces, 'agents', task);
    if (!/^\.?[\w-][\w.-]{0,200}$/.test(task) || !(await isPlainFolder(folder))) return [];
    const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const names = entries.map(({ name }) => name).sort();
    const text = async (name: string, file: string) => {
      const found = await boundedText(path.join(folder, name, file), TEAM_LIMITS.traceOutputBytes);
      return found === undefined ? {} : { [path.parse(file).name]: found };
    };
    return Promise.all(
      names.map(async (timestamp) => ({
        timestamp,
        ...(await text(timestamp, 'prompt.txt')),
        ...(await text(timestamp, 'output.txt')),
      })),
    );
  }

  async hasImport(source: string): Promise<boolean> {
    return (await boundedText(path.join(this.layout.imports, source, 'tasks.yaml'), 0)) !== undefined;
  }

  /** Writes the tasks last: until then the old ones remain, and a repetition completes the import. */
  async keepImport(imported: Parameters<TraceFiles['keepImport']>[0]): Promise<{ replaced: boolean; path: string }> {
    const { folder: top, agency, imports } = this.layout;
    const evaluations = await plainFolder(top, path.basename(agency), 'evaluations');
    const folder = await plainFolder(top, path.basename(imports), imported.source);
    const replaced = await this.hasImport(imported.source);
    const names = new Set<string>();
    for (const evaluation of imported.evaluations) {
      const name = `${String(evaluation['id'])}.yaml`;
      if (!/^imported-[a-z0-9-]+\.yaml$/.test(name)) throw new TroupeError('unsafe_path');
      names.add(name);
      await writeWhole(path.join(evaluations, name), yamlOf(evaluation));
    }
    const file = path.join(folder, 'tasks.yaml');
    await writeWhole(file, tasksText(imported.source, imported.tasks));
    for (const name of await readdir(evaluations)) {
      if (name.startsWith(imported.prefix) && !names.has(name)) await rm(path.join(evaluations, name), { force: true });
    }
    return { replaced, path: path.relative(path.dirname(top), file) };
  }
}

/** Evaluation id from its file name. */
function idOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function unreadable(file: string, why: string): TroupeError {
  return new TroupeError('unreadable', { what: `${inSentence(file)} ${why}.` });
}

/** One task per line as JSON, which is also YAML: fast to write and compare even for a hundred thousand lines. */
function tasksText(source: string, tasks: readonly unknown[]): string {
  const head = `kind: imported-tasks\nversion: 1\nsource: ${safeJson(source)}\n`;
  if (tasks.length === 0) return `${head}tasks: []\n`;
  return `${head}tasks:\n${tasks.map((task) => `  - ${safeJson(task)}\n`).join('')}`;
}

function yamlOf(record: object): string {
  return Object.entries(record)
    .map(([key, value]) => `${key}: ${safeJson(value)}\n`)
    .join('');
}

/** Reads every record of a folder, one per YAML or JSON file. Invalid files yield warnings. */
async function readRecords(folder: string): Promise<Records> {
  if (!(await isPlainFolder(folder))) return { records: [], warnings: [] };
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
  const records: JsonObject[] = [];
  const warnings: string[] = [];
  const warn = (name: string, why: string) => warnings.push(`${cut(inert(name), 120)}: ${why}`);
  if (names.length > TEAM_LIMITS.traceRecordFiles) warn(folder, `only ${TEAM_LIMITS.traceRecordFiles} files are read`);
  const first = names.slice(0, TEAM_LIMITS.traceRecordFiles);
  for await (const { name, text } of folderTexts(folder, first, TEAM_LIMITS.traceRecordBytes)) {
    const record = await recordIn(text);
    if (typeof record === 'string') warn(name, record);
    else records.push(record);
  }
  return { records, warnings };
}

/** Reads a record in either format; undefined if there is no valid one. */
async function readRecord(folder: string, name: string): Promise<JsonObject | undefined> {
  if (!(await isPlainFolder(folder))) return undefined;
  for (const ending of ['yaml', 'json']) {
    const text = await boundedText(path.join(folder, `${name}.${ending}`), TEAM_LIMITS.traceRecordBytes);
    const record = typeof text === 'string' ? await parseRecord(text) : undefined;
    if (typeof record === 'object') return record;
  }
  return undefined;
}

/** Parses a file, or returns the reason why it is invalid. */
async function recordIn(text: string | number | TroupeError): Promise<JsonObject | string> {
  if (text instanceof TroupeError) return text.message;
  return typeof text === 'number' ? `larger than ${TEAM_LIMITS.traceRecordBytes} bytes` : await parseRecord(text);
}

async function parseRecord(text: string): Promise<JsonObject | string> {
  const own = ownRecord(text);
  if (own) return own;
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  try {
    const { value } = strictYaml(text);
    return isJsonObject(value) ? value : 'not a record';
  } catch (error) {
    const rejection = rejectionIn(error);
    return rejection.message;
  }
}

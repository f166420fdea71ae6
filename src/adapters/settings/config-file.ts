/**
 * `config.toml`, edited in place; the settings of the person, outside every project; custom executors; prices of models.
 * @packageDocumentation
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { databaseIn } from '#core/settings/database.js';
import type { Clock } from '#kernel/clock.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { SHARED_FILE } from '#kernel/file-modes.js';
import { FROM_PROJECT, graphLayout } from '#kernel/graph-folder.js';
import { isJsonObject, type JsonObject, sameJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Processes } from '#ports/processes.js';
import type { SettingsFile, SettingToWrite } from '#ports/settings.js';

/** Maximum depth at which a table gets its own heading. */
const WHOLE_TABLES = 8;

/** `.workgraph/config.toml` of one project. Links are refused; comments are preserved where the library can. */
export class ConfigFile implements SettingsFile {
  readonly name = FROM_PROJECT.settings;
  private readonly folder: string;
  private readonly file: string;
  private readonly service: string;
  private readonly processes: Processes;
  private readonly clock: Clock;

  /** `folder` is the absolute path of `.workgraph/`. */
  constructor(parts: { folder: string; processes: Processes; clock: Clock }) {
    const { settings, service } = graphLayout(parts.folder);
    this.folder = parts.folder;
    this.file = settings;
    this.service = service;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async read(): Promise<JsonObject> {
    const text = this.text();
    const values = await this.parse(text);
    const said = isJsonObject(values['database']) ? values['database']['project'] : undefined;
    if (typeof said === 'string' && databaseIn(text) !== said) {
      throw new TroupeError('bad_config', {
        what: `${this.name}: database.project is not where commands look for it.`,
        hint: 'Write it on a line of its own below `[database]`.',
        details: { key: 'database.project' },
      });
    }
    return values;
  }

  async set(changes: readonly SettingToWrite[]): Promise<{ kept: boolean }> {
    if (!lstatSync(this.folder, { throwIfNoEntry: false })) throw new TroupeError('not_initialized');
    this.text(); // refuses links before a folder is created through one
    try {
      const lock = this.processes.lock(path.join(this.service, 'config.lock'), this.clock);
      await lock.acquire();
      try {
        const text = this.text();
        const before = await this.parse(text);
        const target = changes.reduce((whole, { key, value }) => withValue(whole, key, value), before);
        const { next, kept } = await this.edited(text, target);
        this.replace(next, path.join(this.service, 'config.draft.toml'));
        return { kept };
      } finally {
        lock.release();
      }
    } catch (error) {
      const failure = asTroupeError(error);
      throw failure.code === 'internal' ? error : failure;
    }
  }

  /** Text of the file; empty if there is no file or no graph. */
  private text(): string {
    for (const place of [this.folder, this.file]) {
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new TroupeError('unsafe_path', { what: `${this.name} is a link: it is not read.` });
    }
    let descriptor: number;
    try {
      descriptor = openSync(this.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw new TroupeError('unreadable', { what: `${this.name} cannot be read.`, cause: error });
    }
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) throw new TroupeError('unsafe_path', { what: `${this.name} is not a regular file.` });
      if (stat.size > TEAM_LIMITS.settingsFileBytes) {
        throw new TroupeError('too_large', {
          what: `${this.name} is larger than ${TEAM_LIMITS.settingsFileBytes} bytes.`,
        });
      }
      return readFileSync(descriptor, 'utf8').replace(/^\ufeff/, '');
    } finally {
      closeSync(descriptor);
    }
  }

  private async parse(text: string): Promise<JsonObject> {
    if (text === '') return {};
    const { strictToml } = await import('#adapters/disk/strict-toml.js');
    try {
      return strictToml(text);
    } catch (error) {
      const { line, column, message } = rejectionIn(error);
      const place = line === undefined ? this.name : `${this.name}:${line}:${column}`;
      throw new TroupeError('bad_config', { what: `${place}: ${message}`, details: { line, column } });
    }
  }

  /** The text with the wanted values. If editing in place gives a wrong result, the file is written anew. */
  private async edited(text: string, target: JsonObject): Promise<{ next: string; kept: boolean }> {
    try {
      const { patch, TomlFormat } = await import('@decimalturn/toml-patch');
      const format = TomlFormat.default();
      format.inlineTableStart = WHOLE_TABLES;
      const next = patch(text, target, format);
      if (sameJson(await this.parse(next), target)) return { next, kept: true };
    } catch (error) {
      if (error instanceof TroupeError && error.code !== 'bad_config') throw error;
    }
    const { tomlText } = await import('#adapters/disk/strict-toml.js');
    return { next: tomlText(target), kept: false };
  }

  private replace(text: string, draft: string): void {
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: SHARED_FILE, flag: 'wx', flush: true });
    renameSync(draft, this.file);
  }
}

function withValue(value: JsonObject, key: readonly string[], set: SettingToWrite['value']): JsonObject {
  const [word = '', ...rest] = key;
  const { [word]: before, ...others } = value;
  if (rest.length > 0) {
    const inner = withValue(isJsonObject(before) ? before : {}, rest, set);
    return Object.keys(inner).length > 0 ? { ...value, [word]: inner } : others;
  }
  return set === undefined ? others : { ...value, [word]: typeof set === 'object' ? [...set] : set };
}
